//! The extraction of sections from a document.

use std::ops::Range;

use super::{
    Document,
    definitions::definitions,
    gitlab::strict_version,
    heading_text::is_unreleased,
    line_end,
    outline::{HeadingRole, Outline, VersionHeading},
    placement::separator,
    version_index::VersionIndex,
};

/// The section of a version as it is in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DocumentSection<'a> {
    /// The version as the heading has it, without brackets and `v`.
    pub version: &'a str,
    /// The whole line of the heading.
    pub heading: &'a str,
    /// The text of the heading, without hashes.
    pub title: &'a str,
    /// The text below the heading, without the white space around it.
    pub body: &'a [u8],
}

/// Where a section is in the bytes of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SectionSpan {
    pub(crate) heading: Range<usize>,
    pub(crate) body: Range<usize>,
}

/// Where the sections of a document end whose headings have one level.
pub(super) struct SectionEnds<'d> {
    document: &'d Document,
    /// The headings that end a section: the line with the text, and the first line.
    headings: Vec<(usize, usize)>,
    /// The headers that GitLab sees, and where the comment begins that one is in, or the header itself.
    headers: Vec<(usize, usize)>,
}

impl<'d> SectionEnds<'d> {
    pub(super) fn new(document: &'d Document, outline: &Outline, level: usize) -> Self {
        let headings = outline.headings.iter().filter(|heading| {
            let is_part = heading.level > level || heading.level == level && outline.is_category(heading);
            heading.role != HeadingRole::Other || is_unreleased(heading.text()) || !is_part
        });
        let start = |line| document.start_of(line);
        let headings = headings.map(|heading| (start(heading.at), start(heading.lines.start))).collect();
        let mut headers = Vec::new();
        let mut comment = None;
        for line in &document.lines {
            let at = line.span.start;
            comment = if line.commented { comment.or(Some(at)) } else { None };
            if !line.fenced && strict_version(&document.bytes[line.span.clone()]).is_some() {
                headers.push((at, comment.unwrap_or(at)));
            }
        }
        Self { document, headings, headers }
    }

    /// Returns the byte offset of the end of a section whose text is at the byte `start`.
    pub(super) fn of(&self, start: usize) -> usize {
        let next = |all: &[(usize, usize)]| all.get(all.partition_point(|(at, _)| *at <= start)).copied();
        let heading = next(&self.headings).map(|(_, first)| first);
        // A heading that GitLab sees in a comment ends the section at the comment, unless the section begins in it too.
        let header = next(&self.headers).map(|(at, comment)| if comment > start { comment } else { at });
        heading.into_iter().chain(header).min().unwrap_or_else(|| self.document.end_of_text(start))
    }
}

