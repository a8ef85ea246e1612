//! One item of a batch: a command line that runs beside others.

use std::{
    iter,
    panic::{self, AssertUnwindSafe},
};

use clap::{FromArgMatches as _, parser::ValueSource};

use super::{
    command::{Cli, Command, is_answered, parse},
    failure,
};
use crate::{
    commands::{GlobalArgs, Session, batch::ItemOutcome},
    git::HistoryCache,
    model::{self, Problem, ProblemKind},
};

/// Runs one item of a batch; a defect that one of them meets does not end the others.
pub(super) fn attempt(arguments: &[String], run: &GlobalArgs, history: Option<&HistoryCache>) -> ItemOutcome {
    unless_it_panics(|| run_item(arguments, run, history))
}

fn unless_it_panics(item: impl FnOnce() -> ItemOutcome) -> ItemOutcome {
    panic::catch_unwind(AssertUnwindSafe(item)).unwrap_or_else(|_| {
        let problem = Problem::new("the command ended by an internal error").hint(failure::REPORT_IT);
        ItemOutcome::default().failed(&problem.into(), failure::exit_code(ProblemKind::Failed))
    })
}

fn run_item(arguments: &[String], run: &GlobalArgs, history: Option<&HistoryCache>) -> ItemOutcome {
    let mut outcome = ItemOutcome::default();
    match parse_item(arguments, run) {
        Ok(cli) => match keep(cli, history, &mut outcome) {
            Ok(()) => outcome,
            Err(error) => outcome.failed(&error, failure::exit_code(model::kind(&error))),
        },
        Err(error) => outcome.usage_error(&error),
    }
}

fn parse_item(arguments: &[String], run: &GlobalArgs) -> clap::error::Result<Cli> {
    let line: Vec<_> = iter::once("tidings").chain(arguments.iter().map(String::as_str)).collect();
    let matches = parse(&line)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    cli.global.inherit(run);
    if matches.value_source("format") == Some(ValueSource::DefaultValue) {
        cli.global.format = run.format;
    }
    Ok(cli)
}

/// Runs a command beside others; what it says and answers is kept.
fn keep(Cli { global, command }: Cli, history: Option<&HistoryCache>, outcome: &mut ItemOutcome) -> anyhow::Result<()> {
    check(&command)?;
    command.check(&global)?;
    let mut session = Session::captured(global, history.cloned())?;
    let done = command.run(&attempt, &mut session);
    let done = session.conclude(done);
    outcome.messages = session.messages.captured();
    if is_answered(&done) {
        outcome.output = session.out.take()?;
        session.finish()?;
    }
    done
}

/// Whether a command can run beside others.
fn check(command: &Command) -> anyhow::Result<()> {
    if matches!(command, Command::Batch(_)) {
        return Err(Problem::usage("`batch` cannot be nested").hint("put the items into one list").into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_of_its_item_alone() {
        let outcome = unless_it_panics(|| panic!("as it must not"));
        assert_eq!((outcome.code, outcome.error.unwrap().causes.len()), (1, 0));
        assert_eq!(unless_it_panics(ItemOutcome::default).code, 0);
    }
}
