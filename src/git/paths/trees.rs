//! Compares the trees of a commit and its parent, as far as certain paths require.

use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    bstr::ByteSlice as _,
    objs::tree::{EntryRef, name_order},
    odb::{
        self,
        pack::cache::{lru::MemoryCappedHashmap as DeltaBases, object::MemoryCappedHashmap as Objects},
    },
};

use super::pathspec::ScopeMatcher;
use crate::git::{
    FetchedObjects, oid,
    tree::join_path,
    tree_bytes::{first_entry, skip_common, tree_entries},
    tree_objects::TreeObjects,
};

/// The bytes of trees that all threads together, and each thread at most, cache: a tree is read for its commit and for
/// the next one, and neighbours share delta bases.
const CACHES: usize = 32 << 20;
const CACHE: usize = 8 << 20;

pub(super) struct Trees {
    objects: TreeObjects,
    hash: gix::hash::Kind,
}

pub(super) struct TreeReader<'a> {
    of: &'a Trees,
    handle: odb::Handle,
    roots: HashMap<ObjectId, ObjectId>,
    old: Vec<u8>,
    new: Vec<u8>,
}

/// The two versions of one directory, of which one may be missing.
struct DirectoryPair {
    path: Vec<u8>,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
}

impl Trees {
    pub(super) fn new(objects: FetchedObjects) -> Self {
        Self { objects: TreeObjects::new(objects), hash: objects.gix().object_hash() }
    }

    pub(super) fn reader(&self) -> TreeReader<'_> {
        let cache = CACHE.min(CACHES / rayon::current_num_threads());
        let handle = self
            .objects
            .handle()
            .with_pack_cache(move || Box::new(DeltaBases::new(cache - cache / 4)))
            .with_object_cache(move || Box::new(Objects::new(cache / 4)));
        TreeReader { of: self, handle, roots: HashMap::new(), old: Vec::new(), new: Vec::new() }
    }
}

impl TreeReader<'_> {
    /// Returns the scopes with a path at which a commit differs from its first parent, or from nothing without one.
    pub(super) fn changed_scopes(
        &mut self,
        commit: ObjectId,
        parent: Option<ObjectId>,
        scopes: &mut ScopeMatcher,
    ) -> Result<Vec<u32>> {
        self.compare_roots(parent, commit, scopes)
            .with_context(|| format!("cannot determine what commit `{}` changes", oid(&commit).short()))?;
        Ok(scopes.take())
    }

    fn compare_roots(&mut self, parent: Option<ObjectId>, commit: ObjectId, scopes: &mut ScopeMatcher) -> Result<()> {
        let (old, new) = (parent.map(|parent| self.root(parent)).transpose()?, self.root(commit)?);
        self.compare(DirectoryPair { path: Vec::new(), old, new: Some(new) }, scopes)
    }

    /// Finds the object at a path of a commit; `None` if there is none.
    pub(super) fn find(&mut self, commit: ObjectId, path: &[u8]) -> Result<Option<ObjectId>> {
        Ok(self.entry(commit, path)?.map(|(id, _)| id))
    }

    /// Whether any of some paths exists in a commit.
    pub(super) fn has_any(&mut self, commit: ObjectId, paths: &[String]) -> Result<bool> {
        for path in paths {
            if self.find(commit, path.as_bytes())?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the names in a directory of a commit (without a trailing slash); none if it is not a directory there.
    pub(super) fn names(&mut self, commit: ObjectId, directory: &[u8]) -> Result<HashSet<Vec<u8>>> {
        let Some((tree, true)) = self.entry(commit, directory)? else { return Ok(HashSet::new()) };
        self.entries(tree)?.map(|entry| Ok(entry?.filename.to_vec())).collect()
    }

    /// Finds the object at a path, and whether it is a directory. The empty path is the root.
    fn entry(&mut self, commit: ObjectId, path: &[u8]) -> Result<Option<(ObjectId, bool)>> {
        let mut found = (self.root(commit)?, true);
        for name in path.split_str(b"/").filter(|_| !path.is_empty()) {
            if !found.1 {
                return Ok(None);
            }
            let is_it = |entry: &Result<EntryRef>| entry.as_ref().map_or(true, |entry| entry.filename == name);
            let Some(entry) = self.entries(found.0)?.find(is_it).transpose()? else { return Ok(None) };
            found = (entry.oid.to_owned(), entry.mode.is_tree());
        }
        Ok(Some(found))
    }

    fn entries(&mut self, tree: ObjectId) -> Result<impl Iterator<Item = Result<EntryRef<'_>>>> {
        self.of.objects.tree(&self.handle, Some(tree), &mut self.new)?;
        Ok(tree_entries(&self.new, self.of.hash))
    }

    pub(super) fn root(&mut self, commit: ObjectId) -> Result<ObjectId> {
        if let Some(root) = self.roots.get(&commit) {
            return Ok(*root);
        }
        let root = self.of.objects.root(&self.handle, commit, &mut self.new)?;
        self.roots.insert(commit, root);
        Ok(root)
    }

    /// Compares two trees and all below them. The pairs wait on the heap, since trees may nest deeply.
    fn compare(&mut self, roots: DirectoryPair, scopes: &mut ScopeMatcher) -> Result<()> {
        let mut waiting = vec![roots];
        while let Some(pair) = waiting.pop().filter(|_| !scopes.is_complete()) {
            self.of.objects.tree(&self.handle, pair.old, &mut self.old)?;
            self.of.objects.tree(&self.handle, pair.new, &mut self.new)?;
            compare(&pair.path, [&self.old, &self.new], scopes, self.of.hash, &mut waiting)?;
        }
        Ok(())
    }
}

/// Records in `scopes` where two directories differ, and adds differing directories that may matter to `waiting`.
fn compare(
    directory: &[u8],
    [mut old, mut new]: [&[u8]; 2],
    scopes: &mut ScopeMatcher,
    hash: gix::hash::Kind,
    waiting: &mut Vec<DirectoryPair>,
) -> Result<()> {
    while !scopes.is_complete() {
        skip_common(&mut old, &mut new, hash.len_in_bytes());
        let (before, old_rest) = first_entry(old, hash)?;
        let (after, new_rest) = first_entry(new, hash)?;
        let order = match (before, after) {
            (None, None) => break,
            (Some(a), Some(b)) => name_order(a.filename, a.mode.is_tree(), b.filename, b.mode.is_tree()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
        };
        let (before, after) = (before.filter(|_| order.is_le()), after.filter(|_| order.is_ge()));
        waiting.extend(compare_entries(directory, before, after, scopes));
        (old, new) = (before.map_or(old, |_| old_rest), after.map_or(new, |_| new_rest));
    }
    Ok(())
}

/// Records in `scopes` that two entries of one name differ. Returns them if they are directories that may matter.
fn compare_entries(
    directory: &[u8],
    old: Option<EntryRef>,
    new: Option<EntryRef>,
    scopes: &mut ScopeMatcher,
) -> Option<DirectoryPair> {
    let entry = old.or(new)?;
    if old.zip(new).is_some_and(|(old, new)| old.oid == new.oid && old.mode == new.mode) {
        return None;
    }
    let path = join_path(directory, entry.filename);
    if !entry.mode.is_tree() {
        scopes.file(path.as_bstr());
        return None;
    }
    let id = |entry: EntryRef| entry.oid.to_owned();
    scopes.directory(path.as_bstr()).then(|| DirectoryPair { path, old: old.map(id), new: new.map(id) })
}
