//! The headings of versions by spelling, by version and by order. A file and the versions to add may both be many, so that
//! nothing looks through all headings for each of them.

use std::collections::{BTreeMap, HashMap};

use super::{
    outline::{Outline, VersionHeading},
    version_key::VersionKey,
};

/// The headings of versions of a document or of a part of it.
#[derive(Clone, Debug)]
pub(super) struct VersionIndex<'o> {
    /// In the order of the document.
    headings: Vec<VersionHeading<'o, 'o>>,
    /// The first heading of each spelling.
    spellings: HashMap<&'o str, usize>,
    /// The first and the last heading of each version.
    keys: BTreeMap<&'o VersionKey, (usize, usize)>,
    /// For each heading the next one below it in the document that has a higher version.
    higher: Vec<Option<usize>>,
    is_oldest_first: bool,
}

impl<'o> VersionIndex<'o> {
    pub(super) fn new(outline: &'o Outline<'o>) -> Self {
        Self::of_headings(outline.versions().collect(), outline.is_oldest_first)
    }

    fn of_headings(headings: Vec<VersionHeading<'o, 'o>>, is_oldest_first: bool) -> Self {
        let mut spellings = HashMap::new();
        let mut keys = BTreeMap::<_, (usize, usize)>::new();
        let mut higher = vec![None; headings.len()];
        let mut open: Vec<usize> = Vec::new();
        for (index, found) in headings.iter().enumerate() {
            spellings.entry(found.version()).or_insert(index);
            keys.entry(&found.text.key).or_insert((index, index)).1 = index;
            while let Some(lower) = open.pop_if(|lower| headings[*lower].key() < found.key()) {
                higher[lower] = Some(index);
            }
            open.push(index);
        }
        Self { headings, spellings, keys, higher, is_oldest_first }
    }

    /// Returns the index of the headings within some lines.
    pub(super) fn within(&self, from: usize, to: usize) -> Self {
        let first = |line: usize| self.headings.partition_point(|found| found.heading.at < line);
        let (from, to) = (first(from), first(to));
        Self::of_headings(self.headings[from..to.max(from)].to_vec(), self.is_oldest_first)
    }

    pub(super) fn headings(&self) -> &[VersionHeading<'o, 'o>] {
        &self.headings
    }

    /// Returns the heading of a version: one with the same spelling, else one of an equal version.
    pub(super) fn version(&self, version: &str) -> Option<VersionHeading<'o, 'o>> {
        let key = VersionKey::parse(version)?;
        let index = self.spellings.get(version).or_else(|| self.keys.get(&key).map(|(first, _)| first))?;
        Some(self.headings[*index])
    }

    /// Returns the heading of the highest version below `key`, the last of equal ones.
    pub(super) fn next_lower(&self, key: &VersionKey) -> Option<VersionHeading<'o, 'o>> {
        self.lower_index(key).map(|index| self.headings[index])
    }

    fn lower_index(&self, key: &VersionKey) -> Option<usize> {
        self.keys.range::<&VersionKey, _>(..key).next_back().map(|(_, (_, last))| *last)
    }

    /// Returns the line that the order of versions gives to a version without a heading; `None` if it is after the last.
    pub(super) fn line_of(&self, key: &VersionKey) -> Option<usize> {
        let lower = self.lower_index(key);
        let next = match lower {
            _ if !self.is_oldest_first => lower,
            // No version is between the next lower one and this one.
            Some(lower) => self.higher[lower],
            None => (!self.headings.is_empty()).then_some(0),
        };
        next.map(|next| self.headings[next].heading.lines.start)
    }

    /// Returns the line of the heading of a version that follows a line.
    pub(super) fn line_after(&self, line: usize) -> Option<usize> {
        let next = self.headings.partition_point(|found| found.heading.at <= line);
        self.headings.get(next).map(|next| next.heading.at)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::document::Document;

    fn document(versions: &[(u8, bool)]) -> Document {
        let lines =
            versions.iter().map(|(minor, has_v)| format!("## {}1.{minor}.0\n\n- a\n\n", if *has_v { "v" } else { "" }));
        Document::parse(lines.collect::<String>())
    }

    proptest! {
        #[test]
        fn the_index_finds_what_a_look_at_all_headings_finds(
            versions in prop::collection::vec((0..20_u8, any::<bool>()), 0..30),
            minor in 0..20_u8,
            from in 0..60_usize,
        ) {
            let document = document(&versions);
            let outline = Outline::read(&document, None);
            let part = VersionIndex::new(&outline).within(from, document.lines.len());
            let version = format!("1.{minor}.0");
            let key = VersionKey::parse(&version).unwrap();
            let all = || outline.versions().filter(|found| found.heading.at >= from);
            let at = |found: VersionHeading| found.heading.at;

            let lower = all().filter(|found| *found.key() < key).max_by_key(|found| found.key().clone());
            prop_assert_eq!(part.next_lower(&key).map(at), lower.map(at));
            let equal = all().find(|found| found.version() == version).or_else(|| all().find(|found| *found.key() == key));
            prop_assert_eq!(part.version(&version).map(at), equal.map(at));
            if equal.is_none() {
                let line = if outline.is_oldest_first {
                    all().find(|found| lower.is_none_or(|lower| at(*found) >= at(lower)) && *found.key() > key)
                } else {
                    lower
                };
                prop_assert_eq!(part.line_of(&key), line.map(|found| found.heading.lines.start));
            }
            let next = outline.versions().map(at).find(|line| *line > from);
            prop_assert_eq!(part.line_after(from), next);
        }
    }
}
