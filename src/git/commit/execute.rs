//! Executes the plan of a commit, in process or with git.
//!
//! In process the objects are written first, which nobody sees, then the files and the index if the branch is checked
//! out, and then the branch moves by compare-and-swap, with a line in the reflog (git-update-ref(1), git-reflog(1)).
//! Hooks, filters and some git settings of a branch that is checked out need `git commit`.

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
    index::{self, IndexLock, NewEntry},
    journal::{self, CommitLock, Journal},
    object,
    plan::{CommitPlan, PlannedFile},
    target_branch::{TargetBranch, reflog_message},
    work_tree,
};
use crate::{
    git::{Repo, git_command, signing},
    interrupt,
    model::{Problem, none_if_missing},
};

/// More bytes than the buffer of any pipe: once they are written, git reads its input, and has read the branch.
const ABOVE_PIPE_BUFFER: usize = (1 << 20) + (1 << 16);

/// Makes the commit. Returns its ID, and messages for the user.
pub(super) fn execute(repo: &Repo, plan: &CommitPlan, lock: Option<&CommitLock>) -> Result<(ObjectId, String)> {
    match lock.filter(|_| plan.target.checked_out) {
        Some(lock) if plan.needs_git => run_git(repo, plan, lock),
        lock => commit_in_process(repo, plan, lock),
    }
}

