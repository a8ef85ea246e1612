//! The changed-path Bloom filters of the commit-graph (gitformat-commit-graph(5), the chunks BIDX and BDAT): they
//! prove before any tree is read that a commit does not change a path. A missing or broken filter proves nothing.

use std::{
    fs::{self, File},
    io::{Read as _, Seek as _, SeekFrom},
    ops::Range,
    path::{Path, PathBuf},
};

use gix::ObjectId;

use super::pathspec::is_literal;
use crate::git::Repo;

/// The most bytes per requested commit up to which a file of the commit-graph is read whole.
const BYTES_PER_COMMIT: u64 = 4096;

/// The seeds of the two hashes from which all others are computed.
const SEEDS: [u32; 2] = [0x293a_e76f, 0x7e64_6e2c];

/// The filters of a repository, by file of its commit-graph.
pub(super) struct ChangedPathFilters {
    layers: Vec<Layer>,
}

struct Layer {
    content: Content,
    id_len: usize,
    fanout: Vec<u8>,
    ids: u64,
    ends: u64,
    data: Range<u64>,
    hashes: u32,
    /// The two hashes of each requested path.
    keys: Vec<[u32; 2]>,
}

enum Content {
    Whole(Vec<u8>),
    Parts(File),
}

impl ChangedPathFilters {
    /// Loads the filters for a number of commits and the paths of `pathspecs`; `None` if they cannot answer for these.
    pub(super) fn load(repo: &Repo, commits: usize, pathspecs: &[String]) -> Option<Self> {
        let paths: Vec<&String> = pathspecs.iter().filter(|path| !path.starts_with(['!'])).collect();
        let config = repo.gix().config_snapshot();
        let is_off = |key: &str| config.boolean(key) == Some(false);
        let is_usable = repo.server().is_none()
            && !is_off("core.commitGraph")
            && !is_off("commitGraph.readChangedPaths")
            && repo.grafts().is_ok_and(|grafts| grafts.is_empty());
        if !is_usable || paths.is_empty() || !paths.iter().all(|path| is_literal(path)) {
            return None;
        }
        let paths: Vec<String> = paths.into_iter().map(|path| path.trim_end_matches('/').to_owned()).collect();
        let files = files(&repo.gix().common_dir().join("objects").join("info"));
        let layers: Vec<Layer> = files.iter().filter_map(|file| Layer::open(file, commits, &paths)).collect();
        (!layers.is_empty()).then_some(Self { layers })
    }

    pub(super) fn exclude(&mut self, commit: &ObjectId) -> bool {
        self.layers.iter_mut().any(|layer| layer.excludes(commit).unwrap_or(false))
    }
}

/// Returns the files of the commit-graph: a single one, or those of a chain.
fn files(info: &Path) -> Vec<PathBuf> {
    let chain = info.join("commit-graphs");
    let names = fs::read_to_string(chain.join("commit-graph-chain")).unwrap_or_default();
    let of_chain = names.lines().map(|name| chain.join(format!("graph-{name}.graph")));
    of_chain.chain([info.join("commit-graph")]).collect()
}

impl Content {
    fn bytes(&mut self, from: u64, len: usize) -> Option<Vec<u8>> {
        match self {
            Self::Whole(bytes) => {
                let from = usize::try_from(from).ok()?;
                bytes.get(from..from.checked_add(len)?).map(<[u8]>::to_vec)
            }
            Self::Parts(file) => {
                let mut bytes = vec![0; len];
                file.seek(SeekFrom::Start(from)).ok()?;
                file.read_exact(&mut bytes).ok()?;
                Some(bytes)
            }
        }
    }

    fn number(&mut self, at: u64) -> Option<u32> {
        self.bytes(at, 4).and_then(|bytes| number(&bytes, 0))
    }
}

impl Layer {
    /// Opens a file of the commit-graph; `None` if it has no filters, or broken ones.
    fn open(path: &Path, commits: usize, paths: &[String]) -> Option<Self> {
        let file = File::open(path).ok()?;
        let len = file.metadata().ok()?.len();
        let mut content = Content::Parts(file);
        if len <= BYTES_PER_COMMIT.saturating_mul(commits as u64) {
            content = Content::Whole(content.bytes(0, usize::try_from(len).ok()?)?);
        }
        let header = content.bytes(0, 8)?;
        let id_len = match header.as_slice() {
            [b'C', b'G', b'P', b'H', 1, 1, ..] => 20,
            [b'C', b'G', b'P', b'H', 1, 2, ..] => 32,
            _ => return None,
        };
        let table = content.bytes(8, (usize::from(header[6]) + 1) * 12)?;
        let chunk = |id: &[u8; 4]| {
            let at = table.chunks_exact(12).position(|entry| &entry[..4] == id)?;
            let offset = |entry: &[u8]| Some(u64::from_be_bytes(entry.get(4..12)?.try_into().ok()?));
            let (start, end) = (offset(&table[at * 12..])?, offset(table.get((at + 1) * 12..)?)?);
            (start <= end && end <= len).then_some(start..end)
        };
        let (fanout, ids, ends, data) = (chunk(b"OIDF")?, chunk(b"OIDL")?, chunk(b"BIDX")?, chunk(b"BDAT")?);
        let (version, hashes) = (content.number(data.start)?, content.number(data.start + 4)?);
        let fanout = content.bytes(fanout.start, 1024)?;
        let count = u64::from(number(&fanout, 255 * 4)?);
        let is_sound = ids.end - ids.start >= count * id_len as u64
            && ends.end - ends.start >= count * 4
            && data.end - data.start >= 12
            && (1..=64).contains(&hashes);
        let keys: Option<Vec<_>> = paths.iter().map(|path| key(path.as_bytes(), version)).collect();
        let data = data.start + 12..data.end;
        is_sound.then_some(())?;
        Some(Self { content, id_len, fanout, ids: ids.start, ends: ends.start, data, hashes, keys: keys? })
    }

