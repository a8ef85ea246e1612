//! What `tidings explain` says of change files: the entry that each gives, or why it cannot be read.

use std::fmt;

use serde_json::{Value, json};

use crate::{
    model::{Oid, Problem},
    pipeline::History,
    sources::change_files::AddedChange,
};

/// A change file, and what becomes of it.
pub(super) enum ExplainedFile<'a> {
    Listed(&'a AddedChange),
    Broken(&'a Problem),
}

impl<'a> ExplainedFile<'a> {
    /// Returns the change files of a history: those that are listed first.
    pub(super) fn of(history: &'a History) -> impl Iterator<Item = Self> {
        history
            .changes
            .iter()
            .flat_map(|files| files.changes.iter().map(Self::Listed).chain(files.broken.iter().map(Self::Broken)))
    }

    pub(super) fn is_listed(&self) -> bool {
        matches!(self, Self::Listed(_))
    }

    pub(super) fn document(&self) -> Value {
        match self {
            Self::Broken(problem) => json!({ "listed": false, "reason": problem.to_string() }),
            Self::Listed(added) => json!({
                "listed": true,
                "path": added.change.path,
                "title": title(added),
                "category": added.target().map(|target| &target.category),
                "packages": added.targets.iter().filter_map(|target| target.package.as_ref()).collect::<Vec<_>>(),
                "commit": commit(added),
            }),
        }
    }
}

impl fmt::Display for ExplainedFile<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let added = match self {
            Self::Broken(problem) => return write!(out, "{problem}"),
            Self::Listed(added) => added,
        };
        let targets: Vec<String> = added
            .targets
            .iter()
            .map(|target| match &target.package {
                Some(package) => format!("{package} {}", target.category),
                None => target.category.clone(),
            })
            .collect();
        let by = commit(added).map(|id| format!("; added by {}", id.short())).unwrap_or_default();
        write!(out, "{} {}  ({}{by})", added.change.path, title(added), targets.join(", "))
    }
}

fn title(added: &AddedChange) -> &str {
    added.change.text.lines().next().unwrap_or_default()
}

fn commit(added: &AddedChange) -> Option<Oid> {
    added.described_commit().map(|(id, _)| id)
}
