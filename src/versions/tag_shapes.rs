//! The shapes of tags that are not read as versions, and a `tag_regex` that reads the most common one.

use indexmap::IndexMap;

/// The groups of a `tag_regex`, in the order of the numbers of a version.
const GROUPS: [&str; 3] = ["major", "minor", "patch"];

/// Whether a tag that is not read as a version could be meant as one: it has a number.
pub(crate) fn looks_like_release(tag: &str) -> bool {
    tag.bytes().any(|byte| byte.is_ascii_digit())
}

/// Returns a `tag_regex` for the most common shape of these tags, the first of several; `None` if every tag has no
/// number, or more than a version.
pub(crate) fn propose_regex<'a>(tags: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut shapes: IndexMap<Vec<&str>, usize> = IndexMap::new();
    for tag in tags {
        let texts: Vec<&str> = texts_between_numbers(tag);
        if (2..=GROUPS.len() + 1).contains(&texts.len()) {
            *shapes.entry(texts).or_default() += 1;
        }
    }
    let most = shapes.values().copied().max()?;
    let (shape, _) = shapes.into_iter().find(|(_, count)| *count == most)?;
    let mut regex = format!("^{}", regex::escape(shape[0]));
    for (group, text) in GROUPS.iter().zip(&shape[1..]) {
        regex.extend([&format!(r"(?P<{group}>\d+)"), regex::escape(text).as_str()]);
    }
    Some(regex + "$")
}

/// Returns the texts before, between and after the numbers of a tag.
fn texts_between_numbers(tag: &str) -> Vec<&str> {
    let mut texts = Vec::new();
    let mut rest = tag;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        texts.push(&rest[..start]);
        rest = rest[start..].trim_start_matches(|letter: char| letter.is_ascii_digit());
    }
    texts.push(rest);
    texts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::versions::tag_pattern::TagPattern;

    #[test]
    fn the_proposed_regex_reads_the_most_common_shape() {
        for (tags, read) in [
            (&["v3", "v2", "v1"][..], &[("v3", "3.0.0")][..]),
            (&["1.1.0.Final", "1.1.0.CR1", "1.0.0.Final"], &[("1.0.0.Final", "1.0.0")]),
            (&["build-77", "build-76"], &[("build-77", "77.0.0")]),
            (&["REL7p2", "x"], &[("REL7p2", "7.2.0")]),
        ] {
            let regex = propose_regex(tags.iter().copied()).unwrap();
            let pattern = TagPattern::parse(&regex).unwrap();
            for (tag, version) in read {
                assert_eq!(pattern.stable_version(tag).as_deref(), Some(*version), "{tag} by {regex}");
            }
        }
        assert_eq!(propose_regex(["nightly", "1.2.3.4.5"]), None);
    }

    #[test]
    fn a_tag_without_a_number_is_no_release() {
        assert!(["v3", "build-77", "1.0.0.Final"].into_iter().all(looks_like_release));
        assert!(!looks_like_release("nightly"));
    }
}