/// Moves the branch, together with the files of the work tree and the index if it is checked out.
///
/// All that can fail or take long comes first: then every lock is held, and the files have been checked again. The
/// branch moves last: if the program is killed before that, the next run undoes the edits.
fn commit_in_process(repo: &Repo, plan: &CommitPlan, lock: Option<&CommitLock>) -> Result<(ObjectId, String)> {
    let commit = write_objects(repo, plan)?;
    if plan.needs_git {
        return Ok((commit, plan.target.move_by_git(repo, commit, &plan.message)?.all()));
    }
    let index = lock.map(|lock| Ok::<_, anyhow::Error>((lock, IndexLock::take(repo)?))).transpose()?;
    let store = ref_store(repo);
    let branch = lock_branch(repo, &store, &plan.target, commit)?;
    let Some((lock, index)) = index else { return Ok((commit, move_branch(repo, plan, branch, commit)?)) };
    let pending = plan.pending_files(repo, &index.index)?;
    if interrupt::is_interrupted() {
        return Err(Problem::new("interrupted; nothing was changed").into());
    }
    let journal = lock.begin(repo, plan.target.tip, &plan.message, pending)?;
    match replace(repo, plan, &journal, index, branch, commit) {
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
    commit: ObjectId,
) -> Result<String> {
    journal.persist()?;
    index.distrust_racy_entries(repo)?;
    let deleted = plan.files.iter().filter(|file| file.change.after.is_none());
    index.remove_entries(&deleted.map(|file| file.file.as_bstr()).collect());
    let mut entries = Vec::new();
    for (file, id) in plan.files.iter().filter_map(|file| Some((file, file.blob?))) {
        entries.push(NewEntry { file: &file.file, kind: file.kind(), id, stat: index::stat(repo, &file.file)? });
    }
    index.set_entries(entries);
    index.commit()?;
    move_branch(repo, plan, branch, commit)
}

pub(super) fn write_objects(repo: &Repo, plan: &CommitPlan) -> Result<ObjectId> {
    let tip = plan.target.tip;
    let write = |file: &PlannedFile| {
        let after = file.change.after.as_ref();
        after.map(|after| object::write(repo, gix::objs::Kind::Blob, after)).transpose()
    };
    let blobs = plan.files.iter().map(write).collect::<Result<Vec<_>, _>>().context("cannot write a blob")?;
    let files = plan.files.iter().zip(&blobs).map(|(file, blob)| (&file.file, file.kind(), *blob));
    let tree = object::write_tree(repo, tip, files).context("cannot write the tree")?;
    object::write_commit(repo, tree, tip, &plan.message, plan.sign)
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
    prepared.map_err(|error| lock_error(repo, target).unwrap_or_else(|| error.into()))
}

/// Moves the reference. A reflog that cannot be written is only reported in the result, since the commit is made.
fn move_branch(repo: &Repo, plan: &CommitPlan, transaction: Transaction, commit: ObjectId) -> Result<String> {
    let mut line = format!("{} {commit} ", plan.target.tip).into_bytes();
    object::committer(repo)?.write_to(&mut line)?;
    line.extend(format!("\t{}\n", reflog_message(&plan.message)).into_bytes());
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
fn lock_error(repo: &Repo, target: &TargetBranch) -> Option<anyhow::Error> {
    let name = target.branch.as_ref().unwrap_or(&target.reference);
    let is_locked = index::ref_locks(repo, Some(name)).iter().any(|lock| lock.exists());
    is_locked.then(|| index::lock_error(&format!("`{}`", name.as_bstr()), repo, Some(name)))
}

/// Writes the files and has git commit them. Hooks read the files, so they are written first.
///
/// Git reads the tip of the branch before it reads the message, and moves the branch only if it still points there. So
/// git has to wait for the message, and gets it only if the branch is still where it was when the files were read.
fn run_git(repo: &Repo, plan: &CommitPlan, lock: &CommitLock) -> Result<(ObjectId, String)> {
    index::wait_until_unlocked(repo)?;
    let index = index::load(repo)?;
    let pending = plan.pending_files(repo, &index)?;
    let journal = lock.begin(repo, plan.target.tip, &plan.message, pending)?;
    match journal.persist().and_then(|()| run_commit(repo, plan)) {
        Ok(output) => finish(repo, plan, journal, output),
        Err(error) => journal.fail(error, |error| explain(repo, plan.sign, error)),
    }
}

fn run_commit(repo: &Repo, plan: &CommitPlan) -> Result<String> {
    let introduced: Vec<_> = plan.files.iter().filter(|file| file.base.is_none()).map(|file| &file.file).collect();
    if !introduced.is_empty() {
        work_tree::git_on_files(repo, &["add", "--force", "--intent-to-add", "--"], &introduced).run("")?;
    }
    let signed: &[&str] = if plan.sign { &["--gpg-sign"] } else { &[] };
    let arguments = [&["commit", "--quiet", "--cleanup=whitespace", "--file=-"], signed, &["--only", "--"]].concat();
    let all: Vec<_> = plan.files.iter().map(|file| &file.file).collect();
    let output = work_tree::git_on_files(repo, &arguments, &all).run_fed(|stdin| {
        // Git removes empty lines before the message.
        io::copy(&mut io::Read::take(io::repeat(b'\n'), ABOVE_PIPE_BUFFER as u64), stdin)?;
        // Git refuses a message with a NUL byte, whatever a hook adds to it.
        stdin.write_all(if plan.target.has_moved(repo) { b"\0" } else { plan.message.as_bytes() })
    });
    Ok(output?.all())
}

/// Finds the commit that git made: a hook may have made another one after it.
fn finish(repo: &Repo, plan: &CommitPlan, journal: Journal, mut output: String) -> Result<(ObjectId, String)> {
    let made = plan.target.child(repo)?.context("cannot find the commit that git made")?;
    match journal.settle().map(|settled| settled.index) {
        Ok(None) => {}
        Ok(Some(error)) => output = format!("{output}\n{}", journal::stale_index(&error)),
        Err(error) => output = format!("{output}\nthe commit is made, but the index could not be written: {error:#}"),
    }
    Ok((made, output))
}

fn explain(repo: &Repo, sign: bool, error: anyhow::Error) -> anyhow::Error {
    let refused = Problem::new("git did not create the commit; nothing was changed");
    let is_signed = sign || signing::is_enabled(repo, signing::COMMIT).unwrap_or_default();
    let signing_failed = git_command::is_fatal(&error) && is_signed;
    error.context(if signing_failed { signing::with_hints(refused, signing::COMMIT, sign) } else { refused })
}
