//! The position of a new section among the existing ones.

use std::sync::LazyLock;

use regex::Regex;

use super::{
    Document,
    definitions::is_definition,
    heading_text::{heading_pattern, is_unreleased},
    outline::{HeadingRole, Outline},
};

static MARKER: LazyLock<Regex> = LazyLock::new(|| {
    heading_pattern(
        r"(?i)^<!--.*(?:release notes start|changelog follows|version list|(?:next|latest)[-_ ](?:header|release|version)|insert).*-->\s*$",
    )
});
static CLOSING_TAG: LazyLock<Regex> = LazyLock::new(|| heading_pattern(r"^</[A-Za-z]+>\s*$"));
static RULE: LazyLock<Regex> =
    LazyLock::new(|| heading_pattern(r"^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|<!--.*-->[ \t]*)$"));

pub(super) struct Placement<'d> {
    pub(super) document: &'d Document,
    pub(super) outline: &'d Outline<'d>,
    /// The index of the heading of unreleased changes.
    pub(super) unreleased: Option<usize>,
    /// The rule or comment between all sections of versions.
    pub(super) separator: Option<&'d str>,
    /// Whether sections end with their own link definitions.
    pub(super) has_own_definitions: bool,
}

impl Placement<'_> {
    /// Returns the line of the first section, in a document without a version.
    pub(super) fn first_section(&self) -> usize {
        if let Some(unreleased) = self.unreleased {
            return self.end_of(unreleased, self.outline.headings[unreleased].rank());
        }
        if let Some(marker) =
            (0..self.document.lines.len()).find(|at| self.document.line(*at).is_some_and(|line| MARKER.is_match(line)))
        {
            return marker + 1;
        }
        // Otherwise the section goes below the title and the text after it.
        let further = self.outline.headings.get(1);
        further.map_or_else(|| self.end_of_text(0), |heading| heading.lines.start)
    }

    /// Returns the line after the section of the last version.
    pub(super) fn end_of_sections(&self) -> usize {
        let headings = &self.outline.headings;
        let Some(last) = headings.iter().rposition(|heading| heading.role == HeadingRole::Version) else {
            return self.first_section();
        };
        self.end_of_section(last)
    }

    /// Returns the line after the section of a version, given by the index of its heading.
    pub(super) fn end_of_section(&self, at: usize) -> usize {
        let headings = &self.outline.headings;
        let rank = headings[at].rank();
        let next = headings[at + 1..].iter().find(|next| {
            next.role == HeadingRole::Version
                || is_unreleased(next.text())
                || !(next.level > rank || next.level == rank && self.outline.is_category(next))
        });
        next.map_or_else(|| self.end_of_text(headings[at].lines.end), |next| next.lines.start)
    }

    /// Returns the line after the section of a heading: that of the next heading that is not below it.
    pub(super) fn end_of(&self, at: usize, level: usize) -> usize {
        let headings = &self.outline.headings;
        let next = headings[at + 1..].iter().find(|next| next.level <= level);
        next.map_or_else(|| self.end_of_text(headings[at].lines.end), |next| next.lines.start)
    }

    /// Returns the line of the link definitions, comments and closing tags that end the document.
    pub(super) fn end_of_text(&self, from: usize) -> usize {
        let lines = &self.document.lines;
        let mut end = lines.len();
        for at in (from..lines.len()).rev() {
            let line = self.document.line(at).unwrap_or_default();
            let is_definition = !self.has_own_definitions && !lines[at].fenced && is_definition(line);
            let is_comment = lines[at].commented && Some(line.trim_end()) != self.separator && !MARKER.is_match(line);
            if is_definition || is_comment || CLOSING_TAG.is_match(line) {
                end = at;
            } else if !self.document.is_blank(at) {
                break;
            }
        }
        end
    }
}

/// Returns the rule or comment that is between every two versions; `None` if there is none.
pub(super) fn separator<'d>(document: &'d Document, outline: &Outline) -> Option<&'d str> {
    let mut all = outline.versions().skip(1).map(|found| {
        let at = (0..found.heading.lines.start).rev().find(|at| !document.is_blank(*at))?;
        let above = outline.headings[..outline.headings.partition_point(|other| other.lines.start <= at)].last();
        let is_heading = above.is_some_and(|other| other.lines.contains(&at));
        document.line(at).filter(|_| !is_heading)
    });
    let first = all.next()??.trim_end();
    (is_rule(first) && all.all(|line| line.is_some_and(|line| line.trim_end() == first))).then_some(first)
}

/// Whether a line is a rule, or a comment that may be between sections.
pub(super) fn is_rule(line: &str) -> bool {
    RULE.is_match(line)
}
