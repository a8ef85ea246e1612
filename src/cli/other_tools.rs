//! What users of other tools type first, and the command here that does it.

use clap::{
    CommandFactory as _,
    error::{ContextKind, ContextValue},
};

use super::Cli;

/// Names the counterpart of an option or command of another tool, or the command that an option belongs to.
pub(super) fn translate(error: &mut clap::Error) {
    let word = [ContextKind::InvalidArg, ContextKind::InvalidSubcommand].into_iter().find_map(|kind| error.get(kind));
    let Some(ContextValue::String(word)) = word else { return };
    let given = word.split(['=', ' ']).next().unwrap_or_default();
    let known = ELSEWHERE.iter().find(|(words, _)| words.contains(&given)).map(|(_, tip)| (*tip).to_owned());
    let Some(tip) = known.or_else(|| of_a_command(error, given)) else { return };
    for suggested in [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::Usage] {
        error.remove(suggested);
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
}

/// Names the first command that has an option, if the option was given without a command.
fn of_a_command(error: &clap::Error, option: &str) -> Option<String> {
    let Some(ContextValue::StyledStr(usage)) = error.get(ContextKind::Usage) else { return None };
    // With a command, its name comes next.
    usage.to_string().strip_prefix("Usage: tidings ")?.starts_with(['[', '<', '-']).then_some(())?;
    let mut program = Cli::command();
    program.build();
    let has = |argument: &clap::Arg| {
        argument.get_long().is_some_and(|long| option.strip_prefix("--") == Some(long))
            || argument.get_short().is_some_and(|short| option == format!("-{short}"))
    };
    let command = program.get_subcommands().find(|command| command.get_arguments().any(has))?;
    Some(format!("write the command first, as in `tidings {} {option}`", command.get_name()))
}

/// Words of other tools: of git-cliff first, then of standard-version, semantic-release, conventional-changelog,
/// changesets, release-please, changie and towncrier.
const ELSEWHERE: [(&[&str], &str); 30] = [
    (&["--unreleased", "-u", "unreleased"], "run `tidings show`: without a version, it prints what is unreleased"),
    (
        &["--latest", "-l", "--current", "latest"],
        "run `tidings show VERSION`, or `tidings notes` for the newest section of the file",
    ),
    (
        &["--prepend", "-p", "--infile", "-i", "--same-file", "-s"],
        "run `tidings add VERSION`: it commits the section to the changelog file",
    ),
    (&["--bump"], "run `tidings show --next` for the section, or `tidings next` for the version"),
    (&["--bumped-version"], "run `tidings next`"),
    (&["--tag", "-t"], "name the version itself, as in `tidings show 1.2.0`"),
    (&["--config", "-c"], "use `--config-file PATH`"),
    (&["--repository", "--workdir", "-w"], "use `--repo PATH`, or `-C DIR` before the command"),
    (&["--context"], "use `--format json`"),
    (&["--body", "-b"], "use `--template FILE`"),
    (&["--strip"], "run `tidings notes`: it prints a section of the changelog file without its heading"),
    (&["--include-path", "--exclude-path"], "set `paths` in the configuration, or `packages` for several parts"),
    (&["--tag-pattern", "--ignore-tags", "--skip-tags"], "set `tag_prefix` or `tag_regex` in the configuration"),
    (&["--skip-commit"], "set `skip` in the configuration"),
    (&["--sort", "--topo-order"], "set `sort` in the configuration"),
    (&["--init"], "run `tidings init`"),
    (&["--dry-run"], "leave it out: `tidings show` only prints, and `tidings release` only plans without `--execute`"),
    (&["generate", "list"], "run `tidings show`, or `tidings show --all` for every release"),
    (&["--release-as"], "run `tidings release 2.0.0`, or `tidings release --level minor`"),
    (&["--prerelease", "--preid", "pre"], "run `tidings release --pre rc`"),
    (&["--no-ci", "--ci"], "leave it out: `tidings release` is the same everywhere, and needs `--execute` to release"),
    (&["--preset"], "set `source: conventional` in the configuration, or run `tidings init`"),
    (&["--release-count", "-r"], "run `tidings show --all` for every release, or name the repository with `--repo`"),
    (&["version"], "run `tidings release` for the plan of a release, or `tidings next` for its version"),
    (
        &["publish", "tag"],
        "run `tidings release`; its plan has the tag, and `hooks` in the configuration publish packages",
    ),
    (&["status"], "run `tidings` alone, or `tidings next -v` for the reason"),
    (&["release-pr", "manifest-pr", "pr"], "run `tidings release --request`"),
    (&["new", "create"], "run `tidings change` to write a change file"),
    (&["build", "merge", "update"], "run `tidings show` to print the section, and `tidings add` to commit it"),
    (&["lint", "verify", "commitlint"], "run `tidings check`"),
];
