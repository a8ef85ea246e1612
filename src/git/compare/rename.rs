//! Renames: which new files are deleted ones under another path, decided as git does (gitdiffcore(7), `-M30%`).
//!
//! First it pairs files with the same content, then those with a name that only one deleted and one new file have,
//! then the most similar pairs of the others. Only deleted files are sources: a copy is a new file.
//!
//! To measure similarity, a file is cut into spans, at each line end and after at most 64 bytes. The bytes of spans
//! are counted by a small hash, and those that both files have count. So do collisions: the hash has to be git's.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use anyhow::Result;
use gix::ObjectId;

use super::tree_change::{TreeChange, changes};
use crate::git::{FetchedObjects, file::is_binary, object, tree::TreeMember};

const MAX_SCORE: u64 = 60_000;

/// The longest span, in bytes.
const MAX_SPAN: usize = 64;
const HASHES: u32 = 107_927;
/// The lowest score of a rename: GitLab passes 30 % to git.
const MINIMUM: u64 = MAX_SCORE * 3 / 10;
/// The lowest score of a rename by name: halfway between [`MINIMUM`] and identical content.
const MINIMUM_BY_NAME: u64 = MINIMUM.midpoint(MAX_SCORE);
/// The square of this is the most pairs of a deleted and a new file that git compares to find similar ones.
const LIMIT: usize = 1000;
/// How many of the best sources are kept for each new file.
const CANDIDATES: usize = 4;
/// How many deleted files with the content of a new one are considered.
const ALTERNATIVES: usize = 100;

/// Joins the two changes of each moved file at the index of the new file.
pub(super) fn join_renames(objects: FetchedObjects, changes: &[TreeChange]) -> Result<Vec<TreeChange>> {
    let mut renames = Renames::new(objects, changes);
    renames.pair_by_content();
    if !renames.sources.is_empty() && !renames.targets.is_empty() {
        renames.pair_by_name()?;
        renames.pair_by_similarity()?;
    }
    let source_of = renames.source_of;
    let moved: HashSet<usize> = source_of.values().copied().collect();
    Ok(changes
        .iter()
        .enumerate()
        .filter_map(|(index, change)| match source_of.get(&index) {
            Some(source) => Some(TreeChange { old: changes[*source].old.clone(), new: change.new.clone() }),
            None if moved.contains(&index) => None,
            None => Some(change.clone()),
        })
        .collect())
}

/// The changes between two trees, with the new files that have the content of a deleted one: what is the same for all
/// directories into which files may have moved.
pub(in crate::git) struct MovedFiles {
    changes: Vec<TreeChange>,
    sources: Vec<usize>,
    targets: Vec<usize>,
    /// From new file to deleted file.
    identical: HashMap<usize, usize>,
}

impl MovedFiles {
    pub(in crate::git) fn between(objects: FetchedObjects, trees: [ObjectId; 2]) -> Result<Self> {
        let changes = changes(objects, Some(trees[0]), Some(trees[1]))?;
        let mut renames = Renames::new(objects, &changes);
        renames.pair_by_content();
        let Renames { sources, targets, source_of: identical, .. } = renames;
        Ok(Self { changes, sources, targets, identical })
    }

    /// Returns the files of a directory that are new, each after its source, unless that is the source of an identical
    /// file elsewhere. Similar sources are only searched for if none is identical.
    pub(in crate::git) fn moved_into(
        &self,
        objects: FetchedObjects,
        directory: &[u8],
    ) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
        let is_below = |file: &TreeMember| file.path.strip_prefix(directory).is_some_and(|rest| rest.starts_with(b"/"));
        let below = |index: usize| self.changes[index].new.as_ref().is_some_and(is_below);
        let mut renames = Renames::new(objects, &self.changes);
        renames.source_of =
            self.identical.iter().filter(|(target, _)| below(**target)).map(|(a, b)| (*a, *b)).collect();
        if renames.source_of.is_empty() && !self.sources.is_empty() {
            renames.sources.clone_from(&self.sources);
            renames.targets = self.targets.iter().copied().filter(|target| below(*target)).collect();
            renames.pair_by_name()?;
            renames.pair_by_similarity()?;
        }
        let pairs = renames.source_of.iter();
        Ok(pairs
            .map(|(target, source)| (renames.source(*source).path.clone(), renames.target(*target).path.clone()))
            .collect())
    }
}

