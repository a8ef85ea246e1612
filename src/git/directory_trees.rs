//! What commits change in a few directories, without those below them. Neighbours on a line of commits differ in a few bytes
//! and are delta bases of each other, so that they are read in the order in which a pack has them.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
};

use anyhow::Result;
use gix::{
    ObjectId,
    bstr::{BStr, ByteSlice as _},
    hash::Kind,
    objs::tree::EntryRef,
    odb::{self, Header as _, pack::cache::lru::MemoryCappedHashmap as DeltaBases},
};
use rayon::prelude::*;

use super::{
    FetchedObjects,
    tree_bytes::{different_entries, tree_entries},
    tree_objects::TreeObjects,
};

/// The bytes of delta bases in memory, as many as git keeps.
const DELTA_BASES: usize = 96 << 20;
/// The trees that stay in memory.
const KEPT: usize = 16;
/// How many neighbours a thread takes at a time.
const CHUNK: usize = 256;
/// How many neighbours show which of two is the delta base of the other.
const SAMPLE: usize = 3;

/// How many names are searched for in the bytes of a tree before its entries are read.
const FEW: usize = 4;

/// A commit and its first parent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbours {
    pub(super) commit: ObjectId,
    pub(super) parent: ObjectId,
}

/// The files that a commit has in some of the directories and its parent has in none, or the other way round.
#[derive(Debug, Default)]
pub(super) struct NameChanges {
    /// The names of new files.
    pub(super) added: HashSet<String>,
    /// The paths of deleted files.
    pub(super) deleted: Vec<String>,
}

/// A few directories of a repository.
pub(super) struct DirectoryTrees<'a> {
    objects: TreeObjects,
    directories: &'a [String],
}

impl<'a> DirectoryTrees<'a> {
    pub(super) fn new(objects: FetchedObjects, directories: &'a [String]) -> Self {
        Self { objects: TreeObjects::new(objects), directories }
    }

    /// Compares commits, which are given in the order of their line, with their parents.
    pub(super) fn changes(&self, line: &[Neighbours]) -> Result<Vec<NameChanges>> {
        let chunks = line.par_chunks(CHUNK).map_init(|| self.reader(), Reader::changes);
        Ok(chunks.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// Returns those of these names that a file has at a commit.
    pub(super) fn present(&self, commit: ObjectId, names: &HashSet<String>) -> Result<HashSet<String>> {
        let mut reader = self.reader();
        let trees = reader.of_commit(commit)?;
        reader.present(&trees, names)
    }

    fn reader(&self) -> Reader<'_> {
        let bases = DELTA_BASES / rayon::current_num_threads();
        let handle = self.objects.handle().with_pack_cache(move || Box::new(DeltaBases::new(bases)));
        Reader { of: self, handle, kept: Vec::new(), roots: HashMap::new() }
    }
}

/// Reads trees; the last ones stay in memory.
struct Reader<'a> {
    of: &'a DirectoryTrees<'a>,
    handle: odb::Handle,
    kept: Vec<(ObjectId, Rc<Vec<u8>>)>,
    roots: HashMap<ObjectId, ObjectId>,
}

/// The tree of each directory; `None` if it does not exist.
type Trees = Vec<Option<ObjectId>>;

