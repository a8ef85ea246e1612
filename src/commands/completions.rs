//! `tidings completions`: the completions of a shell, and the names that only the repository has.

use std::{ffi::OsStr, path::Path};

use clap_complete::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, Shell, engine::ValueCompleter as _,
    env::Shells,
};

use super::{Session, static_completions};
use crate::{
    git::{self, Repo},
    pipeline::{ConfigSource, LoadedConfig},
    template::BUILT_IN,
};

/// The environment variable that makes the program complete a command line instead of running it.
pub(crate) const VARIABLE: &str = "TIDINGS_COMPLETE";

/// Print the completions of a shell.
///
/// The script has the names of commands and options; the program completes values, such as the tags, branches and
/// packages of the repository.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Shell to complete in.
    #[arg(value_enum)]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  tidings completions bash > ~/.local/share/bash-completion/completions/tidings
  tidings completions zsh > \"${fpath[1]}/_tidings\"
  tidings completions fish > ~/.config/fish/completions/tidings.fish";

pub(crate) fn run(args: &Args, program: clap::Command, session: &mut Session) -> anyhow::Result<()> {
    let (mut script, shells, name) = (Vec::new(), Shells::builtins(), args.shell.to_string());
    if let Some(shell) = shells.completer(&name) {
        shell.write_registration(VARIABLE, "tidings", "tidings", "tidings", &mut script)?;
    }
    if args.shell == Shell::Fish {
        // This shell would call the program even if it is missing.
        script = [b"if command --query tidings\n", script.as_slice(), b"end\n"].concat();
    }
    script.extend(static_completions::text(args.shell, program).into_bytes());
    Ok(session.out.bytes().write_all(&script)?)
}

pub(crate) fn tags() -> ArgValueCandidates {
    ArgValueCandidates::new(|| candidates(tag_names()))
}

pub(crate) fn branches() -> ArgValueCandidates {
    ArgValueCandidates::new(|| candidates(branch_names()))
}

/// Returns the names that a range may start or end at.
pub(crate) fn revisions() -> ArgValueCandidates {
    ArgValueCandidates::new(|| candidates(branch_names().into_iter().chain(tag_names())))
}

pub(crate) fn packages() -> ArgValueCandidates {
    let config = || LoadedConfig::load(&repo()?, &ConfigSource::default()).ok();
    ArgValueCandidates::new(move || {
        config().map(|config| candidates(config.config.packages.keys())).unwrap_or_default()
    })
}

pub(crate) fn templates() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let typed = current.to_string_lossy();
        let built_in = BUILT_IN.iter().filter(|name| name.starts_with(&*typed)).copied();
        candidates(built_in).into_iter().chain(PathCompleter::file().complete(current)).collect()
    })
}

/// Returns the names of the tags in reverse ref order, so that newer versions mostly come first.
fn tag_names() -> Vec<String> {
    let mut names = repo().and_then(|repo| git::tags::names(&repo).ok()).unwrap_or_default();
    names.reverse();
    names
}

fn branch_names() -> Vec<String> {
    repo().map(|repo| git::revision::branches(&repo)).unwrap_or_default()
}

fn candidates(names: impl IntoIterator<Item = impl Into<String>>) -> Vec<CompletionCandidate> {
    names.into_iter().map(Into::into).filter(|name| is_plain(name)).map(CompletionCandidate::new).collect()
}

/// Whether a shell and a terminal take a name for itself. Bash puts a completion into the command line as it is, and the
/// tag `v1.0.0$(COMMAND)` of somebody else would run.
fn is_plain(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphanumeric() || first == '@' || first == '_' || first == '.')
        && name.chars().all(|letter| letter.is_alphanumeric() || "%+,-./:=@_#".contains(letter))
}

/// Returns the repository around the current directory. An error is dropped, because a completion cannot show it.
fn repo() -> Option<Repo> {
    Repo::discover(Path::new(".")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_a_shell_leaves_alone_are_offered() {
        let plain = ["v1.2.0", "@harbor/app@1.0.0", "feature/größe#12", "release-1.x", "v1+build_5"];
        let hostile =
            ["v1$(touch x)", "v1$(touch${IFS}x)", "v1`x`", "-x", "--output=x", "a;b", "a b", "a'b", "a\u{202e}b", "!!"];
        let offered = candidates(plain.into_iter().chain(hostile));
        let offered: Vec<_> = offered.iter().map(|one| one.get_value().to_str().unwrap()).collect();
        assert_eq!(offered, plain);
    }
}
