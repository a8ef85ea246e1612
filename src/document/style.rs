//! The style of a document: the heading of a new version in the form of the others.

use std::{
    collections::{BTreeMap, HashMap},
    sync::LazyLock,
};

use regex::Regex;

use super::{
    dates,
    heading_text::{HIDDEN, Words, heading_pattern, is_status},
    links::{Comparison, LinkChange},
    outline::{LINE_LEVEL, NEWEST, Outline, VersionHeading},
    version_key::VersionKey,
};
use crate::model::Date;

static RELEASED: LazyLock<Regex> =
    LazyLock::new(|| heading_pattern(r"(?i)^\W*(?:released|from|on|of|dated)(?:\W+on)?\W*$"));
static HEADING_PICTURE: LazyLock<Regex> =
    LazyLock::new(|| heading_pattern(r"^(?:!\[[^\]]*\]\([^)]*\)|:[\w+-]+:|[^\x00-\x7f\p{L}\p{N}\s]+)\s*"));

/// The most dates that show which number is the day. A file may have thousands, and each of its headings is compared.
const MOST_DATES: usize = 200;

/// The headings of a document that a new one may be like, by version and by words.
#[derive(Debug)]
pub(super) struct Styles<'o> {
    /// The newest headings, whatever their style.
    newest: Vec<VersionHeading<'o, 'o>>,
    /// The words of the headings with a style, by version.
    words: BTreeMap<&'o VersionKey, &'o Words>,
    oldest: Option<&'o Words>,
    /// The newest headings with the same words.
    alike: HashMap<&'o Words, Vec<VersionHeading<'o, 'o>>>,
    /// Dates of headings, in the order of the document.
    dates: Vec<&'o str>,
}

impl<'o> Styles<'o> {
    pub(super) fn new(outline: &'o Outline) -> Self {
        let all = outline.newest_first();
        let mut words = BTreeMap::new();
        let mut alike = HashMap::<_, Vec<_>>::new();
        let has_style = |found: &&VersionHeading| found.text.has_style();
        for found in all.iter().filter(has_style) {
            words.insert(&found.text.key, &found.text.words);
            let alike = alike.entry(&found.text.words).or_default();
            if alike.len() < NEWEST {
                alike.push(*found);
            }
        }
        let oldest = all.iter().rfind(has_style).map(|found| &found.text.words);
        let dates = outline.versions().filter_map(|found| Some(&found.heading.text()[found.text.date.clone()?]));
        let dates = dates.take(MOST_DATES).collect();
        Self { newest: all.into_iter().take(NEWEST).collect(), words, oldest, alike, dates }
    }

    /// Finds the model for a version; `None` if no heading has a style to follow.
    pub(super) fn choose(&self, key: &VersionKey) -> Option<Style<'o>> {
        // Of two names, that of the next lower version is used: otherwise the names would look like those of packages.
        let words = self.words.range::<&VersionKey, _>(..key).next_back().map(|(_, words)| *words).or(self.oldest)?;
        let window = self.alike.get(words)?.clone();
        let mut style = Style { model: *window.first()?, window, is_own: false };
        if let Some(model) = style.heading_of_kind(key) {
            style.model = model;
        } else if let [first, second, third, ..] = style.window[..] {
            let [first, second, third] = [first, second, third].map(|found| (found, style.form(found)));
            if second.1 == third.1 && first.1 != second.1 {
                style.model = second.0;
            }
        }
        Some(style)
    }

    /// Returns the style of an existing heading.
    pub(super) fn of_heading(&self, model: VersionHeading<'o, 'o>) -> Style<'o> {
        Style { model, window: self.newest.clone(), is_own: true }
    }

    pub(super) fn dates(&self) -> &[&'o str] {
        &self.dates
    }
}

/// The heading that a new one is like, and the headings that it is compared with.
#[derive(Debug)]
pub(super) struct Style<'o> {
    pub(super) model: VersionHeading<'o, 'o>,
    window: Vec<VersionHeading<'o, 'o>>,
    /// Whether the model is the heading of the version itself, so that a date without a recognizable form may stay.
    is_own: bool,
}

impl<'o> Style<'o> {
    /// Returns the newest headings that are alike.
    pub(super) fn newest(&self) -> impl Iterator<Item = &VersionHeading<'o, 'o>> {
        self.window.iter()
    }

