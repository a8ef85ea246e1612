//! A commit thought through: everything read, checked and edited, nothing written yet.

use anyhow::Result;

use super::{
    CommitRequest, CommitResult, EditFn,
    file_change::PlannedFile,
    file_path::FilePath,
    index, native, subprocess,
    target_branch::{self, TargetBranch},
    worktree_check,
};
use crate::git::{Repo, hooks, oid};

/// What will be committed, and how.
#[derive(Debug)]
pub(super) struct CommitPlan {
    pub(super) target: TargetBranch,
    /// The files that change, at least one.
    pub(super) parts: Vec<PlannedFile>,
    way: CommitMethod,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommitMethod {
    /// Only the reference moves: its files are not here.
    RefOnly,
    /// The reference, the index and the files move together.
    WorkTree,
    /// The user's programs take part, so git does it.
    GitSubprocess,
}

impl CommitPlan {
    /// Reads and edits; `None` where the edit changes nothing.
    pub(super) fn make(repo: &Repo, request: &CommitRequest, edit: &mut EditFn) -> Result<Option<Self>> {
        request.files.iter().try_for_each(|file| FilePath::parse(repo, file).map(drop))?;
        let target = TargetBranch::resolve(repo, request.branch)?;
        let index = target.checked_out.then(|| index::load(repo)).transpose()?;
        let mut parts = Vec::new();
        for file in request.files {
            parts.extend(PlannedFile::make(repo, (&target, index.as_deref()), file, edit)?);
        }
        if parts.is_empty() {
            return Ok(None);
        }
        let way = choose(repo, &target, &parts)?;
        Ok(Some(Self { target, parts, way }))
    }

    /// Refuses where the work tree stands in the way.
    pub(super) fn check(&self, repo: &Repo) -> Result<()> {
        if !self.target.checked_out {
            return Ok(());
        }
        index::check_unlocked(repo)?;
        let index = index::load(repo)?;
        worktree_check::check_operation(repo, &index)?;
        self.parts.iter().try_for_each(|part| part.check(repo, &index))
    }

    /// Checks, and makes the commit.
    pub(super) fn execute(&self, repo: &Repo, message: &str, sign: bool) -> Result<CommitResult> {
        self.check(repo)?;
        let (id, output) = match self.way {
            CommitMethod::RefOnly => (native::commit_on_branch(repo, self, message, sign)?, String::new()),
            CommitMethod::WorkTree => (native::commit_in_work_tree(repo, self, message, sign)?, String::new()),
            CommitMethod::GitSubprocess => subprocess::commit(repo, self, message, sign)?,
        };
        let branch = self.target.branch.as_ref().map(target_branch::short);
        let changes = self.parts.iter().map(|part| part.change.clone()).collect();
        Ok(CommitResult { id: oid(&id), branch, changes, output })
    }

    /// Whether the branch has moved since.
    pub(super) fn is_outdated(&self, repo: &Repo) -> bool {
        self.target.has_moved(repo)
    }
}

fn choose(repo: &Repo, target: &TargetBranch, parts: &[PlannedFile]) -> Result<CommitMethod> {
    Ok(match target.checked_out {
        false => CommitMethod::RefOnly,
        true if parts.iter().any(|part| part.has_driver) || hooks::are_there(repo)? => CommitMethod::GitSubprocess,
        true => CommitMethod::WorkTree,
    })
}
