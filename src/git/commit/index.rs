//! The index: loading, locking, and updating the entries of a commit.

use std::{
    collections::HashSet,
    fs,
    io::BufWriter,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    bstr::BStr,
    index::{File, State, entry},
    lock::{self, acquire::Fail},
    objs::tree::EntryKind,
    refs::FullName,
};

use super::{convert::Conversion, file_path::FilePath, object::FileAtCommit, work_tree};
use crate::{
    git::Repo,
    model::{Problem, none_if_missing},
};

/// How long to wait for a lock of another git process, which usually holds it for milliseconds.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// Loads the index; a missing one is empty.
pub(super) fn load(repo: &Repo) -> Result<File> {
    let path = repo.gix().index_path();
    if none_if_missing(fs::metadata(&path)).context("cannot read the index")?.is_none() {
        return Ok(File::from_state(State::new(repo.gix().object_hash()), path));
    }
    repo.gix().open_index().context("cannot read the index")
}

/// Waits while another process has locked the index; fails after [`LOCK_TIMEOUT`].
pub(super) fn wait_until_unlocked(repo: &Repo) -> Result<()> {
    let lock = lock_path(repo);
    if is_unlocked_in_time(|| lock.exists()) { Ok(()) } else { Err(lock_error("the index", repo, None)) }
}

