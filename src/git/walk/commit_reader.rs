//! Reads commits: their objects, for which each thread has its own handle, and the dates and parents that a walk
//! needs.
//!
//! Some commits have other parents than their objects name: those at the boundary of a shallow clone have none, and
//! `info/grafts` can declare any (gitrepository-layout(5)).

use std::{
    fs,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    hashtable::HashMap,
    objs::{Find as _, Kind},
    odb::{self, pack::cache::lru::MemoryCappedHashmap},
};
use smallvec::SmallVec;

use crate::{
    git::decode,
    model::{Problem, none_if_missing},
};

/// The bytes of delta bases that a handle caches: commits are small, and neighbours share delta bases.
const PACK_CACHE: usize = 4 << 20;

/// The number of commits after which the packs are opened again: the pages of a mapped pack stay in memory as long as it is
/// open.
const READS: usize = 1 << 16;

/// The most bytes of commits that a store made by `keeping` keeps.
const KEPT: usize = 16 << 20;

/// The object store of a repository, and its idle readers.
#[derive(Clone)]
pub(in crate::git) struct Store {
    packs: Arc<OpenPacks>,
    idle: Arc<Mutex<Vec<ObjectReader>>>,
    kept: Option<Arc<Mutex<KeptCommits>>>,
}

/// The objects that all readers share, opened again after every [`READS`] commits that they have read together.
struct OpenPacks {
    reads: AtomicUsize,
    current: Mutex<OpenedObjects>,
}

#[derive(Clone)]
struct OpenedObjects {
    objects: Arc<odb::Store>,
    /// How often they were opened before.
    times: usize,
}

/// Commits that were read, at most [`KEPT`] bytes of them.
#[derive(Default)]
struct KeptCommits {
    objects: HashMap<ObjectId, Box<[u8]>>,
    bytes: usize,
}

/// A reader of single commits, with a buffer of its own.
pub(super) struct ObjectReader {
    packs: Arc<OpenPacks>,
    handle: odb::Handle,
    /// How often the objects behind the handle were opened before.
    times: usize,
    buffer: Vec<u8>,
    kept: Option<Arc<Mutex<KeptCommits>>>,
}

impl Store {
    pub(in crate::git) fn new(repo: &gix::Repository) -> Self {
        let current = Mutex::new(OpenedObjects { objects: repo.objects.store(), times: 0 });
        let packs = Arc::new(OpenPacks { reads: AtomicUsize::new(0), current });
        Self { packs, idle: Arc::default(), kept: None }
    }

    /// Makes the store keep commits in memory once they are read, so that reading them again is cheap.
    pub(in crate::git) fn keep_commits(self) -> Self {
        Self { kept: Some(Arc::default()), ..self }
    }

    /// Returns an idle reader, or a new one. Idle readers of what was opened again keep nothing of it open.
    pub(super) fn reader(&self) -> ObjectReader {
        let mut idle = lock(&self.idle);
        let OpenedObjects { objects, times } = lock(&self.packs.current).clone();
        idle.retain(|reader| reader.times == times);
        idle.pop().unwrap_or_else(|| ObjectReader {
            packs: Arc::clone(&self.packs),
            handle: handle(&objects),
            times,
            buffer: Vec::new(),
            kept: self.kept.clone(),
        })
    }

    /// Takes an idle reader back: the delta bases in its cache serve its next user.
    pub(super) fn put_back(&self, reader: ObjectReader) {
        lock(&self.idle).push(reader);
    }
}

impl OpenPacks {
    /// Counts a commit that is read. Returns the objects to read it from if they were opened again since `times`.
    fn count_read(&self, times: usize) -> Option<OpenedObjects> {
        let due = (self.reads.fetch_add(1, Ordering::Relaxed) + 1) / READS;
        if due <= times {
            return None;
        }
        let mut current = lock(&self.current);
        if due > current.times {
            current.times = due;
            if let Ok(again) = reopen(&current.objects) {
                current.objects = Arc::new(again);
            }
        }
        Some(current.clone())
    }
}

