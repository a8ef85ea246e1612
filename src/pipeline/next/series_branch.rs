//! A branch that is named like the next series, such as `3.4.x`, before that has a release.

use super::version_counter::VersionCounter;
use crate::{git, model::Version};

impl VersionCounter<'_> {
    /// Returns the name of the branch that the range ends on and the first version of its series, if that is the series
    /// after the one of the last version, and no tag is of it.
    pub(super) fn first_of_branch(&self, last: Option<&Version>) -> Option<(String, String)> {
        let last = last?.semver();
        let name = git::revision::branch_name(self.scope.repo, &self.scope.request.range.to)?;
        let (major, minor) = series(&name)?;
        let is_next = match minor {
            Some(minor) => [(last.major, last.minor.saturating_add(1)), (last.major.saturating_add(1), 0)]
                .contains(&(major, minor)),
            None => major == last.major.saturating_add(1),
        };
        let is_of_series = |version: &Version| {
            version.semver().major == major && minor.is_none_or(|minor| version.semver().minor == minor)
        };
        if !is_next || self.tags.names.iter().filter_map(|tag| self.tags.version(tag)).any(|tag| is_of_series(&tag)) {
            return None;
        }
        let first = format!("{major}.{}.0", minor.unwrap_or(0));
        Some((name, self.tags.without_zeros(first)))
    }
}

/// Returns the first number or the first two of the versions of a branch such as `3.x`, `3.4.x` or `release/v3.4`.
fn series(branch: &str) -> Option<(u64, Option<u64>)> {
    let name = branch.rsplit('/').next()?;
    let name = name.strip_prefix('v').unwrap_or(name);
    let numbers = name.strip_suffix(".x");
    match *numbers.unwrap_or(name).split('.').collect::<Vec<_>>() {
        [major] if numbers.is_some() => Some((major.parse().ok()?, None)),
        [major, minor] => Some((major.parse().ok()?, Some(minor.parse().ok()?))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_is_of_a_series_if_its_name_is_nothing_else() {
        for (branch, expected) in [
            ("3.4.x", Some((3, Some(4)))),
            ("v3.4", Some((3, Some(4)))),
            ("stable/3.4", Some((3, Some(4)))),
            ("3.x", Some((3, None))),
            ("3", None),
            ("3.4.1", None),
            ("fix-3.4", None),
            ("main", None),
        ] {
            assert_eq!(series(branch), expected, "{branch}");
        }
    }
}
