//! The base tag: the highest stable version below the requested one.

use std::cmp::Ordering;

use super::tag_pattern::TagPattern;
use crate::model::version_order::compare;

/// The tag that a section starts after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseCandidate {
    /// The tag's name.
    pub tag: String,
    /// The stable version of the tag.
    pub version: String,
}

/// Finds the base among tag names in ref order: the highest below `ceiling` (a stable version), or the highest of all.
///
/// Reachability does not count. Of several tags of one version, the last one in ref order is used; of versions with the
/// same precedence, the one whose first tag comes last.
pub fn find<'a>(
    tags: impl IntoIterator<Item = &'a str>,
    pattern: &TagPattern,
    ceiling: Option<&str>,
) -> Option<BaseCandidate> {
    let mut highest: Vec<BaseCandidate> = Vec::new();
    for tag in tags {
        let Some(version) = pattern.stable_version(tag) else { continue };
        if ceiling.is_some_and(|ceiling| compare(&version, ceiling).is_ge()) {
            continue;
        }
        match highest.first().map_or(Ordering::Greater, |base| compare(&version, &base.version)) {
            Ordering::Less => {}
            Ordering::Greater => highest = vec![BaseCandidate { tag: tag.to_owned(), version }],
            Ordering::Equal => join_equals(&mut highest, tag, version),
        }
    }
    highest.pop()
}

fn join_equals(highest: &mut Vec<BaseCandidate>, tag: &str, version: String) {
    match highest.iter_mut().find(|base| base.version == version) {
        Some(same) => tag.clone_into(&mut same.tag),
        None => highest.push(BaseCandidate { tag: tag.to_owned(), version }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(tags: &[&str], ceiling: &str) -> Option<String> {
        find(tags.iter().copied(), &TagPattern::Default, Some(ceiling)).map(|base| base.tag)
    }

    #[test]
    fn the_highest_stable_version_strictly_below_wins() {
        let tags = ["v1.0.0", "v1.0.0-pre1", "v1.1.0", "v2.0.0"];
        assert_eq!(base(&tags, "1.1.1").as_deref(), Some("v1.1.0"));
        assert_eq!(base(&tags, "2.0.0").as_deref(), Some("v1.1.0"));
        assert_eq!(base(&tags, "1.0.0"), None);
        assert_eq!(base(&["v1.9.0", "v1.10.0"], "1.11.0").as_deref(), Some("v1.10.0"));
    }

    #[test]
    fn of_one_version_the_later_tag_wins() {
        assert_eq!(base(&["1.1.0", "v1.1.0"], "1.2.0").as_deref(), Some("v1.1.0"));
        assert_eq!(base(&["1.1.0+b.1", "1.1.0+b1", "v1.1.0+b.1"], "1.1.0").as_deref(), Some("1.1.0+b1"));
    }

    #[test]
    fn build_metadata_counts_in_the_order() {
        assert_eq!(base(&["v1.0.0", "v1.0.0+5"], "1.0.1").as_deref(), Some("v1.0.0+5"));
        assert_eq!(base(&["v1.0.0", "v1.0.0+zeta"], "1.0.1").as_deref(), Some("v1.0.0"));
    }

    #[test]
    fn without_a_ceiling_the_highest_of_all_is_taken() {
        let tags = ["v1.0.0", "v2.0.0", "v3.0.0-rc1"];
        assert_eq!(find(tags, &TagPattern::Default, None).unwrap().tag, "v2.0.0");
    }
}
