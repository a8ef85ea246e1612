//! `tidings feature`: the feature flags of the server itself.

mod show;

use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::{ConfirmArgs, Server, Session, WriteArgs};
use crate::{
    api::{
        Operation,
        features::{DeleteFeature, FeatureValue, ListDefinitions, ListFeatures, SetFeature},
    },
    model::Problem,
};

/// List and set the feature flags of a GitLab instance (administrators only).
#[derive(ClapArgs, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

const EXAMPLES: &str = "\
Examples:
  tidings feature list
  tidings feature set fast_lane 30                     for so many calls of 100
  tidings feature set fast_lane true --user ada,bob    for these alone
  tidings feature delete fast_lane";

#[derive(Debug, Subcommand)]
enum Action {
    /// List the features that somebody has set, with their gates.
    List,
    /// List the features that the server knows.
    Definitions,
    /// Set a feature, or create it.
    Set(Box<Set>),
    /// Delete a feature flag's setting.
    Delete(Delete),
}

#[derive(ClapArgs, Debug)]
struct Set {
    /// The feature.
    name: String,
    /// `true` (100), `false` (0), or a percentage between them.
    #[arg(value_parser = parse_setting)]
    value: FeatureValue,
    /// What the percentage applies to [GitLab's default: `percentage_of_time`].
    #[arg(long, value_enum)]
    key: Option<Key>,
    #[command(flatten)]
    targets: Targets,
    /// Skip the server's checks, such as that the feature is defined.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    write: WriteArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Key {
    PercentageOfTime,
    PercentageOfActors,
}

#[derive(ClapArgs, Debug)]
struct Targets {
    /// Set it for this feature group.
    #[arg(long, value_name = "NAME")]
    feature_group: Option<String>,
    /// Set the feature for these users, separated by commas.
    #[arg(long, value_name = "NAMES")]
    user: Option<String>,
    /// Set it for these groups.
    #[arg(long, value_name = "PATHS")]
    group: Option<String>,
    /// Set it for the namespaces of these groups or users.
    #[arg(long, value_name = "PATHS")]
    namespace: Option<String>,
    /// Set it for these projects.
    #[arg(long, value_name = "PATHS")]
    for_project: Option<String>,
    /// Set it for these repositories.
    #[arg(long, value_name = "PATHS")]
    repository: Option<String>,
}

#[derive(ClapArgs, Debug)]
struct Delete {
    /// The feature.
    name: String,
    #[command(flatten)]
    destroy: ConfirmArgs,
}

/// The operations of this area, with the command for each.
#[must_use]
pub fn operations() -> Vec<(&'static str, Operation)> {
    vec![
        ("feature list", Operation::of::<ListFeatures>()),
        ("feature definitions", Operation::of::<ListDefinitions>()),
        ("feature set", Operation::of::<SetFeature>()),
        ("feature delete", Operation::of::<DeleteFeature>()),
    ]
}

/// Runs `tidings feature`.
///
/// # Errors
///
/// Where an argument is wrong, or the server refuses or cannot be reached.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let server = Server::of(session)?;
    match &args.action {
        Action::List => list(&server, session),
        Action::Definitions => definitions(&server, session),
        Action::Set(args) => set(&server, session, args),
        Action::Delete(args) => delete(&server, session, args),
    }
}

fn list(server: &Server, session: &mut Session) -> anyhow::Result<()> {
    let features = server.send(&ListFeatures)?;
    if features.value.is_empty() {
        session.note("no feature is set");
    }
    session.answer(&features.raw, |out| show::table(&features.value, out))
}

fn definitions(server: &Server, session: &mut Session) -> anyhow::Result<()> {
    let definitions = server.send(&ListDefinitions)?;
    session.answer(&definitions.raw, |out| show::definitions(&definitions.value, out))
}

fn set(server: &Server, session: &mut Session, args: &Set) -> anyhow::Result<()> {
    let targets = &args.targets;
    let endpoint = SetFeature {
        name: args.name.clone(),
        value: args.value,
        key: args.key.and_then(|key| Some(key.to_possible_value()?.get_name().to_owned())),
        feature_group: targets.feature_group.clone(),
        user: targets.user.clone(),
        group: targets.group.clone(),
        namespace: targets.namespace.clone(),
        project: targets.for_project.clone(),
        repository: targets.repository.clone(),
        force: args.force.then_some(true),
    };
    check(&endpoint)?;
    let Some(feature) = server.send_change(session, &endpoint, args.write)? else { return Ok(()) };
    session.answer(&feature.raw, |out| show::card(&feature.value, out))
}

/// The service takes on and off alone for a target, and newer ones no key beside it.
fn check(endpoint: &SetFeature) -> Result<(), Problem> {
    let Some((target, _)) = endpoint.targets().first().copied() else { return Ok(()) };
    let target = target.replace('_', " ");
    let message = match (endpoint.value, &endpoint.key) {
        (FeatureValue::Percentage(percentage), _) => {
            format!("a percentage, `{percentage}`, cannot be set for a {target}")
        }
        (_, Some(_)) => format!("`--key` is of percentages, and newer servers refuse it for a {target}"),
        (_, None) => return Ok(()),
    };
    Err(Problem::usage(message).hint("set `true` or `false` without --key for it, or leave the target out"))
}

fn delete(server: &Server, session: &mut Session, args: &Delete) -> anyhow::Result<()> {
    let action = format!("delete what was set for the feature `{}`", args.name);
    let endpoint = DeleteFeature { name: args.name.clone() };
    let Some(answer) = server.confirm_and_send(session, &endpoint, args.destroy, &action)? else { return Ok(()) };
    session.done(&answer.raw, &format!("deleted the setting of the feature `{}`", args.name))
}

fn parse_setting(text: &str) -> Result<FeatureValue, String> {
    match text {
        "true" | "100" => Ok(FeatureValue::On),
        "false" | "0" => Ok(FeatureValue::Off),
        _ => {
            let percentage = text.parse().ok().filter(|percentage| *percentage <= 100);
            percentage
                .map(FeatureValue::Percentage)
                .ok_or_else(|| "`true`, `false`, or a percentage from 0 to 100".to_owned())
        }
    }
}
