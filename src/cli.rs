//! The command line: global options and the tree of commands.

use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::{
    commands::{self, Format, Global, Session},
    failure,
    model::{self, Kind, Problem},
};

/// Changelogs and releases from git trailers, read straight from the repository.
#[derive(Debug, Parser)]
#[command(name = "tidings", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  tidings show                                 what is unreleased since the last stable tag
  tidings add 1.2.0                            put the section into CHANGELOG.md and commit it
  tidings explain 1.2.0                        which commits are in, which are out, and why
  tidings show 1.2.0 --repo https://host/a/b   without a clone
  tidings label list --project a/b             on the server";

/// Every command; each lives in a file of its own name under `commands/`.
#[derive(Debug, Subcommand)]
enum Command {
    Repo(commands::repo::Args),
    Show(commands::show::Args),
    Add(commands::add::Args),
    Notes(commands::notes::Args),
    Render(commands::render::Args),
    Feature(commands::feature::Args),
    Label(commands::label::Args),
    Vulnerability(commands::vulnerability::Args),
    Wiki(commands::wiki::Args),
    Cluster(commands::cluster::Args),
    Role(commands::role::Args),
    Api(commands::api::Args),
    Base(commands::base::Args),
    Explain(commands::explain::Args),
    Next(commands::next::Args),
    Check(commands::check::Args),
    Init(commands::init::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

impl Command {
    fn run(&self, session: &mut Session) -> anyhow::Result<()> {
        match self {
            Self::Repo(args) => commands::repo::run(args, session),
            Self::Show(args) => commands::show::run(args, session),
            Self::Add(args) => commands::add::run(args, session),
            Self::Notes(args) => commands::notes::run(args, session),
            Self::Render(args) => commands::render::run(args, session),
            Self::Feature(args) => commands::feature::run(args, session),
            Self::Vulnerability(args) => commands::vulnerability::run(args, session),
            Self::Label(args) => commands::label::run(args, session),
            Self::Wiki(args) => commands::wiki::run(args, session),
            Self::Cluster(args) => commands::cluster::run(args, session),
            Self::Role(args) => commands::role::run(args, session),
            Self::Api(args) => commands::api::run(args, session),
            Self::Base(args) => commands::base::run(args, session),
            Self::Explain(args) => commands::explain::run(args, session),
            Self::Next(args) => commands::next::run(args, session),
            Self::Check(args) => commands::check::run(args, session),
            Self::Init(args) => commands::init::run(args, session),
            Self::Completions(args) => commands::completions::run(args, Cli::command(), session),
            Self::Man(args) => commands::man::run(args, Cli::command(), session),
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
    let reports = matches!(cli.global.format, Format::Github | Format::Gitlab);
    if reports && !matches!(cli.command, Command::Check(_)) {
        return Err(Problem::usage("only `tidings check` answers in the format `github` or `gitlab`").into());
    }
    let mut session = Session::start(cli.global)?;
    let done = cli.command.run(&mut session);
    // What a check found, and why there is nothing to do, are answers too.
    let answered = |error| matches!(model::kind(error), Kind::Found | Kind::Nothing);
    if done.as_ref().err().is_none_or(answered) {
        session.finish()?;
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An option that two have is read as the wrong one's type, and the program dies.
    fn check(command: &clap::Command, global: &[String]) {
        for own in command.get_arguments().filter(|argument| !argument.is_global_set()) {
            assert!(!global.contains(&own.get_id().to_string()), "`{}` shadows --{}", command.get_name(), own.get_id());
        }
        command.get_subcommands().for_each(|command| check(command, global));
    }

    #[test]
    fn no_command_shadows_a_global_option() {
        let cli = Cli::command();
        cli.clone().debug_assert();
        let global = cli.get_arguments().filter(|argument| argument.is_global_set());
        let global: Vec<_> = global.map(|argument| argument.get_id().to_string()).collect();
        cli.get_subcommands().for_each(|command| check(command, &global));
    }
}
