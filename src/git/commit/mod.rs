//! Commits chosen files, to the branch that is checked out or to another one.
//!
//! If the branch is checked out, the files, the index and `HEAD` agree afterwards, and all other edits, staged or not,
//! stay as they were. Otherwise only the reference moves. It moves by compare-and-swap: if somebody else has moved it
//! first, everything is read and edited again. If there are hooks or filters, git itself makes the commit.

mod by_forge;
mod convert;
mod execute;
mod file_path;
mod index;
mod journal;
mod object;
mod plan;
mod record;
mod target_branch;
mod work_tree;

use std::path::{Path, PathBuf};

use anyhow::Result;

pub(in crate::git) use self::object::{author, clean_message, committer, write as write_object};
pub(crate) use self::plan::{CommitRequest, CommitResult, EditFn, FileChange, FileEdit};
pub(crate) use self::{
    by_forge::{edits_of, follow},
    journal::{leftover_files, settle_leftover as settle},
    object::check_identity,
};

use self::{
    file_path::FilePath, journal::CommitLock, plan::CommitPlan, target_branch::TargetBranch, work_tree::PendingFile,
};
use super::{Repo, clean_up_on_interrupt, git_command, object_id, oid, signing};
use crate::{
    interrupt::{DeferInterrupt, is_interrupted},
    model::{Oid, Problem},
};

/// How often the branch may move before the commit fails.
const ATTEMPTS: usize = 8;

/// Commits files as `edit` changes or deletes them; `None` if nothing changes.
///
/// # Errors
/// If the commit is refused, with nothing changed: a file is edited, staged, a symbolic link or outside of the
/// repository, an operation such as a merge is in progress, a lock is held, the branch is missing or checked out in
/// another work tree, or the author is unknown.
pub(crate) fn commit(repo: &Repo, request: &CommitRequest, edit: &mut EditFn) -> Result<Option<CommitResult>> {
    check(repo, request)?;
    // After the first interrupt, the commit is still finished or undone; the second one ends the program.
    let _defer = DeferInterrupt::new()?;
    let _locks = clean_up_on_interrupt()?;
    let lock = repo.work_tree().map(|_| CommitLock::take(repo)).transpose()?;
    for _ in 0..ATTEMPTS {
        let Some(plan) = CommitPlan::make(repo, request, edit)? else { return Ok(None) };
        let made = plan.check(repo).and_then(|()| execute::execute(repo, &plan, lock.as_ref()));
        let error = match made {
            Ok((id, output)) => {
                plan.check_made(repo, id)?;
                let branch = plan.target.branch.as_ref().map(target_branch::short);
                let changes = plan.files.into_iter().map(|file| file.change).collect();
                return Ok(Some(CommitResult { id: oid(&id), branch, changes, output }));
            }
            Err(error) => error,
        };
        let may_try_again = plan.target.has_moved(repo) || git_command::is_locked(&error);
        if is_interrupted() || !may_try_again {
            return Err(error);
        }
    }
    Err(Problem::new(format!("the branch moved {ATTEMPTS} times while we tried to commit to it"))
        .hint("try again when nobody else is at work on it")
        .into())
}

/// A branch, and the commit that it points to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Branch {
    /// Its name without `refs/heads/`; `None` if `HEAD` is detached.
    pub name: Option<String>,
    /// The commit.
    pub tip: Oid,
}

/// Returns the named branch, or the one that `HEAD` points to.
pub(crate) fn branch(repo: &Repo, name: Option<&str>) -> Result<Branch> {
    let target = TargetBranch::resolve(repo, name)?;
    Ok(Branch { name: target.branch.as_ref().map(target_branch::short), tip: oid(&target.tip) })
}

/// Returns the path from the top of the repository that all spellings of a path stand for.
pub(crate) fn canonical(repo: &Repo, path: &Path) -> Result<PathBuf> {
    Ok(gix::path::from_bstr(FilePath::parse(repo, path)?.as_bstr())?.into_owned())
}

