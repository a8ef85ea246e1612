//! Committing chosen files: in the work tree with everything git does there, or straight onto a branch.
//!
//! If the branch is checked out, the files, the index and `HEAD` agree afterwards, and whatever else is staged or
//! edited stays as it was. Elsewhere only the reference moves. Either way it moves by compare-and-swap: if somebody was
//! faster, everything is read and edited again. Hooks and filters want git itself, which then makes the commit.

mod convert;
mod file_change;
mod file_path;
mod identity;
mod index;
mod journal;
mod message;
mod native;
mod object;
mod plan;
mod reference;
mod replace;
mod subprocess;
mod target_branch;
mod worktree_check;

use std::path::{Path, PathBuf};

use anyhow::Result;

pub use self::{
    file_change::{EditFn, FileChange},
    plan::{CommitRequest, CommitResult},
};

use self::{
    file_path::FilePath,
    journal::CommitLock,
    plan::{CommitMethod, CommitPlan},
    replace::PendingFile,
    target_branch::TargetBranch,
};
use super::{Repo, git_command, oid, signing, temporary};
use crate::{
    interrupt,
    model::{Oid, Problem},
};

/// How often a branch may move under us before we give up.
const ATTEMPTS: usize = 8;

/// Commits files as `edit` changes them; `None` if there was nothing to do.
///
/// # Errors
/// In the cases in which it refuses, with nothing changed: a file is edited, staged, a symbolic link or outside of the
/// repository, an operation such as a merge is in progress, a lock is held, the branch is missing or checked out in
/// another work tree, or nobody is known to be the author.
pub fn commit(repo: &Repo, request: &CommitRequest, edit: &mut EditFn) -> Result<Option<CommitResult>> {
    check(repo, request)?;
    let message = message::clean(request.message)?;
    // The first interrupt lets us finish or undo what has begun, the second one does not.
    let _hold = interrupt::DeferInterrupt::new()?;
    let _locks = temporary::cleanup()?;
    let lock = repo.work_tree().map(|_| CommitLock::take(repo)).transpose()?;
    for _ in 0..ATTEMPTS {
        let Some(plan) = CommitPlan::make(repo, request, edit)? else { return Ok(None) };
        let error = match execute(repo, &plan, (&message, request.sign), lock.as_ref()) {
            Ok(committed) => return Ok(Some(committed)),
            Err(error) => error,
        };
        let may_try_again = plan.is_outdated(repo) || git_command::is_locked(&error);
        if interrupt::is_interrupted() || !may_try_again {
            return Err(error);
        }
    }
    Err(Problem::new(format!("the branch moved {ATTEMPTS} times while we tried to commit to it"))
        .hint("try again when nobody else is at work on it")
        .into())
}

/// Checks, and makes the commit.
fn execute(repo: &Repo, plan: &CommitPlan, what: (&str, bool), lock: Option<&CommitLock>) -> Result<CommitResult> {
    plan.check(repo)?;
    let (id, output) = match (plan.method, lock.filter(|_| plan.target.checked_out)) {
        (CommitMethod::WorkTree, Some(lock)) => native::commit_in_work_tree(repo, plan, what, lock)?,
        (CommitMethod::GitSubprocess, Some(lock)) => subprocess::commit(repo, plan, what, lock)?,
        (CommitMethod::GitSubprocess, None) => (subprocess::commit_on_branch(repo, plan, what)?, String::new()),
        _ => native::commit_on_branch(repo, plan, what)?,
    };
    let branch = plan.target.branch.as_ref().map(target_branch::short);
    let changes = plan.files.iter().map(|file| file.change.clone()).collect();
    Ok(CommitResult { id: oid(&id), branch, changes, output })
}

/// A branch, and the commit it is at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its name without `refs/heads/`; `None` if `HEAD` is detached.
    pub name: Option<String>,
    /// The commit.
    pub tip: Oid,
}

/// The named branch, or what `HEAD` points at.
///
/// # Errors
/// If the branch does not exist, or [`commit`] would refuse to move it.
pub fn branch(repo: &Repo, name: Option<&str>) -> Result<Branch> {
    let target = TargetBranch::resolve(repo, name)?;
    Ok(Branch { name: target.branch.as_ref().map(target_branch::short), tip: oid(&target.tip) })
}

/// The path from the top of the repository that a spelling of it stands for: one file has one such path.
///
/// # Errors
/// If the path does not name a file inside of the repository.
pub fn canonical(repo: &Repo, path: &Path) -> Result<PathBuf> {
    Ok(gix::path::from_bstr(FilePath::parse(repo, path)?.as_bstr())?.into_owned())
}

/// Whether a filter or an encoding is between a file of the work tree and its blob (gitattributes(5)), so that only git
/// can compare them.
///
/// # Errors
/// If the path does not name a file inside of the repository, or the index or the attributes cannot be read.
pub fn is_filtered(repo: &Repo, path: &Path) -> Result<bool> {
    let file = FilePath::parse(repo, path)?;
    Ok(!repo.is_bare() && convert::driver(repo, &*index::load(repo)?, &file)?.is_some())
}

/// Refuses if git would not know whom to name, as [`commit`] does.
///
/// # Errors
/// If a name, an address or a date is missing or wrong.
pub fn check_identity(repo: &Repo) -> Result<()> {
    identity::check(repo)
}

/// Refuses what [`commit`] refuses whatever the files are.
///
/// # Errors
/// If new objects would not stay, the message is empty, nobody is known to be the author, or it is unclear whether
/// commits are signed.
pub fn check(repo: &Repo, request: &CommitRequest) -> Result<()> {
    repo.check_writable()?;
    message::clean(request.message)?;
    identity::check(repo)?;
    signing::is_enabled(repo, signing::COMMIT).map(drop)
}

/// What [`commit`] would do to the files, and nothing written; empty if there is nothing to do.
///
/// # Errors
/// Those of [`commit`], apart from those of [`check`].
pub fn preview(repo: &Repo, request: &CommitRequest, edit: &mut EditFn) -> Result<Vec<FileChange>> {
    journal::settle_leftover(repo)?;
    let Some(plan) = CommitPlan::make(repo, request, edit)? else { return Ok(Vec::new()) };
    plan.check(repo)?;
    Ok(plan.files.into_iter().map(|file| file.change).collect())
}

/// Changes the file of the work tree alone, whole or not at all; `None` if there was nothing to do.
///
/// # Errors
/// If there is no work tree, or the file cannot be written.
pub fn write(repo: &Repo, file: &Path, edit: &mut EditFn) -> Result<Option<FileChange>> {
    let Some(top) = repo.work_tree() else {
        return Err(Problem::usage("a bare repository has no files to write to").hint("omit `--no-commit`").into());
    };
    let given = file;
    let file = FilePath::parse(repo, given)?;
    let lock = CommitLock::take(repo)?;
    let before = worktree_check::read(top, &file)?;
    convert::check_encoding(repo, &*index::load(repo)?, &file, before.as_deref())?;
    let Some(after) = edit(given, before.as_deref().unwrap_or_default())? else { return Ok(None) };
    let change = FileChange { file: file.to_string(), before: before.clone(), after: after.clone() };
    lock.replace(repo, &PendingFile { file, before, after, base: None, blob: None })?;
    Ok(Some(change))
}

/// Takes back or completes what a killed run left in the work tree and the index, as [`commit`] does before anything
/// else.
///
/// # Errors
/// If a file or the index cannot be written, or another process holds the index.
pub fn settle(repo: &Repo) -> Result<()> {
    journal::settle_leftover(repo)
}