fn handle(objects: &Arc<odb::Store>) -> odb::Handle {
    objects
        .to_cache()
        .with_pack_cache(|| -> Box<odb::cache::PackCache> { Box::new(MemoryCappedHashmap::new(PACK_CACHE)) })
}

/// Opens the same objects again.
fn reopen(objects: &odb::Store) -> std::io::Result<odb::Store> {
    let options = odb::store::init::Options {
        use_multi_pack_index: objects.use_multi_pack_index(),
        ..odb::store::init::Options::default()
    };
    let path = objects.path().to_owned();
    odb::Store::at_opts(path, objects.object_hash(), &mut objects.replacements(), options)
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
    /// Returns the bytes of a commit; `None` if the object is missing or not a commit.
    pub(super) fn try_read(&mut self, id: &ObjectId) -> Result<Option<&[u8]>> {
        let Self { packs, handle, times, buffer, kept } = self;
        if let Some(object) = kept.as_ref().and_then(|kept| lock(kept).objects.get(id).cloned()) {
            *buffer = object.into_vec();
            return Ok(Some(buffer));
        }
        if let Some(opened) = packs.count_read(*times) {
            (*handle, *times) = (self::handle(&opened.objects), opened.times);
        }
        let found =
            handle.try_find(id, buffer).with_context(|| unreadable_commit(format!("cannot read the commit `{id}`")))?;
        let found = found.filter(|object| object.kind == Kind::Commit).map(|object| object.data);
        if let (Some(kept), Some(object)) = (kept, found) {
            lock(kept).keep(id, object);
        }
        Ok(found)
    }

    /// Returns the bytes of a commit; `Err` if it is missing.
    pub(super) fn read(&mut self, id: &ObjectId) -> Result<&[u8]> {
        self.try_read(id)?
            .ok_or_else(|| unreadable_commit(format!("the commit `{id}` is missing from the repository")).into())
    }
}

fn unreadable_commit(message: String) -> Problem {
    Problem::new(message).hint("run `git fsck` to find the damage, or clone again")
}

/// A reader of the dates and parents of single commits.
pub(in crate::git) struct HeaderReader {
    reader: ObjectReader,
    grafts: Grafts,
    is_shallow: bool,
    is_fetched: bool,
}

pub(in crate::git) struct CommitHeader {
    /// When it was committed, in seconds since the epoch.
    pub(in crate::git) date: u64,
    /// Its parents, after grafts are applied.
    pub(in crate::git) parents: SmallVec<[ObjectId; 2]>,
    /// The parents that its object names, if the boundary of a shallow clone cuts them off.
    pub(in crate::git) cut_off: Vec<ObjectId>,
    pub(in crate::git) object: Box<[u8]>,
}

impl HeaderReader {
    /// Reads the commits of a store, with these grafts. If `is_fetched`, a missing commit is outside every range.
    pub(in crate::git) fn new(store: &Store, grafts: Grafts, is_fetched: bool) -> Self {
        let is_shallow = grafts.values().any(|graft| *graft == Graft::Boundary);
        Self { reader: store.reader(), grafts, is_shallow, is_fetched }
    }

    /// Whether every commit has the parents that its object names.
    pub(super) fn has_no_grafts(&self) -> bool {
        self.grafts.is_empty()
    }

    /// Returns the commits at which a shallow clone ends.
    pub(super) fn boundary(&self) -> Vec<ObjectId> {
        self.grafts.iter().filter(|(_, graft)| **graft == Graft::Boundary).map(|(id, _)| *id).collect()
    }

    /// Reads a commit; `Err` if it is missing.
    pub(in crate::git) fn read(&mut self, id: &ObjectId) -> Result<CommitHeader> {
        Ok(link(&self.grafts, id, self.reader.read(id)?))
    }

    /// Whether a missing commit is outside the range, as in a repository by URL once the range was fetched.
    pub(super) fn is_fetched(&self) -> bool {
        self.is_fetched
    }

