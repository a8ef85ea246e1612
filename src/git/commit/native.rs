//! Committing in process: first the objects, which nobody sees, then the files, the index and the branch. The branch moves
//! by compare-and-swap, with a line in the reflog (git-update-ref(1), git-reflog(1)).

use std::{
    fs::{self, File},
    io::{self, Write as _},
};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    lock::acquire::Fail,
    refs::{
        FullName, Target,
        file::{Store, Transaction},
        store::WriteReflog,
        transaction::{PreviousValue, RefEdit},
    },
};

use super::{
    index::{self, IndexLock},
    journal::{CommitLock, Journal},
    metadata, object,
    plan::{CommitPlan, PlannedFile},
    target_branch::TargetBranch,
    work_tree,
};
use crate::{
    git::Repo,
    interrupt,
    model::{Problem, none_if_missing},
};

/// Moves only the branch. Returns the commit, and messages for the user.
pub(super) fn commit_on_branch(
    repo: &Repo,
    plan: &CommitPlan,
    (message, sign): (&str, bool),
) -> Result<(ObjectId, String)> {
    let commit = write_objects(repo, plan, message, sign)?;
    let store = ref_store(repo);
    let branch = lock_branch(repo, &store, &plan.target, commit)?;
    Ok((commit, move_branch(repo, branch, (plan.target.tip, commit), message)?))
}

/// Moves the branch together with the files of the work tree and the index.
///
/// What can fail or take long comes before the files move: by then every lock is held, and the files have been checked
/// again. The branch moves last: a kill in between leaves edits, staged or not, which the next run undoes.
pub(super) fn commit_in_work_tree(
    repo: &Repo,
    plan: &CommitPlan,
    (message, sign): (&str, bool),
    lock: &CommitLock,
) -> Result<(ObjectId, String)> {
    let commit = write_objects(repo, plan, message, sign)?;
    let index = IndexLock::take(repo)?;
    let store = ref_store(repo);
    let branch = lock_branch(repo, &store, &plan.target, commit)?;
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
        index.update_entry(&file.file, file.kind(), blob, &work_tree::full_path(top, &file.file)?)?;
    }
    index.commit()?;
    move_branch(repo, branch, (plan.target.tip, commit), message)
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

/// Returns a ref store that writes no reflogs: gix would write them in many small pieces, before the reference moves.
fn ref_store(repo: &Repo) -> Store {
    let mut store = repo.gix().refs.clone();
    store.write_reflog = WriteReflog::Disable;
    store
}

/// Locks the reference if it still points to the commit that was read.
fn lock_branch<'a>(
    repo: &Repo,
    store: &'a Store,
    target: &TargetBranch,
    commit: ObjectId,
) -> Result<Transaction<'a, 'a>> {
    let expected = PreviousValue::MustExistAndMatch(Target::Object(target.tip));
    let edit = RefEdit::update(target.reference.clone(), commit, expected, "").with_deref(true);
    let timeout = Fail::AfterDurationWithBackoff(index::LOCK_TIMEOUT);
    let prepared = store.transaction().prepare([edit], timeout, timeout);
    prepared.map_err(|error| locked(repo, target).unwrap_or_else(|| error.into()))
}

/// Moves the reference. A reflog that cannot be written is only reported in the result, since the commit is made by then.
fn move_branch(
    repo: &Repo,
    transaction: Transaction,
    (old, new): (ObjectId, ObjectId),
    message: &str,
) -> Result<String> {
    let mut line = format!("{old} {new} ").into_bytes();
    metadata::committer(repo)?.write_to(&mut line)?;
    let subject = message.lines().next().unwrap_or_default().split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    line.extend(format!("\tcommit: {subject}\n").into_bytes());
    let moved = transaction.commit(None).context("cannot move the branch")?;
    let failed = moved.iter().filter_map(|edit| Some((&edit.name, append_reflog(repo, &edit.name, &line).err()?)));
    let failed = failed.map(|(name, error)| format!("cannot write the reflog of `{}`: {error}", name.as_bstr()));
    Ok(failed.collect::<Vec<_>>().join("\n"))
}

/// Appends a line to a reflog, which is created unless `core.logAllRefUpdates` is off.
fn append_reflog(repo: &Repo, name: &FullName, line: &[u8]) -> io::Result<()> {
    let is_head = name.as_bstr() == "HEAD";
    let directory = if is_head { repo.git_dir() } else { repo.gix().common_dir() };
    let path = directory.join("logs").join(gix::path::from_bstr(name.as_bstr()).map_err(io::Error::other)?);
    let is_enabled = repo.gix().refs.write_reflog != WriteReflog::Disable;
    if is_enabled {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
    }
    match none_if_missing(File::options().append(true).create(is_enabled).open(path))? {
        Some(mut log) => log.write_all(line),
        None => Ok(()),
    }
}

/// Returns the error that names the lock files, if the reference or one that it needs is locked.
fn locked(repo: &Repo, target: &TargetBranch) -> Option<anyhow::Error> {
    let name = target.branch.as_ref().unwrap_or(&target.reference);
    let is_locked = index::ref_locks(repo, Some(name)).iter().any(|lock| lock.exists());
    is_locked.then(|| index::locked(&format!("`{}`", name.as_bstr()), repo, Some(name)))
}