/// The search for renames. Files are given as indices in the list of changes.
struct Renames<'a> {
    objects: FetchedObjects<'a>,
    changes: &'a [TreeChange],
    /// Deleted files without a target.
    sources: Vec<usize>,
    /// New files without a source.
    targets: Vec<usize>,
    /// The renames that were found, from new file to deleted file.
    source_of: HashMap<usize, usize>,
    sizes: HashMap<ObjectId, u64>,
    pieces: HashMap<ObjectId, SpanHashes>,
}

#[derive(Clone, Copy)]
struct Candidate {
    score: u64,
    same_name: bool,
    source: usize,
    target: usize,
}

impl Candidate {
    fn rank(&self) -> (u64, bool) {
        (self.score, self.same_name)
    }
}

impl<'a> Renames<'a> {
    fn new(objects: FetchedObjects<'a>, changes: &'a [TreeChange]) -> Self {
        let indexes = |is: fn(&TreeChange) -> bool| (0..changes.len()).filter(|index| is(&changes[*index])).collect();
        Self {
            objects,
            changes,
            sources: indexes(|change| change.new.is_none()),
            targets: indexes(|change| change.old.is_none()),
            source_of: HashMap::new(),
            sizes: HashMap::new(),
            pieces: HashMap::new(),
        }
    }

    fn source(&self, index: usize) -> &'a TreeMember {
        self.changes[index].old.as_ref().expect("a source is a deleted file")
    }

    fn target(&self, index: usize) -> &'a TreeMember {
        self.changes[index].new.as_ref().expect("a target is a new file")
    }

    /// Pairs files with the same content, preferably with the same name.
    fn pair_by_content(&mut self) {
        let mut same: HashMap<ObjectId, Vec<usize>> = HashMap::new();
        for source in &self.sources {
            same.entry(self.source(*source).id).or_default().push(*source);
        }
        for index in self.targets.clone() {
            let target = self.target(index);
            let Some(sources) = same.get_mut(&target.id) else { continue };
            let fits = |source: &usize| {
                let source = self.source(*source);
                source.mode == target.mode || (source.is_regular() && target.is_regular())
            };
            let fitting = || sources.iter().copied().filter(fits).take(ALTERNATIVES);
            let namesake = fitting().find(|source| self.source(*source).name() == target.name());
            let Some(source) = namesake.or_else(|| fitting().next()) else { continue };
            sources.retain(|other| *other != source);
            self.source_of.insert(index, source);
        }
        self.forget_found();
    }

    /// Pairs files whose name no other source and no other target has.
    fn pair_by_name(&mut self) -> Result<()> {
        let sources = unique_names(self.sources.iter().map(|index| (self.source(*index).name(), *index)));
        let targets = unique_names(self.targets.iter().map(|index| (self.target(*index).name(), *index)));
        for index in self.sources.clone() {
            let name = self.source(index).name();
            let Some((Some(source), Some(target))) = sources.get(name).copied().zip(targets.get(name).copied()) else {
                continue;
            };
            if self.score(source, target, MINIMUM_BY_NAME)? >= MINIMUM_BY_NAME {
                self.source_of.insert(target, source);
            }
        }
        self.forget_found();
        Ok(())
    }

    /// Pairs similar files, the most similar ones first.
    fn pair_by_similarity(&mut self) -> Result<()> {
        if self.sources.len().saturating_mul(self.targets.len()) > LIMIT * LIMIT {
            return Ok(());
        }
        let mut candidates = Vec::new();
        for target in self.targets.clone() {
            candidates.extend(self.candidates(target)?);
        }
        candidates.sort_by_key(|candidate| Reverse(candidate.rank()));
        let mut used = HashSet::new();
        for candidate in candidates.into_iter().filter(|candidate| candidate.score >= MINIMUM) {
            if !self.source_of.contains_key(&candidate.target) && used.insert(candidate.source) {
                self.source_of.insert(candidate.target, candidate.source);
            }
        }
        Ok(())
    }

    /// Returns the best sources for a target, in the slots in which git keeps them: the slot decides between equals.
    fn candidates(&mut self, target: usize) -> Result<impl Iterator<Item = Candidate> + use<>> {
        let mut best = [None; CANDIDATES];
        for source in self.sources.clone() {
            let score = self.score(source, target, MINIMUM)?;
            let same_name = self.source(source).name() == self.target(target).name();
            let candidate = Candidate { score, same_name, source, target };
            let rank = |slot: &Option<Candidate>| slot.as_ref().map(Candidate::rank);
            let worst = best.iter_mut().min_by_key(|slot| rank(slot)).expect("there are several slots");
            if rank(worst) < Some(candidate.rank()) {
                *worst = Some(candidate);
            }
        }
        Ok(best.into_iter().flatten())
    }

    fn score(&mut self, source: usize, target: usize, minimum: u64) -> Result<u64> {
        let (source, target) = (self.source(source), self.target(target));
        if !source.is_regular() || !target.is_regular() {
            return Ok(0);
        }
        if is_hopeless(self.size(source.id)?, self.size(target.id)?, minimum) {
            return Ok(0);
        }
        self.load(source.id)?;
        self.load(target.id)?;
        Ok(self.pieces[&source.id].score(&self.pieces[&target.id]))
    }

    fn size(&mut self, id: ObjectId) -> Result<u64> {
        if let Some(size) = self.sizes.get(&id) {
            return Ok(*size);
        }
        let size = object::size(self.objects, id)?;
        self.sizes.insert(id, size);
        Ok(size)
    }

    fn load(&mut self, id: ObjectId) -> Result<()> {
        if !self.pieces.contains_key(&id) {
            self.pieces.insert(id, SpanHashes::from_content(&object::find(self.objects, id)?.data));
        }
        Ok(())
    }

    fn forget_found(&mut self) {
        let found: HashSet<usize> = self.source_of.values().copied().collect();
        self.sources.retain(|source| !found.contains(source));
        self.targets.retain(|target| !self.source_of.contains_key(target));
    }
}

