//! The style of the entries in a changelog file: its bullets, its categories, the form of an entry and the empty lines
//! between them, read from its newest sections.

mod form;
mod read;
mod words;
mod write;

use std::{collections::HashMap, hash::Hash, ops::RangeInclusive};

use self::{
    form::Form,
    read::{Seen, SeenEntry, Title},
    words::{Scope, Tag},
};
use super::{Document, outline::Outline};

/// The number of the newest sections with entries that are read.
const SECTIONS: usize = 5;

/// The most sections that are looked at for them.
const MOST_SECTIONS: usize = 20;

/// The fewest entries that show a style.
const FEWEST: usize = 3;

/// How long the longest line of a file is whose entries are wrapped.
const LONGEST_LINE: RangeInclusive<usize> = 40..=120;

/// The style of the entries in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EntryStyle {
    /// The sign before an entry, with the blanks around it.
    bullet: String,
    /// How the title of a category is written; `None` if the entries stand directly below the version.
    heading: Option<CategoryTitle>,
    /// How the category is named in each entry.
    tag: Option<Tag>,
    /// Whether an empty line is between entries.
    is_loose: bool,
    /// The titles by category, in the order of the file.
    pub(crate) titles: Vec<(String, String)>,
    scope: Scope,
    form: Form,
    /// The number of digits of a commit.
    digits: usize,
    /// The number of characters after which entries are wrapped.
    width: Option<usize>,
    /// The level of the versions' headings.
    rank: usize,
}

/// How the title of a category is written.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CategoryTitle {
    /// Hashes and a blank, as below a heading of two hashes, or the signs before and after a line without hashes.
    open: String,
    close: String,
    has_count: bool,
    /// The empty lines below and above it.
    below: usize,
    above: usize,
}

impl Document {
    /// Returns the style of the entries in the newest sections; `None` if there are too few to show one.
    pub(crate) fn entry_style(&self) -> Option<EntryStyle> {
        let outline = Outline::read(self, None);
        let newest = outline.newest_first();
        let rank = newest.first().map_or(2, |found| found.heading.rank());
        let mut seen = Seen::default();
        let sections = newest.iter().take(MOST_SECTIONS).filter_map(|found| self.text_of(&outline, found.version()));
        for _ in sections.filter(|body| seen.read(body)).take(SECTIONS) {}
        EntryStyle::of(seen, rank)
    }
}

impl EntryStyle {
    fn of(seen: Seen, rank: usize) -> Option<Self> {
        if seen.entries.len() < FEWEST {
            return None;
        }
        let most_have = |flags: &[bool]| flags.iter().filter(|flag| **flag).count() * 2 > flags.len();
        let heading = CategoryTitle::of(&seen.titles, rank);
        let tag = tag(&seen.entries, heading.is_some());
        let words = if heading.is_none() && tag.is_some() { &seen.tags } else { &seen.categories };
        let scopes: Vec<&Scope> = seen.entries.iter().filter_map(|entry| entry.scope.as_ref()).collect();
        let digits: Vec<usize> = seen.entries.iter().filter_map(|entry| entry.digits).collect();
        let is_wrapped = seen.wrapped.len() >= 2 * FEWEST && LONGEST_LINE.contains(&seen.longest);
        Some(Self {
            bullet: most_common(&seen.bullets)?.0,
            titles: in_order(words),
            heading,
            tag,
            is_loose: most_have(&seen.loose),
            scope: most_common(&scopes).map(|(scope, _)| scope.clone()).unwrap_or_default(),
            form: usual_form(&seen.entries),
            digits: most_common(&digits).map_or(8, |(digits, _)| digits),
            width: seen.wrapped.into_iter().max().filter(|_| is_wrapped),
            rank,
        })
    }

    /// Returns the style for entries that are grouped by something else than their categories: with headings.
    pub(crate) fn with_headings(&self) -> Self {
        let usual =
            || CategoryTitle { open: "### ".to_owned(), close: String::new(), has_count: false, below: 1, above: 1 };
        let heading = Some(self.heading.clone().unwrap_or_else(usual));
        let tag = self.tag.clone().filter(|_| self.heading.is_some());
        Self { heading, tag, ..self.clone() }
    }