    /// Whether a commit certainly changes none of the paths; `None` if the file has no filter for it.
    fn excludes(&mut self, commit: &ObjectId) -> Option<bool> {
        let index = self.find(commit)?;
        let end = u64::from(self.content.number(self.ends + 4 * index)?);
        let start = match index.checked_sub(1) {
            Some(before) => u64::from(self.content.number(self.ends + 4 * before)?),
            None => 0,
        };
        let is_inside = start < end && self.data.start + end <= self.data.end;
        let len = is_inside.then(|| usize::try_from(end - start).ok()).flatten()?;
        let filter = self.content.bytes(self.data.start + start, len)?;
        let hashes = self.hashes;
        Some(!self.keys.iter().any(|key| may_have(&filter, *key, hashes)))
    }

    fn find(&mut self, commit: &ObjectId) -> Option<u64> {
        let first = usize::from(commit.as_bytes()[0]);
        let below = if first == 0 { 0 } else { number(&self.fanout, (first - 1) * 4)? };
        let (mut from, mut to) = (u64::from(below), u64::from(number(&self.fanout, first * 4)?));
        while from < to {
            let middle = from.midpoint(to);
            let id = self.content.bytes(self.ids + middle * self.id_len as u64, self.id_len)?;
            match id.as_slice().cmp(commit.as_bytes()) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => from = middle + 1,
                std::cmp::Ordering::Greater => to = middle,
            }
        }
        None
    }
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Whether a filter may contain a path, given by its two hashes.
fn may_have(filter: &[u8], [first, second]: [u32; 2], hashes: u32) -> bool {
    let bits = filter.len() as u64 * 8;
    (0..hashes).all(|round| {
        let bit = u64::from(first.wrapping_add(round.wrapping_mul(second))) % bits;
        usize::try_from(bit / 8).is_ok_and(|byte| filter[byte] & (1 << (bit % 8)) != 0)
    })
}

/// Returns the hashes of a path; `None` if filters of this version cannot be searched for it: in version 1 the hash of
/// bytes beyond ASCII depends on whether the machine that wrote the filter has signed characters.
fn key(path: &[u8], version: u32) -> Option<[u32; 2]> {
    let is_known = version == 2 || (version == 1 && path.is_ascii());
    is_known.then(|| SEEDS.map(|seed| murmur3(seed, path)))
}

/// Computes the 32-bit variant of `MurmurHash3`.
fn murmur3(seed: u32, data: &[u8]) -> u32 {
    let scramble = |word: u32| word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0u32, |word, byte| (word << 8) | u32::from(*byte));
    let mut hash = seed;
    let words = data.chunks_exact(4);
    let rest = words.remainder();
    for bytes in words {
        hash = (hash ^ scramble(word(bytes))).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    hash ^= scramble(word(rest));
    hash ^= u32::try_from(data.len()).unwrap_or(u32::MAX);
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_git() {
        // From git's own tests (t/t0095-bloom.sh).
        for (text, hash) in
            [("", 0), ("Hello world!", 0x627b_0c2c), ("The quick brown fox jumps over the lazy dog", 0x2e4f_f723)]
        {
            assert_eq!(murmur3(0, text.as_bytes()), hash, "{text}");
        }
        assert_eq!(key(b"", 2), Some([0x5615_800c, 0x5b96_6560 - 0x5615_800c]));
        assert_eq!(key("\u{e4}".as_bytes(), 1), None);
        assert_eq!(key(b"a", 3), None);
    }

    #[test]
    fn a_path_is_found_again_and_others_hardly_ever() {
        let mut filter = vec![0u8; 20];
        let bits = filter.len() as u64 * 8;
        let [first, second] = key(b"src/lib.rs", 2).unwrap();
        for round in 0..7u32 {
            let bit = u64::from(first.wrapping_add(round.wrapping_mul(second))) % bits;
            filter[usize::try_from(bit / 8).unwrap()] |= 1 << (bit % 8);
        }
        assert!(may_have(&filter, [first, second], 7));
        let others = (0..1000).filter(|other| may_have(&filter, key(format!("p{other}").as_bytes(), 2).unwrap(), 7));
        assert!(others.count() < 10);
        assert!(may_have(&[0xff], [first, second], 7) && !may_have(&[0], [first, second], 7));
    }
}
