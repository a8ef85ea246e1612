//! `sync`: makes the resources on a server match a file. It prints a plan, and then applies it. The same file applied
//! again changes nothing.

mod plan;

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anstyle::{AnsiColor, Style};
use clap::Args;
use serde_json::{Map, Value, json};

pub(super) use self::plan::{Desired, Difference, LOST, SyncContext, SyncResource, read_description, unknown_key};
use self::plan::{SyncAction, SyncPlan, SyncStep};
use super::{
    Session,
    layout::{Align, Cell, Table},
    session::{Failures, confirm, input_name, read_input},
};
use crate::{api, config::ResourceList};

/// The arguments of `sync`.
#[derive(Args, Clone)]
pub(super) struct SyncArgs {
    /// YAML file with the list, or the JSON that `list` prints; `-` is stdin.
    file: PathBuf,
    /// Delete what is not in the file.
    #[arg(long)]
    prune: bool,
    /// Print the plan, and change nothing.
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Do not ask for confirmation before something is deleted.
    #[arg(short, long)]
    yes: bool,
}

/// Prints the plan, asks if it deletes something, and applies it.
pub(super) fn sync(resource: &dyn SyncResource, args: &SyncArgs, session: &mut Session) -> anyhow::Result<()> {
    let list = ResourceList::parse(&read_input(&args.file)?, &input_name(&args.file))?;
    let desired = plan::read(resource, &list)?;
    let plan = SyncPlan::new(resource, desired, resource.context().list()?, args.prune)?;
    if !session.json() {
        print_plan(&plan, &mut session.out)?;
        session.out.flush()?;
    }
    if args.dry_run || plan.changes() == 0 {
        let rows: Vec<Value> = plan.steps.iter().map(|step| row(step, step.planned_outcome(), &Value::Null)).collect();
        return session.answer(&rows, |_| Ok(()));
    }
    if let Some(action) = plan.deletions().filter(|_| !args.yes) {
        confirm(&action, &session.messages)?;
    }
    execute(&plan, session)
}

/// Applies one step after another, even if one of them is refused.
fn execute(plan: &SyncPlan<'_>, session: &mut Session) -> anyhow::Result<()> {
    let (mut rows, mut failures, mut is_available) = (Vec::new(), Failures::default(), true);
    for step in &plan.steps {
        match plan.apply(step, is_available) {
            Ok((outcome, response)) => rows.push(row(step, outcome, &response)),
            Err(error) => {
                is_available = !is_unavailable(&error);
                rows.push(failed_row(step, &error));
                failures.push(format!("{} `{}`", plan.resource.context().noun, step.name), error);
            }
        }
    }
    session.answer(&rows, |out| print_done(&rows, out))?;
    failures.end(&session.messages, |failed| format!("{failed} of {} changes failed", plan.changes()))
}

/// Whether the server is unavailable, so that further requests are pointless.
fn is_unavailable(error: &anyhow::Error) -> bool {
    error.downcast_ref::<api::Error>().is_some_and(|error| error.status().is_none())
}

/// Prints a line for each step, and the number of steps of each kind.
fn print_plan(plan: &SyncPlan<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::without_headings([Align::Left; 3]);
    for step in &plan.steps {
        let action = Cell::new(step.action.name()).with_style(style(&step.action));
        table.row([action, (&step.name).into(), (&details(plan, step)).into()]);
    }
    table.write(out)?;
    let counts = ["create", "change", "delete", "leave"]
        .map(|action| (plan.steps.iter().filter(|step| step.action.name() == action).count(), format!("to {action}")));
    writeln!(out, "{}", sum(&counts).unwrap_or("nothing to do".to_owned()))
}

/// Prints the number of steps that were done.
fn print_done(rows: &[Value], out: &mut impl Write) -> io::Result<()> {
    let verbs = [("create", "created"), ("change", "changed"), ("delete", "deleted")];
    let failed = |is_lost: bool| {
        let failed = rows.iter().filter(|row| row["outcome"] == "failed");
        failed.filter(|row| row["error"].as_str().is_some_and(|error| error.starts_with(LOST)) == is_lost).count()
    };
    let failed = [(failed(true), "deleted and not recreated".to_owned()), (failed(false), "failed".to_owned())];
    let counts: Vec<_> = verbs
        .map(|(action, done)| {
            (rows.iter().filter(|row| row["action"] == action && row["outcome"] == "done").count(), done.to_owned())
        })
        .into_iter()
        .chain(failed)
        .collect();
    writeln!(out, "{}", sum(&counts).unwrap_or("nothing was done".to_owned()))
}

/// Joins the counts that are not zero: `1 created, 2 changed`; `None` if all are zero.
fn sum(counts: &[(usize, String)]) -> Option<String> {
    let parts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    Some(parts.collect::<Vec<_>>().join(", ")).filter(|sum| !sum.is_empty())
}

/// Returns a step as JSON: `outcome` is `planned`, `done`, `failed`, `left`, or `untried` if the server is unavailable.
fn row(step: &SyncStep, outcome: &str, response: &Value) -> Value {
    let changes = step.differences.iter();
    let changes: Map<String, Value> = changes
        .map(|difference| (difference.field.to_owned(), json!({"from": difference.from, "to": difference.to})))
        .collect();
    let (action, name) = (step.action.name(), &step.name);
    json!({"action": action, "name": name, "changes": changes, "outcome": outcome, "answer": response})
}

fn failed_row(step: &SyncStep, error: &anyhow::Error) -> Value {
    let mut row = row(step, "failed", &Value::Null);
    row["error"] = format!("{error:#}").into();
    row
}

fn style(action: &SyncAction) -> Style {
    match action {
        SyncAction::Create(_) => AnsiColor::Green.on_default(),
        SyncAction::Update(..) => AnsiColor::Yellow.on_default(),
        SyncAction::Keep(_) => Style::new().dimmed(),
        SyncAction::Delete(_) => AnsiColor::Red.on_default(),
    }
}

fn details(plan: &SyncPlan<'_>, step: &SyncStep) -> String {
    if let SyncAction::Keep(why) = step.action {
        return why.to_owned();
    }
    let differences = step.differences.iter().map(difference).collect::<Vec<_>>().join(", ");
    let is_recreated = plan.resource.context().recreates && matches!(step.action, SyncAction::Update(..));
    differences + if is_recreated { " (deleted and recreated)" } else { "" }
}

fn difference(Difference { field, from, to }: &Difference) -> String {
    match (from, to) {
        (_, Value::Array(to)) => {
            let from = from.as_array().map(Vec::as_slice).unwrap_or_default();
            let added = to.iter().filter(|value| !from.contains(value)).map(|value| format!(" +{}", text(value)));
            let removed = from.iter().filter(|value| !to.contains(value)).map(|value| format!(" -{}", text(value)));
            format!("{field}{}", added.chain(removed).collect::<String>())
        }
        (Value::Null, to) => format!("{field} {}", text(to)),
        (from, to) => format!("{field} {} -> {}", text(from), text(to)),
    }
}

/// Formats a value, quoted if it is not a single word.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) if !text.is_empty() && !text.contains(char::is_whitespace) => text.clone(),
        other => other.to_string(),
    }
}