fn is_unlocked_in_time(mut is_locked: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while is_locked() {
        if start.elapsed() > LOCK_TIMEOUT {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
    true
}

fn lock_path(repo: &Repo) -> PathBuf {
    repo.gix().index_path().with_extension("lock")
}

/// Returns the lock files of `HEAD`, of the packed references and of a branch.
pub(super) fn ref_locks(repo: &Repo, branch: Option<&FullName>) -> Vec<PathBuf> {
    let shared = |file: &str| repo.gix().common_dir().join(file);
    let branch = branch.map(|branch| shared(&format!("{}.lock", branch.as_bstr())));
    [repo.git_dir().join("HEAD.lock"), shared("packed-refs.lock")].into_iter().chain(branch).collect()
}

/// Returns the error that `what` is locked, with the absolute paths of all lock files that exist. `branch` is the
/// branch to move if it is not that of `HEAD`.
pub(super) fn lock_error(what: &str, repo: &Repo, branch: Option<&FullName>) -> anyhow::Error {
    let branch = branch.cloned().or_else(|| repo.gix().head_name().ok().flatten());
    let locks = [vec![lock_path(repo)], ref_locks(repo, branch.as_ref())].concat();
    let held = locks.iter().filter(|lock| lock.exists()).map(|lock| std::path::absolute(lock).unwrap_or(lock.clone()));
    let shown: Vec<_> = held.map(|lock| format!("`{}`", lock.display())).collect();
    Problem::new(format!("{what} is locked: another git process seems to be at work"))
        .hint(format!("if there is none, remove {}", shown.join(" and ")))
        .into()
}

/// Whether a file of the work tree is known to have the content that it has at a commit.
fn is_known(repo: &Repo, conversion: &mut Conversion, file: &FilePath, now: &FileAtCommit) -> Result<bool> {
    if now.kind == EntryKind::Link {
        return Ok(work_tree::read_any(repo, file)?.as_ref() == Some(&now.bytes));
    }
    let content = work_tree::read(repo, file)?.unwrap_or_default();
    let is_plain = conversion.driver(file)?.is_none();
    Ok(is_plain && conversion.clean(file, &content).is_ok_and(|blob| blob == now.bytes))
}

/// Whether a file's entry was written or removed by our commit, or was to be replaced, and differs from the branch now.
pub(super) fn is_stale(
    index: &State,
    file: &FilePath,
    ours: [Option<ObjectId>; 2],
    now: Option<&FileAtCommit>,
    is_deleted: bool,
) -> bool {
    match index.entry_by_path(file.as_bstr()) {
        Some(entry) => {
            entry.flags.contains(entry::Flags::INTENT_TO_ADD)
                || (ours.contains(&Some(entry.id)) && now.map(|now| now.id) != Some(entry.id))
        }
        None => is_deleted && now.is_some(),
    }
}

/// A file's new entry in the index.
pub(super) struct NewEntry<'a> {
    pub(super) file: &'a FilePath,
    pub(super) kind: EntryKind,
    pub(super) id: ObjectId,
    pub(super) stat: entry::Stat,
}

/// Returns the status of a file in the work tree.
pub(super) fn stat(repo: &Repo, file: &FilePath) -> Result<entry::Stat> {
    let metadata = gix::index::fs::Metadata::from_path_no_follow(&work_tree::full_path(repo, file)?)?;
    Ok(entry::Stat::from_fs(&metadata)?)
}

/// The locked index. The index file does not change until [`IndexLock::commit`].
#[derive(Debug)]
pub(super) struct IndexLock {
    pub(super) index: File,
    lock: lock::File,
}

impl IndexLock {
    /// Takes the lock and then loads the index, so that nobody changes it in between.
    pub(super) fn take(repo: &Repo) -> Result<Self> {
        let (path, timeout) = (repo.gix().index_path(), Fail::AfterDurationWithBackoff(LOCK_TIMEOUT));
        match lock::File::acquire_to_update_resource(path, timeout, None, 0) {
            Ok(lock) => Ok(Self { index: load(repo)?, lock }),
            Err(_) if lock_path(repo).exists() => Err(lock_error("the index", repo, None)),
            Err(error) => Err(anyhow::Error::from(error).context("cannot lock the index")),
        }
    }

    /// Resets the entries of files to the branch's versions; `None` removes one. Git will read a file again unless it is
    /// known to have that content.
    pub(super) fn reset_entries(&mut self, repo: &Repo, files: &[(&FilePath, Option<FileAtCommit>)]) -> Result<()> {
        let mut conversion = Conversion::new(repo, &self.index)?;
        let mut entries = Vec::with_capacity(files.len());
        for (file, now) in files {
            let Some(now) = now else { continue };
            let is_known = is_known(repo, &mut conversion, file, now)?;
            let stat = if is_known { stat(repo, file)? } else { entry::Stat::default() };
            entries.push(NewEntry { file, kind: now.kind, id: now.id, stat });
        }
        self.remove_entries(&files.iter().filter(|(_, now)| now.is_none()).map(|(file, _)| file.as_bstr()).collect());
        self.set_entries(entries);
        Ok(())
    }

    /// Removes the entries of files.
    pub(super) fn remove_entries(&mut self, files: &HashSet<&BStr>) {
        if !files.is_empty() {
            self.index.remove_entries(|_, path, _| files.contains(path));
        }
    }

    /// Sets the entries of files, each of which is given once.
    pub(super) fn set_entries(&mut self, entries: Vec<NewEntry>) {
        let mut added = Vec::new();
        for new in entries {
            let known = self.index.entry_mut_by_path_and_stage(new.file.as_bstr(), entry::Stage::Unconflicted);
            let Some(entry) = known else {
                added.push(new);
                continue;
            };
            (entry.id, entry.stat, entry.mode) = (new.id, new.stat, work_tree::mode(new.kind));
            entry.flags.remove(entry::Flags::INTENT_TO_ADD);
        }
        if added.is_empty() {
            return;
        }
        for NewEntry { file, kind, id, stat } in added {
            let mode = work_tree::mode(kind);
            self.index.dangerously_push_entry(stat, id, entry::Flags::empty(), mode, file.as_bstr());
        }
        self.index.sort_entries();
    }

    /// Writes the index, and releases the lock.
    pub(super) fn commit(mut self) -> Result<()> {
        // The cached trees no longer match the entries.
        self.index.remove_tree();
        let mut out = BufWriter::new(&mut self.lock);
        self.index.write_to(&mut out, gix::index::write::Options::default()).context("cannot write the index")?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error).context("cannot write the index")?;
        self.lock.commit().map_err(|error| anyhow::Error::from(error.error)).context("cannot write the index")?;
        Ok(())
    }

    /// Clears the sizes of racily clean entries, so that git reads their files again: they were edited while the index
    /// was written, which git recognizes by the time of the index, and that changes now.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_git_holds_for_a_moment_is_waited_for() {
        let mut looks = [true, true, false].into_iter();
        assert!(is_unlocked_in_time(|| looks.next().unwrap()));
    }

    #[test]
    fn a_lock_that_stays_is_not_waited_for_without_end() {
        assert!(!is_unlocked_in_time(|| true));
    }
}
