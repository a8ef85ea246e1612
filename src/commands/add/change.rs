//! How the changelog file is changed, and what became of it.

use std::{io::Write as _, path::Path};

use serde_json::{Value, json};

use crate::{
    commands::Session,
    git::{
        Repo,
        commit::{self, CommitRequest, CommitResult, FileChange},
    },
};

/// Where a change goes.
pub(super) struct ChangeTarget<'a> {
    pub(super) branch: Option<&'a str>,
    pub(super) no_commit: bool,
    pub(super) dry_run: bool,
    pub(super) sign: bool,
}

/// Makes the new content of the file of the old one; `None` leaves the file alone.
type EditContent<'a> = &'a mut dyn FnMut(&[u8]) -> anyhow::Result<Option<Vec<u8>>>;

/// What became of the file.
pub(super) enum AddOutcome {
    Nothing,
    Previewed(FileChange),
    Written(FileChange),
    Committed(CommitResult),
}

impl AddOutcome {
    pub(super) fn change(&self) -> Option<&FileChange> {
        match self {
            Self::Nothing => None,
            Self::Previewed(change) | Self::Written(change) => Some(change),
            Self::Committed(committed) => committed.changes.first(),
        }
    }

    fn status(&self) -> &'static str {
        match self {
            Self::Nothing => "unchanged",
            Self::Previewed(_) => "shown",
            Self::Written(_) => "written",
            Self::Committed(_) => "committed",
        }
    }
}

impl ChangeTarget<'_> {
    /// Writes, previews or commits a change of the changelog file.
    pub(super) fn put(&self, repo: &Repo, file: &Path, message: &str, edit: EditContent) -> anyhow::Result<AddOutcome> {
        let request = CommitRequest { branch: self.branch, files: &[file], message, sign: self.sign };
        let mut edit = |_: &Path, old: &[u8]| edit(old);
        let done = if self.no_commit {
            commit::write(repo, file, &mut edit)?.map(AddOutcome::Written)
        } else if self.dry_run {
            commit::check(repo, &request)?;
            commit::preview(repo, &request, &mut edit)?.pop().map(AddOutcome::Previewed)
        } else {
            commit::commit(repo, &request, &mut edit)?.map(AddOutcome::Committed)
        };
        Ok(done.unwrap_or(AddOutcome::Nothing))
    }
}

/// Relays what git and hooks had to say about the commit, and that no branch has it.
pub(super) fn relay(done: &AddOutcome, session: &Session) {
    if let AddOutcome::Committed(committed) = done {
        session.relay(&committed.output);
        if committed.branch.is_none() {
            session.note(&detached(committed));
        }
    }
}

/// What became of the file, for machines.
pub(super) fn document(file: &Path, done: &AddOutcome) -> Value {
    let committed = if let AddOutcome::Committed(committed) = done { Some(committed) } else { None };
    json!({
        "file": file.display().to_string(),
        "status": done.status(),
        "commit": committed.map(|committed| committed.id),
        "branch": committed.and_then(|committed| committed.branch.as_deref()),
        "diff": done.change().map(|change| String::from_utf8_lossy(&change.diff()).into_owned()),
    })
}

/// Prints the change if that is what was asked for, else a sentence.
pub(super) fn print(done: &AddOutcome, text: &str, session: &mut Session) -> anyhow::Result<()> {
    match done {
        AddOutcome::Previewed(change) => session.out.bytes().write_all(&change.diff())?,
        _ => writeln!(session.out, "{text}")?,
    }
    Ok(())
}

fn detached(committed: &CommitResult) -> String {
    let id = committed.id.short();
    format!("`HEAD` is detached, so no branch has commit {id}; `git push origin HEAD:BRANCH` brings it to a remote one")
}