    /// Reads a commit; `None` if it is missing and may be, because it is hidden, the range was fetched, or it is beyond
    /// a former boundary of a shallow clone, which git forgets after another fetch.
    pub(super) fn read_in_range(&mut self, id: &ObjectId, is_hidden: bool) -> Result<Option<CommitHeader>> {
        if is_hidden || self.is_fetched || self.is_shallow {
            return Ok(self.reader.try_read(id)?.map(|object| link(&self.grafts, id, object)));
        }
        self.read(id).map(Some)
    }
}

fn link(grafts: &Grafts, id: &ObjectId, object: &[u8]) -> CommitHeader {
    let mut own = SmallVec::new();
    let date = decode::lineage(object, &mut own);
    let (parents, cut_off) = match grafts.get(id) {
        None => (own, Vec::new()),
        Some(Graft::Parents(declared)) => (declared.as_slice().into(), Vec::new()),
        Some(Graft::Boundary) => (SmallVec::new(), own.into_vec()),
    };
    CommitHeader { date, parents, cut_off, object: object.into() }
}

/// The commits whose parents are replaced, with what replaces them.
pub(in crate::git) type Grafts = HashMap<ObjectId, Graft>;

/// What replaces the parents of a commit.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::git) enum Graft {
    /// The commit is at the boundary of a shallow clone: its parents are not in this repository.
    Boundary,
    /// `info/grafts` declares these to be the parents.
    Parents(Vec<ObjectId>),
}

/// Loads the shallow boundary and `info/grafts`; the boundary takes precedence, as in git.
pub(in crate::git) fn load_grafts<'a>(
    common_dir: &Path,
    boundary: impl Iterator<Item = &'a ObjectId>,
) -> Result<Grafts> {
    let file = common_dir.join("info").join("grafts");
    let declared = none_if_missing(fs::read_to_string(&file))
        .with_context(|| format!("cannot read `{}`", file.display()))?
        .unwrap_or_default();
    // `collect` keeps the last of two lines for one commit, and git takes the first: so the lines are reversed.
    let declared = declared.lines().rev().filter_map(parse_graft);
    Ok(declared.chain(boundary.map(|id| (*id, Graft::Boundary))).collect())
}

/// Parses a line of `info/grafts`, a commit and its parents; `None` for a comment or a malformed line.
fn parse_graft(line: &str) -> Option<(ObjectId, Graft)> {
    let ids: Option<Vec<ObjectId>> =
        line.split_ascii_whitespace().map(|id| ObjectId::from_hex(id.as_bytes()).ok()).collect();
    let ids = ids?;
    let (commit, parents) = ids.split_first()?;
    Some((*commit, Graft::Parents(parents.to_vec())))
}

#[cfg(test)]
mod tests {
    use gix::objs::Write as _;

    use super::*;

    #[test]
    fn what_a_reader_opens_again_are_the_same_objects() {
        let directory = tempfile::tempdir().unwrap();
        let repository = gix::init_bare(directory.path()).unwrap();
        let commit = |message: &str| {
            let lines =
                ["tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904", "author a <a> 0 +0000", "committer a <a> 0 +0000"];
            let object = lines.join("\n") + "\n\n" + message;
            (repository.write_buf(Kind::Commit, object.as_bytes()).unwrap(), object)
        };
        let (first, second) = (commit("First"), commit("Second"));
        let store = Store::new(&repository);
        let (mut reader, mut other) = (store.reader(), store.reader());
        for (reads, times) in [(0, 0), (READS - 1, 1), (2 * READS - 1, 2), (5 * READS - 1, 5)] {
            store.packs.reads.store(reads, Ordering::Relaxed);
            for (id, object) in [&first, &second] {
                assert_eq!(reader.read(id).unwrap(), object.as_bytes(), "{reads}");
                assert_eq!(other.read(id).unwrap(), object.as_bytes(), "{reads}");
            }
            assert_eq!([reader.times, other.times], [times; 2], "{reads}");
            assert!(std::ptr::eq(reader.handle.store_ref(), other.handle.store_ref()), "they share what is open");
        }
        let missing = reader.try_read(&ObjectId::null(repository.object_hash())).unwrap();
        assert!(missing.is_none());
    }
}
