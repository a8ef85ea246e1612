//! `tidings label`: the labels of a project.

mod color;
mod show;
mod sync;

use clap::{Args as ClapArgs, Subcommand, builder::NonEmptyStringValueParser};

use self::{color::parse_color, sync::Labels};
use super::{
    ConfirmArgs, PageArgs, Server, Session, WriteArgs,
    sync::{SyncArgs, run as sync},
};
use crate::{
    api::{
        Operation,
        labels::{
            CreateLabel, DeleteLabel, EditLabel, GetLabel, ListLabels, Priority, PromoteLabel, SubscribeLabel,
            UnsubscribeLabel,
        },
    },
    model::Problem,
};

/// List, create and change the labels of a project on the server.
#[derive(ClapArgs, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

const EXAMPLES: &str = "\
Examples:
  tidings label list --project group/app --search bug
  tidings label create late '#d9534f' --description 'not in time' --priority 0
  tidings label edit late --new-color teal --priority none
  tidings label sync labels.yml --dry-run              what a file would change";

const FILE: &str = "\
The file:
  - name: late
    color: '#d9534f'              # or the CSS name of a colour
    description: not in time      # left as it is where the key is missing
    priority: 0                   # or none; as it is where the key is missing";

#[derive(Debug, Subcommand)]
enum Action {
    /// List labels.
    List(List),
    /// Show one label.
    Get(Get),
    /// Create a label.
    Create(Create),
    /// Change title, colour, description or priority of a label.
    Edit(Edit),
    /// Delete a label.
    Delete(ConfirmedLabelArgs),
    /// Promote a project label to a group label; it keeps its ID.
    Promote(ConfirmedLabelArgs),
    /// Subscribe to a label, to be notified of the issues and merge requests that get it.
    Subscribe(Subscription),
    /// Unsubscribe from a label.
    Unsubscribe(Subscription),
    /// Make the project's labels match a file: print the plan, then apply it.
    #[command(after_help = FILE)]
    Sync(SyncArgs),
}

#[derive(ClapArgs, Debug)]
struct List {
    /// Only labels with this in title or description.
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Count the issues and merge requests that have it.
    #[arg(long)]
    with_counts: bool,
    /// Exclude labels of ancestor groups.
    #[arg(long)]
    no_ancestor_groups: bool,
    #[command(flatten)]
    pages: PageArgs,
}

#[derive(ClapArgs, Debug)]
struct Get {
    /// Id or title.
    label: String,
    /// Exclude labels of ancestor groups.
    #[arg(long)]
    no_ancestor_groups: bool,
}

#[derive(ClapArgs, Debug)]
struct Create {
    /// The title.
    #[arg(value_parser = NonEmptyStringValueParser::new())]
    name: String,
    /// `#` and six hexadecimal digits, or the CSS name of a colour.
    #[arg(value_name = "COLOR", value_parser = parse_color)]
    new_color: String,
    #[command(flatten)]
    traits: LabelFieldArgs,
    #[command(flatten)]
    write: WriteArgs,
}

#[derive(ClapArgs, Debug)]
struct Edit {
    /// Id or title.
    label: String,
    /// New name of the label.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    new_name: Option<String>,
    /// Another colour: `#` and six hexadecimal digits, or a CSS name.
    #[arg(long, value_name = "COLOR", value_parser = parse_color)]
    new_color: Option<String>,
    #[command(flatten)]
    traits: LabelFieldArgs,
    #[command(flatten)]
    write: WriteArgs,
}

#[derive(ClapArgs, Debug)]
struct LabelFieldArgs {
    /// Description of the label.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Its rank among prioritized labels, from 0, or `none`.
    #[arg(long, value_name = "RANK", value_parser = parse_priority, allow_negative_numbers = true)]
    priority: Option<Priority>,
}

#[derive(ClapArgs, Debug)]
struct ConfirmedLabelArgs {
    /// Id or title.
    label: String,
    #[command(flatten)]
    destroy: ConfirmArgs,
}

#[derive(ClapArgs, Debug)]
struct Subscription {
    /// Id or title.
    label: String,
    #[command(flatten)]
    write: WriteArgs,
}

/// The operations of this area, with the command for each.
#[must_use]
pub fn operations() -> Vec<(&'static str, Operation)> {
    vec![
        ("label list", Operation::of::<ListLabels>()),
        ("label get", Operation::of::<GetLabel>()),
        ("label create", Operation::of::<CreateLabel>()),
        ("label edit", Operation::of::<EditLabel>()),
        ("label delete", Operation::of::<DeleteLabel>()),
        ("label promote", Operation::of::<PromoteLabel>()),
        ("label subscribe", Operation::of::<SubscribeLabel>()),
        ("label unsubscribe", Operation::of::<UnsubscribeLabel>()),
    ]
}

