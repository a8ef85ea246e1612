//! How much of one file is in another one, as git counts it for renames (gitdiffcore(7)).
//!
//! A file is cut into spans, at each line end and after at most 64 bytes. The spans are counted by a small hash; the bytes
//! that both files have are the similarity. Collisions count too, so the hash has to be that of git.

use std::collections::HashMap;

use crate::git::blob::is_binary;

/// The score of the same content.
pub(super) const MAX_SCORE: u64 = 60_000;

const MAX_SPAN: usize = 64;
const HASHES: u32 = 107_927;

/// The spans of a file.
#[derive(Debug)]
pub(super) struct SpanHashes {
    size: u64,
    /// Hashes in ascending order, each with the number of bytes in its spans.
    bytes: Vec<(u32, u64)>,
}

impl SpanHashes {
    /// Cuts a content into spans. The carriage return of a line end in a text does not count.
    pub(super) fn of(content: &[u8]) -> Self {
        let is_text = !is_binary(content);
        let mut bytes: HashMap<u32, u64> = HashMap::new();
        let mut add = |span: &SpanHash| *bytes.entry(span.hash()).or_default() += span.len as u64;
        let mut span = SpanHash::default();
        for (index, byte) in content.iter().enumerate() {
            if is_text && *byte == b'\r' && content.get(index + 1) == Some(&b'\n') {
                continue;
            }
            span.push(*byte);
            if span.len == MAX_SPAN || *byte == b'\n' {
                add(&std::mem::take(&mut span));
            }
        }
        if span.len > 0 {
            add(&span);
        }
        let mut bytes: Vec<(u32, u64)> = bytes.into_iter().collect();
        bytes.sort_unstable();
        Self { size: content.len() as u64, bytes }
    }

    /// The score of `self` as source of `other`.
    pub(super) fn score(&self, other: &Self) -> u64 {
        if other.size == 0 { 0 } else { self.common(other) * MAX_SCORE / self.size.max(other.size) }
    }

    /// How many bytes both have. This runs for each pair of a deleted and a new file, so it walks the two lists only once.
    fn common(&self, other: &Self) -> u64 {
        let (mut ours, mut theirs) = (self.bytes.as_slice(), other.bytes.as_slice());
        let mut common = 0;
        while let ([(our_hash, our_bytes), our_rest @ ..], [(their_hash, their_bytes), their_rest @ ..]) =
            (ours, theirs)
        {
            if our_hash == their_hash {
                common += our_bytes.min(their_bytes);
            }
            ours = if our_hash <= their_hash { our_rest } else { ours };
            theirs = if their_hash <= our_hash { their_rest } else { theirs };
        }
        common
    }
}

/// Whether two sizes differ so much that the score is below `minimum`.
pub(super) fn is_hopeless(a: u64, b: u64, minimum: u64) -> bool {
    let (smaller, larger) = (a.min(b), a.max(b));
    larger * (MAX_SCORE - minimum) < (larger - smaller) * MAX_SCORE
}

/// The hash of a growing span: 64 bits that are rotated left by seven with each byte.
#[derive(Default)]
struct SpanHash {
    low: u32,
    high: u32,
    len: usize,
}

impl SpanHash {
    fn push(&mut self, byte: u8) {
        let low = self.low;
        self.low = ((low << 7) ^ (self.high >> 25)).wrapping_add(u32::from(byte));
        self.high = (self.high << 7) ^ (low >> 25);
        self.len += 1;
    }

    fn hash(&self) -> u32 {
        self.low.wrapping_add(self.high.wrapping_mul(0x61)) % HASHES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_contents_have_the_highest_score_and_others_none() {
        let (a, b) = (SpanHashes::of(b"one\ntwo\n"), SpanHashes::of(b"three\n"));
        assert_eq!((a.score(&a), a.score(&b)), (MAX_SCORE, 0));
    }

    #[test]
    fn line_ends_of_text_do_not_count_but_its_size_does() {
        assert_eq!(SpanHashes::of(b"one\r\n").score(&SpanHashes::of(b"one\n")), 48_000);
    }

    #[test]
    fn an_empty_file_is_like_nothing() {
        let empty = SpanHashes::of(b"");
        assert_eq!(empty.score(&empty), 0);
        assert!(!is_hopeless(0, 0, 18_000) && is_hopeless(0, 1, 18_000));
    }
}
