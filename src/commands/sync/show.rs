//! The plan as text and as JSON.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde_json::{Map, Value, json};

use super::{
    Difference, LOST,
    plan::{SyncAction, SyncPlan, SyncStep},
};
use crate::commands::layout::{Align, Cell, Table};

/// Prints a line for each step, and the number of steps of each kind.
pub(super) fn plan(plan: &SyncPlan<'_>, out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::bare([Align::Left; 3]);
    for step in &plan.steps {
        let action = Cell::new(step.action.name()).styled(style(&step.action));
        table.row([action, (&step.name).into(), (&details(plan, step)).into()]);
    }
    table.write(out)?;
    let count = |action: &str| plan.steps.iter().filter(|step| step.action.name() == action).count();
    let counts = ["create", "change", "delete", "leave"].map(|action| (count(action), format!("to {action}")));
    writeln!(out, "{}", sum(&counts).unwrap_or("nothing to do".to_owned()))
}

/// Prints the number of steps that were done.
pub(super) fn done(rows: &[Value], out: &mut impl Write) -> io::Result<()> {
    let is_done = |row: &&Value, action: &str| row["action"] == action && row["outcome"] == "done";
    let count = |action: &str| rows.iter().filter(|row| is_done(row, action)).count();
    let verbs = [("create", "created"), ("change", "changed"), ("delete", "deleted")];
    let failed = |is_lost: bool| {
        let failed = rows.iter().filter(|row| row["outcome"] == "failed");
        failed.filter(|row| row["error"].as_str().is_some_and(|error| error.starts_with(LOST)) == is_lost).count()
    };
    let failed = [(failed(true), "deleted and not recreated".to_owned()), (failed(false), "failed".to_owned())];
    let counts: Vec<_> =
        verbs.map(|(action, done)| (count(action), done.to_owned())).into_iter().chain(failed).collect();
    writeln!(out, "{}", sum(&counts).unwrap_or("nothing was done".to_owned()))
}

/// `1 created, 2 changed`
fn sum(counts: &[(usize, String)]) -> Option<String> {
    let parts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    Some(parts.collect::<Vec<_>>().join(", ")).filter(|sum| !sum.is_empty())
}

/// Returns a step as JSON: `outcome` is `planned`, `done`, `failed`, `left`, or `untried` if the server is unavailable.
pub(super) fn row(step: &SyncStep, outcome: &str, response: &Value) -> Value {
    let changes = step.differences.iter();
    let changes: Map<String, Value> = changes
        .map(|difference| (difference.field.to_owned(), json!({"from": difference.from, "to": difference.to})))
        .collect();
    let (action, name) = (step.action.name(), &step.name);
    json!({"action": action, "name": name, "changes": changes, "outcome": outcome, "answer": response})
}

/// Returns a failed step as JSON.
pub(super) fn failed(step: &SyncStep, error: &anyhow::Error) -> Value {
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
    let is_recreated = plan.resource.must_recreate() && matches!(step.action, SyncAction::Update(..));
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
