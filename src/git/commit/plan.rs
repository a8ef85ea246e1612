//! What is to be committed: everything read, checked and edited, nothing written yet.

use std::path::Path;

use anyhow::Result;
use gix::index::State;

use super::{
    file_change::{EditFn, FileChange, PlannedFile},
    file_path::FilePath,
    index, object,
    replace::PendingFile,
    target_branch::TargetBranch,
    worktree_check,
};
use crate::{
    git::{Repo, hooks},
    model::Oid,
};

/// What is to be committed, and where.
#[derive(Clone, Copy, Debug)]
pub struct CommitRequest<'a> {
    /// The branch; `None` is what `HEAD` points at.
    pub branch: Option<&'a str>,
    /// The files, from the top of the repository, each once.
    pub files: &'a [&'a Path],
    /// The message of the commit.
    pub message: &'a str,
    /// Sign it even if `commit.gpgSign` does not ask for it.
    pub sign: bool,
}

/// A commit that was made.
#[derive(Clone, Debug)]
pub struct CommitResult {
    /// Its id.
    pub id: Oid,
    /// The branch that moved; `None` if `HEAD` is detached.
    pub branch: Option<String>,
    /// What it did to each file, at least one.
    pub changes: Vec<FileChange>,
    /// What git and its hooks printed.
    pub output: String,
}

/// What will be committed, and how.
#[derive(Debug)]
pub(super) struct CommitPlan {
    pub(super) target: TargetBranch,
    /// The files that change, at least one.
    pub(super) files: Vec<PlannedFile>,
    pub(super) method: CommitMethod,
}

/// Who makes the commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommitMethod {
    /// Only the reference moves: the branch is not checked out.
    RefOnly,
    /// The reference, the index and the files move together.
    WorkTree,
    /// The user's programs or settings take part, so git does it.
    GitSubprocess,
}

impl CommitPlan {
    /// Reads and edits; `None` where the edit changes nothing.
    pub(super) fn make(repo: &Repo, request: &CommitRequest, edit: &mut EditFn) -> Result<Option<Self>> {
        request.files.iter().try_for_each(|file| FilePath::parse(repo, file).map(drop))?;
        let target = TargetBranch::resolve(repo, request.branch)?;
        object::check_not_replaced(repo, target.tip)?;
        let index = target.checked_out.then(|| index::load(repo)).transpose()?;
        let mut files = Vec::new();
        for file in request.files {
            files.extend(PlannedFile::make(repo, (&target, index.as_deref()), file, edit)?);
        }
        if files.is_empty() {
            return Ok(None);
        }
        let method = choose(repo, &target, &files)?;
        Ok(Some(Self { target, files, method }))
    }

    /// Refuses if the work tree is not ready for it.
    pub(super) fn check(&self, repo: &Repo) -> Result<()> {
        if !self.target.checked_out {
            return Ok(());
        }
        index::wait_until_unlocked(repo)?;
        let index = index::load(repo)?;
        worktree_check::check_operation(repo, &index)?;
        self.files.iter().try_for_each(|file| file.check(repo, &index).map(drop))
    }

    /// Checks the files of the work tree, and returns what becomes of them.
    pub(super) fn pending(&self, repo: &Repo, index: &State) -> Result<Vec<PendingFile>> {
        self.files.iter().map(|file| file.pending(repo, index)).collect()
    }

    /// Whether the branch has moved since.
    pub(super) fn is_outdated(&self, repo: &Repo) -> bool {
        self.target.has_moved(repo)
    }
}

/// Chooses who makes the commit.
fn choose(repo: &Repo, target: &TargetBranch, files: &[PlannedFile]) -> Result<CommitMethod> {
    let config = repo.gix().config_snapshot();
    let is_sparse = config.boolean("core.sparseCheckout").unwrap_or_default();
    let needs_git = if target.checked_out {
        hooks::are_there(repo)? || files.iter().any(|file| file.has_driver || is_sparse && file.base.is_none())
    } else {
        hooks::is_there(repo, "reference-transaction")?
    };
    // Who may read what is written, and what is certain to be on the disk.
    let is_off = |value: &[u8]| [&b"umask"[..], b"false", b"0", b"none", b"no"].contains(&value);
    let is_on = |key| config.string(key).is_some_and(|value| !is_off(value.as_slice()));
    let is_set = ["core.sharedRepository", "core.fsync", "core.fsyncObjectFiles"].into_iter().any(is_on);
    Ok(match (needs_git || is_set, target.checked_out) {
        (true, _) => CommitMethod::GitSubprocess,
        (false, true) => CommitMethod::WorkTree,
        (false, false) => CommitMethod::RefOnly,
    })
}