/// Runs `tidings label`.
///
/// # Errors
///
/// Where an argument is wrong, or the server refuses or cannot be reached.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let server = Server::of(session)?;
    let project = server.project()?.to_owned();
    match &args.action {
        Action::List(args) => list(&server, session, project, args),
        Action::Get(args) => get(&server, session, project, args),
        Action::Create(args) => create(&server, session, project, args),
        Action::Edit(args) => edit(&server, session, project, args),
        Action::Delete(args) => delete(&server, session, project, args),
        Action::Promote(args) => promote(&server, session, project, args),
        Action::Subscribe(args) => subscribe(&server, session, project, args),
        Action::Unsubscribe(args) => unsubscribe(&server, session, project, args),
        Action::Sync(args) => sync(&Labels { server: &server, project }, args, session),
    }
}

fn list(server: &Server, session: &mut Session, project: String, args: &List) -> anyhow::Result<()> {
    let endpoint = ListLabels {
        project,
        with_counts: args.with_counts.then_some(true),
        include_ancestor_groups: args.no_ancestor_groups.then_some(false),
        search: args.search.clone(),
    };
    let labels = server.list(session, &endpoint, args.pages)?;
    if labels.items.is_empty() {
        session.note("no labels");
    }
    session.answer(&labels.raw, |out| show::table(&labels.items, args.with_counts, out))
}

fn get(server: &Server, session: &mut Session, project: String, args: &Get) -> anyhow::Result<()> {
    let include_ancestor_groups = args.no_ancestor_groups.then_some(false);
    let label = server.send(&GetLabel { project, label: args.label.clone(), include_ancestor_groups })?;
    session.answer(&label.raw, |out| show::card(&label.value, out))
}

fn create(server: &Server, session: &mut Session, project: String, args: &Create) -> anyhow::Result<()> {
    let endpoint = CreateLabel {
        project,
        name: args.name.clone(),
        color: args.new_color.clone(),
        description: args.traits.description.clone(),
        priority: args.traits.priority,
    };
    let Some(label) = server.send_change(session, &endpoint, args.write)? else { return Ok(()) };
    session.answer(&label.raw, |out| show::card(&label.value, out))
}

fn edit(server: &Server, session: &mut Session, project: String, args: &Edit) -> anyhow::Result<()> {
    let endpoint = EditLabel {
        project,
        label: args.label.clone(),
        new_name: args.new_name.clone(),
        color: args.new_color.clone(),
        description: args.traits.description.clone(),
        priority: args.traits.priority,
    };
    if endpoint.is_empty() {
        let problem = Problem::usage(format!("nothing to change about the label `{}`", args.label));
        return Err(problem.hint("give --new-name, --new-color, --description or --priority").into());
    }
    let Some(label) = server.send_change(session, &endpoint, args.write)? else { return Ok(()) };
    session.answer(&label.raw, |out| show::card(&label.value, out))
}

fn delete(server: &Server, session: &mut Session, project: String, args: &ConfirmedLabelArgs) -> anyhow::Result<()> {
    let action = format!("delete the label `{}` of `{project}`", args.label);
    let endpoint = DeleteLabel { project, label: args.label.clone() };
    let Some(answer) = server.confirm_and_send(session, &endpoint, args.destroy, &action)? else { return Ok(()) };
    session.done(&answer.raw, &format!("deleted the label `{}`", args.label))
}

fn promote(server: &Server, session: &mut Session, project: String, args: &ConfirmedLabelArgs) -> anyhow::Result<()> {
    let action = format!("promote the label `{}` of `{project}` to its group", args.label);
    let endpoint = PromoteLabel { project, label: args.label.clone() };
    let Some(label) = server.confirm_and_send(session, &endpoint, args.destroy, &action)? else { return Ok(()) };
    session.answer(&label.raw, |out| show::card(&label.value, out))
}

fn subscribe(server: &Server, session: &mut Session, project: String, args: &Subscription) -> anyhow::Result<()> {
    let endpoint = SubscribeLabel { project, label: args.label.clone() };
    let Some(answer) = server.send_change(session, &endpoint, args.write)? else { return Ok(()) };
    let done = if answer.is_not_modified() { "already subscribed" } else { "subscribed" };
    session.done(&answer.raw, &format!("{done} to the label `{}`", args.label))
}

fn unsubscribe(server: &Server, session: &mut Session, project: String, args: &Subscription) -> anyhow::Result<()> {
    let endpoint = UnsubscribeLabel { project, label: args.label.clone() };
    let Some(answer) = server.send_change(session, &endpoint, args.write)? else { return Ok(()) };
    let done = if answer.is_not_modified() { "was not subscribed" } else { "no longer subscribed" };
    session.done(&answer.raw, &format!("{done} to the label `{}`", args.label))
}

fn parse_priority(text: &str) -> Result<Priority, String> {
    match text {
        "none" => Ok(Priority::None),
        rank => rank.parse().map(Priority::Rank).map_err(|_| "a number from 0, or `none`".to_owned()),
    }
}