    /// Returns a usual title of a category as this file would write it.
    pub(crate) fn worded(&self, category: &str, title: &str) -> String {
        const OF_CHANGESETS: [&str; 3] = ["Major Changes", "Minor Changes", "Patch Changes"];
        if self.titles.iter().any(|(_, title)| OF_CHANGESETS.contains(&title.as_str())) {
            return OF_CHANGESETS[["breaking", "added"].iter().position(|name| *name == category).unwrap_or(2)]
                .to_owned();
        }
        if self.tag.as_ref().is_some_and(|tag| tag.is_type) && self.heading.is_none() {
            let types = [
                ("added", "feat"),
                ("fixed", "fix"),
                ("security", "fix"),
                ("performance", "perf"),
                ("breaking", "feat!"),
                ("other", "chore"),
            ];
            return types.iter().find(|(name, _)| *name == category).map_or("refactor", |(_, kind)| kind).to_owned();
        }
        let is_tagged = self.heading.is_none() && self.tag.is_some();
        let title = if is_tagged && category == "breaking" { "Breaking" } else { title };
        let all = |case: fn(char) -> bool| {
            let mut letters =
                self.titles.iter().flat_map(|(_, title)| title.chars()).filter(|letter| letter.is_alphabetic());
            !self.titles.is_empty() && letters.all(case)
        };
        match () {
            () if all(char::is_uppercase) => title.to_uppercase(),
            () if all(char::is_lowercase) => title.to_lowercase(),
            () => title.to_owned(),
        }
    }
}

impl CategoryTitle {
    /// Finds how most titles that stand for a category are written, else most of the others.
    fn of(titles: &[Title], rank: usize) -> Option<Self> {
        let known: Vec<&Title> = titles.iter().filter(|title| title.is_known).collect();
        let typical: Vec<&Title> = if known.is_empty() { titles.iter().collect() } else { known };
        let forms: Vec<_> = typical.iter().map(|title| (title.open.clone(), title.close.clone())).collect();
        let (form, _) = most_common(&forms)?;
        let titles: Vec<&Title> =
            typical.into_iter().filter(|title| (&title.open, &title.close) == (&form.0, &form.1)).collect();
        let common = |counts: Vec<usize>, usual| most_common(&counts).map_or(usual, |(count, _)| count.min(2));
        let counted = titles.iter().filter(|title| title.has_count).count();
        let open = moved(&form.0, rank, 2);
        Some(Self {
            open,
            close: form.1,
            has_count: counted * 2 > titles.len(),
            below: common(titles.iter().map(|title| title.blanks_below).collect(), 1),
            above: common(titles.iter().filter_map(|title| title.blanks_above).collect(), 1).max(1),
        })
    }
}

/// Returns what stands before a title, moved from below a version of one level to below one of another. A section is
/// made for a version of two hashes.
fn moved(open: &str, from: usize, to: usize) -> String {
    let hashes = open.trim_end().len();
    if open.starts_with('#') { "#".repeat((hashes + to).saturating_sub(from).max(1)) + " " } else { open.to_owned() }
}

/// Finds the word before entries that names their category. Below headings, only types are one.
fn tag(entries: &[SeenEntry], has_headings: bool) -> Option<Tag> {
    let tags: Vec<Tag> = entries.iter().filter_map(|entry| entry.tag.clone()).collect();
    let is_shown = |count: usize| count >= 2 && count * 10 >= entries.len() * 3;
    let (tag, _) = most_common(&tags).filter(|_| is_shown(tags.len()))?;
    let is_type = tag.close == ": " && tags.iter().any(|tag| tag.is_type);
    (is_type || !has_headings).then_some(Tag { is_type, ..tag })
}

/// Returns the most frequent form of those that have more than a title, unless few entries have one.
fn usual_form(entries: &[SeenEntry]) -> Form {
    let forms: Vec<&Form> = entries.iter().map(|entry| &entry.form).filter(|form| !form.is_plain()).collect();
    let is_shown = |count: usize| count * 10 >= entries.len() * 3;
    most_common(&forms).filter(|(_, count)| is_shown(*count)).map(|(form, _)| form.clone()).unwrap_or_default()
}

/// Joins the orders of several sections, the richest first: what only another has goes after its neighbour there.
fn in_order(sections: &[Vec<(String, String)>]) -> Vec<(String, String)> {
    let mut sections: Vec<_> = sections.iter().collect();
    sections.sort_by_key(|section| std::cmp::Reverse(section.len()));
    let mut joined: Vec<(String, String)> = Vec::new();
    for section in sections {
        let is_known = |(category, _): &(String, String)| joined.iter().any(|(known, _)| known == category);
        let mut place = if section.iter().any(is_known) { 0 } else { joined.len() };
        for (category, title) in section {
            let known = joined.iter().position(|(known, _)| known == category);
            if known.is_none() {
                joined.insert(place, (category.clone(), title.clone()));
            }
            place = known.unwrap_or(place) + 1;
        }
    }
    joined
}

/// Returns the most frequent value and how often it occurs; of equally frequent ones the first.
fn most_common<T: Clone + Eq + Hash>(values: &[T]) -> Option<(T, usize)> {
    let mut counts: HashMap<&T, usize> = HashMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    values.iter().find(|value| counts[value] == most).map(|value| (value.clone(), most))
}

#[cfg(test)]
mod tests;
