//! The command line: global options and the tree of commands.

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::{
    commands::{self, Global, Session},
    failure,
};

/// Changelogs and releases from git trailers, read straight from the repository.
#[derive(Debug, Parser)]
#[command(name = "tidings", version, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Every command; each lives in a file of its own name under `commands/`.
#[derive(Debug, Subcommand)]
enum Command {
    Show(commands::show::Args),
}

impl Command {
    fn run(&self, session: &mut Session) -> anyhow::Result<()> {
        match self {
            Self::Show(args) => commands::show::run(args, session),
        }
    }
}

/// Parses the arguments of this process, runs the command and reports its failure.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    match cli {
        Ok(cli) => run(cli).map_or_else(|error| failure::report(&error).into(), |()| ExitCode::SUCCESS),
        Err(error) => {
            // clap prints help to stdout and mistakes to stderr; a stream that is gone needs neither.
            let _ = error.print();
            u8::try_from(error.exit_code()).unwrap_or(2).into()
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    let mut session = Session::start(cli.global)?;
    cli.command.run(&mut session)?;
    session.finish()
}