/// Whether only git can compare a file of the work tree with its blob, because of a filter or an encoding
/// (gitattributes(5)).
pub(crate) fn is_filtered(repo: &Repo, path: &Path) -> Result<bool> {
    let file = FilePath::parse(repo, path)?;
    Ok(!repo.is_bare() && convert::Conversion::new(repo, &*index::load(repo)?)?.driver(&file)?.is_some())
}

/// Refuses what [`commit`] refuses regardless of the files: if new objects would not be kept, the message is empty, the
/// author is unknown, or it is unclear whether commits are signed.
pub(crate) fn check(repo: &Repo, request: &CommitRequest) -> Result<()> {
    check_preview(repo, request)?;
    check_identity(repo)
}

/// Refuses as [`check`] does, but for an unknown author, whom a preview does not need.
pub(crate) fn check_preview(repo: &Repo, request: &CommitRequest) -> Result<()> {
    repo.check_writable()?;
    if object::clean_message(request.message).is_empty() {
        return Err(Problem::usage("the commit message is empty").hint("give one with `--message`").into());
    }
    signing::is_enabled(repo, signing::COMMIT).map(drop)
}

/// Returns how [`commit`] would change the files, and writes nothing; empty if nothing changes.
///
/// # Errors
/// If the files or the branch are refused as in [`commit`].
pub(crate) fn preview(repo: &Repo, request: &CommitRequest, edit: &mut EditFn) -> Result<Vec<FileChange>> {
    journal::settle_leftover(repo)?;
    let Some(plan) = CommitPlan::make(repo, request, edit)? else { return Ok(Vec::new()) };
    plan.check(repo)?;
    Ok(plan.files.into_iter().map(|file| file.change).collect())
}

/// Makes the commit of a request without moving a branch to it; `None` if nothing changes. Its parent is the tip of the
/// branch.
///
/// # Errors
/// If the files or the branch are refused as in [`commit`], or only git can write a file.
pub(crate) fn build(repo: &Repo, request: &CommitRequest, edit: &mut EditFn) -> Result<Option<Oid>> {
    check(repo, request)?;
    let Some(plan) = CommitPlan::make(repo, request, edit)? else { return Ok(None) };
    if let Some(filtered) = plan.files.iter().find(|file| file.has_driver) {
        return Err(Problem::new(format!("`{}` has a filter, which needs a commit in the work tree", filtered.file))
            .hint("run `tidings release` without `--request` and `--commit-through-api`")
            .into());
    }
    Ok(Some(oid(&execute::write_objects(repo, &plan)?)))
}

/// Makes a commit of a tree on top of another commit, without moving a branch to it.
pub(crate) fn build_on(repo: &Repo, parent: Oid, tree: Oid, message: &str, sign: bool) -> Result<Oid> {
    let message = object::clean_message(message);
    Ok(oid(&object::write_commit(repo, object_id(tree), object_id(parent), &message, sign)?))
}

/// Edits a file in the work tree only, atomically; `None` if nothing changes.
///
/// # Errors
/// If there is no work tree, or the file cannot be written.
pub(crate) fn write(repo: &Repo, file: &Path, edit: &mut EditFn) -> Result<Option<FileChange>> {
    if repo.is_bare() {
        return Err(Problem::usage("a bare repository has no files to write to").hint("omit `--no-commit`").into());
    }
    let path = FilePath::parse(repo, file)?;
    let lock = CommitLock::take(repo)?;
    let before = work_tree::read(repo, &path)?;
    convert::check_encoding(repo, &*index::load(repo)?, &path, before.as_deref())?;
    let after = match edit(file, before.as_deref().unwrap_or_default())? {
        FileEdit::Write(after) => Some(after),
        FileEdit::Delete if before.is_some() => None,
        _ => return Ok(None),
    };
    let change = FileChange { file: path.to_string(), before: before.clone(), after: after.clone() };
    lock.replace(repo, &PendingFile { file: path, before, after, base: None, blob: None })?;
    Ok(Some(change))
}

#[cfg(test)]
mod tests;
