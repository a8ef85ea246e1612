//! Reads commit objects; each thread has its own handle.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    hashtable::HashMap,
    objs::{Find as _, Kind},
    odb::{self, pack::cache::lru::MemoryCappedHashmap},
};

use crate::model::Problem;

/// How many bytes of delta bases a handle remembers: commits are small, and neighbours share theirs.
const PACK_CACHE: usize = 4 << 20;

/// How many bytes of commits a store keeps, if it keeps any.
const KEPT: usize = 16 << 20;

/// The object store of a repository, and the readers of it that nobody uses just now.
#[derive(Clone)]
pub(in crate::git) struct Store {
    objects: Arc<odb::Store>,
    idle: Arc<Mutex<Vec<ObjectReader>>>,
    kept: Option<Arc<Mutex<KeptCommits>>>,
}

/// Commits that were read, as many as fit.
#[derive(Default)]
struct KeptCommits {
    objects: HashMap<ObjectId, Box<[u8]>>,
    bytes: usize,
}

/// Reads one commit at a time into a buffer of its own.
pub(super) struct ObjectReader {
    handle: odb::Handle,
    buffer: Vec<u8>,
    kept: Option<Arc<Mutex<KeptCommits>>>,
}

impl Store {
    pub(in crate::git) fn of(repo: &gix::Repository) -> Self {
        Self { objects: repo.objects.store(), idle: Arc::default(), kept: None }
    }

    /// The same store, which keeps what is read for those who ask for it again.
    pub(in crate::git) fn keeping(self) -> Self {
        Self { kept: Some(Arc::default()), ..self }
    }

    /// A reader that nobody uses just now, or a new one.
    pub(super) fn reader(&self) -> ObjectReader {
        let idle = lock(&self.idle).pop();
        idle.unwrap_or_else(|| self.new_reader())
    }

    /// Takes a reader back: the delta bases that it has read are of use to the next one who asks for it.
    pub(super) fn put_back(&self, reader: ObjectReader) {
        lock(&self.idle).push(reader);
    }

    fn new_reader(&self) -> ObjectReader {
        let cache = || -> Box<odb::cache::PackCache> { Box::new(MemoryCappedHashmap::new(PACK_CACHE)) };
        let handle = self.objects.to_cache().with_pack_cache(cache);
        ObjectReader { handle, buffer: Vec::new(), kept: self.kept.clone() }
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl KeptCommits {
    fn keep(&mut self, id: &ObjectId, object: &[u8]) {
        if self.bytes + object.len() <= KEPT && self.objects.insert(*id, object.into()).is_none() {
            self.bytes += object.len();
        }
    }
}

impl ObjectReader {
    /// The bytes of a commit; `None` where the object is missing or no commit.
    pub(super) fn try_read(&mut self, id: &ObjectId) -> Result<Option<&[u8]>> {
        let Self { handle, buffer, kept } = self;
        if let Some(object) = kept.as_ref().and_then(|kept| lock(kept).objects.get(id).cloned()) {
            *buffer = object.into_vec();
            return Ok(Some(buffer));
        }
        let found = handle.try_find(id, buffer);
        let found = found.with_context(|| unreadable(format!("cannot read the commit `{id}`")))?;
        let found = found.filter(|object| object.kind == Kind::Commit).map(|object| object.data);
        if let (Some(kept), Some(object)) = (kept, found) {
            lock(kept).keep(id, object);
        }
        Ok(found)
    }

    /// The bytes of a commit that must be there.
    pub(super) fn read(&mut self, id: &ObjectId) -> Result<&[u8]> {
        self.try_read(id)?.ok_or_else(|| unreadable(format!("the commit `{id}` is missing from the repository")).into())
    }
}

fn unreadable(message: String) -> Problem {
    Problem::new(message).hint("run `git fsck` to find the damage; a fresh clone has it whole")
}
