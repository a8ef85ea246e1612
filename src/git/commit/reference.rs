//! Moving the branch by compare-and-swap, with a line in the reflog (git-update-ref(1), git-reflog(1)).

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

use super::{identity, index, target_branch::TargetBranch};
use crate::{git::Repo, model::none_if_missing};

/// The references without their logs, which gix would write in many small pieces, before the reference moves.
pub(super) fn store(repo: &Repo) -> Store {
    let mut store = repo.gix().refs.clone();
    store.write_reflog = WriteReflog::Disable;
    store
}

/// Locks the reference if it still is at the commit it was found at.
pub(super) fn lock<'a>(
    repo: &Repo,
    store: &'a Store,
    target: &TargetBranch,
    commit: ObjectId,
) -> Result<Transaction<'a, 'a>> {
    let expected = PreviousValue::MustExistAndMatch(Target::Object(target.tip));
    let edit = RefEdit::update(target.reference.clone(), commit, expected, "").with_deref(true);
    let patience = Fail::AfterDurationWithBackoff(index::LOCK_TIMEOUT);
    let prepared = store.transaction().prepare([edit], patience, patience);
    prepared.map_err(|error| held(repo, target).unwrap_or_else(|| error.into()))
}

/// Moves the reference. Returns what could not be written into the reflog, since the commit is made by then.
pub(super) fn update(
    repo: &Repo,
    transaction: Transaction,
    (old, new): (ObjectId, ObjectId),
    message: &str,
) -> Result<String> {
    let mut line = format!("{old} {new} ").into_bytes();
    identity::committer(repo)?.write_to(&mut line)?;
    let subject = message.lines().next().unwrap_or_default().split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    line.extend(format!("\tcommit: {subject}\n").into_bytes());
    let moved = transaction.commit(None).context("cannot move the branch")?;
    let failed = moved.iter().filter_map(|edit| Some((&edit.name, append(repo, &edit.name, &line).err()?)));
    let failed = failed.map(|(name, error)| format!("cannot write the reflog of `{}`: {error}", name.as_bstr()));
    Ok(failed.collect::<Vec<_>>().join("\n"))
}

/// Adds a whole line to a log, which is made unless `core.logAllRefUpdates` is off.
fn append(repo: &Repo, name: &FullName, line: &[u8]) -> io::Result<()> {
    let is_head = name.as_bstr() == "HEAD";
    let directory = if is_head { repo.git_dir() } else { repo.gix().common_dir() };
    let path = directory.join("logs").join(gix::path::from_bstr(name.as_bstr()).map_err(io::Error::other)?);
    let is_wanted = repo.gix().refs.write_reflog != WriteReflog::Disable;
    if is_wanted {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
    }
    match none_if_missing(File::options().append(true).create(is_wanted).open(path))? {
        Some(mut log) => log.write_all(line),
        None => Ok(()),
    }
}

/// The error that names who holds the reference, if its lock or one it needs is there.
fn held(repo: &Repo, target: &TargetBranch) -> Option<anyhow::Error> {
    let name = target.branch.as_ref().unwrap_or(&target.reference);
    let shared = |file: String| repo.gix().common_dir().join(file);
    let locks = [
        repo.git_dir().join("HEAD.lock"),
        shared(format!("{}.lock", name.as_bstr())),
        shared("packed-refs.lock".into()),
    ];
    let is_held = locks.iter().any(|lock| lock.exists());
    is_held.then(|| index::locked(&format!("`{}`", name.as_bstr()), repo, Some(name)))
}
