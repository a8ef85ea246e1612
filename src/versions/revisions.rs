//! Versions that end in a number behind a dash, such as `7.1.2-29`. To semantic versioning that is a pre-release; some
//! projects count the releases of a version with it.

use std::collections::HashSet;

use super::bump;
use crate::model::BumpLevel;

/// The least number of versions that show it: a project may give up a few versions after their pre-releases.
const LEAST: usize = 3;

/// Splits a version into its first three numbers and its revision; `None` if it has none.
pub(crate) fn split(version: &str) -> Option<(&str, u64)> {
    let (numbers, revision) = version.rsplit_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_revised = numbers.split('.').count() == 3 && numbers.split('.').chain([revision]).all(is_number);
    is_revised.then(|| revision.parse().ok())?.map(|revision| (numbers, revision))
}

/// Whether the numbers behind dashes count releases: most versions have them, and hardly any of those was released
/// without one.
pub(crate) fn are_used<'a>(versions: impl Iterator<Item = &'a str>) -> bool {
    let (mut revised, mut plain) = (HashSet::new(), HashSet::new());
    for version in versions {
        match split(version) {
            Some((numbers, _)) => revised.insert(numbers),
            None => !version.contains('-') && plain.insert(version),
        };
    }
    let both = revised.intersection(&plain).count();
    let never_plain = revised.len() - both;
    never_plain >= LEAST && never_plain > plain.len() && never_plain > 4 * both
}

/// Returns the version after one with a revision: a patch is the next revision, and a higher part begins with `first`.
pub(crate) fn increment(version: &str, level: BumpLevel, first: u64) -> Option<String> {
    let (numbers, revision) = split(version)?;
    Some(match level {
        BumpLevel::None => version.to_owned(),
        BumpLevel::Patch => format!("{numbers}-{}", revision.saturating_add(1)),
        BumpLevel::Minor | BumpLevel::Major => format!("{}-{first}", bump::increment(numbers, level)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_is_a_number_behind_three() {
        for (version, expected) in [
            ("7.1.2-29", Some(("7.1.2", 29))),
            ("7.1.2", None),
            ("7.1-2", None),
            ("7.1.2-", None),
            ("7.1.2-rc1", None),
            ("7.1.2-rc-1", None),
            ("7.1.2-1.1", None),
            ("2024-03-04", None),
            ("7..2-1", None),
        ] {
            assert_eq!(split(version), expected, "{version}");
        }
    }

    #[test]
    fn numbers_behind_dashes_count_releases_if_most_versions_have_no_other_release() {
        for (versions, expected) in [
            (&["7.0.7.7", "7.0.8-0", "7.0.8-1", "7.1.0-0", "7.1.1-0"][..], true),
            (&["1.0.0", "1.1.0", "1.2.0-0", "1.2.0-1", "1.3.0-0"], false),
            (&["1.0.0-0", "1.0.0", "1.1.0-0", "1.1.0", "1.2.0-0", "1.2.0"], false),
            (&["1.0.0-0", "1.0.0", "1.1.0-0", "1.2.0-0", "1.3.0-0"], false),
            (&["1.0.0", "1.0.1", "1.0.2", "2.0.0-0", "3.0.0-0", "4.0.0-0"], false),
            (&["1.0.0-rc1", "1.1.0-rc1", "1.2.0-rc1"], false),
        ] {
            assert_eq!(are_used(versions.iter().copied()), expected, "{versions:?}");
        }
    }

    #[test]
    fn a_patch_is_the_next_revision_and_a_higher_part_begins_again() {
        for (level, expected) in [
            (BumpLevel::None, "7.1.2-29"),
            (BumpLevel::Patch, "7.1.2-30"),
            (BumpLevel::Minor, "7.2.0-0"),
            (BumpLevel::Major, "8.0.0-0"),
        ] {
            assert_eq!(increment("7.1.2-29", level, 0).as_deref(), Some(expected));
        }
        assert_eq!(increment("7.1.2", BumpLevel::Patch, 0), None);
    }
}
