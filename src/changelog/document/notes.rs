//! Cutting sections out of a document, also those that people wrote in their own way.

use std::path::Path;

use super::{
    Document, heading,
    lines::{Line, is_blank},
};
use crate::model::{Warning, version_order};

/// The section of a version as it stands in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentSection<'a> {
    /// The version as the heading has it, without brackets and `v`.
    pub version: &'a str,
    /// The whole line of the heading.
    pub heading: &'a [u8],
    /// Everything under it, without the white space around.
    pub body: &'a [u8],
}

impl Document {
    /// The section of a version (without `v`). Unlike insertion this also finds headings such as `## [1.0.0] - DATE`,
    /// `## v1.0.0`, `# Release 1.0.0` and `### [1.0.1](...)`; it ends where the next version, `Unreleased` or a
    /// heading of a higher level begins. Link definitions at the end of the document belong to no section.
    #[must_use]
    pub fn section(&self, version: &str) -> Option<DocumentSection<'_>> {
        let (place, line) = self.prose().find(|(_, line)| heading::lenient_version(line) == Some(version))?;
        let body = &self.bytes[place + line.len()..self.section_end(place)];
        Some(DocumentSection {
            version: heading::lenient_version(line)?,
            heading: line.trim_ascii(),
            body: body.trim_ascii(),
        })
    }

    /// The versions that have a section, in the order of the document.
    pub fn versions(&self) -> impl Iterator<Item = &str> {
        self.prose().filter_map(|(_, line)| heading::lenient_version(line))
    }

    /// The highest of them.
    #[must_use]
    pub fn newest_version(&self) -> Option<&str> {
        self.versions().max_by(|left, right| version_order::compare(left, right))
    }

    /// Tells why a section will stand at the end of `file`, this document, where all its headings are of another kind.
    #[must_use]
    pub fn placement_warning(&self, file: &Path, version: &str) -> Option<Warning> {
        let heading = self.unrecognized_heading()?;
        let file = file.display();
        let message = format!("`{file}` has no heading like `## {version}`, so the section stands at its end");
        Some(Warning::new(message).hint(format!("write headings such as `{heading}` as `## VERSION (DATE)`")))
    }

    /// A heading of a version that insertion does not see, in a document where it sees none.
    fn unrecognized_heading(&self) -> Option<String> {
        let kind = self.prose().find(|(_, line)| heading::lenient_version(line).is_some());
        let foreign = kind.filter(|_| self.releases().next().is_none());
        foreign.map(|(_, line)| String::from_utf8_lossy(line.trim_ascii()).into_owned())
    }

    /// Where the section ends whose heading stands at `start`.
    pub(super) fn section_end(&self, start: usize) -> usize {
        let mut lines = self.prose().skip_while(|(place, _)| *place < start);
        let level = lines.next().and_then(|(_, line)| heading::hashes(line)).unwrap_or_default();
        let next = lines.find(|(_, line)| heading::ends_section(line, level));
        next.map_or_else(|| self.end_of_text(start), |(place, _)| place)
    }

    /// Where the links of version headings begin that end the document, else its end.
    fn end_of_text(&self, start: usize) -> usize {
        let text = |line: &&Line| {
            let content = &self.bytes[line.span.clone()];
            line.fenced || !(is_blank(content) || heading::is_version_link(content))
        };
        self.lines.iter().rfind(text).map_or(start, |line| line.span.end.max(start))
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
    fn links_of_headings_belong_to_no_section() {
        assert_eq!(body(KEPT, "1.0.0").as_deref(), Some("- a [x]\n\n[x]: https://x"));
        assert_eq!(body("## 1.0.0\n\n[1.0.0]: x", "1.0.0").as_deref(), Some(""));
    }

    #[test]
    fn versions_are_listed_in_the_order_of_the_document_and_the_highest_is_the_newest() {
        let document = Document::parse("## 1.0.1\n## [2.0.0]\n## Unreleased\n# v1.9.0");
        assert_eq!(document.versions().collect::<Vec<_>>(), ["1.0.1", "2.0.0", "1.9.0"]);
        assert_eq!(document.newest_version(), Some("2.0.0"));
        assert_eq!(Document::parse("nothing").newest_version(), None);
    }

    #[test]
    fn headings_of_another_kind_are_told_where_there_is_no_other() {
        let foreign = |text: &str| Document::parse(text).unrecognized_heading();
        assert_eq!(foreign("# Log\n## [1.0.0] - x\r\n").as_deref(), Some("## [1.0.0] - x"));
        assert_eq!(foreign("## v2.0.0\n## 1.0.0\n"), None);
        assert_eq!(foreign("# Log\n## Unreleased\n"), None);
    }
}
