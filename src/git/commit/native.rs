//! Committing without git: objects first, which nobody sees, then the files, the index and the branch at once.

use anyhow::{Context as _, Result};
use gix::{ObjectId, refs::file::Transaction};

use super::{
    file_change::PlannedFile,
    index::IndexLock,
    journal::{CommitLock, Journal},
    object,
    plan::CommitPlan,
    reference, worktree_check,
};
use crate::{git::Repo, interrupt, model::Problem};

/// Moves the branch alone. Returns the commit, and what else is to be said.
pub(super) fn commit_on_branch(
    repo: &Repo,
    plan: &CommitPlan,
    (message, sign): (&str, bool),
) -> Result<(ObjectId, String)> {
    let commit = write_objects(repo, plan, message, sign)?;
    let store = reference::store(repo);
    let branch = reference::lock(repo, &store, &plan.target, commit)?;
    Ok((commit, reference::update(repo, branch, (plan.target.tip, commit), message)?))
}

/// Moves the branch with the work tree's files and the index.
///
/// All that can fail or take long comes before the files move: every lock is held by then, and the files are looked at
/// once more. The branch is last: a kill in between leaves edits, staged or not, which the next run takes back.
pub(super) fn commit_in_work_tree(
    repo: &Repo,
    plan: &CommitPlan,
    (message, sign): (&str, bool),
    lock: &CommitLock,
) -> Result<(ObjectId, String)> {
    let commit = write_objects(repo, plan, message, sign)?;
    let index = IndexLock::take(repo)?;
    let store = reference::store(repo);
    let branch = reference::lock(repo, &store, &plan.target, commit)?;
    let pending = plan.pending(repo, &index.index)?;
    if interrupt::is_interrupted() {
        return Err(Problem::new("interrupted; nothing was changed").into());
    }
    let journal = lock.begin(repo, (plan.target.tip, message), pending)?;
    match replace(repo, plan, &journal, index, branch, (commit, message)) {
        Ok(output) => {
            journal.close();
            Ok((commit, output))
        }
        Err(error) => journal.fail(error, |error| error),
    }
}

fn replace(
    repo: &Repo,
    plan: &CommitPlan,
    journal: &Journal,
    mut index: IndexLock,
    branch: Transaction,
    (commit, message): (ObjectId, &str),
) -> Result<String> {
    let top = repo.work_tree().context("there is no work tree")?;
    journal.persist()?;
    index.distrust_racy_entries(repo)?;
    for (file, blob) in plan.files.iter().filter_map(|file| Some((file, file.blob?))) {
        index.update_entry(&file.file, file.kind(), blob, &worktree_check::full(top, &file.file)?)?;
    }
    index.commit()?;
    reference::update(repo, branch, (plan.target.tip, commit), message)
}

/// Writes the blobs, the trees and the commit.
fn write_objects(repo: &Repo, plan: &CommitPlan, message: &str, sign: bool) -> Result<ObjectId> {
    let tip = plan.target.tip;
    let write = |file: &PlannedFile| object::write(repo, gix::objs::Kind::Blob, &file.change.after);
    let blobs = plan.files.iter().map(write).collect::<Result<Vec<_>, _>>().context("cannot write a blob")?;
    let files = plan.files.iter().zip(&blobs).map(|(file, blob)| (&file.file, file.kind(), *blob));
    let tree = object::write_tree(repo, tip, files).context("cannot write the tree")?;
    object::write_commit(repo, tree, tip, message, sign)
}
