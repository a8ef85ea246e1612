//! The text below `Unreleased`, kept up to date with what is generated while people edit it.

use std::path::Path;

use super::{
    Document,
    category_levels::{USUAL, rank},
    definitions::definitions,
    merge::merge,
    outline::{LINE_LEVEL, Outline},
    placement::Placement,
    refusal,
    unreleased::{find_heading, with_level},
};
use crate::model::Problem;

impl Document {
    /// Merges what is generated now with what people made of `base`, the text that was generated the last time. A
    /// document without the heading gets it, an empty one its `opening` before. Returns the parts that were edited and
    /// are generated differently now; they stay as they are.
    ///
    /// # Errors
    /// If nothing says where the heading belongs; the message, which calls the document `file`, says what to do.
    pub(crate) fn update_unreleased(
        &mut self,
        base: &str,
        new: &str,
        file: &Path,
        opening: &str,
    ) -> Result<Vec<String>, Problem> {
        refusal::encoding(file, &self.bytes)?;
        refusal::markup(file, self)?;
        let mut document = self.clone();
        if refusal::is_empty(&document.bytes) {
            document = Self::parse(if opening.is_empty() { "# Changelog\n" } else { opening });
        }
        let heading = Outline::read(&document, None);
        if find_heading(&heading, &definitions(&document)).is_none() {
            // Nothing to list needs no heading.
            if new.is_empty() {
                return Ok(Vec::new());
            }
            document = document.with_unreleased_heading(file)?;
        }
        let outline = Outline::read(&document, None);
        let Some(at) = find_heading(&outline, &definitions(&document)) else { return Err(no_place(file)) };
        let heading = &outline.headings[at];
        let lines = heading.lines.end..document.end_of_unreleased(&outline, at);
        let theirs: String = lines.clone().filter_map(|line| Some(document.line(line)?.to_owned() + "\n")).collect();
        let [base, new] =
            [base, new].map(|text| with_level(text, USUAL, rank(heading, outline.has_fixed_categories())));
        let merged = merge(&base, &theirs, &new);
        if merged.text.trim() == theirs.trim() && !self.bytes.is_empty() {
            return Ok(merged.conflicts);
        }
        let span = document.start_of(lines.start)..document.start_of(lines.end);
        let is_last = refusal::is_empty(&document.bytes[span.end..]);
        let text = match (merged.text.trim_matches('\n'), is_last) {
            ("", true) => String::new(),
            ("", false) => "\n".to_owned(),
            (text, true) => format!("\n{text}\n"),
            (text, false) => format!("\n{text}\n\n"),
        };
        document.splice(span, &text);
        *self = document;
        Ok(merged.conflicts)
    }

    /// Adds the heading above the newest version, in the form of that.
    fn with_unreleased_heading(&self, file: &Path) -> Result<Self, Problem> {
        let outline = Outline::read(self, None);
        if let Some(conflict) = &outline.conflict {
            return Err(refusal::conflict(file, conflict));
        }
        let newest = outline.versions().next().map(|found| found.heading);
        if outline.is_oldest_first || newest.is_some_and(|heading| heading.level == LINE_LEVEL) {
            return Err(no_place(file));
        }
        let placement = Placement {
            document: self,
            outline: &outline,
            unreleased: None,
            separator: None,
            has_own_definitions: false,
        };
        let line = newest.map_or_else(|| placement.first_section(), |heading| heading.lines.start);
        let is_bracketed = newest.is_some_and(|heading| heading.text().starts_with('['));
        let title = if is_bracketed { "[Unreleased]" } else { "Unreleased" };
        let at = self.start_of(line);
        let heading = format!("{} {title}\n", "#".repeat(newest.map_or(2, |heading| heading.level)));
        let end = if refusal::is_empty(&self.bytes[at..]) { "" } else { "\n" };
        let mut document = self.clone();
        document.splice(at..at, &(self.gap(at, false) + &heading + end));
        Ok(document)
    }
}

fn no_place(file: &Path) -> Problem {
    Problem::new(format!(
        "{} has no heading `Unreleased`, and its style does not say where one belongs",
        file.display()
    ))
    .hint("add a line such as `## Unreleased` above the newest version, and run the command again")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn updated(text: &str, base: &str, new: &str) -> String {
        let mut document = Document::parse(text);
        let file = Path::new("CHANGELOG.md");
        assert_eq!(document.update_unreleased(base, new, file, "").unwrap(), [""; 0]);
        let first = document.clone();
        document.update_unreleased(new, new, file, "").unwrap();
        assert_eq!(document, first, "the second run changes nothing");
        String::from_utf8(document.into_bytes()).unwrap()
    }

    const NEW: &str = "### Added\n\n- Add mast (1a2b3c4d)\n- Add sail (2a2b3c4d)";

    #[test]
    fn the_heading_is_added_where_the_newest_version_is() {
        for (text, expected) in [
            ("", format!("# Changelog\n\n## Unreleased\n\n{NEW}\n")),
            ("# Log\n", format!("# Log\n\n## Unreleased\n\n{NEW}\n")),
            (
                "# Log\n\n## [1.0.0] - 2024-01-02\n\n- a\n",
                format!("# Log\n\n## [Unreleased]\n\n{NEW}\n\n## [1.0.0] - 2024-01-02\n\n- a\n"),
            ),
            (
                "# Log\r\n\r\n## Unreleased\r\n\r\n## 1.0.0\r\n",
                format!("# Log\n\n## Unreleased\n\n{NEW}\n\n## 1.0.0\n").replace('\n', "\r\n"),
            ),
            (
                "## Unreleased\n\n[Unreleased]: https://x/compare/v1...HEAD\n",
                format!("## Unreleased\n\n{NEW}\n\n[Unreleased]: https://x/compare/v1...HEAD\n"),
            ),
        ] {
            assert_eq!(updated(text, "", NEW), expected, "{text}");
        }
        assert_eq!(updated("# Log\n", "", ""), "# Log\n", "nothing to list");
    }

    #[test]
    fn what_people_wrote_stays_and_what_is_undone_goes() {
        let theirs = "## Unreleased\n\n### Added\n\n- Add a tall mast (1a2b3c4d)\n- Add sail (2a2b3c4d)\n\n\
                      ### Notes\n\n- By hand\n\n## 1.0.0\n";
        let new = "### Added\n\n- Add mast (1a2b3c4d)\n- Add flag (3a2b3c4d)";
        let expected = "## Unreleased\n\n### Added\n\n- Add a tall mast (1a2b3c4d)\n- Add flag (3a2b3c4d)\n\n\
                        ### Notes\n\n- By hand\n\n## 1.0.0\n";
        assert_eq!(updated(theirs, NEW, new), expected);
        assert_eq!(updated(&format!("## Unreleased\n\n{NEW}\n\n## 1.0.0\n"), NEW, ""), "## Unreleased\n\n## 1.0.0\n");
    }

    #[test]
    fn a_style_that_does_not_say_where_the_heading_goes_is_refused() {
        for text in ["**1.1.0**\n\n- a\n\n**1.0.0**\n\n- b\n", "## 1.0.0\n\n- a\n\n## 1.1.0\n\n- b\n"] {
            let error = Document::parse(text).update_unreleased("", NEW, Path::new("NEWS.md"), "").unwrap_err();
            assert!(error.to_string().contains("NEWS.md has no heading `Unreleased`"), "{error}");
        }
    }
}
