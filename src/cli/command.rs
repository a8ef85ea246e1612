//! The tree of commands, and the function that each runs.

use std::ffi::OsStr;

use clap::{ArgMatches, Args as _, CommandFactory as _, FromArgMatches, Parser, Subcommand, error::ErrorKind};

use super::help;
use crate::{
    commands::{self, Format, GlobalArgs, RESOURCES, Resource, Session, batch::Runner},
    model::{self, Problem, ProblemKind},
};

/// Changelogs, versions and releases from the commits of a git repository.
#[derive(Parser)]
#[command(name = "tidings", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(super) global: GlobalArgs,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  tidings show                                the unreleased changes
  tidings add 1.2.0                           commit the section to CHANGELOG.md
  tidings explain 1.2.0                       which commits are listed, and why
  tidings show 1.2.0 --repo https://host/a/b  without a clone
  tidings label list --project a/b            the labels of a project";

/// The other names of commands.
pub(super) const ALIASES: [(&str, &str); 2] = [("show", "changelog"), ("next", "bump")];

/// All commands, one file or directory each under `commands/`. A command is built when it is called, so its summary is
/// repeated here.
#[derive(Subcommand)]
#[command(defer = true)]
pub(super) enum Command {
    /// Print the changelog section of a version, or of what is unreleased.
    #[command(visible_alias = ALIASES[0].1)]
    Show(commands::show::Args),
    /// Add a version's section to the changelog file and commit that file.
    Add(commands::add::Args),
    /// Print the base tag of a version: the tag its section starts after.
    Base(commands::base::Args),
    /// Explain for each commit of a range whether it is listed, and why.
    Explain(commands::explain::Args),
    /// Correct the message of a commit for changelogs, without changing the commit.
    Note(commands::note::Args),
    /// Print the release notes of a version: its section of the changelog file.
    Notes(commands::notes::Args),
    /// Render a section, or any template, without a repository.
    Render(commands::render::Args),
    /// Print the next version, bumped according to the unreleased changes.
    #[command(visible_alias = ALIASES[1].1)]
    Next(commands::next::Args),
    /// Check the trailers, categories and titles of commit messages.
    Check(commands::check::Args),
    /// Show what the merge of a merge or pull request would add to the changelog.
    Preview(commands::preview::Args),
    /// Release a version: changelog, tag, push, and the release on a forge.
    Release(commands::release::Args),
    /// Run a list of commands on many repositories in parallel.
    Batch(commands::batch::Args),
    /// Write down a change as a change file (changesets, changie, towncrier and others).
    Change(commands::change::Args),
    /// Create the configuration file, or install the commit-msg hook.
    Init(commands::init::Args),
    /// Read trees, files, archives and comparisons of a repository.
    Repo(commands::repo::Args),
    #[command(flatten)]
    Resource(ResourceCommand),
    /// Send a request to any endpoint of the server's API.
    Api(commands::api::Args),
    /// Report what the program finds here: repository, configuration, tags, release.
    Doctor(commands::doctor::Args),
    /// Print the completions of a shell.
    Completions(commands::completions::Args),
    /// Print the manual page of a command, or write all of them.
    Man(commands::man::Args),
}

impl Command {
    /// Refuses output formats and projects that the command does not support.
    pub(super) fn check(&self, global: &GlobalArgs) -> anyhow::Result<()> {
        if matches!(global.format, Format::Github | Format::Gitlab) && !matches!(self, Self::Check(_)) {
            return Err(Problem::usage(
                "`--format github` and `--format gitlab` are only supported by `tidings check`",
            )
            .into());
        }
        if let (Some(project), true) = (&global.server.project, self.is_local()) {
            let problem = Problem::usage(format!("the command reads a repository, not a project such as `{project}`"));
            return Err(problem.hint("name the repository with `--repo`, by its path or its URL").into());
        }
        Ok(())
    }

    /// Whether the command reads a local repository only, and no project on a server.
    fn is_local(&self) -> bool {
        matches!(
            self,
            Self::Doctor(_)
                | Self::Base(_)
                | Self::Explain(_)
                | Self::Next(_)
                | Self::Check(_)
                | Self::Change(_)
                | Self::Note(_)
                | Self::Notes(_)
                | Self::Init(_)
        )
    }

