//! Sections that are marked as unreleased, such as `## 1.17.0 (Unreleased)`, and the date that a release gives them.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use super::{
    Document, dates,
    heading_text::{PENDING, heading_pattern},
    outline::{NEWEST, Outline, VersionHeading},
    subheading,
};
use crate::model::Date;

/// A line below a heading that is only a mark: `Unreleased`, `*TBD*`.
static MARK_LINE: LazyLock<Regex> = LazyLock::new(|| {
    heading_pattern(
        r"(?i)^[\W_]*(?:(?:release(?:d| date)?|date)[: ]+(?:on )?)?(?:un-?released|not (?:yet )?released|tb[ad])[\W_]*$",
    )
});
/// What may stand between a version and the mark of an undated heading, to be dropped with it.
const AROUND: [char; 9] = [' ', '(', ')', '-', '–', '—', '/', '|', ','];

/// Where the mark of a section is.
enum Mark {
    /// A part of the text of the heading.
    Heading(Range<usize>),
    /// The line below the heading.
    Line(usize),
    /// The heading lacks the date that the others have.
    NoDate,
}

impl Document {
    /// Whether the section of a version is there but not released: it is marked so, or has no date where the others of
    /// the file have one.
    pub(crate) fn is_pending(&self, version: &str) -> bool {
        let outline = Outline::read(self, None);
        outline.version(version).is_some_and(|found| self.mark(&outline, found).is_some())
    }

    /// Returns the highest version that has a section which is not marked as unreleased.
    pub(crate) fn newest_released(&self) -> Option<&str> {
        let outline = Outline::read(self, None);
        let released = outline.versions().filter(|found| self.mark(&outline, *found).is_none());
        released.max_by_key(|found| found.key().clone()).map(|found| found.version())
    }

    /// Returns the versions that have a section which is not marked as unreleased, in the order of the document.
    pub(crate) fn released_versions(&self) -> Vec<&str> {
        let outline = Outline::read(self, None);
        let released = outline.versions().filter(|found| self.mark(&outline, *found).is_none());
        released.map(|found| found.version()).collect()
    }

    /// Gives the section of a version its date in place of the mark, in the form that the dates of the file have, or as
    /// `default` if it has none. `None` if the section has no mark.
    pub(crate) fn with_date(&self, version: &str, date: &Date, default: &str) -> Option<Self> {
        let outline = Outline::read(self, None);
        let found = outline.version(version)?;
        let mark = self.mark(&outline, found)?;
        let mut dated = self.clone();
        dated.apply(match mark {
            Mark::Line(at) => vec![self.dated_line(&outline, at, date, default)],
            Mark::Heading(span) => self.dated_heading(&outline, found, span, date, default),
            Mark::NoDate => {
                let end = found.text.version.end;
                let close = found.heading.text()[end..].find(|letter| !matches!(letter, ']' | '*' | '_' | '`'));
                let at = end + close.unwrap_or(found.heading.text().len() - end);
                self.dated_heading(&outline, found, at..at, date, default)
            }
        });
        Some(dated)
    }

    fn mark(&self, outline: &Outline, found: VersionHeading) -> Option<Mark> {
        let text = found.heading.text();
        if found.text.is_pending {
            let start = found.text.version.end;
            let mark = PENDING.find(&found.text.masked[start..])?;
            return Some(Mark::Heading(start + mark.start()..start + mark.end()));
        }
        let line = self.first_line(&found);
        if let Some(at) = line.filter(|at| self.line(*at).is_some_and(|line| MARK_LINE.is_match(line))) {
            return Some(Mark::Line(at));
        }
        // A heading without a date is unreleased only if it is the highest, and all the next ones have dates.
        let others = || outline.newest_first().into_iter().filter(|other| other.heading.at != found.heading.at);
        let is_highest = others().all(|other| other.key() < found.key());
        let newest: Vec<_> = others().take(NEWEST).collect();
        let are_dated = newest.len() > 1 && newest.iter().all(|other| other.text.date.is_some());
        let has_status = text[found.text.version.end..].contains(char::is_alphanumeric);
        let is_undated = found.text.date.is_none() && !found.text.is_struck && !has_status;
        let has_date_below = line.and_then(|at| self.line(at)).is_some_and(|line| dates::find(line).next().is_some());
        (is_highest && are_dated && is_undated && !has_date_below).then_some(Mark::NoDate)
    }

