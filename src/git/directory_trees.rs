//! The trees of directories, read one after the other along a line of commits: neighbours differ in a few bytes, are delta
//! bases of each other, and each is compared twice.

use std::{collections::HashSet, rc::Rc};

use anyhow::Result;
use gix::{
    ObjectId,
    bstr::ByteSlice as _,
    objs::{Find as _, Kind},
    odb::{self, pack::cache::lru::MemoryCappedHashmap as DeltaBases},
};

use super::{Repo, object};
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
            let found = Entries { rest: &tree, id_len: id.kind().len_in_bytes() }
                .find(|entry| entry.is_tree && entry.name == part.as_bytes());
            match found {
                Some(entry) => id = ObjectId::from_bytes_or_panic(entry.id),
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
        let id_len = kind.len_in_bytes();
        let (before, after) = different_entries(&old, &new, id_len);
        let names = |bytes| Entries { rest: bytes, id_len }.map(|entry| (entry.name, entry.is_tree));
        let (had, has): (HashSet<_>, HashSet<_>) = (names(before).collect(), names(after).collect());
        let only = |entries: &[u8], others: &HashSet<(&[u8], bool)>| {
            let files = Entries { rest: entries, id_len }.filter(|entry| !entry.is_tree);
            let files = files.filter(|entry| !others.contains(&(entry.name, entry.is_tree)));
            files.map(|entry| entry.name.to_str_lossy().into_owned()).collect()
        };
        Ok(NameChanges { added: only(after, &had), deleted: only(before, &has) })
    }

    /// Returns the names of the files in a directory.
    pub(super) fn files(&mut self, tree: ObjectId) -> Result<HashSet<String>> {
        let bytes = self.read(tree)?;
        let files = Entries { rest: &bytes, id_len: tree.kind().len_in_bytes() }.filter(|entry| !entry.is_tree);
        Ok(files.map(|entry| entry.name.to_str_lossy().into_owned()).collect())
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

/// An entry of a tree.
struct Entry<'a> {
    name: &'a [u8],
    is_tree: bool,
    id: &'a [u8],
}

/// The entries in the bytes of a tree; they end where the tree is malformed.
struct Entries<'a> {
    rest: &'a [u8],
    id_len: usize,
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let space = self.rest.find_byte(b' ')?;
        let (mode, rest) = (&self.rest[..space], &self.rest[space + 1..]);
        let end = rest.find_byte(0)?;
        let id = rest.get(end + 1..end + 1 + self.id_len)?;
        self.rest = &rest[end + 1 + self.id_len..];
        Some(Entry { name: &rest[..end], is_tree: mode == b"40000" || mode == b"040000", id })
    }
}

/// Returns the entries of each of two trees without those that both begin and end with.
fn different_entries<'a>(old: &'a [u8], new: &'a [u8], id_len: usize) -> (&'a [u8], &'a [u8]) {
    let prefix = common_prefix(old, new);
    // The entries before the first different byte are the same.
    let mut same = Entries { rest: old, id_len };
    let mut start = 0;
    while same.next().is_some() && old.len() - same.rest.len() <= prefix {
        start = old.len() - same.rest.len();
    }
    let (old, new) = (&old[start..], &new[start..]);
    let suffix = common_suffix(old, new);
    // The same bytes are the same entries where both trees have an entry that begins there.
    let ends = |tree: &[u8]| -> HashSet<usize> {
        let mut entries = Entries { rest: tree, id_len };
        let mut ends = HashSet::from([tree.len()]);
        while entries.rest.len() > suffix && entries.next().is_some() {
            ends.insert(entries.rest.len());
        }
        ends
    };
    let (ends, others) = (ends(old), ends(new));
    let left = ends.intersection(&others).copied().filter(|left| *left <= suffix).max().unwrap_or(0);
    (&old[..old.len() - left], &new[..new.len() - left])
}

/// The size of pieces that are compared at once.
const PIECE: usize = 256;

/// Returns the number of bytes at the beginning that two texts have in common.
fn common_prefix(old: &[u8], new: &[u8]) -> usize {
    let pieces = old.chunks_exact(PIECE).zip(new.chunks_exact(PIECE));
    let at = pieces.take_while(|(old, new)| old == new).count() * PIECE;
    at + old[at..].iter().zip(&new[at..]).take_while(|(old, new)| old == new).count()
}

/// Returns the number of bytes at the end that two texts have in common.
fn common_suffix(old: &[u8], new: &[u8]) -> usize {
    let pieces = old.rchunks_exact(PIECE).zip(new.rchunks_exact(PIECE));
    let at = pieces.take_while(|(old, new)| old == new).count() * PIECE;
    let (old, new) = (old[..old.len() - at].iter().rev(), new[..new.len() - at].iter().rev());
    at + old.zip(new).take_while(|(old, new)| old == new).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(entries: &[(&str, u8)]) -> Vec<u8> {
        let entry = |(name, id): &(&str, u8)| [b"100644 ", name.as_bytes(), b"\0", &[*id; 20]].concat();
        entries.iter().flat_map(entry).collect()
    }

    fn names(bytes: &[u8]) -> Vec<String> {
        Entries { rest: bytes, id_len: 20 }.map(|entry| entry.name.to_str_lossy().into_owned()).collect()
    }

    #[test]
    fn only_the_entries_between_the_same_ones_are_compared() {
        let all: Vec<(String, u8)> = (0..40).map(|number| (format!("file-{number:02}"), number)).collect();
        let all: Vec<(&str, u8)> = all.iter().map(|(name, id)| (name.as_str(), *id)).collect();
        for missing in 0..all.len() {
            let fewer: Vec<_> = [&all[..missing], &all[missing + 1..]].concat();
            let (old, new) = (tree(&fewer), tree(&all));
            let (before, after) = different_entries(&old, &new, 20);
            assert_eq!((names(before), names(after)), (Vec::new(), vec![all[missing].0.to_owned()]));
            let (before, after) = different_entries(&new, &old, 20);
            assert_eq!((names(before), names(after)), (vec![all[missing].0.to_owned()], Vec::new()));
        }
        // Names and IDs that end alike.
        let (old, new) = (tree(&[("a", 1), ("xb", 2)]), tree(&[("a", 3), ("b", 2)]));
        let (before, after) = different_entries(&old, &new, 20);
        assert_eq!((names(before), names(after)), (vec!["a".into(), "xb".into()], vec!["a".into(), "b".into()]));
        assert_eq!(names(different_entries(&[], &new, 20).1), ["a", "b"]);
    }
}
