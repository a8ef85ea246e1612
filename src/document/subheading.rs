//! The line below the headings of versions: their date, as `_2024-03-09_`, or a link to a comparison.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use super::{
    Document, dates,
    heading_text::heading_pattern,
    links::{Comparison, LinkChange},
    outline::VersionHeading,
};
use crate::model::Date;

static BEFORE_DATE: LazyLock<Regex> =
    LazyLock::new(|| heading_pattern(r"(?i)^[\W_]*(?:(?:release(?:d| date)?|date)[: ]+(?:on )?)?$"));
static LINK: LazyLock<Regex> = LazyLock::new(|| {
    heading_pattern(
        r"^[*_]*(?:\[[^\]]*\]\((?P<linked>[^()\s]+)\)|[A-Za-z ]+[*_]*:[*_]* *(?P<bare>https?://[^\s*_]+))[*_]*\.?$",
    )
});

/// The line below a heading.
pub(super) struct Subheading<'d> {
    line: &'d str,
    content: Content<'d>,
    /// The empty lines above and below it.
    pub(super) above: usize,
    pub(super) below: usize,
}

enum Content<'d> {
    /// A date, and all dates of such lines.
    Date(Range<usize>, Vec<&'d str>),
    Comparison(&'d str),
}

/// Finds the date of a line that is only a date.
pub(super) fn date(line: &str) -> Option<Range<usize>> {
    // A word may begin with the sign of emphasis.
    let marks = line.len() - line.trim_start_matches(['_', '*', '`', ' ']).len();
    let inner = line[marks..].trim_end_matches('_');
    let date = dates::find(inner).next()?;
    let date = marks + date.start..marks + date.end;
    let is_date = BEFORE_DATE.is_match(&line[..date.start]) && !line[date.end..].contains(char::is_alphanumeric);
    is_date.then_some(date)
}

/// Finds the address of a line that is only a link to a comparison.
fn comparison(line: &str) -> Option<&str> {
    let found = LINK.captures(line)?;
    let address = found.name("linked").or_else(|| found.name("bare"))?.as_str();
    Comparison::parse(address).map(|_| address)
}

impl Document {
    /// Returns the first line with text below a heading, if it is a paragraph of its own.
    pub(super) fn first_line(&self, found: &VersionHeading) -> Option<usize> {
        let mut lines = (found.heading.lines.end..self.lines.len()).skip_while(|at| self.is_blank(*at));
        lines.next().filter(|at| self.ends_paragraph(*at))
    }

    /// Returns the line below the newest of these headings that has one, with its heading, if most of them have one.
    pub(super) fn subheading<'d, 'f, 'o: 'f>(
        &'d self,
        headings: impl Iterator<Item = &'f VersionHeading<'o, 'd>>,
    ) -> Option<(VersionHeading<'o, 'd>, Subheading<'d>)>
    where
        'd: 'o,
    {
        let (mut found, mut count, mut dates) = (None, 0, Vec::new());
        let mut with_line = 0;
        for heading in headings {
            count += 1;
            let Some((at, line)) = self.first_line(heading).and_then(|at| Some((at, self.text(at)?.trim_end()))) else {
                continue;
            };
            let content = match (date(line), comparison(line)) {
                (Some(date), _) => {
                    dates.push(&line[date.clone()]);
                    Content::Date(date, Vec::new())
                }
                (None, Some(address)) => Content::Comparison(address),
                (None, None) => continue,
            };
            with_line += 1;
            if found.is_none() {
                let above = at - heading.heading.lines.end;
                let below = (at + 1..self.lines.len()).take(2).take_while(|at| self.is_blank(*at)).count();
                found = Some((*heading, Subheading { line, content, above, below }));
            }
        }
        let (heading, mut subheading) = found.filter(|_| with_line * 2 > count)?;
        if let Content::Date(_, all) = &mut subheading.content {
            *all = dates;
        }
        Some((heading, subheading))
    }
}

impl Subheading<'_> {
    /// Returns the line for another version; `None` if the dates do not show which number is the day, or if there is
    /// nothing to compare with.
    pub(super) fn render(&self, date: &Date, change: &LinkChange) -> Option<String> {
        let line = self.line;
        match &self.content {
            Content::Date(span, all) => {
                let text = dates::write(date, &dates::format(&line[span.clone()], all)?);
                Some([&line[..span.start], &text, &line[span.end..]].concat())
            }
            Content::Comparison(address) => {
                let new = change.apply(address)?;
                let (old_ends, new_ends) = (Comparison::parse(address)?, Comparison::parse(&new)?);
                let (words, rest) = line.split_once(address)?;
                // The words of a link may name both versions.
                let words = words.replace(old_ends.to, "\u{0}").replace(old_ends.from, new_ends.from);
                Some([&words.replace('\u{0}', new_ends.to), &new, rest].concat())
            }
        }
    }
}
