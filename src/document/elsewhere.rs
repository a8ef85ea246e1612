//! The versions whose sections are in other files, as a document and the names of files say.

use std::{
    collections::{BTreeSet, HashMap},
    iter,
    ops::Range,
    sync::LazyLock,
};

use regex::Regex;

use super::{
    Document,
    heading_text::{self, Words, heading_pattern},
    outline::{Heading, HeadingRole, Outline, VersionHeading},
    version_key::VersionKey,
};

/// A heading such as `Previous Releases` or `Older versions`.
static OLDER: LazyLock<Regex> = LazyLock::new(|| {
    heading_pattern(
        r"(?i)^\W*(?:previous|older|earlier|past|prior|former|archived?|historical)\s+(?:(?:minor|major|patch|and)\s+)*(?:releases?|versions?|change-?\s?logs?|changes|entries|history|release notes)\W*$",
    )
});
/// A reference to another file: a link, or the name of a file.
static POINTER: LazyLock<Regex> = LazyLock::new(|| {
    heading_pattern(r"\]\([^)\s]+\)|\]\[[^\]]*\]|\]:\s|https?://|[\w.-]+\.(?:md|markdown|rst|adoc|txt)\b")
});
/// A file of the versions of a series: `CHANGELOG-3.5.md`, `changelogs/0.15.x.md`, `v1.16/CHANGELOG.md`.
static SERIES_FILE: LazyLock<Regex> = LazyLock::new(|| {
    let word = r"(?:change-?_?logs?|changes|history|news|release[-_]?notes|releases)";
    let series = r"v?([0-9]+)(?:\.([0-9]+))?(?:\.x)?";
    let extension = r"(?:md|markdown|rst|adoc|txt)";
    heading_pattern(&format!(
        r"(?i)(?:{word}[-_./]v?|{word}/(?:{word}[-_.])?){series}(?:[-_.]?{word})?\.{extension}\b|/{series}/(?:[\w.-]+/)*{word}\.{extension}\b"
    ))
});

/// The versions whose sections are in other files, and what says so.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elsewhere {
    /// By the numbers of a series, what says first that it is elsewhere, and how many others come before that.
    series: HashMap<Vec<u64>, (usize, String)>,
    /// The lengths of the series, in numbers.
    lengths: BTreeSet<usize>,
    /// Versions below this one are elsewhere.
    below: Option<(VersionKey, String)>,
}

impl Elsewhere {
    /// Adds the series that files have in their names, such as `CHANGELOG/CHANGELOG-3.5.md`.
    pub(crate) fn add_files<'f>(&mut self, files: impl IntoIterator<Item = &'f str>) {
        for file in files {
            self.add_series(series_of_files(file), &format!("`{file}`"));
        }
    }

    fn add_series(&mut self, all: impl Iterator<Item = Vec<u64>>, place: &str) {
        for series in all {
            let before = self.series.len();
            self.lengths.insert(series.len());
            self.series.entry(series).or_insert_with(|| (before, place.to_owned()));
        }
    }

    /// Returns what says that the section of a version is elsewhere; `None` if nothing does.
    pub(crate) fn place_of(&self, version: &str) -> Option<&str> {
        let key = VersionKey::parse(version)?;
        let series = self.lengths.iter().filter_map(|length| self.series.get(&key.series(*length)));
        let first = series.min_by_key(|(before, _)| *before);
        first
            .map(|(_, place)| place)
            .or_else(|| self.below.as_ref().filter(|(lowest, _)| key < *lowest).map(|(_, place)| place))
            .map(String::as_str)
    }
}

impl Document {
    /// Returns which versions are in other files: the series of headings such as `0.15.x`, and of files that are named
    /// outside of the sections of versions; and all below the lowest version if a heading such as `Previous Releases`
    /// refers to where they are.
    pub(crate) fn elsewhere(&self) -> Elsewhere {
        let outline = Outline::read(self, None);
        let headings = &outline.headings;
        let mut found = Elsewhere::default();
        let is_version = |heading: &Heading| heading.role == HeadingRole::Version;
        let lowest = outline.versions().min_by_key(|found| found.key().clone());
        for (at, heading) in headings.iter().enumerate().filter(|(_, heading)| !is_version(heading)) {
            let place = || format!("`{}` in the file", heading.line.trim());
            let text = heading.lines.end..headings.get(at + 1).map_or(self.lines.len(), |heading| heading.lines.start);
            let has_versions = headings[at + 1..].iter().take_while(|next| next.level > heading.level).any(is_version);
            match heading_text::series(heading.text()) {
                Some((Words::Plain, numbers)) if !has_versions && self.has_pointer(text.clone()) => {
                    // A file that begins after a series does not have what is older either.
                    let first = |lowest: &&VersionHeading| lowest.key().series(numbers.len()) > numbers;
                    if let Some(lowest) = lowest.as_ref().filter(first) {
                        found.below.get_or_insert_with(|| (lowest.key().clone(), place()));
                    }
                    found.add_series(iter::once(numbers), &place());
                }
                None if OLDER.is_match(heading.text()) && points_below(self, headings, at) => {
                    found.below = lowest.as_ref().map(|lowest| (lowest.key().clone(), place()));
                }
                _ => {}
            }
        }
        let first = headings.iter().position(is_version);
        let introduction = 0..first.map_or(self.lines.len(), |first| headings[first].lines.start);
        for line in introduction.filter_map(|at| self.text(at)) {
            found.add_series(series_of_files(line), "the introduction of the file");
        }
        found
    }

    fn has_pointer(&self, lines: Range<usize>) -> bool {
        lines.into_iter().filter_map(|at| self.text(at)).any(|line| POINTER.is_match(line))
    }
}

