//! Committing without git: objects first, which nobody sees, then the files, the reference and the index in a blink.

use std::time::Duration;

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    date::parse::TimeBuf,
    lock::acquire::Fail,
    refs::{
        Target,
        file::Transaction,
        transaction::{PreviousValue, RefEdit},
    },
};

use super::{
    file_change::PlannedFile, identity, index::IndexLock, object, plan::CommitPlan, replace::PendingFile,
    replace::RestoreGuard,
};
use crate::{git::Repo, interrupt, model::Problem};

/// How long others may hold the lock of a reference, which is usually a matter of milliseconds.
const REF_LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// Moves the branch alone.
pub(super) fn commit_on_branch(repo: &Repo, plan: &CommitPlan, message: &str, sign: bool) -> Result<ObjectId> {
    let (commit, _) = write_objects(repo, plan, message, sign)?;
    move_reference(repo, prepare(repo, plan, commit, message)?)?;
    Ok(commit)
}

/// Moves the branch with the work tree's files and the index.
///
/// All that can fail or take long comes before the files move, and the reference is last: a kill in the blink between
/// leaves edits, staged or not, which the next run takes up.
pub(super) fn commit_in_work_tree(repo: &Repo, plan: &CommitPlan, message: &str, sign: bool) -> Result<ObjectId> {
    let top = repo.work_tree().context("there is no work tree")?;
    let (commit, blobs) = write_objects(repo, plan, message, sign)?;
    let waiting = PendingFile::stage_all(repo, top, &plan.parts)?;
    let mut index = IndexLock::take(repo)?;
    plan.parts.iter().try_for_each(|part| part.check(repo, &index.index))?;
    let transaction = prepare(repo, plan, commit, message)?;
    if interrupt::is_interrupted() {
        return Err(Problem::new("interrupted; nothing was changed").into());
    }
    let files = waiting.into_iter().map(PendingFile::persist).collect::<Result<Vec<_>>>()?;
    index.distrust_racy_entries(repo)?;
    for ((part, blob), file) in plan.parts.iter().zip(blobs).zip(&files) {
        index.update_entry(&part.file, part.kind(), blob, file.path())?;
    }
    let index = index.commit(repo)?;
    move_reference(repo, transaction)?;
    files.into_iter().for_each(RestoreGuard::disarm);
    index.disarm();
    Ok(commit)
}

/// The commit, and the blobs of the files.
fn write_objects(repo: &Repo, plan: &CommitPlan, message: &str, sign: bool) -> Result<(ObjectId, Vec<ObjectId>)> {
    let tip = plan.target.tip;
    let blob = |part: &PlannedFile| repo.gix().write_blob(&part.change.after).map(gix::Id::detach);
    let blobs = plan.parts.iter().map(blob).collect::<Result<Vec<_>, _>>().context("cannot write a blob")?;
    let files = plan.parts.iter().zip(&blobs).map(|(part, blob)| (&part.file, part.kind(), *blob));
    let tree = object::write_tree(repo, tip, files).context("cannot write the tree")?;
    Ok((object::write_commit(repo, tree, tip, message, sign)?, blobs))
}

/// Locks the reference where it still is at the commit it was found at.
fn prepare<'a>(repo: &'a Repo, plan: &CommitPlan, commit: ObjectId, message: &str) -> Result<Transaction<'a, 'a>> {
    let expected = PreviousValue::MustExistAndMatch(Target::Object(plan.target.tip));
    let log = format!("commit: {}", message.lines().next().unwrap_or_default());
    let edit = RefEdit::update(plan.target.reference.clone(), commit, expected, log).with_deref(true);
    let patience = Fail::AfterDurationWithBackoff(REF_LOCK_TIMEOUT);
    let prepared = repo.gix().refs.transaction().prepare([edit], patience, patience);
    prepared.map_err(|error| locked(repo, plan).unwrap_or_else(|| error.into()))
}

fn move_reference(repo: &Repo, transaction: Transaction) -> Result<()> {
    let committer = identity::committer(repo)?;
    transaction.commit(committer.to_ref(&mut TimeBuf::default())).context("cannot move the branch")?;
    Ok(())
}

/// Who holds the reference, in place of how often we asked for it.
fn locked(repo: &Repo, plan: &CommitPlan) -> Option<anyhow::Error> {
    let name = plan.target.branch.as_ref().unwrap_or(&plan.target.reference).as_bstr();
    let shared = |file: String| repo.gix().common_dir().join(file);
    let places = [repo.git_dir().join("HEAD.lock"), shared(format!("{name}.lock")), shared("packed-refs.lock".into())];
    let held: Vec<_> = places.iter().filter(|lock| lock.exists()).map(|lock| format!("`{}`", lock.display())).collect();
    let problem = Problem::new(format!("`{name}` is locked: another git process seems to be at work"));
    (!held.is_empty()).then(|| problem.hint(format!("if there is none, remove {}", held.join(" and "))).into())
}
