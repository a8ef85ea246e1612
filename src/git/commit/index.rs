//! The index: read, locked, and written with the entries of a commit renewed.

use std::{io::BufWriter, path::Path};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    index::{File, entry},
    lock,
    objs::tree::EntryKind,
};

use super::{file_path::FilePath, replace::RestoreGuard, worktree_check};
use crate::{git::Repo, model::Problem};

/// Reads the index; a missing one is empty.
pub(super) fn load(repo: &Repo) -> Result<File> {
    let path = repo.gix().index_path();
    if !path.exists() {
        return Ok(File::from_state(gix::index::State::new(repo.gix().object_hash()), path));
    }
    repo.gix().open_index().context("cannot read the index")
}

/// Refuses where another process holds the index.
pub(super) fn check_unlocked(repo: &Repo) -> Result<()> {
    let lock = repo.gix().index_path().with_extension("lock");
    if lock.exists() { Err(locked(repo)) } else { Ok(()) }
}

fn locked(repo: &Repo) -> anyhow::Error {
    let lock = repo.gix().index_path().with_extension("lock");
    Problem::new("the index is locked: another git process seems to be at work")
        .hint(format!("if there is none, remove `{}`", lock.display()))
        .into()
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
        let path = repo.gix().index_path();
        let lock = lock::File::acquire_to_update_resource(&path, lock::acquire::Fail::Immediately, None, 0);
        match lock {
            Ok(lock) => Ok(Self { index: load(repo)?, lock }),
            Err(_) if path.with_extension("lock").exists() => Err(locked(repo)),
            Err(error) => Err(anyhow::Error::from(error).context("cannot lock the index")),
        }
    }

    /// Enters a file as it now stands in the work tree.
    pub(super) fn update_entry(&mut self, file: &FilePath, kind: EntryKind, id: ObjectId, full: &Path) -> Result<()> {
        let metadata = gix::index::fs::Metadata::from_path_no_follow(full)?;
        let (stat, mode) = (entry::Stat::from_fs(&metadata)?, worktree_check::mode(kind));
        if let Some(entry) = self.index.entry_mut_by_path_and_stage(file.as_bstr(), entry::Stage::Unconflicted) {
            (entry.id, entry.stat, entry.mode) = (id, stat, mode);
            entry.flags.remove(entry::Flags::INTENT_TO_ADD);
        } else {
            self.index.dangerously_push_entry(stat, id, entry::Flags::empty(), mode, file.as_bstr());
            self.index.sort_entries();
        }
        Ok(())
    }

    /// Writes the index and makes it the index; it is taken back when the answer is dropped.
    pub(super) fn commit(mut self, repo: &Repo) -> Result<RestoreGuard> {
        // The cached trees would no longer be those of the entries.
        self.index.remove_tree();
        let mut out = BufWriter::new(&mut self.lock);
        self.index.write_to(&mut out, gix::index::write::Options::default()).context("cannot write the index")?;
        out.into_inner().map_err(std::io::IntoInnerError::into_error).context("cannot write the index")?;
        let undo = RestoreGuard::of(&repo.gix().index_path()).context("cannot read the index")?;
        self.lock.commit().map_err(|error| anyhow::Error::from(error.error)).context("cannot write the index")?;
        Ok(undo)
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
