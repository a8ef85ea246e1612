//! The groups of a document: headings of series such as `1.2.x`, with the versions below them.

use std::collections::HashMap;

use super::{
    outline::{HeadingRole, Outline},
    placement::Placement,
    version_index::VersionIndex,
    version_key::VersionKey,
};

/// The most numbers that a series has.
const MOST_NUMBERS: usize = 4;

struct SeriesGroup<'o> {
    line: &'o str,
    numbers: &'o [u64],
    /// The first line of its heading, and the line after its last section.
    start: usize,
    end: usize,
    /// The group that this one is in.
    outer: Option<usize>,
    versions: VersionIndex<'o>,
}

/// All groups, in the order of the document.
pub(super) struct SeriesGroups<'o> {
    groups: Vec<SeriesGroup<'o>>,
    /// The last group of each series.
    series: HashMap<&'o [u64], usize>,
}

impl<'o> SeriesGroups<'o> {
    pub(super) fn new(placement: &Placement<'o>, versions: &VersionIndex<'o>) -> Self {
        let outline: &'o Outline<'o> = placement.outline;
        let mut groups: Vec<SeriesGroup> = Vec::new();
        let mut series = HashMap::new();
        for (at, heading) in outline.headings.iter().enumerate() {
            let HeadingRole::Group(numbers) = &heading.role else { continue };
            let (start, end) = (heading.lines.start, placement.end_of(at, heading.rank()));
            let last = groups.len().checked_sub(1);
            let outer =
                std::iter::successors(last, |inner| groups[*inner].outer).find(|outer| start < groups[*outer].end);
            series.insert(numbers.as_slice(), groups.len());
            let versions = versions.within(heading.lines.end, end);
            groups.push(SeriesGroup { line: heading.line, numbers, start, end, outer, versions });
        }
        Self { groups, series }
    }

    /// Returns the line for a version that the order of all versions puts at `line`; `Err` is the heading of the group
    /// around that line if no group takes the version.
    pub(super) fn line_of(&self, key: &VersionKey, line: usize) -> Result<usize, &'o str> {
        let last = self.groups.partition_point(|group| group.start < line).checked_sub(1);
        let mut around =
            std::iter::successors(last, |inner| self.groups[*inner].outer).map(|group| &self.groups[group]);
        let Some(enclosing) = around.find(|group| line <= group.end).filter(|group| !key.is_in_series(group.numbers))
        else {
            return Ok(line);
        };
        let own = (0..=MOST_NUMBERS).rev().find_map(|len| self.series.get(key.series(len).as_slice()));
        let own = &self.groups[*own.ok_or(enclosing.line)?];
        Ok(own.versions.line_of(key).unwrap_or(own.end))
    }
}