/// Whether the text of a heading, that of headings below it included, refers to other files.
fn points_below(document: &Document, headings: &[Heading], at: usize) -> bool {
    let rest = headings[at + 1..].iter().find(|next| next.level <= headings[at].level);
    let end = rest.map_or(document.lines.len(), |next| next.lines.start);
    let has_versions = headings[at + 1..]
        .iter()
        .take_while(|next| next.lines.start < end)
        .any(|next| next.role == HeadingRole::Version);
    !has_versions && document.has_pointer(headings[at].lines.end..end)
}

/// Returns the numbers of the series that file names in a text have: one number or two.
fn series_of_files(text: &str) -> impl Iterator<Item = Vec<u64>> + '_ {
    SERIES_FILE.captures_iter(text).map(|found| {
        let numbers = (1..5).filter_map(|group| found.get(group)?.as_str().parse().ok());
        numbers.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elsewhere(text: &str, version: &str) -> bool {
        Document::parse(text).elsewhere().place_of(version).is_some()
    }

    #[test]
    fn a_series_with_a_pointer_is_elsewhere_and_so_is_what_is_older() {
        let text = "# Log\n\n## 0.16.4\n\n- a\n\n## 0.16.0\n\n- b\n\n## 0.15.x\n\nSee [changelogs/0.15.x](./changelogs/0.15.x.md)\n\n\
                    ## 0.1.x\n\nSee changelogs/0.1.x.md\n";
        for (version, expected) in
            [("0.15.0", true), ("0.15.22", true), ("0.1.3", true), ("0.16.1", false), ("0.14.2", true), ("0.0.9", true)]
        {
            assert_eq!(elsewhere(text, version), expected, "{version}");
        }
        assert!(!elsewhere("## 1.2.x\n\n### 1.2.1\n\n- see [x](y)\n", "1.2.0"), "a group of this file");
    }

    #[test]
    fn a_series_is_elsewhere_if_its_heading_refers_to_a_file_and_has_no_version() {
        for (text, version, expected) in [
            ("## 1.2.x\n\nSee [the guide](x).\n\n### 1.2.1\n\n- a\n", "1.2.0", false),
            ("## 1.2.x\n\nSee CHANGELOG-1.2.md\n\n## 1.1.0\n\n- a\n", "1.2.0", true),
            ("## 1.3.0\n\n- b\n\n## 1.2.x\n\nSee [older ones](x)\n\n## 1.1.0\n\n- a\n", "1.2.0", true),
            ("## 1.2.x\n\nNot kept.\n\n## 1.1.0\n\n- a\n", "1.2.0", false),
            // Only a file that begins after the series lacks what is older.
            ("## 1.2.5\n\n- a\n\n## 1.2.x\n\nSee [older ones](x)\n", "1.2.0", true),
            ("## 1.2.5\n\n- a\n\n## 1.2.x\n\nSee [older ones](x)\n", "1.1.0", false),
        ] {
            assert_eq!(elsewhere(text, version), expected, "{version}: {text}");
        }
    }

    #[test]
    fn older_versions_are_elsewhere_if_their_heading_refers_to_them_and_has_none() {
        for (text, expected) in [
            ("## 1.1.0\n\n- a\n\n## Older versions\n\n### First years\n\nSee [x](y)\n\n## Thanks\n\nTo all.\n", true),
            ("## 1.1.0\n\n- a\n\n## Older versions\n\nNot kept.\n\n## Thanks\n\nTo [all](x).\n", false),
            ("## 2.0.0\n\n- a\n\n## Older versions\n\nOf [them](x):\n\n### 1.1.0\n\n- b\n", false),
            ("## 2.0.0\n\n- a\n\n## Older versions\n\nSee [x](y)\n\n## 1.1.0\n\n- b\n", true),
        ] {
            assert_eq!(elsewhere(text, "1.0.0"), expected, "{text}");
        }
    }

    #[test]
    fn previous_releases_are_all_below_the_lowest_version() {
        let text = "## 1.17.0 (Unreleased)\n\n- a\n\n## Previous Releases\n\nSee their changelogs:\n\n- [v1.16](https://x/v1.16/CHANGELOG.md)\n";
        assert!(elsewhere(text, "1.16.3") && elsewhere(text, "0.1.0"));
        assert!(!elsewhere(text, "1.17.0") && !elsewhere(text, "1.18.0"));
        assert!(!elsewhere("## 1.1.0\n\n- a\n\n## Older versions\n\nNot kept.\n", "1.0.0"), "without a pointer");
        let nested = "# 3.5.0\n\n- a\n\n# Previous Changelogs\n\n## 3.4.x (2023-10-28)\n\nSee [3.4](./changelogs/CHANGELOG-3.4.md)\n";
        assert!(elsewhere(nested, "3.4.1") && elsewhere(nested, "3.2.0") && !elsewhere(nested, "3.5.1"));
    }

    #[test]
    fn files_have_series_in_their_names() {
        let mut found = Elsewhere::default();
        found.add_files([
            "CHANGELOG/CHANGELOG-3.5.md",
            "changelogs/2.x.md",
            "CHANGELOG-v1.md",
            "changelogs/notes.md",
            "docs/4.2.md",
        ]);
        for (version, expected) in
            [("3.5.1", true), ("3.4.0", false), ("2.9.0", true), ("1.1.0", true), ("4.2.0", false), ("5.0.0", false)]
        {
            assert_eq!(found.place_of(version).is_some(), expected, "{version}");
        }
        let intro =
            "# Log\n\nOld ones: [1.x](docs/changelogs/CHANGELOG-1.x.md)\n\n## 2.0.0\n\n- see [x](CHANGELOG-2.1.md)\n";
        assert!(elsewhere(intro, "1.2.3") && !elsewhere(intro, "2.1.0"));
    }
}
