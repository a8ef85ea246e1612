//! Reads commits: their objects, for which each thread has its own handle, and what a walk has to know of them, their dates
//! and parents.
//!
//! Some have other parents than their objects say: at the boundary of a shallow clone they have none, and `info/grafts`
//! can declare any (gitrepository-layout(5)).

use std::{
    fs,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    hashtable::HashMap,
    objs::{Find as _, Kind},
    odb::{self, pack::cache::lru::MemoryCappedHashmap},
};

use crate::{
    git::decode,
    model::{Problem, none_if_missing},
};

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

/// Reads commits of a repository one by one.
pub(in crate::git) struct HeaderReader {
    reader: ObjectReader,
    grafts: Grafts,
    /// Whether a commit that is absent is out of the range, as in a repository by URL once the range was fetched.
    is_fetched: bool,
}

pub(in crate::git) struct CommitHeader {
    /// When it was committed, in seconds since the epoch.
    pub(in crate::git) date: u64,
    /// Its parents as the history has them.
    pub(in crate::git) parents: Vec<ObjectId>,
    /// The parents it names where a shallow clone ends here.
    pub(in crate::git) cut_off: Vec<ObjectId>,
    pub(in crate::git) object: Box<[u8]>,
}

impl HeaderReader {
    /// Reads the commits of a store with these grafts. `is_fetched` says that a commit that is absent is out of every
    /// range.
    pub(in crate::git) fn new(store: &Store, grafts: Grafts, is_fetched: bool) -> Self {
        Self { reader: store.reader(), grafts, is_fetched }
    }

    /// Whether every commit has the parents it names.
    pub(super) fn has_no_grafts(&self) -> bool {
        self.grafts.is_empty()
    }

    /// The commit of this id, which must be there.
    pub(in crate::git) fn read(&mut self, id: &ObjectId) -> Result<CommitHeader> {
        Ok(link(&self.grafts, id, self.reader.read(id)?))
    }

    /// The commit of this ID; `None` if it is absent because it is out of the range.
    pub(super) fn read_in_range(&mut self, id: &ObjectId, is_hidden: bool) -> Result<Option<CommitHeader>> {
        if is_hidden || self.is_fetched {
            return Ok(self.reader.try_read(id)?.map(|object| link(&self.grafts, id, object)));
        }
        self.read(id).map(Some)
    }
}

fn link(grafts: &Grafts, id: &ObjectId, object: &[u8]) -> CommitHeader {
    let mut own = Vec::new();
    let date = decode::lineage(object, &mut own);
    let (parents, cut_off) = match grafts.get(id) {
        None => (own, Vec::new()),
        Some(Graft::Parents(declared)) => (declared.clone(), Vec::new()),
        Some(Graft::Boundary) => (Vec::new(), own),
    };
    CommitHeader { date, parents, cut_off, object: object.into() }
}

/// The parents that replace those of commits.
pub(in crate::git) type Grafts = HashMap<ObjectId, Graft>;

/// What replaces the parents of a commit.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::git) enum Graft {
    /// The clone ends here: the parents are not in this repository.
    Boundary,
    /// These are declared to be the parents.
    Parents(Vec<ObjectId>),
}

/// Loads the shallow boundary and `info/grafts`; the boundary takes precedence, as in git.
pub(in crate::git) fn load_grafts<'a>(
    common_dir: &Path,
    boundary: impl Iterator<Item = &'a ObjectId>,
) -> Result<Grafts> {
    let file = common_dir.join("info").join("grafts");
    let declared = none_if_missing(fs::read_to_string(&file));
    let declared = declared.with_context(|| format!("cannot read `{}`", file.display()))?.unwrap_or_default();
    // The last one wins when collected: of two lines for a commit, git takes the first.
    let declared = declared.lines().rev().filter_map(parse_graft);
    Ok(declared.chain(boundary.map(|id| (*id, Graft::Boundary))).collect())
}

/// A commit and its parents; `None` for comments and malformed lines.
fn parse_graft(line: &str) -> Option<(ObjectId, Graft)> {
    let ids: Option<Vec<ObjectId>> =
        line.split_ascii_whitespace().map(|id| ObjectId::from_hex(id.as_bytes()).ok()).collect();
    let ids = ids?;
    let (commit, parents) = ids.split_first()?;
    Some((*commit, Graft::Parents(parents.to_vec())))
}
