//! The level of the headings below versions: one that moves with that of the version, or the same everywhere.

use std::collections::HashSet;

use super::outline::{Heading, HeadingRole, Outline};

/// The level of a version for which sections are made.
pub(super) const USUAL: usize = 2;

impl Outline<'_> {
    /// Whether categories have one level below versions of several levels: `# 1.1.0` and `## 1.1.1` both have
    /// `### Features`.
    pub(super) fn has_fixed_categories(&self) -> bool {
        let pairs = self.headings.windows(2).filter_map(|pair| {
            let is_below = pair[1].role == HeadingRole::Other && pair[1].level > pair[0].level;
            (pair[0].role == HeadingRole::Version && is_below).then_some((pair[0].rank(), pair[1].level))
        });
        let (versions, categories): (HashSet<usize>, HashSet<usize>) = pairs.unzip();
        versions.len() > 1 && categories.len() == 1
    }
}

/// Returns the level of a version that its categories are written for. `is_fixed` says whether they have one level below
/// all versions.
pub(super) fn rank(version: &Heading, is_fixed: bool) -> usize {
    if is_fixed { USUAL } else { version.rank() }
}
