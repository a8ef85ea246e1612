//! The command line: parse it, run the command, report its failure.

mod command;
mod completion;
mod failure;
mod help;
mod item;

use std::{env, io::Write as _, process::ExitCode};

use clap::{FromArgMatches as _, error::ErrorKind};

pub use self::command::Cli;
use crate::commands::{Session, doctor};

/// Parses the arguments of this process, runs the command and reports its failure.
#[must_use]
pub fn main() -> ExitCode {
    failure::report_panics();
    if completion::answer() {
        return ExitCode::SUCCESS;
    }
    match command::parse(&env::args_os().collect::<Vec<_>>()).and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => run(cli).map_or_else(|error| failure::report(&error).into(), |()| ExitCode::SUCCESS),
        Err(error) if error.kind() == ErrorKind::DisplayVersion && is_verbose() => {
            // A closed stream needs no version.
            let _ = write!(anstream::stdout(), "{}", doctor::program_lines());
            ExitCode::SUCCESS
        }
        Err(error) => failure::report_usage(error).into(),
    }
}

/// Whether more is wanted than the version.
fn is_verbose() -> bool {
    env::args().any(|argument| argument == "--verbose" || argument.starts_with("-v") || argument.starts_with("-Vv"))
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let Cli { global, command } = cli;
    command.check(&global)?;
    let mut session = Session::start(global)?;
    let done = command.run(&item::attempt, &mut session);
    let done = session.conclude(done);
    if command::is_answered(&done) {
        session.finish()?;
    }
    done
}