impl Document {
    /// Returns the section of a version (without `v`), whatever the form of its heading. It ends before the next
    /// version, the heading of unreleased changes, or another heading of its level or a higher one that is not that of a
    /// category. Link definitions of versions at the
    /// end of the document do not belong to a section, nor does a rule between sections.
    pub(crate) fn section(&self, version: &str) -> Option<DocumentSection<'_>> {
        let outline = Outline::read(self, None);
        let (at, found, start, end) = self.extent(&outline, version)?;
        let heading = found.map(|found| found.heading);
        let separator = separator(self, &outline).unwrap_or_default();
        let body = self.bytes[start..end].trim_ascii();
        let line = self.line(at).unwrap_or_default().trim();
        Some(DocumentSection {
            version: found.map_or_else(|| strict_version(line.as_bytes()).unwrap_or_default(), |found| found.version()),
            heading: line,
            title: heading.map_or_else(|| line.trim_start_matches('#').trim(), |heading| heading.title()),
            body: body.strip_suffix(separator.as_bytes()).unwrap_or(body).trim_ascii(),
        })
    }

    /// Returns the text below the heading of a version, with the white space around it; `None` if it is not UTF-8.
    pub(super) fn text_of(&self, outline: &Outline, version: &str) -> Option<&str> {
        let (_, _, start, end) = self.extent(outline, version)?;
        std::str::from_utf8(&self.bytes[start..end]).ok()
    }

    /// Finds a section: the line of its heading, what was read from it, and where its text begins and ends.
    fn extent<'o, 'a>(
        &self,
        outline: &'o Outline<'a>,
        version: &str,
    ) -> Option<(usize, Option<VersionHeading<'o, 'a>>, usize, usize)> {
        let found = outline.version(version);
        // GitLab sees headings in comments too.
        let at = match &found {
            Some(found) => found.heading.at,
            None => {
                self.header(version).and_then(|offset| self.lines.iter().position(|line| line.span.start == offset))?
            }
        };
        let (heading, level) = found.map_or((None, 2), |found| (Some(found.heading), found.heading.rank()));
        let start = self.start_of(heading.map_or(at + 1, |heading| heading.lines.end));
        let end = self.section_end(outline, self.start_of(at), level).max(start);
        Some((at, found, start, end))
    }

    /// Returns where the section of a version is: its heading, with the empty lines below it, and its text.
    pub(crate) fn section_span(&self, version: &str) -> Option<SectionSpan> {
        let body = self.section(version)?.body;
        let outline = Outline::read(self, None);
        let (at, found, start, end) = self.extent(&outline, version)?;
        let first = self.start_of(found.map_or(at, |found| found.heading.lines.start));
        // The section without the white space and the separator around it.
        let gap = self.bytes[start..end].len() - self.bytes[start..end].trim_ascii_start().len();
        let begin = if body.is_empty() { start } else { start + gap };
        Some(SectionSpan { heading: first..begin, body: begin..begin + body.len() })
    }

    /// Whether most lines end as on Windows.
    pub(crate) fn has_windows_lines(&self) -> bool {
        line_end(&self.bytes) == "\r\n"
    }

    /// Whether the document has a section of each of these versions, whatever the form of its heading.
    pub(crate) fn has_sections<'v>(&self, versions: impl Iterator<Item = &'v str>) -> Vec<bool> {
        let outline = Outline::read(self, None);
        let headings = VersionIndex::new(&outline);
        let headers = self.headers();
        versions.map(|version| headings.version(version).is_some() || headers.contains(version.as_bytes())).collect()
    }

    /// Returns the versions that have a section, in the order of the document.
    pub(crate) fn versions(&self) -> Vec<&str> {
        Outline::read(self, None).versions().map(|found| found.version()).collect()
    }

    /// Returns the highest version that has a section.
    pub(crate) fn newest_version(&self) -> Option<&str> {
        let outline = Outline::read(self, None);
        let newest = outline.versions().max_by_key(|found| found.key().clone())?;
        Some(newest.version())
    }

    /// Returns the byte offset of the end of a section whose heading has `level` and its text at the byte `start`.
    fn section_end(&self, outline: &Outline, start: usize, level: usize) -> usize {
        SectionEnds::new(self, outline, level).of(start)
    }

    /// Returns the byte offset of the end of the text, before link definitions of versions that end the document.
    fn end_of_text(&self, start: usize) -> usize {
        let definitions = definitions(self);
        let of_versions: Vec<usize> = definitions
            .iter()
            .filter(|definition| definition.key.is_some() || is_unreleased(definition.label()))
            .map(|definition| definition.at)
            .collect();
        let last = (0..self.lines.len()).rev().find(|at| !self.is_blank(*at) && of_versions.binary_search(at).is_err());
        last.map_or(start, |last| self.lines[last].span.end.max(start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: &str = "# Log\n\n## [Unreleased]\n\n- soon\n\n## [1.1.0] - 2024-02-01\n\n### Added\n\n- b\n\n```\n## 9.9.9\n```\n\n\
                        ## v1.0.0\n\n- a [x]\n\n[x]: https://x\n\n[unreleased]: https://u\n[1.1.0]: https://b\n";

    fn body(document: &str, version: &str) -> Option<String> {
        let document = Document::parse(document);
        document.section(version).map(|notes| String::from_utf8_lossy(notes.body).into_owned())
    }

    #[test]
    fn a_section_reaches_to_the_next_version() {
        assert_eq!(body(KEPT, "1.1.0").as_deref(), Some("### Added\n\n- b\n\n```\n## 9.9.9\n```"));
        assert_eq!(body(KEPT, "9.9.9"), None);
        assert_eq!(body("## 1.0.0\n\na\n## Notes\nb\n# End\nc", "1.0.0").as_deref(), Some("a\n## Notes\nb"));
    }

    #[test]
    fn a_heading_of_the_same_level_that_is_no_category_ends_a_section() {
        let document = "## 1.1.0\n\n- b\n\n## Bug Fixes\n\n- c\n\n## Previous Releases\n\nSee [them](x).\n";
        assert_eq!(body(document, "1.1.0").as_deref(), Some("- b\n\n## Bug Fixes\n\n- c"));
        let repeated = "## 1.1.0\n\n## Sails\n- b\n\n## 1.0.0\n\n## Sails\n- a\n\n## Archive\n\nx\n";
        assert_eq!(body(repeated, "1.1.0").as_deref(), Some("## Sails\n- b"));
        assert_eq!(body(repeated, "1.0.0").as_deref(), Some("## Sails\n- a"));
    }

    #[test]
    fn the_underline_of_a_heading_belongs_to_no_section() {
        let document = "Changes\n=======\n\n1.1.0 (2024-02-01)\n------------------\n\n- b\n\n1.0.0\n-----\n- a\n";
        assert_eq!(body(document, "1.1.0").as_deref(), Some("- b"));
        assert_eq!(body(document, "1.0.0").as_deref(), Some("- a"));
    }

    #[test]
    fn links_of_headings_belong_to_no_section() {
        assert_eq!(body(KEPT, "1.0.0").as_deref(), Some("- a [x]\n\n[x]: https://x"));
        assert_eq!(body("## 1.0.0\n\n[1.0.0]: x", "1.0.0").as_deref(), Some(""));
    }

    #[test]
    fn versions_are_listed_in_the_order_of_the_document_and_the_highest_is_the_newest() {
        let document = Document::parse("## 1.0.1\n## [2.0.0]\n## Unreleased\n# v1.9.0");
        assert_eq!(document.versions(), ["1.0.1", "2.0.0", "1.9.0"]);
        assert_eq!(document.newest_version(), Some("2.0.0"));
        assert_eq!(Document::parse("nothing").newest_version(), None);
    }

    #[test]
    fn a_section_is_where_its_heading_and_its_text_are() {
        for (text, version, heading, body) in [
            ("# L\n\n## 1.1.0\n\n\n- b\n\n## 1.0.0\n\n- a\n", "1.1.0", "## 1.1.0\n\n\n", "- b"),
            ("## 1.1.0\n\n## 1.0.0\n", "1.1.0", "## 1.1.0\n", ""),
            ("<a name=\"x\"></a>\n## [1.1.0]\n- b\n", "1.1.0", "<a name=\"x\"></a>\n## [1.1.0]\n", "- b"),
            // As GitLab sees it.
            ("# L\n\n<!--\n## 1.0.0\n\n- a\n-->\n", "1.0.0", "## 1.0.0\n\n", "- a\n-->"),
        ] {
            let document = Document::parse(text);
            let span = document.section_span(version).unwrap();
            assert_eq!((&text[span.heading], &text[span.body]), (heading, body), "{text}");
            assert_eq!(document.has_sections([version, "7.0.0"].into_iter()), [true, false], "{text}");
        }
        assert!(
            Document::parse("a\r\nb\r\nc\n").has_windows_lines() && !Document::parse("a\r\nb\n").has_windows_lines()
        );
    }
}
