//! Compares the trees of a commit and its parent as far as certain paths go.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
    sync::Arc,
};

use anyhow::{Context as _, Result, ensure};
use gix::{
    ObjectId,
    bstr::{BStr, ByteSlice as _},
    objs::{
        Find as _, Kind, TreeRefIter,
        tree::{EntryRef, name_order},
    },
    odb::{
        self,
        pack::cache::{lru::MemoryCappedHashmap as DeltaBases, object::MemoryCappedHashmap as Objects},
    },
};

use crate::{
    git::{Repo, decode::RawCommit, object::is_partial, oid, tree::join},
    model::Problem,
};

/// A commit and what it is compared with.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommitPair {
    pub(super) commit: ObjectId,
    /// Its first parent; `None` for the first commit of a history.
    pub(super) parent: Option<ObjectId>,
}

/// Which changed paths matter.
pub(super) trait PathFilter {
    /// Whether a changed file, link or submodule answers the question, so that no further path does matter.
    fn file(&mut self, path: &BStr) -> bool;

    /// What there is to learn below a changed directory.
    fn directory(&mut self, path: &BStr) -> DirectoryMatch;
}

/// What there is to learn below a changed directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DirectoryMatch {
    /// It answers the question, whatever has changed in it.
    Whole,
    /// What has changed in it may matter.
    Open,
    /// Nothing below it matters any more.
    None,
}

/// How many bytes of trees all threads remember, and at most each: a tree is read for its commit and for the one after,
/// and neighbours share delta bases.
const CACHES: usize = 32 << 20;
const CACHE: usize = 8 << 20;

pub(super) struct Trees {
    store: Arc<odb::Store>,
    is_partial: bool,
    hash: gix::hash::Kind,
}

pub(super) struct TreeReader<'a> {
    of: &'a Trees,
    handle: odb::Handle,
    roots: HashMap<ObjectId, ObjectId>,
    old: Vec<u8>,
    new: Vec<u8>,
}

/// Two directories of one path, of which one may be missing.
struct Pair {
    path: Vec<u8>,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
}

impl Trees {
    pub(super) fn of(repo: &Repo) -> Self {
        let (store, hash) = (repo.gix().objects.store(), repo.gix().object_hash());
        Self { store, is_partial: is_partial(repo), hash }
    }

    pub(super) fn reader(&self) -> TreeReader<'_> {
        let cache = CACHE.min(CACHES / rayon::current_num_threads());
        let handle = self.store.to_cache();
        let handle = handle.with_pack_cache(move || Box::new(DeltaBases::new(cache - cache / 4)));
        let handle = handle.with_object_cache(move || Box::new(Objects::new(cache / 4)));
        TreeReader { of: self, handle, roots: HashMap::new(), old: Vec::new(), new: Vec::new() }
    }
}

