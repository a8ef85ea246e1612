//! The command line: a run of the program, an item of a batch, and the completions that a shell asks for.

mod command;
mod failure;
mod help;
mod other_tools;

use std::{
    env,
    io::Write as _,
    iter,
    panic::{self, AssertUnwindSafe},
    path::Path,
    process::ExitCode,
};

use clap::{CommandFactory as _, FromArgMatches as _, error::ErrorKind, parser::ValueSource};
use clap_complete::{ArgValueCandidates, CompleteEnv, CompletionCandidate};

pub(crate) use self::command::Cli;
use self::command::{ALIASES, Command, help_instead, is_answered, parse};
use crate::{
    commands::{GlobalArgs, Session, batch::ItemOutcome, completions::VARIABLE, doctor, overview},
    git::{HistoryCache, Repo},
    model::{self, Problem, ProblemKind},
};

/// Parses the arguments of this process, runs the command and reports its failure.
#[must_use]
pub fn main() -> ExitCode {
    failure::report_panics();
    if complete_command_line() {
        return ExitCode::SUCCESS;
    }
    match parse(&env::args_os().collect::<Vec<_>>()).and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) if cli.command.is_none() && env::args_os().len() == 1 && Repo::discover(Path::new(".")).is_err() => {
            failure::report_usage(help_instead()).into()
        }
        Ok(cli) => run(cli).map_or_else(|error| failure::report(&error).into(), |()| ExitCode::SUCCESS),
        Err(error) if error.kind() == ErrorKind::DisplayVersion && is_verbose() => {
            // An error means that the stream is closed.
            let _ = write!(anstream::stdout(), "{}", doctor::program_lines());
            ExitCode::SUCCESS
        }
        Err(error) => failure::report_usage(error).into(),
    }
}

/// Whether `--version` was given together with `--verbose`.
fn is_verbose() -> bool {
    env::args_os().any(|argument| {
        argument.to_str().is_some_and(|word| word == "--verbose" || word.starts_with("-v") || word.starts_with("-Vv"))
    })
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let Cli { global, command } = cli;
    match &command {
        Some(command) => command.check(&global)?,
        None => overview::check(&global)?,
    }
    let mut session = Session::start(global)?;
    let done = match &command {
        Some(command) => command.run(&attempt, &mut session),
        None => overview::run(&mut session),
    };
    let done = session.conclude(done);
    if is_answered(&done) {
        session.finish()?;
    }
    done
}

/// Runs one item of a batch; a panic fails this item and does not end the others.
fn attempt(arguments: &[String], run: &GlobalArgs, history: Option<&HistoryCache>) -> ItemOutcome {
    unless_it_panics(|| run_item(arguments, run, history))
}

fn unless_it_panics(item: impl FnOnce() -> ItemOutcome) -> ItemOutcome {
    panic::catch_unwind(AssertUnwindSafe(item)).unwrap_or_else(|_| {
        let problem = Problem::new("the command ended with an internal error").hint(failure::REPORT_IT);
        ItemOutcome::default().with_error(&problem.into(), failure::exit_code(ProblemKind::Failed))
    })
}

fn run_item(arguments: &[String], run: &GlobalArgs, history: Option<&HistoryCache>) -> ItemOutcome {
    let mut outcome = ItemOutcome::default();
    match parse_item(arguments, run) {
        Ok(cli) => match keep(cli, history, &mut outcome) {
            Ok(()) => outcome,
            Err(error) => outcome.with_error(&error, failure::exit_code(model::problem_kind(&error))),
        },
        Err(error) => outcome.usage_error(&error),
    }
}

fn parse_item(arguments: &[String], run: &GlobalArgs) -> clap::error::Result<Cli> {
    let line: Vec<_> = iter::once("tidings").chain(arguments.iter().map(String::as_str)).collect();
    let matches = parse(&line)?;
    let mut cli = Cli::from_arg_matches(&matches)?;
    cli.global.inherit(run, &|option| matches.value_source(option) == Some(ValueSource::CommandLine));
    Ok(cli)
}

/// Runs the command of an item and keeps its messages and output in `outcome`.
fn keep(Cli { global, command }: Cli, history: Option<&HistoryCache>, outcome: &mut ItemOutcome) -> anyhow::Result<()> {
    let Some(command) = command else {
        return Err(Problem::usage("an item needs a command").hint("begin it with one, such as `show`").into());
    };
    if matches!(command, Command::Batch(_)) {
        return Err(Problem::usage("`batch` cannot be nested").hint("put the items into one list").into());
    }
    command.check(&global)?;
    let mut session = Session::with_captured_output(global, history.cloned())?;
    let done = command.run(&attempt, &mut session);
    let done = session.conclude(done);
    outcome.messages = session.messages.captured();
    if is_answered(&done) {
        outcome.output = session.out.take()?;
        session.finish()?;
    }
    done
}

/// Prints completions if a shell asks for them, and returns whether one did.
fn complete_command_line() -> bool {
    let directory = env::current_dir().ok();
    let answered =
        CompleteEnv::with_factory(completion_tree).var(VARIABLE).try_complete(env::args_os(), directory.as_deref());
    answered.unwrap_or_else(|error| {
        failure::report_usage(error);
        true
    })
}

/// Returns the tree of commands as completions offer it.
fn completion_tree() -> clap::Command {
    let mut built = Cli::command();
    built.build();
    // An alias is accepted, but only its command is offered.
    let program = ALIASES.into_iter().fold(built, |program, (name, alias)| {
        program.mut_subcommand(name, |command| command.visible_alias(None).alias(alias))
    });
    let offered = program.mut_subcommand("man", |command| {
        command.mut_arg("path", |path| {
            path.add(ArgValueCandidates::new(|| help::commands().map(CompletionCandidate::new).collect()))
        })
    });
    // If the last word is empty, options would hide the other candidates.
    if env::args_os().next_back().is_some_and(|word| word.is_empty()) { hide_options(offered) } else { offered }
}

fn hide_options(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| if argument.is_positional() { argument } else { argument.hide(true) })
        .mut_subcommands(hide_options)
}

#[cfg(test)]
mod tests;
