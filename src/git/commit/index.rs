//! The index: read, locked, and written with the entries of a commit renewed.

use std::{
    fs,
    io::BufWriter,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    index::{File, State, entry},
    lock::{self, acquire::Fail},
    objs::tree::EntryKind,
    refs::FullName,
};

use super::{
    convert::{self, Conversion},
    file_path::FilePath,
    object::FileAtCommit,
    worktree_check,
};
use crate::{
    git::Repo,
    model::{Problem, none_if_missing},
};

/// How long others may hold a lock of git, which is usually a matter of milliseconds.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// Reads the index; a missing one is empty.
pub(super) fn load(repo: &Repo) -> Result<File> {
    let path = repo.gix().index_path();
    if none_if_missing(fs::metadata(&path)).context("cannot read the index")?.is_none() {
        return Ok(File::from_state(State::new(repo.gix().object_hash()), path));
    }
    repo.gix().open_index().context("cannot read the index")
}

/// Waits for another process that holds the index, and refuses if it keeps it.
pub(super) fn wait_until_unlocked(repo: &Repo) -> Result<()> {
    let (lock, start) = (lock_path(repo), Instant::now());
    while lock.exists() {
        if start.elapsed() > LOCK_TIMEOUT {
            return Err(locked("the index", repo, None));
        }
        thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

fn lock_path(repo: &Repo) -> PathBuf {
    repo.gix().index_path().with_extension("lock")
}

/// The refusal when somebody holds `what`, with every lock that is there, as the shell finds it. `branch` is the one to
/// move if that is not `HEAD`.
pub(super) fn locked(what: &str, repo: &Repo, branch: Option<&FullName>) -> anyhow::Error {
    let branch = branch.cloned().or_else(|| repo.gix().head_name().ok().flatten());
    let shared = |file: &str| repo.gix().common_dir().join(file);
    let mut locks = vec![lock_path(repo), repo.git_dir().join("HEAD.lock"), shared("packed-refs.lock")];
    locks.extend(branch.map(|branch| shared(&format!("{}.lock", branch.as_bstr()))));
    let held = locks.iter().filter(|lock| lock.exists()).map(|lock| std::path::absolute(lock).unwrap_or(lock.clone()));
    let shown: Vec<_> = held.map(|lock| format!("`{}`", lock.display())).collect();
    Problem::new(format!("{what} is locked: another git process seems to be at work"))
        .hint(format!("if there is none, remove {}", shown.join(" and ")))
        .into()
}

/// Whether an entry is one that a commit of ours made or was to replace, and not what the branch has now.
pub(super) fn is_stale(
    index: &State,
    file: &FilePath,
    ours: [Option<ObjectId>; 2],
    now: Option<&FileAtCommit>,
) -> bool {
    index.entry_by_path(file.as_bstr()).is_some_and(|entry| {
        entry.flags.contains(entry::Flags::INTENT_TO_ADD)
            || (ours.contains(&Some(entry.id)) && now.map(|now| now.id) != Some(entry.id))
    })
}

/// The index in our hands; it stays as it was unless it is committed.
#[derive(Debug)]
pub(super) struct IndexLock {
    pub(super) index: File,
    lock: lock::File,
}

impl IndexLock {
    /// Takes the lock, then reads, so that nobody changes the index in between.
    pub(super) fn take(repo: &Repo) -> Result<Self> {
        let (path, patience) = (repo.gix().index_path(), Fail::AfterDurationWithBackoff(LOCK_TIMEOUT));
        match lock::File::acquire_to_update_resource(path, patience, None, 0) {
            Ok(lock) => Ok(Self { index: load(repo)?, lock }),
            Err(_) if lock_path(repo).exists() => Err(locked("the index", repo, None)),
            Err(error) => Err(anyhow::Error::from(error).context("cannot lock the index")),
        }
    }

    /// Enters a file as it now stands in the work tree.
    pub(super) fn update_entry(&mut self, file: &FilePath, kind: EntryKind, id: ObjectId, full: &Path) -> Result<()> {
        let metadata = gix::index::fs::Metadata::from_path_no_follow(full)?;
        self.set_entry(file, kind, id, entry::Stat::from_fs(&metadata)?);
        Ok(())
    }

    /// Makes an entry what the branch has; git reads the file again unless it is known to be the same.
    pub(super) fn reset_entry(&mut self, repo: &Repo, file: &FilePath, now: Option<&FileAtCommit>) -> Result<()> {
        let Some(now) = now else {
            self.index.remove_entries(|_, path, _| path == file.as_bstr());
            return Ok(());
        };
        let top = repo.work_tree().context("there is no work tree")?;
        let content = worktree_check::read(top, file)?.unwrap_or_default();
        let is_plain = convert::driver(repo, &self.index, file)?.is_none();
        if is_plain && Conversion::new(repo, &self.index, file)?.clean(&content).is_ok_and(|blob| blob == now.bytes) {
            return self.update_entry(file, now.kind, now.id, &worktree_check::full(top, file)?);
        }
        self.set_entry(file, now.kind, now.id, entry::Stat::default());
        Ok(())
    }

    fn set_entry(&mut self, file: &FilePath, kind: EntryKind, id: ObjectId, stat: entry::Stat) {
        let mode = worktree_check::mode(kind);
        if let Some(entry) = self.index.entry_mut_by_path_and_stage(file.as_bstr(), entry::Stage::Unconflicted) {
            (entry.id, entry.stat, entry.mode) = (id, stat, mode);
            entry.flags.remove(entry::Flags::INTENT_TO_ADD);
        } else {
            self.index.dangerously_push_entry(stat, id, entry::Flags::empty(), mode, file.as_bstr());
            self.index.sort_entries();
        }
    }

    /// Writes the index and makes it the index.
    pub(super) fn commit(mut self) -> Result<()> {
        // The cached trees would no longer be those of the entries.
        self.index.remove_tree();
        let mut out = BufWriter::new(&mut self.lock);
        self.index.write_to(&mut out, gix::index::write::Options::default()).context("cannot write the index")?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error).context("cannot write the index")?;
        self.lock.commit().map_err(|error| anyhow::Error::from(error.error)).context("cannot write the index")?;
        Ok(())
    }

    /// A file that was edited in the very moment the index was last written looks unchanged by its times. Git tells by
    /// the index being no younger than the file, which it will be: such files lose their size, and are read again.
    pub(super) fn distrust_racy_entries(&mut self, repo: &Repo) -> Result<()> {
        let (options, written) = (repo.gix().stat_options()?, self.index.timestamp());
        for entry in self.index.entries_mut() {
            if entry.stat.is_racy(written, options) {
                entry.stat.size = 0;
            }
        }
        Ok(())
    }
}