impl Reader<'_> {
    fn changes(&mut self, line: &[Neighbours]) -> Result<Vec<NameChanges>> {
        self.roots.clear();
        let mut changes: Vec<NameChanges> = line.iter().map(|_| NameChanges::default()).collect();
        let mut order: Vec<usize> = (0..line.len()).collect();
        if self.is_base_older(line)? {
            order.reverse();
        }
        for index in order {
            let (before, after) = (self.of_commit(line[index].parent)?, self.of_commit(line[index].commit)?);
            if before != after {
                changes[index] = self.compare(&before, &after)?;
            }
        }
        Ok(changes)
    }

    /// Whether the older one of neighbours is the delta base of the other, as the first ones show.
    fn is_base_older(&mut self, line: &[Neighbours]) -> Result<bool> {
        let mut older = 0;
        for pair in line.iter().take(SAMPLE) {
            let (before, after) = (self.highest(pair.parent)?, self.highest(pair.commit)?);
            older += usize::from(self.is_nearer_to_base(&before, &after));
        }
        Ok(older * 2 > SAMPLE)
    }

    /// Returns the trees of the highest directories of the paths, for which none of the large ones is read.
    fn highest(&mut self, commit: ObjectId) -> Result<Trees> {
        let root = self.root(commit)?;
        let names = self.of.directories.iter().map(|directory| directory.split('/').next().unwrap_or_default());
        names.map(|name| self.subtree(root, name)).collect()
    }

    /// Whether fewer deltas lead to the first trees than to others.
    fn is_nearer_to_base(&self, trees: &Trees, others: &Trees) -> bool {
        let deltas = |trees: &Trees| -> u32 {
            let headers = trees.iter().flatten().filter_map(|id| self.handle.try_header(id).ok().flatten());
            headers.filter_map(|header| header.num_deltas()).sum()
        };
        deltas(trees) < deltas(others)
    }

    fn of_commit(&mut self, commit: ObjectId) -> Result<Trees> {
        let root = self.root(commit)?;
        self.of.directories.iter().map(|directory| self.subtree(root, directory)).collect()
    }

    fn root(&mut self, commit: ObjectId) -> Result<ObjectId> {
        if let Some(root) = self.roots.get(&commit) {
            return Ok(*root);
        }
        let root = self.of.objects.root(&self.handle, commit, &mut Vec::new())?;
        self.roots.insert(commit, root);
        Ok(root)
    }

    fn subtree(&mut self, root: ObjectId, directory: &str) -> Result<Option<ObjectId>> {
        let mut id = root;
        for part in directory.split('/').filter(|part| !part.is_empty()) {
            let tree = self.read(id)?;
            // Most trees do not have the name at all, which takes no look at the entries.
            if !has_name(&tree, part) {
                return Ok(None);
            }
            let is_it = |entry: &EntryRef| entry.mode.is_tree() && entry.filename == part;
            match tree_entries(&tree, id.kind()).find(|entry| entry.as_ref().map_or(true, is_it)).transpose()? {
                Some(entry) => id = entry.oid.to_owned(),
                None => return Ok(None),
            }
        }
        Ok(Some(id))
    }

    /// Compares the directories. A file that moved from one to another is neither new nor deleted.
    fn compare(&mut self, before: &Trees, after: &Trees) -> Result<NameChanges> {
        let (mut added, mut deleted) = (HashSet::new(), Vec::new());
        for ((directory, old), new) in self.of.directories.iter().zip(before).zip(after) {
            let (without, with) = self.different_names(*old, *new)?;
            added.extend(with);
            deleted.extend(without.into_iter().map(|name| (directory, name)));
        }
        if self.of.directories.len() > 1 {
            let moved = self.present(before, &added)?;
            added.retain(|name| !moved.contains(name));
            let moved = self.present(after, &deleted.iter().map(|(_, name)| name.clone()).collect())?;
            deleted.retain(|(_, name)| !moved.contains(name));
        }
        let deleted = deleted.into_iter().map(|(directory, name)| format!("{directory}/{name}")).collect();
        Ok(NameChanges { added, deleted })
    }

    /// Returns the names of the files that only the first, and that only the second version of a directory has.
    fn different_names(&mut self, old: Option<ObjectId>, new: Option<ObjectId>) -> Result<(Vec<String>, Vec<String>)> {
        let Some(kind) = old.or(new).map(|id| id.kind()).filter(|_| old != new) else {
            return Ok((Vec::new(), Vec::new()));
        };
        let mut read = |id: Option<ObjectId>| id.map(|id| self.read(id)).transpose();
        let (old, new) = (read(old)?.unwrap_or_default(), read(new)?.unwrap_or_default());
        let (before, after) = different_entries(&old, &new, kind);
        let (before, after) = (names(before, kind)?, names(after, kind)?);
        Ok((only_files(&before, &after), only_files(&after, &before)))
    }

    /// Returns those of these names that a file in one of the trees has.
    fn present(&mut self, trees: &Trees, names: &HashSet<String>) -> Result<HashSet<String>> {
        let mut found = HashSet::new();
        for tree in trees.iter().flatten().filter(|_| !names.is_empty()) {
            let bytes = self.read(*tree)?;
            if names.len() <= FEW && !names.iter().any(|name| has_name(&bytes, name)) {
                continue;
            }
            for entry in tree_entries(&bytes, tree.kind()) {
                let entry = entry?;
                if !entry.mode.is_tree() {
                    found.extend(names.get(entry.filename.to_str_lossy().as_ref()).cloned());
                }
            }
        }
        Ok(found)
    }

    /// Returns the bytes of a tree.
    fn read(&mut self, id: ObjectId) -> Result<Rc<Vec<u8>>> {
        if let Some((_, bytes)) = self.kept.iter().find(|(known, _)| *known == id) {
            return Ok(Rc::clone(bytes));
        }
        let mut bytes = Vec::new();
        self.of.objects.tree(&self.handle, Some(id), &mut bytes)?;
        let bytes = Rc::new(bytes);
        if self.kept.len() == KEPT {
            self.kept.remove(0);
        }
        self.kept.push((id, Rc::clone(&bytes)));
        Ok(bytes)
    }
}

/// A name in a tree, and whether it is that of a directory.
type Name<'a> = (&'a BStr, bool);

fn names(tree: &[u8], kind: Kind) -> Result<Vec<Name<'_>>> {
    tree_entries(tree, kind).map(|entry| entry.map(|entry| (entry.filename, entry.mode.is_tree()))).collect()
}

/// Returns the names of the files that others lack.
fn only_files(names: &[Name<'_>], others: &[Name<'_>]) -> Vec<String> {
    let others: HashSet<&Name<'_>> = others.iter().collect();
    let files = names.iter().filter(|name| !name.1 && !others.contains(name));
    files.map(|(name, _)| name.to_str_lossy().into_owned()).collect()
}

/// Whether a tree may have an entry of this name: without one its bytes do not have the name where one would be.
fn has_name(tree: &[u8], name: &str) -> bool {
    name.contains(char::REPLACEMENT_CHARACTER) || tree.find(format!(" {name}\0")).is_some()
}