fn unique_names<'name>(named: impl Iterator<Item = (&'name [u8], usize)>) -> HashMap<&'name [u8], Option<usize>> {
    let mut indexes = HashMap::new();
    for (name, index) in named {
        indexes.entry(name).and_modify(|index| *index = None).or_insert(Some(index));
    }
    indexes
}

#[derive(Debug)]
struct SpanHashes {
    size: u64,
    /// The hashes in ascending order, each with the number of bytes in its spans.
    bytes: Vec<(u32, u64)>,
}

impl SpanHashes {
    /// Cuts a content into spans. The carriage return of a line end in a text does not count.
    fn from_content(content: &[u8]) -> Self {
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

    fn score(&self, other: &Self) -> u64 {
        if other.size == 0 { 0 } else { self.common(other) * MAX_SCORE / self.size.max(other.size) }
    }

    /// Counts the bytes that both files have. This runs for each pair of files, so it walks the two lists only once.
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
fn is_hopeless(a: u64, b: u64, minimum: u64) -> bool {
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
        let (a, b) = (SpanHashes::from_content(b"one\ntwo\n"), SpanHashes::from_content(b"three\n"));
        assert_eq!((a.score(&a), a.score(&b)), (MAX_SCORE, 0));
    }

    #[test]
    fn line_ends_of_text_do_not_count_but_its_size_does() {
        assert_eq!(SpanHashes::from_content(b"one\r\n").score(&SpanHashes::from_content(b"one\n")), 48_000);
    }

    #[test]
    fn an_empty_file_is_like_nothing() {
        let empty = SpanHashes::from_content(b"");
        assert_eq!(empty.score(&empty), 0);
        assert!(!is_hopeless(0, 0, 18_000) && is_hopeless(0, 1, 18_000));
    }
}