    /// Runs the command; the items of a batch are run by `runner`.
    pub(super) fn run(&self, runner: Runner, session: &mut Session) -> anyhow::Result<()> {
        match self {
            Self::Show(args) => commands::show::run(args, session),
            Self::Add(args) => commands::add::run(args, session),
            Self::Base(args) => commands::base::run(args, session),
            Self::Explain(args) => commands::explain::run(args, session),
            Self::Note(args) => commands::note::run(args, session),
            Self::Notes(args) => commands::notes::run(args, session),
            Self::Render(args) => commands::render::run(args, session),
            Self::Next(args) => commands::next::run(args, session),
            Self::Check(args) => commands::check::run(args, session),
            Self::Change(args) => commands::change::run(args, session),
            Self::Preview(args) => commands::preview::run(args, session),
            Self::Release(args) => commands::release::run(args, session),
            Self::Batch(args) => commands::batch::run(args, runner, session),
            Self::Init(args) => commands::init::run(args, session),
            Self::Repo(args) => commands::repo::run(args, session),
            Self::Resource(command) => command.resource.run(&command.matches, session),
            Self::Api(args) => commands::api::run(args, session),
            Self::Doctor(args) => commands::doctor::run(args, session),
            Self::Completions(args) => commands::completions::run(args, Cli::command(), session),
            Self::Man(args) => commands::man::run(args, Cli::command(), session),
        }
    }
}

/// The command of a resource, and its parsed arguments.
pub(super) struct ResourceCommand {
    resource: &'static Resource,
    matches: ArgMatches,
}

fn resource(name: &str) -> Option<&'static Resource> {
    RESOURCES.iter().find(|resource| resource.name == name)
}

impl Subcommand for ResourceCommand {
    fn augment_subcommands(command: clap::Command) -> clap::Command {
        let build = |command: clap::Command| match resource(command.get_name()) {
            Some(resource) => resource.augment(command),
            None => command,
        };
        command.subcommands(
            RESOURCES.iter().map(|resource| clap::Command::new(resource.name).about(resource.summary()).defer(build)),
        )
    }

    fn augment_subcommands_for_update(command: clap::Command) -> clap::Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        resource(name).is_some()
    }
}

impl FromArgMatches for ResourceCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let found = matches.subcommand().and_then(|(name, matches)| Some((resource(name)?, matches)));
        let (resource, matches) = found.ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))?;
        Ok(Self { resource, matches: matches.clone() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Parses a command line. Each command copies all global options, so for speed only the commands that the line names
/// are built; an error or the help comes from the whole tree.
pub(super) fn parse<T: AsRef<OsStr>>(line: &[T]) -> clap::error::Result<ArgMatches> {
    let all = Command::augment_subcommands(clap::Command::new("tidings"));
    let named = all.get_subcommands().filter(|command| {
        command.get_name_and_visible_aliases().iter().any(|name| line.iter().any(|argument| argument.as_ref() == *name))
    });
    let named = named.cloned();
    let few = GlobalArgs::augment_args(clap::Command::new("tidings")).subcommands(named);
    let line = || line.iter().map(AsRef::as_ref);
    let matches = few.try_get_matches_from(line()).or_else(|_| Cli::command().try_get_matches_from(line()));
    matches.map_err(|error| match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            help::tree(Cli::command()).try_get_matches_from(line()).err().unwrap_or(error)
        }
        _ => error,
    })
}

/// Returns the help of the program, as the error of a command line without a command.
pub(super) fn help_instead() -> clap::Error {
    let program = help::tree(Cli::command()).subcommand_required(true).arg_required_else_help(true);
    program.try_get_matches_from(["tidings"]).err().unwrap_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))
}

/// Whether a run is complete enough to keep its output: it succeeded, or a check found something, there was nothing to
/// do, or some of many items failed.
pub(super) fn is_answered(done: &anyhow::Result<()>) -> bool {
    done.as_ref().err().is_none_or(|error| {
        matches!(
            model::problem_kind(error),
            ProblemKind::CheckFailed | ProblemKind::NothingToDo | ProblemKind::PartialFailure
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts that no option has the name of a global one: reading it as the wrong type panics.
    fn check(command: &clap::Command, global: &[String]) {
        for own in command.get_arguments().filter(|argument| !argument.is_global_set()) {
            assert!(!global.contains(&own.get_id().to_string()), "`{}` shadows --{}", command.get_name(), own.get_id());
        }
        command.get_subcommands().for_each(|command| check(command, global));
    }

    #[test]
    fn the_list_of_commands_says_what_each_says_of_itself() {
        let (list, mut cli) = (Cli::command(), Cli::command());
        cli.build();
        for listed in list.get_subcommands() {
            let itself = cli.find_subcommand(listed.get_name()).unwrap();
            assert_eq!(listed.get_about().unwrap().to_string(), itself.get_about().unwrap().to_string());
        }
    }

    #[test]
    fn every_command_is_in_one_group_of_the_help() {
        let mut program = Cli::command();
        program.build();
        let mut grouped: Vec<&str> = help::commands().collect();
        let mut commands: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
        grouped.sort_unstable();
        commands.sort_unstable();
        assert_eq!(grouped, commands);
    }

    #[test]
    fn no_command_shadows_a_global_option() {
        let mut cli = Cli::command();
        cli.build();
        let global = cli.get_arguments().filter(|argument| argument.is_global_set());
        let global: Vec<_> = global.map(|argument| argument.get_id().to_string()).collect();
        cli.get_subcommands().for_each(|command| check(command, &global));
    }
}
