//! A commit thought through: everything read, checked and edited, nothing written yet.

use anyhow::Result;
use gix::index::State;

use super::{
    CommitRequest, CommitResult, EditFn,
    file_change::PlannedFile,
    file_path::FilePath,
    index,
    journal::CommitLock,
    native, object,
    replace::PendingFile,
    subprocess,
    target_branch::{self, TargetBranch},
    worktree_check,
};
use crate::git::{Repo, hooks, oid};

/// What will be committed, and how.
#[derive(Debug)]
pub(super) struct CommitPlan {
    pub(super) target: TargetBranch,
    /// The files that change, at least one.
    pub(super) files: Vec<PlannedFile>,
    method: CommitMethod,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommitMethod {
    /// Only the reference moves: its files are not here.
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

    /// Refuses where the work tree stands in the way.
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

    /// Checks, and makes the commit.
    pub(super) fn execute(&self, repo: &Repo, what: (&str, bool), lock: Option<&CommitLock>) -> Result<CommitResult> {
        self.check(repo)?;
        let (id, output) = match (self.method, lock.filter(|_| self.target.checked_out)) {
            (CommitMethod::WorkTree, Some(lock)) => native::commit_in_work_tree(repo, self, what, lock)?,
            (CommitMethod::GitSubprocess, Some(lock)) => subprocess::commit(repo, self, what, lock)?,
            (CommitMethod::GitSubprocess, None) => (subprocess::commit_on_branch(repo, self, what)?, String::new()),
            _ => native::commit_on_branch(repo, self, what)?,
        };
        let branch = self.target.branch.as_ref().map(target_branch::short);
        let changes = self.files.iter().map(|file| file.change.clone()).collect();
        Ok(CommitResult { id: oid(&id), branch, changes, output })
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
