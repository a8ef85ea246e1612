//! The shapes of tags that are not read as versions, and a `tag_regex` that reads the most common one.

use indexmap::IndexMap;

/// The groups of a `tag_regex`, in the order of the numbers of a version.
const GROUPS: [&str; 3] = ["major", "minor", "patch"];

/// Whether a tag that is not read as a version could be meant as one: it has a number, and is not the hash of a
/// commit.
pub(crate) fn looks_like_release(tag: &str) -> bool {
    tag.bytes().any(|byte| byte.is_ascii_digit()) && !is_hash(tag)
}

/// The least number of letters and digits of a short hash.
const SHORT_HASH: usize = 7;

/// Whether a tag is a hash: hexadecimal, with digits among letters. A day such as `20240304a` is none.
fn is_hash(tag: &str) -> bool {
    let words = texts_between_numbers(tag).into_iter().filter(|text| !text.is_empty());
    tag.len() >= SHORT_HASH && tag.bytes().all(|byte| byte.is_ascii_hexdigit()) && words.count() > 1
}

/// Whether a version in a tag, which is not read as one, is that of a release with letters behind it: `3.7a` and
/// `1.9.17p2` are revisions of `3.7` and `1.9.17`, and `24.3.0.post1` one of `24.3.0`. It has to be newer than that release:
/// before it the same letters are those of a pre-release.
pub(crate) fn is_revision_of(version: &str, release: &str) -> bool {
    let version = version.trim_start_matches(['v', 'V']).replace('_', ".");
    let Some(rest) = version.strip_prefix(release) else { return false };
    let rest = rest.strip_prefix(".post").map_or(rest, |_| "post");
    let letters = rest.trim_end_matches(|letter: char| letter.is_ascii_digit());
    !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether the version in a tag, which is not read as one, could be that of a release: it begins with a number, has at
/// least three (two may move along with the newest version of a series), and no word after them names a pre-release.
pub(crate) fn is_release(version: &str) -> bool {
    let is_number = version.trim_start_matches(['v', 'V']).starts_with(|letter: char| letter.is_ascii_digit());
    is_number && texts_between_numbers(version).len() > GROUPS.len() && !is_pre_release(version)
}

/// Whether a tag that is not read as a version is of a pre-release: a word after its numbers says so.
fn is_pre_release(tag: &str) -> bool {
    const WORDS: [&str; 16] = [
        "a",
        "alpha",
        "b",
        "beta",
        "c",
        "rc",
        "cr",
        "m",
        "milestone",
        "pre",
        "preview",
        "dev",
        "snapshot",
        "nightly",
        "canary",
        "next",
    ];
    let texts = texts_between_numbers(tag);
    let words = texts.iter().skip(1).flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric()));
    words.map(str::to_lowercase).any(|word| WORDS.contains(&word.as_str()))
}

/// Returns a `tag_regex` for the most common shape of these tags, the first of several; `None` if that has no number, or
/// more than a version, as a time has: the rest would be odd tags.
pub(crate) fn propose_regex<'a>(tags: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut shapes: IndexMap<Vec<&str>, usize> = IndexMap::new();
    for tag in tags.into_iter().filter(|tag| !is_hash(tag)) {
        let texts: Vec<&str> = texts_between_numbers(tag);
        if texts.len() > 1 {
            *shapes.entry(texts).or_default() += 1;
        }
    }
    let most = shapes.values().copied().max()?;
    let (shape, _) = shapes.into_iter().find(|(_, count)| *count == most)?;
    // A number after a word does not belong to the version: `1.2.3.v20240309`.
    let has_qualifier = shape.len() == GROUPS.len() + 2 && shape[3].contains(char::is_alphabetic);
    if !has_qualifier && shape.len() > GROUPS.len() + 1 {
        return None;
    }
    let mut regex = format!("^{}", regex::escape(shape[0]));
    for (group, text) in GROUPS.iter().zip(&shape[1..]) {
        regex.extend([&format!(r"(?P<{group}>\d+)"), regex::escape(text).as_str()]);
    }
    for text in shape.iter().skip(1 + GROUPS.len()) {
        regex.extend([r"\d+", regex::escape(text).as_str()]);
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
            (&["app-9.4.1.v20240309", "app-9.4.0.RC1"], &[("app-9.4.1.v20240309", "9.4.1")]),
        ] {
            let regex = propose_regex(tags.iter().copied()).unwrap();
            let pattern = TagPattern::parse(&regex).unwrap();
            for (tag, version) in read {
                assert_eq!(pattern.stable_version(tag).as_deref(), Some(*version), "{tag} by {regex}");
            }
        }
        assert_eq!(propose_regex(["nightly", "1.2.3.4.5", "b6fb1ac8"]), None);
        let times = ["release-1434511043", "R.2025-09-07T16-13-09Z", "R.2025-10-15T17-29-55Z"];
        assert_eq!(propose_regex(times), None, "most have more numbers than a version");
    }

    #[test]
    fn a_word_after_the_numbers_says_that_it_is_a_pre_release() {
        assert!(
            ["5.0.0.Beta1", "1.0.0.CR2", "app-9.0.0.M5", "2.0b3", "4.0.0.SNAPSHOT"].into_iter().all(is_pre_release)
        );
        assert!(!["1.0.0.Final", "app-9.4.1.v20240309", "rc-1.0.0.GA", "build-77"].into_iter().any(is_pre_release));
    }

    #[test]
    fn a_tag_without_a_number_is_no_release() {
        assert!(["v3", "build-77", "1.0.0.Final"].into_iter().all(looks_like_release));
        assert!(!looks_like_release("nightly"));
    }

    #[test]
    fn a_hash_is_no_release() {
        assert!(!["b6fb1ac83885ff06", "1a2b3c4"].into_iter().any(looks_like_release));
        assert!(["20240304a", "1a2b", "build-77", "v1.1-7"].into_iter().all(looks_like_release));
    }

    #[test]
    fn letters_behind_a_version_are_a_revision_of_it() {
        for (version, release, expected) in [
            ("3.7a", "3.7", true),
            ("v1.9.17p2", "1.9.17", true),
            ("V_1_1_1w", "1.1.1", false),
            ("1_1_1w", "1.1.1", true),
            ("24.3.0.post2", "24.3.0", true),
            ("24.3.0.dev2", "24.3.0", false),
            ("3.7", "3.7", false),
            ("3.7.1", "3.7", false),
            ("3.71a", "3.7", false),
            ("3.7-docs", "3.7", false),
        ] {
            assert_eq!(is_revision_of(version, release), expected, "{version} of {release}");
        }
    }
}
