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
    names.into_iter().map(|name| CompletionCandidate::new(name.into())).collect()
}

/// Returns the repository around the current directory. An error is dropped, because a completion cannot show it.
fn repo() -> Option<Repo> {
    Repo::discover(Path::new(".")).ok()
}