impl TreeReader<'_> {
    /// Shows a filter the paths at which a commit differs from its first parent, and returns whether one of them answers
    /// the question.
    pub(super) fn differ(&mut self, child: CommitPair, scope: &mut impl PathFilter) -> Result<bool> {
        let context = || format!("cannot tell what commit `{}` changes", oid(&child.commit).short());
        self.roots_of(child).and_then(|roots| self.compare(roots, scope)).with_context(context)
    }

    /// The object at a path of a commit; `None` if it has nothing there.
    pub(super) fn find(&mut self, commit: ObjectId, path: &[u8]) -> Result<Option<ObjectId>> {
        Ok(self.entry(commit, path)?.map(|(id, _)| id))
    }

    /// The names in a directory of a commit, given without a slash at its end; none if there is no such directory.
    pub(super) fn names(&mut self, commit: ObjectId, directory: &[u8]) -> Result<HashSet<Vec<u8>>> {
        let Some((tree, true)) = self.entry(commit, directory)? else { return Ok(HashSet::new()) };
        Ok(self.entries(tree)?.map(|entry| entry.filename.to_vec()).collect())
    }

    /// The object at a path, and whether it is a directory; that of the empty path is the root.
    fn entry(&mut self, commit: ObjectId, path: &[u8]) -> Result<Option<(ObjectId, bool)>> {
        let mut found = (self.root(commit)?, true);
        for name in path.split_str(b"/").filter(|_| !path.is_empty()) {
            let entry = if found.1 { self.entries(found.0)?.find(|entry| entry.filename == name) } else { None };
            let Some(entry) = entry else { return Ok(None) };
            found = (entry.oid.to_owned(), entry.mode.is_tree());
        }
        Ok(Some(found))
    }

    fn entries(&mut self, tree: ObjectId) -> Result<impl Iterator<Item = EntryRef<'_>>> {
        self.of.read(&self.handle, Some(tree), Kind::Tree, &mut self.new)?;
        Ok(TreeRefIter::from_bytes(&self.new, self.of.hash).filter_map(Result::ok))
    }

    fn roots_of(&mut self, CommitPair { commit, parent }: CommitPair) -> Result<Pair> {
        let old = parent.map(|parent| self.root(parent)).transpose()?;
        Ok(Pair { path: Vec::new(), old, new: Some(self.root(commit)?) })
    }

    pub(super) fn root(&mut self, commit: ObjectId) -> Result<ObjectId> {
        if let Some(root) = self.roots.get(&commit) {
            return Ok(*root);
        }
        self.of.read(&self.handle, Some(commit), Kind::Commit, &mut self.new)?;
        let root = RawCommit::parse(&self.new).tree().with_context(|| format!("commit `{commit}` names no tree"))?;
        self.roots.insert(commit, root);
        Ok(root)
    }

    /// The pairs wait on the heap: trees may nest deeply.
    fn compare(&mut self, roots: Pair, scope: &mut impl PathFilter) -> Result<bool> {
        let mut waiting = vec![roots];
        while let Some(pair) = waiting.pop() {
            self.of.read(&self.handle, pair.old, Kind::Tree, &mut self.old)?;
            self.of.read(&self.handle, pair.new, Kind::Tree, &mut self.new)?;
            if compare(&pair.path, [&self.old, &self.new], (scope, self.of.hash), &mut waiting)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Trees {
    /// Reads an object, nothing where there is none.
    fn read(&self, handle: &odb::Handle, id: Option<ObjectId>, kind: Kind, into: &mut Vec<u8>) -> Result<()> {
        into.clear();
        // git knows the empty tree without having it.
        let Some(id) = id.filter(|id| !id.is_empty_tree()) else { return Ok(()) };
        let found = handle.try_find(&id, into).with_context(|| format!("cannot read object `{id}`"))?;
        let found = found.ok_or_else(|| self.missing(id))?.kind;
        ensure!(found == kind, "`{id}` is a {found} in place of a {kind}");
        Ok(())
    }

    fn missing(&self, id: ObjectId) -> Problem {
        let problem = Problem::new(format!("object `{id}` is missing from the repository"));
        if self.is_partial {
            problem.hint(
                "this partial clone has no trees, which `paths` needs: run `git fetch --refetch --filter=blob:none`",
            )
        } else {
            problem.hint("run `git fsck` to find the damage")
        }
    }
}

/// Whether two directories have different files at these paths; directories that differ and may hold such files are put to
/// those that wait.
fn compare(
    directory: &[u8],
    [mut old, mut new]: [&[u8]; 2],
    (scope, hash): (&mut impl PathFilter, gix::hash::Kind),
    waiting: &mut Vec<Pair>,
) -> Result<bool> {
    loop {
        skip_common(&mut old, &mut new, hash.len_in_bytes());
        let (before, old_rest) = first_entry(old, hash)?;
        let (after, new_rest) = first_entry(new, hash)?;
        let order = match (before, after) {
            (None, None) => return Ok(false),
            (Some(a), Some(b)) => name_order(a.filename, a.mode.is_tree(), b.filename, b.mode.is_tree()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
        };
        let (before, after) = (before.filter(|_| order.is_le()), after.filter(|_| order.is_ge()));
        if is_found(directory, before, after, scope, waiting) {
            return Ok(true);
        }
        (old, new) = (before.map_or(old, |_| old_rest), after.map_or(new, |_| new_rest));
    }
}

/// The first entry of a tree, if it has one, and the entries after it.
fn first_entry(tree: &[u8], hash: gix::hash::Kind) -> Result<(Option<EntryRef<'_>>, &[u8])> {
    let mut entries = TreeRefIter::from_bytes(tree, hash);
    let first = entries.next().transpose().context("a tree is broken")?;
    Ok((first, &tree[entries.offset_to_next_entry(tree)..]))
}

/// Skips the entries that two trees have in common at their start; neighbours in a history share nearly all.
fn skip_common(old: &mut &[u8], new: &mut &[u8], id_len: usize) {
    const BLOCK: usize = 64;
    let blocks = old.chunks_exact(BLOCK).zip(new.chunks_exact(BLOCK)).take_while(|(old, new)| old == new).count();
    let same = blocks * BLOCK;
    let common = same + old[same..].iter().zip(&new[same..]).take_while(|(old, new)| old == new).count();
    let mut start = 0;
    // An ID follows the zero after a name.
    while let Some(zero) = old[start..common].find_byte(0).filter(|zero| start + zero + id_len < common) {
        start += zero + 1 + id_len;
    }
    (*old, *new) = (&old[start..], &new[start..]);
}

/// What two entries of one name, of which one may be missing, mean.
fn is_found(
    directory: &[u8],
    old: Option<EntryRef>,
    new: Option<EntryRef>,
    scope: &mut impl PathFilter,
    waiting: &mut Vec<Pair>,
) -> bool {
    let Some(entry) = old.or(new) else { return false };
    if old.zip(new).is_some_and(|(old, new)| old.oid == new.oid && old.mode == new.mode) {
        return false;
    }
    let path = join(directory, entry.filename);
    if !entry.mode.is_tree() {
        return scope.file(path.as_bstr());
    }
    let matched = scope.directory(path.as_bstr());
    if matched == DirectoryMatch::Open {
        let id = |entry: EntryRef| entry.oid.to_owned();
        waiting.push(Pair { path, old: old.map(id), new: new.map(id) });
    }
    matched == DirectoryMatch::Whole
}