    /// Returns the edit of a line below a heading, which gets the form of the same lines of other versions.
    fn dated_line(&self, outline: &Outline, at: usize, date: &Date, default: &str) -> (Range<usize>, String) {
        let line = self.line(at).unwrap_or_default();
        let start = self.lines[at].span.start;
        let span = start..start + line.len();
        let others = outline.newest_first().into_iter().filter_map(|found| self.line(self.first_line(&found)?));
        let dated = others.filter_map(|line| Some((line, subheading::date(line)?)));
        let dated: Vec<_> = dated.take(NEWEST).collect();
        let Some((model, found)) = dated.first() else { return (span, default.to_owned()) };
        let all: Vec<&str> = dated.iter().map(|(line, date)| &line[date.clone()]).collect();
        let format = dates::format(&model[found.clone()], &all);
        let text = format.map_or_else(|| default.to_owned(), |format| dates::write(date, &format));
        (span, [&model[..found.start], &text, &model[found.end..]].concat())
    }

    /// Returns the edits of a heading that gets a date in place of the mark at `span` of its text.
    fn dated_heading(
        &self,
        outline: &Outline,
        found: VersionHeading,
        span: Range<usize>,
        date: &Date,
        default: &str,
    ) -> Vec<(Range<usize>, String)> {
        let (heading, text) = (found.heading, found.heading.text());
        let others = outline.newest_first().into_iter().filter(|other| other.heading.at != heading.at);
        let others: Vec<_> = others.filter(|other| other.text.has_style()).take(NEWEST).collect();
        let dates = others.iter().filter_map(|other| Some(&other.heading.text()[other.text.date.clone()?]));
        let dates: Vec<&str> = dates.collect();
        let written = dates.first().and_then(|model| dates::format(model, &dates));
        let written = written.map_or_else(|| default.to_owned(), |format| dates::write(date, &format));
        let new = if span.is_empty() {
            // The words between the version and the date are those of the newest heading with both.
            let model = others
                .iter()
                .find(|other| other.text.date.as_ref().is_some_and(|date| date.start > other.text.version.end));
            let (between, after) = model.map_or((" (", ")"), |other| {
                let (text, masked) = (other.heading.text(), &other.text.masked);
                let date = other.text.date.clone().unwrap_or_default();
                let start = other.text.version.end;
                let open = masked[start..date.start].find(|letter| AROUND.contains(&letter)).unwrap_or(0);
                let is_plain = text[start + open..date.start].chars().all(|letter| AROUND.contains(&letter));
                let close = if text[date.end..].starts_with(')') { ")" } else { "" };
                if is_plain { (&text[start + open..date.start], close) } else { (" (", ")") }
            });
            format!("{}{between}{written}{after}{}", &text[..span.start], &text[span.end..])
        } else if dates.is_empty() && !others.is_empty() {
            // The other headings have no dates.
            let before = text[..span.start].trim_end_matches(AROUND);
            let after = text[span.end..].trim_start_matches([')', ' ']);
            format!("{before}{after}")
        } else {
            [&text[..span.start], &written, &text[span.end..]].concat()
        };
        let start = self.lines[heading.at].span.start;
        let mut edits = vec![(start + heading.span.start..start + heading.span.end, new.clone())];
        if let Some(underline) = heading.underline.filter(|line| line.len() == text.chars().count()) {
            let below = self.lines[heading.at + 1].span.start;
            edits.push((below..below + underline.len(), underline[..1].repeat(new.chars().count())));
        }
        edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dated(text: &str, version: &str) -> Option<String> {
        let date: Date = "2024-03-09".parse().unwrap();
        let document = Document::parse(text);
        assert_eq!(document.is_pending(version), document.with_date(version, &date, "2024-03-09").is_some());
        let dated = document.with_date(version, &date, "2024-03-09")?;
        assert!(!dated.is_pending(version), "{text}");
        Some(String::from_utf8(dated.into_bytes()).unwrap())
    }

    #[test]
    fn a_section_that_is_marked_gets_its_date() {
        for (text, expected) in [
            ("## 1.1.0 (Unreleased)\n\n- a\n", "## 1.1.0 (2024-03-09)\n\n- a\n"),
            (
                "## [1.1.0] - Unreleased\n\n- a\n\n## [1.0.0] - 2023-01-02\n",
                "## [1.1.0] - 2024-03-09\n\n- a\n\n## [1.0.0] - 2023-01-02\n",
            ),
            (
                "## 1.1.0 (unreleased)\n\n## 1.0.0 (March 5, 2023)\n",
                "## 1.1.0 (March 9, 2024)\n\n## 1.0.0 (March 5, 2023)\n",
            ),
            ("1.1.0 (unreleased)\n==================\n\n- a\n", "1.1.0 (2024-03-09)\n==================\n\n- a\n"),
            ("1.1.0 / Unreleased\n------------------\n\n- a\n", "1.1.0 / 2024-03-09\n------------------\n\n- a\n"),
            ("## 1.1.0 (Unreleased)\n\n- a\n\n## 1.0.0\n\n- b\n", "## 1.1.0\n\n- a\n\n## 1.0.0\n\n- b\n"),
            (
                "## 1.1.0\n\n- a\n\n## 1.0.0 (2023-01-02)\n\n## 0.9.0 (2022-01-02)\n",
                "## 1.1.0 (2024-03-09)\n\n- a\n\n## 1.0.0 (2023-01-02)\n\n## 0.9.0 (2022-01-02)\n",
            ),
            (
                "## [1.1.0]\n\n- a\n\n## [1.0.0] - 2023-01-02\n\n## [0.9.0] - 2022-01-02\n",
                "## [1.1.0] - 2024-03-09\n\n- a\n\n## [1.0.0] - 2023-01-02\n\n## [0.9.0] - 2022-01-02\n",
            ),
            (
                "Version 1.1.0\n-------------\n\nUnreleased\n\n-   a\n\nVersion 1.0.0\n-------------\n\nReleased 2023-01-02\n\n-   b\n",
                "Version 1.1.0\n-------------\n\nReleased 2024-03-09\n\n-   a\n\nVersion 1.0.0\n-------------\n\nReleased 2023-01-02\n\n-   b\n",
            ),
            (
                "Version 1.1.0\n-------------\n\nUnreleased\n\n- a\n\nVersion 1.0.0\n-------------\n\nReleased 2023-01-02 by Ida\n",
                "Version 1.1.0\n-------------\n\n2024-03-09\n\n- a\n\nVersion 1.0.0\n-------------\n\nReleased 2023-01-02 by Ida\n",
            ),
            ("1.1.0 (TBD)\n===========\n\n- a\n", "1.1.0 (2024-03-09)\n==================\n\n- a\n"),
            ("1.1.0 (TBD)\n======\n\n- a\n", "1.1.0 (2024-03-09)\n======\n\n- a\n"),
        ] {
            assert_eq!(dated(text, "1.1.0").as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_section_that_is_released_has_no_mark() {
        for text in [
            "## 1.1.0 (2024-01-31)\n\n## 1.0.0 (2023-01-02)\n\n## 0.9.0 (2022-01-02)\n",
            "## 1.1.0\n\n- a\n\n## 1.0.0\n",
            "## 1.1.0 [YANKED]\n\n- a\n\n## 1.0.0 (2023-01-02)\n\n## 0.9.0 (2022-01-02)\n",
            "## 1.1.0\n\n2024-01-31\n\n- a\n\n## 1.0.0 (2023-01-02)\n\n## 0.9.0 (2022-01-02)\n",
            "## 1.1.0\n\nUnreleased things are listed here.\n",
            "## 1.1.0\n\n- a\n\n## 1.0.0 (2023-01-02)\n",
            "## ~~1.1.0~~\n\n- a\n\n## 1.0.0 (2023-01-02)\n\n## 0.9.0 (2022-01-02)\n",
            "## 1.1.0\n\n- a\n\n## v1.1.0 (2023-01-02)\n\n## 0.9.0 (2022-01-02)\n",
        ] {
            assert_eq!(dated(text, "1.1.0"), None, "{text}");
        }
    }

    #[test]
    fn the_newest_release_is_not_marked() {
        let newest = |text: &str| Document::parse(text).newest_released().map(str::to_owned);
        assert_eq!(newest("## 1.2.0 (Unreleased)\n\n## 1.1.0\n").as_deref(), Some("1.1.0"));
        assert_eq!(
            newest(
                "Version 3.2.0\n-------------\n\nUnreleased\n\nVersion 3.1.0\n-------------\n\nReleased 2024-01-02\n"
            )
            .as_deref(),
            Some("3.1.0")
        );
        assert_eq!(newest("## 1.2.0 (Unreleased)\n"), None);
    }
}
