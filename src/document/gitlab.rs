//! Sections as GitLab inserts them: among headings `## VERSION`, and with such a heading.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::LazyLock,
};

use regex::bytes::Regex;

use super::{BYTE_ORDER_MARK, Document, Insertion, is_blank};
use crate::model::{Section, compare_versions};

/// A semantic version anywhere in a text; GitLab tries the alternatives of a pre-release part in this order.
const VERSION: &str = r"(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)\.(?:0|[1-9][0-9]*)(?:-(?:[0-9]*[a-zA-Z-][0-9a-zA-Z-]*|[1-9][0-9]*|0)(?:\.(?:[0-9]*[a-zA-Z-][0-9a-zA-Z-]*|[1-9][0-9]*|0))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?";

static STRICT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?-u)^##[ \t\r\n\x0b\x0c]+(VERSION)"));

fn pattern(text: &str) -> Regex {
    Regex::new(&text.replace("VERSION", VERSION)).expect("the pattern is constant and valid")
}

/// Returns the version of a release header in GitLab's sense: `##`, white space and a version, whatever follows it.
///
/// `## [1.0.0]`, `## v1.0.0`, `### 1.0.0` and an indented header do not count.
pub(super) fn strict_version(line: &[u8]) -> Option<&str> {
    std::str::from_utf8(STRICT.captures(line)?.get(1)?.as_bytes()).ok()
}

/// Returns the version that a line heads as `## VERSION`, followed by white space or nothing; any word counts as one.
pub(super) fn headed_version(line: &[u8]) -> Option<&[u8]> {
    let text = line.strip_prefix(b"##")?;
    let rest = text.trim_ascii_start();
    let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
    (rest.len() < text.len()).then_some(&rest[..end])
}

impl Document {
    /// Inserts a section where GitLab does: before the section of the next lower version, else at the end. Does nothing
    /// if the version has a section.
    ///
    /// The header gets a line of its own and an empty line before it, and the section the line end that most lines of
    /// the document have.
    pub(crate) fn insert_as_gitlab(&mut self, section: &Section) -> Insertion {
        self.insert_all_as_gitlab(&[section])[0]
    }

    /// Inserts sections as if each were inserted alone, the first one first.
    pub(super) fn insert_all_as_gitlab(&mut self, sections: &[&Section]) -> Vec<Insertion> {
        let mut missing: Vec<&Section> = Vec::new();
        let mut insertions = Vec::with_capacity(sections.len());
        let mut headers = self.headers();
        for section in sections {
            let is_missing = headers.insert(section.version.as_bytes());
            missing.extend(is_missing.then_some(*section));
            insertions.push(if is_missing { Insertion::Inserted } else { Insertion::Unchanged });
        }
        // The highest goes first, and the later one of equal versions.
        missing.reverse();
        missing.sort_by(|one, other| compare_versions(&other.version, &one.version));
        let releases = sort_releases(self.releases());
        let mut places = BTreeMap::<usize, Vec<&Section>>::new();
        for section in missing {
            let place = next_lower(&releases, &section.version).unwrap_or(self.bytes.len());
            places.entry(place).or_default().push(section);
        }
        let edits = places.into_iter().map(|(at, sections)| {
            let is_end = at == self.bytes.len();
            let (last, others) = sections.split_last().expect("a place has a section");
            let text: String = others.iter().map(ToString::to_string).collect();
            let last = if is_end { last.notes().to_string() } else { last.to_string() };
            (at..at, self.gap(at, is_end && !releases.is_empty()) + &text + &last)
        });
        let edits = edits.collect();
        self.apply(edits);
        insertions
    }

    pub(super) fn is_gitlab(&self) -> bool {
        self.releases().next().is_some()
    }

    /// Returns the line ends between a header at `offset` and the text before it. After a release GitLab always writes
    /// one, so that empty lines at the end of a file are kept and become one more.
    pub(super) fn gap(&self, offset: usize, follows_release: bool) -> String {
        let Some(last) = self.lines[..self.lines.partition_point(|line| line.span.start < offset)].last() else {
            return String::new();
        };
        let last = &self.bytes[last.span.clone()];
        let missing = usize::from(!last.ends_with(b"\n")) + usize::from(!is_blank(last));
        "\n".repeat(missing.max(usize::from(follows_release)))
    }

    /// Returns the versions and byte offsets of the release headers. GitLab sees none on a line with a byte order mark.
    fn releases(&self) -> impl Iterator<Item = (&str, usize)> {
        let visible = self.prose().filter(|(offset, _)| self.bytes[..*offset] != *BYTE_ORDER_MARK);
        visible.filter_map(|(offset, line)| Some((strict_version(line)?, offset)))
    }

    pub(super) fn header(&self, version: &str) -> Option<usize> {
        self.prose().find(|(_, line)| headed_version(line) == Some(version.as_bytes())).map(|(offset, _)| offset)
    }

    /// Returns all versions that have a header in GitLab's sense.
    pub(super) fn headers(&self) -> HashSet<&[u8]> {
        self.prose().filter_map(|(_, line)| headed_version(line)).collect()
    }
}

/// Orders release headers by version, the lowest first. If a version occurs twice, its last header counts; of equal
/// versions in different spellings, the first.
fn sort_releases<'d>(releases: impl Iterator<Item = (&'d str, usize)>) -> Vec<(&'d str, usize)> {
    let mut releases: Vec<_> = releases.collect();
    let last: HashMap<&str, usize> = releases.iter().copied().collect();
    releases.sort_by(|(one, _), (other, _)| compare_versions(one, other));
    releases.dedup_by(|(other, _), (first, _)| compare_versions(first, other).is_eq());
    releases.into_iter().map(|(version, _)| (version, last[version])).collect()
}

/// Returns the byte offset of the header of the highest version that is not above this one, among sorted ones.
fn next_lower(releases: &[(&str, usize)], version: &str) -> Option<usize> {
    let higher = releases.partition_point(|(candidate, _)| compare_versions(candidate, version).is_le());
    releases[..higher].last().map(|(_, offset)| *offset)
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
    fn of_a_double_version_the_last_header_counts_and_of_a_double_section_the_first() {
        let section =
            |version: &str| Section { version: version.to_owned(), date: None, body: format!("Of {version}.") };
        let mut document = Document::parse("## 1.0.0\n\nA.\n\n## 1.0.0\n\nB.\n");
        let [new, other] = ["1.5.0", "1.4.0"].map(section);
        let insertions = document.insert_all_as_gitlab(&[&new, &other, &new]);
        assert_eq!(insertions, [Insertion::Inserted, Insertion::Inserted, Insertion::Unchanged]);
        let expected = "## 1.0.0\n\nA.\n\n## 1.5.0\n\nOf 1.5.0.\n\n## 1.4.0\n\nOf 1.4.0.\n\n## 1.0.0\n\nB.\n";
        assert_eq!(String::from_utf8_lossy(document.as_bytes()), expected);
    }

    #[test]
    fn a_version_is_headed_by_itself_alone() {
        for line in ["## 1.0.0", "##\t1.0.0\r\n"] {
            assert_eq!(headed_version(line.as_bytes()), Some(b"1.0.0".as_slice()), "{line}");
        }
        for line in ["##1.0.0 ", "## 1.0.0-rc1 ", "## 1.0.0foo", "## 1x0x0 ", "### 1.0.0 ", "##"] {
            assert_ne!(headed_version(line.as_bytes()), Some(b"1.0.0".as_slice()), "{line}");
        }
    }
}