    /// Returns the newest heading of a patch if `key` is one, else of another version; `None` if these do not differ
    /// clearly.
    fn heading_of_kind(&self, key: &VersionKey) -> Option<VersionHeading<'o, 'o>> {
        let is_patch = |found: &&VersionHeading| found.key().is_patch();
        let has_both = |count: &usize| {
            let newest = &self.window[..*count];
            newest.iter().any(|found| is_patch(&found)) && !newest.iter().all(|found| is_patch(&found))
        };
        let count = (3..=self.window.len()).find(has_both).unwrap_or(self.window.len());
        let form = |found: &VersionHeading| (found.heading.level, found.heading.text().starts_with("<small>"));
        let (patches, others): (Vec<_>, Vec<_>) =
            self.window[..count].iter().copied().partition(|found| found.key().is_patch());
        let one_form =
            |found: &[VersionHeading]| found.iter().all(|next| form(next) == form(&found[0])).then(|| form(&found[0]));
        if patches.is_empty() || others.is_empty() || one_form(&patches)? == one_form(&others)? {
            return None;
        }
        if key.is_patch() { patches.first().copied() } else { others.first().copied() }
    }

    /// Renders a heading with placeholders, so that headings of one form yield the same text.
    fn form(&self, found: VersionHeading) -> String {
        let kind =
            |address: &str| Some(if Comparison::parse(address).is_some() { "compare" } else { "link" }.to_owned());
        let style = Style { model: found, window: self.window.clone(), is_own: false };
        let change = LinkChange { model: found.key(), version: "V", base_tag: None, lower: None };
        let underline = found.heading.underline.map(|line| &line[..1]).unwrap_or_default();
        style.line("V", Some("D"), &kind, &change) + underline
    }

    /// Renders the lines of the new heading; `Err` with the date of the model if nothing shows which number is the day.
    pub(super) fn render(
        &self,
        dates: &[&str],
        date: &Date,
        change: &LinkChange,
        anchors: &[&str],
    ) -> Result<Vec<String>, &'o str> {
        let heading = self.model.heading;
        let date = self.model.text.date.clone().map(|span| {
            let text = &heading.text()[span];
            dates::format(text, dates)
                .map(|format| dates::write(date, &format))
                .or_else(|| self.is_own.then(|| text.to_owned()))
                .ok_or(text)
        });
        let line = self.line(change.version, date.transpose()?.as_deref(), &|address| change.apply(address), change);
        let mut lines: Vec<String> = anchors.iter().map(|anchor| change.exchange(anchor)).collect();
        let underline = heading.underline.map(|underline| {
            let is_as_long = underline.len() == heading.text().chars().count();
            if is_as_long { underline[..1].repeat(line.chars().count()) } else { underline.to_owned() }
        });
        lines.push(line);
        lines.extend(underline);
        Ok(lines)
    }

    /// Renders the line of the heading with another version, date and link.
    fn line(
        &self,
        version: &str,
        date: Option<&str>,
        address: &dyn Fn(&str) -> Option<String>,
        change: &LinkChange,
    ) -> String {
        let (heading, found) = (self.model.heading, self.model.text);
        let copy = |from: usize, to: usize| copy(&heading.text()[from..to], &found.masked[from..to], address, change);
        let (start, end) = (found.version.start, found.version.end);
        let span = found.date.clone().zip(date);
        let mut text = match &span {
            Some((span, date)) if span.end <= start => copy(0, span.start) + date + &copy(span.end, start),
            _ => copy(self.picture(), start),
        };
        text += version;
        match &span {
            Some((span, date)) if span.start >= end => {
                let (kept, from) = self.name_bounds(end, span.start);
                text += &(copy(end, kept) + &copy(from, span.start) + date + &self.tail(span.end, &copy));
            }
            _ => text += &self.tail(end, &copy),
        }
        format!("{}{}{}", &heading.line[..heading.span.start], text.trim_end(), &heading.line[heading.span.end..])
    }

    /// Returns the length of the picture that the heading begins with, or 0 if all headings have the same.
    fn picture(&self) -> usize {
        let head = |found: &VersionHeading<'o, 'o>| &found.heading.text()[..found.text.version.start];
        let own = head(&self.model);
        let is_same = self.window.iter().all(|other| head(other) == own);
        HEADING_PICTURE.find(own).filter(|_| !is_same).map_or(0, |picture| picture.end())
    }

    /// Returns two offsets between version and date: bytes up to the first and from the second are kept, a name is not.
    fn name_bounds(&self, end: usize, date: usize) -> (usize, usize) {
        let masked = &self.model.text.masked[end..date];
        let start = masked.len() - strip_closing_marks(masked).len();
        let rest = &masked[start..];
        let same = |other: &VersionHeading| {
            other.text.date.as_ref().and_then(|date| other.text.masked.get(other.text.version.end..date.start))
                == Some(masked)
        };
        if self.is_constant(rest, &same) || RELEASED.is_match(rest) {
            return (date, date);
        }
        let name_end =
            rest.rfind(char::is_alphanumeric).map_or(0, |at| at + rest[at..].chars().next().map_or(0, char::len_utf8));
        let after =
            rest[name_end..].trim_start_matches(['"', '”', '’', '\'', '»', ')', ']', '*', '_', '>', '`', HIDDEN]);
        (end + start, date - after.len())
    }

    /// Renders the text after the version and its date: closing marks, words that all headings have, and anchors.
    fn tail(&self, from: usize, copy: &dyn Fn(usize, usize) -> String) -> String {
        let masked = &self.model.text.masked;
        let kept = masked.len() - strip_closing_marks(&masked[from..]).len();
        let rest = &masked[kept..];
        let same = |other: &VersionHeading| {
            let end = other.text.date.as_ref().map_or(0, |date| date.end).max(other.text.version.end);
            other.text.masked[end..] == masked[from..]
        };
        if self.is_constant(rest, &same) {
            return copy(from, masked.len());
        }
        let mut text = copy(from, kept);
        let mut depth = 0;
        let mut hidden = None;
        for (at, letter) in rest.char_indices().map(|(at, letter)| (at + kept, letter)).chain([(masked.len(), ' ')]) {
            match (letter, hidden) {
                (HIDDEN, None) => hidden = Some(at),
                (HIDDEN, Some(_)) => {}
                (_, Some(start)) => {
                    let tag = copy(start, at);
                    text += if tag.starts_with("<a ") { " " } else { "" };
                    text += &tag;
                    hidden = None;
                }
                _ => {}
            }
            // A bracket that was opened before the dropped text is closed.
            match letter {
                '(' | '[' => depth += 1,
                ')' | ']' if depth == 0 => text.push(letter),
                ')' | ']' => depth -= 1,
                _ => {}
            }
        }
        text
    }

    /// Whether a text belongs to the form: it has no words, or all headings have it and it is not a status.
    fn is_constant(&self, text: &str, same: &dyn Fn(&VersionHeading) -> bool) -> bool {
        let has_words = text.contains(char::is_alphanumeric);
        !has_words || self.window.len() > 1 && !is_status(text) && self.window.iter().all(same)
    }
}

