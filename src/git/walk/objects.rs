//! Reads commit objects; each thread has its own handle.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    objs::{Find as _, Kind},
    odb::{self, pack::cache::lru::MemoryCappedHashmap},
};

use crate::model::Problem;

/// How many bytes of delta bases a handle remembers: commits are small, and neighbours share theirs.
const PACK_CACHE: usize = 4 << 20;

/// The object store of a repository, and the readers of it that nobody uses just now.
#[derive(Clone)]
pub(super) struct Store {
    objects: Arc<odb::Store>,
    idle: Arc<Mutex<Vec<ObjectReader>>>,
}

/// Reads one commit at a time into a buffer of its own.
pub(super) struct ObjectReader {
    handle: odb::Handle,
    buffer: Vec<u8>,
}

impl Store {
    pub(super) fn of(repo: &gix::Repository) -> Self {
        Self { objects: repo.objects.store(), idle: Arc::default() }
    }

    pub(super) fn reader(&self) -> ObjectReader {
        let cache = || -> Box<odb::cache::PackCache> { Box::new(MemoryCappedHashmap::new(PACK_CACHE)) };
        ObjectReader { handle: self.objects.to_cache().with_pack_cache(cache), buffer: Vec::new() }
    }

    /// Lends a reader: the delta bases that it has read are of use to the next borrower.
    pub(super) fn lend<T>(&self, work: impl FnOnce(&mut ObjectReader) -> T) -> T {
        let idle = self.idle().pop();
        let mut reader = idle.unwrap_or_else(|| self.reader());
        let done = work(&mut reader);
        self.idle().push(reader);
        done
    }

    fn idle(&self) -> MutexGuard<'_, Vec<ObjectReader>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ObjectReader {
    /// The bytes of a commit; `None` where the object is missing or no commit.
    pub(super) fn try_read(&mut self, id: &ObjectId) -> Result<Option<&[u8]>> {
        let found = self.handle.try_find(id, &mut self.buffer);
        let found = found.with_context(|| unreadable(format!("cannot read the commit `{id}`")))?;
        Ok(found.filter(|object| object.kind == Kind::Commit).map(|object| object.data))
    }

    /// The bytes of a commit that must be there.
    pub(super) fn read(&mut self, id: &ObjectId) -> Result<&[u8]> {
        self.try_read(id)?.ok_or_else(|| unreadable(format!("the commit `{id}` is missing from the repository")).into())
    }
}

fn unreadable(message: String) -> Problem {
    Problem::new(message).hint("run `git fsck` to find the damage; a fresh clone has it whole")
}
