//! What the change files of a range describe, and where change files are configured.

use super::CommitFiles;
use crate::{
    git::Repo,
    model::{Oid, Problem},
    sources::change_files::{self, AddedChange, ChangeFiles, bumps},
    versions::bump::CategoryBump,
};

/// The changes that files describe, and the files that cannot be read.
#[derive(Debug, Default)]
pub(crate) struct ListedChanges {
    pub changes: Vec<AddedChange>,
    /// Whether several packages are listed together, so that each change names its own.
    pub names_packages: bool,
    /// Why files cannot be read.
    pub broken: Vec<Problem>,
}

impl ListedChanges {
    pub(super) fn bumps(&self) -> Vec<CategoryBump> {
        bumps(self.changes.iter().filter_map(AddedChange::target))
    }

    /// Fails if a file cannot be read: a release would lose its change.
    pub(crate) fn check(&mut self) -> Result<(), Problem> {
        self.broken.drain(..).next().map_or(Ok(()), Err)
    }
}

/// Finds the change files that are configured at a commit.
pub(super) fn find(repo: &Repo, commit: Oid) -> anyhow::Result<Option<ChangeFiles>> {
    change_files::find(&CommitFiles { repo, commit: Some(commit) })
}

/// Returns the refusal of a source that is not there.
pub(super) fn not_configured(commit: Oid) -> Problem {
    Problem::new(format!("no change files are configured at commit `{}`", commit.short()))
        .hint("add `.changeset/config.json`, or the configuration of another tool, or set another `source`")
}