/// Returns the text after the closing marks that follow a version or date.
fn strip_closing_marks(masked: &str) -> &str {
    masked.trim_start_matches([']', ')', '}', '*', '_', '~', '`', HIDDEN])
}

/// Copies a part of a heading, with the addresses and tags of the new version.
fn copy(text: &str, masked: &str, address: &dyn Fn(&str) -> Option<String>, change: &LinkChange) -> String {
    let mut copied = String::new();
    let mut at = 0;
    while at < text.len() {
        let is_hidden = masked[at..].starts_with(HIDDEN);
        let end = masked[at..].find(|letter| (letter == HIDDEN) != is_hidden).map_or(text.len(), |end| at + end);
        let run = &text[at..end];
        match run.strip_prefix('(').and_then(|run| Some((run.find(')')?, run))) {
            Some((close, inner)) if is_hidden => {
                copied += &address(&inner[..close]).map(|address| format!("({address})")).unwrap_or_default();
                copied += &change.exchange(&inner[close + 1..]);
            }
            _ if is_hidden => copied += &change.exchange(run),
            _ => copied += run,
        }
        at = end;
    }
    copied
}

/// Returns the level of a first heading, and whether it has brackets as in Keep a Changelog or like `[Unreleased]`.
pub(super) fn first_heading(outline: &Outline, text: &[u8], unreleased: Option<usize>) -> (usize, bool) {
    let unreleased = unreleased.map(|at| &outline.headings[at]);
    let level = unreleased.map_or(2, |heading| heading.level);
    let names_it = text.windows(17).any(|part| part.eq_ignore_ascii_case(b"keepachangelog.co"));
    let brackets = unreleased.is_some_and(|heading| heading.text().starts_with('['));
    (if level == LINE_LEVEL { 2 } else { level }, names_it || brackets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_tags_that_are_not_seen_are_those_of_the_new_version() {
        let model = VersionKey::parse("1.1.0").unwrap();
        let change = LinkChange { model: &model, version: "1.2.0", base_tag: None, lower: None };
        let h = |length: usize| HIDDEN.to_string().repeat(length);
        let address = |address: &str| (!address.is_empty()).then(|| format!("<{address}>"));
        for (text, masked, expected) in [
            ("", String::new(), ""),
            (" of 1.1.0", " of 1.1.0".to_owned(), " of 1.1.0"),
            ("](x/1.1.0) - ", "]".to_owned() + &h(9) + " - ", "](<x/1.1.0>) - "),
            ("]() - ", "]".to_owned() + &h(2) + " - ", "] - "),
            ("](x)<a id=\"1.1.0\">", "]".to_owned() + &h(17), "](<x>)<a id=\"1.2.0\">"),
            ("<b>1.1.0</b> (1.1.0)", h(3) + "1.1.0" + &h(4) + " (1.1.0)", "<b>1.1.0</b> (1.1.0)"),
            ("<a id=\"1.1.0\"></a>", h(18), "<a id=\"1.2.0\"></a>"),
        ] {
            assert_eq!(text.len(), masked.len(), "{text}");
            assert_eq!(copy(text, &masked, &address, &change), expected, "{text}");
        }
    }
}
