//! What a shell may complete a value to: names that only the repository knows.

use std::{ffi::OsStr, path::Path};

use clap_complete::{
    ArgValueCandidates, ArgValueCompleter, CompletionCandidate, PathCompleter, engine::ValueCompleter as _,
};

use crate::{
    changelog::template::BUILT_IN,
    git::{self, Repo},
    pipeline::{ConfigSource, LoadedConfig},
};

/// Tags.
pub(in crate::commands) fn tags() -> ArgValueCandidates {
    ArgValueCandidates::new(|| candidates(tag_names()))
}

/// Local branches.
pub(in crate::commands) fn branches() -> ArgValueCandidates {
    ArgValueCandidates::new(|| candidates(branch_names()))
}

/// What a range may start or end at.
pub(in crate::commands) fn revisions() -> ArgValueCandidates {
    ArgValueCandidates::new(|| candidates(branch_names().into_iter().chain(tag_names())))
}

/// The packages of the configuration.
pub(in crate::commands) fn packages() -> ArgValueCandidates {
    let config = || LoadedConfig::load(&repo()?, &ConfigSource::default()).ok();
    ArgValueCandidates::new(move || {
        config().map(|config| candidates(config.config.packages.keys())).unwrap_or_default()
    })
}

/// Built-in templates and files.
pub(in crate::commands) fn templates() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let typed = current.to_string_lossy();
        let built_in = BUILT_IN.iter().filter(|name| name.starts_with(&*typed)).copied();
        candidates(built_in).into_iter().chain(PathCompleter::file().complete(current)).collect()
    })
}

/// The names of the tags, those of the newest versions first as far as the alphabet has it so.
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

/// The repository around the current directory. Nobody reads why there is none while a command is typed.
fn repo() -> Option<Repo> {
    Repo::discover(Path::new(".")).ok()
}
