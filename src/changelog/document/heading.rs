//! What counts as the heading of a version: strictly as the service sees it, and kindly as people write it.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// A semantic version anywhere in a text; the service tries the alternatives of a pre-release part in this order.
const VERSION: &str = r"(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)(?:-(?:[0-9]*[a-zA-Z-][0-9a-zA-Z-]*|[1-9][0-9]*|0)(?:\.(?:[0-9]*[a-zA-Z-][0-9a-zA-Z-]*|[1-9][0-9]*|0))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?";

static STRICT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?-u)^##[ \t\r\n\x0b\x0c]+(VERSION)"));

static LENIENT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?-u)^#{1,3}[ \t]+(?i:(?:release|version)[ \t]+)?\[?[vV]?(?:(?i:unreleased)|(VERSION))(?:[\])\s:,(]|$)")
});

static VERSION_LINK: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?-u)^\[[vV]?(?:(?i:unreleased)|VERSION)\]:[ \t]"));

fn pattern(text: &str) -> Regex {
    Regex::new(&text.replace("VERSION", VERSION)).expect("the pattern is constant and valid")
}

/// The version of a release header in the service's sense: `##`, white space and a version, whatever follows it.
///
/// `## [1.0.0]`, `## v1.0.0`, `### 1.0.0` and an indented header are none.
pub(super) fn strict_version(line: &[u8]) -> Option<&str> {
    std::str::from_utf8(STRICT.captures(line)?.get(1)?.as_bytes()).ok()
}

/// Whether a line heads exactly this version: `## VERSION` followed by white space or nothing.
pub(super) fn heads(line: &[u8], version: &str) -> bool {
    let Some(text) = line.strip_prefix(b"##") else { return false };
    let behind = text.trim_ascii_start();
    behind.len() < text.len()
        && behind.strip_prefix(version.as_bytes()).is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// What a heading that begins a section for people is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionHeading<'a> {
    /// A version, without brackets and `v`.
    Version(&'a str),
    /// What is not released yet.
    Unreleased,
}

/// The heading people would see: of level 1 to 3, the version first or behind `Release` or `Version`, with or without
/// brackets and `v`: `## [1.0.0] - 2024-01-31`, `# v1.0.0`, `### [1.0.1](https://...)`, `## Unreleased`.
pub(super) fn lenient_heading(line: &[u8]) -> Option<SectionHeading<'_>> {
    let version = LENIENT.captures(line)?.get(1);
    let version = version.and_then(|version| std::str::from_utf8(version.as_bytes()).ok());
    Some(version.map_or(SectionHeading::Unreleased, SectionHeading::Version))
}

/// The version of a heading people would see.
pub(super) fn lenient_version(line: &[u8]) -> Option<&str> {
    match lenient_heading(line)? {
        SectionHeading::Version(version) => Some(version),
        SectionHeading::Unreleased => None,
    }
}

/// Whether a line ends a section whose own heading has `level` hashes: the next version, `Unreleased`, or any heading
/// of a higher level.
pub(super) fn ends_section(line: &[u8], level: usize) -> bool {
    strict_version(line).is_some() || lenient_heading(line).is_some() || hashes(line).is_some_and(|own| own < level)
}

/// Whether a line defines where the link of a version's heading leads: `[1.0.0]: https://...`.
pub(super) fn is_version_link(line: &[u8]) -> bool {
    VERSION_LINK.is_match(line)
}

/// How many `#` begin a line that is any heading at all.
pub(super) fn hashes(line: &[u8]) -> Option<usize> {
    let hashes = line.iter().take_while(|byte| **byte == b'#').count();
    let ends = line.get(hashes).is_none_or(u8::is_ascii_whitespace);
    ((1..=6).contains(&hashes) && ends).then_some(hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_wants_two_hashes_white_space_and_a_version() {
        for (line, version) in [
            ("## 1.0.0 (2024-01-01)\n", "1.0.0"),
            ("##\t1.0.0-rc.1+b.2", "1.0.0-rc.1+b.2"),
            ("## 1.0.0foo", "1.0.0"),
            ("## 1.2.3.4", "1.2.3"),
            ("## 1.0.0-01", "1.0.0-0"),
        ] {
            assert_eq!(strict_version(line.as_bytes()), Some(version));
        }
        for line in ["## v1.0.0", "## [1.0.0]", "### 1.0.0", " ## 1.0.0", "##1.0.0", "## Release 1.0.0", "## 01.0.0"] {
            assert_eq!(strict_version(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_version_is_headed_by_itself_alone() {
        assert!(heads(b"## 1.0.0", "1.0.0") && heads(b"##\t1.0.0\r\n", "1.0.0"));
        for line in ["##1.0.0 ", "## 1.0.0-rc1 ", "## 1.0.0foo", "## 1x0x0 ", "### 1.0.0 ", "##"] {
            assert!(!heads(line.as_bytes(), "1.0.0"), "{line}");
        }
    }

    #[test]
    fn people_write_versions_in_other_ways_too() {
        let version = |line: &'static str| lenient_version(line.as_bytes());
        for line in ["## [1.0.0] - 2024-01-01", "## v1.0.0", "## Version 1.0.0:", "## [v1.0.0](x) (y)", "## 1.0.0\r\n"]
        {
            assert_eq!(version(line), Some("1.0.0"), "{line}");
        }
        assert_eq!(version("# 1.0.0-rc.1"), Some("1.0.0-rc.1"));
        assert_eq!(lenient_heading(b"## [Unreleased]"), Some(SectionHeading::Unreleased));
        for line in ["### Upgrade to 1.0.0", "## 1.0.0foo", "#### 1.0.0", "1.0.0", "## Unreleasedly"] {
            assert_eq!(lenient_heading(line.as_bytes()), None, "{line}");
        }
    }
}
