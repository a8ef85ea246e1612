//! The trees of directories, read one after the other along a line of commits: neighbours differ in a few bytes, are delta
//! bases of each other, and each is compared twice.

use std::{collections::HashSet, rc::Rc};

use anyhow::Result;
use gix::{
    ObjectId,
    bstr::{BStr, ByteSlice as _},
    objs::{Find as _, Kind},
    odb::{self, pack::cache::lru::MemoryCappedHashmap as DeltaBases},
};

use super::{
    Repo, object,
    tree_bytes::{different_entries, entries},
};
use crate::model::Oid;

/// The bytes of delta bases in memory, as many as git keeps.
const DELTA_BASES: usize = 96 << 20;
/// The trees that stay in memory.
const KEPT: usize = 16;

/// Reads trees; the last ones stay in memory.
pub(super) struct DirectoryTrees<'a> {
    repo: &'a Repo,
    handle: odb::Handle,
    kept: Vec<(ObjectId, Rc<[u8]>)>,
}

/// The names of files that one version of a directory has and the other lacks.
pub(super) struct NameChanges {
    pub(super) added: Vec<String>,
    pub(super) deleted: Vec<String>,
}

impl<'a> DirectoryTrees<'a> {
    pub(super) fn new(repo: &'a Repo) -> Self {
        let handle = repo.gix().objects.store().to_cache();
        let handle = handle.with_pack_cache(|| Box::new(DeltaBases::new(DELTA_BASES)));
        Self { repo, handle, kept: Vec::new() }
    }

    /// Returns the trees of directories at a commit; `None` for one that does not exist.
    pub(super) fn of_commit(&mut self, commit: Oid, directories: &[String]) -> Result<Vec<Option<ObjectId>>> {
        let root = object::root_id(self.repo, commit)?;
        directories.iter().map(|directory| self.find(root, directory)).collect()
    }

    fn find(&mut self, root: ObjectId, directory: &str) -> Result<Option<ObjectId>> {
        let mut id = root;
        for part in directory.split('/').filter(|part| !part.is_empty()) {
            let tree = self.read(id)?;
            let found = entries(&tree, id.kind()).find(|entry| entry.mode.is_tree() && entry.filename == part);
            match found {
                Some(entry) => id = entry.oid.to_owned(),
                None => return Ok(None),
            }
        }
        Ok(Some(id))
    }

    /// Compares two versions of a directory.
    pub(super) fn compare(&mut self, old: Option<ObjectId>, new: Option<ObjectId>) -> Result<NameChanges> {
        let Some(kind) = old.or(new).map(|id| id.kind()).filter(|_| old != new) else {
            return Ok(NameChanges { added: Vec::new(), deleted: Vec::new() });
        };
        let read = |trees: &mut Self, id: Option<ObjectId>| id.map(|id| trees.read(id)).transpose();
        let (old, new) = (read(self, old)?.unwrap_or_default(), read(self, new)?.unwrap_or_default());
        let (before, after) = different_entries(&old, &new, kind);
        let names = |bytes| entries(bytes, kind).map(|entry| (entry.filename, entry.mode.is_tree()));
        let (had, has): (HashSet<_>, HashSet<_>) = (names(before).collect(), names(after).collect());
        let only = |bytes, others: &HashSet<(&BStr, bool)>| {
            let files = names(bytes).filter(|(_, is_tree)| !is_tree).filter(|name| !others.contains(name));
            files.map(|(name, _)| name.to_str_lossy().into_owned()).collect()
        };
        Ok(NameChanges { added: only(after, &had), deleted: only(before, &has) })
    }

    /// Returns the names of the files in a directory.
    pub(super) fn files(&mut self, tree: ObjectId) -> Result<HashSet<String>> {
        let bytes = self.read(tree)?;
        let files = entries(&bytes, tree.kind()).filter(|entry| !entry.mode.is_tree());
        Ok(files.map(|entry| entry.filename.to_str_lossy().into_owned()).collect())
    }

    /// Returns the bytes of a tree.
    fn read(&mut self, id: ObjectId) -> Result<Rc<[u8]>> {
        if let Some((_, bytes)) = self.kept.iter().find(|(known, _)| *known == id) {
            return Ok(Rc::clone(bytes));
        }
        let mut buffer = Vec::new();
        let bytes: Rc<[u8]> = match self.handle.try_find(&id, &mut buffer) {
            Ok(Some(found)) if found.kind == Kind::Tree => found.data.into(),
            // What is missing or broken is reported as anywhere else.
            _ => object::tree(self.repo, id)?.data.as_slice().into(),
        };
        if self.kept.len() == KEPT {
            self.kept.remove(0);
        }
        self.kept.push((id, Rc::clone(&bytes)));
        Ok(bytes)
    }
}
