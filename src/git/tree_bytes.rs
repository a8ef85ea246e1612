//! The entries in the bytes of trees, and what two trees have in common: neighbours in a history share nearly all entries.

use std::collections::HashSet;

use anyhow::{Context as _, Result};
use gix::{
    bstr::ByteSlice as _,
    hash::Kind,
    objs::{TreeRefIter, tree::EntryRef},
};

/// Returns the entries of a tree; one that is malformed is an error.
pub(super) fn tree_entries(tree: &[u8], hash: Kind) -> impl Iterator<Item = Result<EntryRef<'_>>> {
    TreeRefIter::from_bytes(tree, hash).map(|entry| entry.context("a tree is broken"))
}

/// Returns the first entry of a tree, if it has one, and the entries after it.
pub(super) fn first_entry(tree: &[u8], hash: Kind) -> Result<(Option<EntryRef<'_>>, &[u8])> {
    let mut entries = TreeRefIter::from_bytes(tree, hash);
    let first = entries.next().transpose().context("a tree is broken")?;
    Ok((first, &tree[entries.offset_to_next_entry(tree)..]))
}

/// Skips the entries that two trees have in common at their start.
pub(super) fn skip_common(old: &mut &[u8], new: &mut &[u8], id_len: usize) {
    const BLOCK: usize = 64;
    let blocks = old.chunks_exact(BLOCK).zip(new.chunks_exact(BLOCK)).take_while(|(old, new)| old == new).count();
    let same = blocks * BLOCK;
    let common = same + old[same..].iter().zip(&new[same..]).take_while(|(old, new)| old == new).count();
    let mut start = 0;
    // An object ID follows the NUL after a name.
    while let Some(zero) = old[start..common].find_byte(0).filter(|zero| start + zero + id_len < common) {
        start += zero + 1 + id_len;
    }
    (*old, *new) = (&old[start..], &new[start..]);
}

/// Returns the entries of each of two trees without those that both begin and end with.
pub(super) fn different_entries<'a>(mut old: &'a [u8], mut new: &'a [u8], hash: Kind) -> (&'a [u8], &'a [u8]) {
    skip_common(&mut old, &mut new, hash.len_in_bytes());
    let suffix = common_suffix(old, new);
    // The same bytes are the same entries where both trees have an entry that begins there.
    let ends = |tree: &[u8]| -> HashSet<usize> {
        let mut ends = HashSet::from([tree.len()]);
        let mut entries = TreeRefIter::from_bytes(tree, hash);
        while entries.offset_to_next_entry(tree) < tree.len() - suffix && matches!(entries.next(), Some(Ok(_))) {
            ends.insert(tree.len() - entries.offset_to_next_entry(tree));
        }
        ends
    };
    let (ends, others) = (ends(old), ends(new));
    let left = ends.intersection(&others).copied().filter(|left| *left <= suffix).max().unwrap_or(0);
    (&old[..old.len() - left], &new[..new.len() - left])
}

/// The size of pieces that are compared at once.
const PIECE: usize = 256;

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
        tree_entries(bytes, Kind::Sha1).map(|entry| entry.unwrap().filename.to_str_lossy().into_owned()).collect()
    }

    #[test]
    fn only_the_entries_between_the_same_ones_are_compared() {
        let all: Vec<(String, u8)> = (0..40).map(|number| (format!("file-{number:02}"), number)).collect();
        let all: Vec<(&str, u8)> = all.iter().map(|(name, id)| (name.as_str(), *id)).collect();
        for missing in 0..all.len() {
            let fewer: Vec<_> = [&all[..missing], &all[missing + 1..]].concat();
            let (old, new) = (tree(&fewer), tree(&all));
            let (before, after) = different_entries(&old, &new, Kind::Sha1);
            assert_eq!((names(before), names(after)), (Vec::new(), vec![all[missing].0.to_owned()]));
            let (before, after) = different_entries(&new, &old, Kind::Sha1);
            assert_eq!((names(before), names(after)), (vec![all[missing].0.to_owned()], Vec::new()));
        }
        // Names and IDs that end alike.
        let (old, new) = (tree(&[("a", 1), ("xb", 2)]), tree(&[("a", 3), ("b", 2)]));
        let (before, after) = different_entries(&old, &new, Kind::Sha1);
        assert_eq!((names(before), names(after)), (vec!["a".into(), "xb".into()], vec!["a".into(), "b".into()]));
        assert_eq!(names(different_entries(&[], &new, Kind::Sha1).1), ["a", "b"]);
    }
}
