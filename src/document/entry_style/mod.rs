//! The style of the entries in a changelog file: its bullets, its categories, the form of an entry and the empty lines
//! between them, read from its newest sections.

mod atom;
mod form;
mod read;
mod words;
mod write;

use std::{
    collections::{BTreeSet, HashMap},
    hash::Hash,
    ops::RangeInclusive,
    sync::Arc,
};

use self::{
    form::{Form, Stop},
    read::{ScopeItem, Seen, SeenEntry, Title, indent},
    words::{Scope, Tag, has_picture, picture},
};
use super::{
    Document,
    category_levels::{USUAL, rank},
    definitions::definitions,
    outline::Outline,
};
use crate::model::is_digits;

/// The number of the newest sections with entries that are read.
const SECTIONS: usize = 5;

/// The most sections that are looked at for them.
const MOST_SECTIONS: usize = 20;

/// The most sections that are looked at for the titles of categories: a project may have many patches for each minor
/// version.
const MOST_TITLES: usize = 60;

/// The fewest entries that show a style.
const FEWEST: usize = 3;

/// How long the longest line of a file is whose entries are wrapped.
const LONGEST_LINE: RangeInclusive<usize> = 40..=120;

/// The style of the entries in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is something that a file has or not")]
pub(crate) struct EntryStyle {
    /// The sign before an entry, with the blanks around it. Of numbered entries it is that of the first.
    bullet: String,
    /// Whether the numbers of entries are counted.
    is_counted: bool,
    /// How the title of a category is written; `None` if the entries stand directly below the version.
    heading: Option<CategoryTitle>,
    /// How the category is named in each entry.
    tag: Option<Tag>,
    /// Whether an empty line is between entries.
    is_loose: bool,
    /// The titles by category, in the order of the file.
    pub(crate) titles: Vec<(String, String)>,
    scope: Scope,
    /// The item that entries are below, and the fewest of a scope that are.
    scope_item: Option<(ScopeItem, usize)>,
    form: Form,
    stop: Stop,
    /// The number of digits of a commit.
    digits: usize,
    /// The number of characters after which entries are wrapped.
    width: Option<usize>,
    /// Whether the further lines of an entry are indented.
    is_indented: bool,
    /// The level of the versions' headings.
    rank: usize,
    /// Whether an entry ends with its author in a paragraph of its own, as in Rails.
    is_signed: bool,
    /// The references and people that have link definitions in the file, such as `#12` and `@ida`.
    defined: Arc<BTreeSet<String>>,
}

/// How the title of a category is written if it is not a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LineTitle {
    pub(super) open: String,
    pub(super) close: String,
    /// The blanks before the entries below it, if it is an item.
    pub(super) indent: usize,
    /// The empty lines below it.
    pub(super) below: usize,
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
        let rank = newest.first().map_or(USUAL, |found| rank(found.heading, outline.has_fixed_categories()));
        let mut seen = Seen::default();
        let mut sections = newest.iter().take(MOST_TITLES).filter_map(|found| self.text_of(&outline, found.version()));
        for _ in sections.by_ref().take(MOST_SECTIONS).filter(|body| seen.read(body)).take(SECTIONS) {}
        let mut older = Seen::default();
        sections.for_each(|body| older.read_titles(body));
        seen.finish();
        let style = EntryStyle::of(seen, &older.categories, rank)?;
        let defined =
            definitions(self).into_iter().map(|found| found.label().to_owned()).filter(|label| is_reference(label));
        Some(EntryStyle { defined: Arc::new(defined.collect()), ..style })
    }
}

impl EntryStyle {
    fn of(seen: Seen, older: &[Vec<(String, String)>], rank: usize) -> Option<Self> {
        if seen.entries.len() < FEWEST {
            return None;
        }
        let most_have = |flags: &[bool]| flags.iter().filter(|flag| **flag).count() * 2 > flags.len();
        let bullet = most_common(&seen.bullets)?.0;
        // Items that are categories among entries of the same level, which are below none: they are not used.
        let heading = CategoryTitle::of(&seen.titles, rank)
            .filter(|title| !title.is_item() || indent(&title.open) < indent(&bullet));
        // A list of requests, say, may have another form than the entries.
        let of_known: Vec<&SeenEntry> = seen.entries.iter().filter(|entry| !entry.is_of_other).collect();
        let entries = if of_known.len() < FEWEST { seen.entries.iter().collect() } else { of_known };
        let tag = tag(&entries, heading.is_some());
        let is_tagged = heading.is_none() && tag.is_some();
        let mut titles = in_order(if is_tagged { &seen.tags } else { &seen.categories });
        if !is_tagged {
            join(&mut titles, &in_order(older));
        }
        if heading.is_none() && !is_tagged {
            titles.clear();
        }
        let is_inline = |entry: &&&SeenEntry| entry.below.is_none();
        let scopes: Vec<&Scope> = entries.iter().filter(is_inline).filter_map(|entry| entry.scope.as_ref()).collect();
        let items: Vec<&ScopeItem> = entries.iter().filter_map(|entry| entry.below.as_ref()).collect();
        let fewest = if scopes.is_empty() { 1 } else { 2 };
        let scope_item = most_common(&items).filter(|_| items.len() * 2 > entries.len());
        let digits: Vec<usize> = entries.iter().filter_map(|entry| entry.digits).collect();
        let stops: Vec<Stop> = entries.iter().map(|entry| entry.stop).collect();
        let is_wrapped = seen.wrapped.len() >= 2 * FEWEST && LONGEST_LINE.contains(&seen.longest);
        Some(Self {
            bullet,
            is_counted: seen.numbers.iter().any(|number| number.as_str() != "1"),
            titles,
            heading,
            tag,
            is_loose: most_have(&seen.loose),
            scope: most_common(&scopes).map(|(scope, _)| scope.clone()).unwrap_or_default(),
            scope_item: scope_item.map(|(item, _)| (item.clone(), fewest)),
            form: usual_form(&entries),
            stop: most_common(&stops)
                .filter(|(_, count)| count * 2 > stops.len())
                .map(|(stop, _)| stop)
                .unwrap_or_default(),
            digits: most_common(&digits).map_or(8, |(digits, _)| digits),
            width: seen.wrapped.into_iter().max().filter(|_| is_wrapped),
            is_indented: seen.indented.is_empty() || most_have(&seen.indented),
            rank,
            is_signed: seen.signed * 2 > seen.entries.len(),
            defined: Arc::default(),
        })
    }

    /// Returns how the titles of categories are written, if they are lines with a colon or items above their entries.
    pub(super) fn line_title(&self) -> Option<LineTitle> {
        let title = self.heading.as_ref()?;
        let CategoryTitle { open, close, below, .. } = title;
        let indent = indent(&self.bullet);
        let is_item = title.is_item() && !open.contains("**") && indent > 0;
        let is_line = open.is_empty() && close == ":";
        let line = || LineTitle {
            open: open.clone(),
            close: close.clone(),
            indent: if is_item { indent } else { 0 },
            below: *below,
        };
        (is_item || is_line).then(line)
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
        let all_have =
            |rule: fn(&str) -> bool| !self.titles.is_empty() && self.titles.iter().all(|(_, title)| rule(title));
        let picture =
            all_have(has_picture).then(|| picture(category, all_have(|title| title.starts_with(':')))).flatten();
        if let Some(picture) = picture.as_ref().filter(|_| is_tagged) {
            return picture.clone();
        }
        let title = if is_tagged && category == "breaking" { "Breaking" } else { title };
        let all = |case: fn(char) -> bool| {
            let mut letters =
                self.titles.iter().flat_map(|(_, title)| title.chars()).filter(|letter| letter.is_alphabetic());
            !self.titles.is_empty() && letters.all(case)
        };
        let title = match () {
            () if all(char::is_uppercase) => title.to_uppercase(),
            () if all(char::is_lowercase) => title.to_lowercase(),
            () => title.to_owned(),
        };
        let colon = if all_have(|title| title.ends_with(':')) && !is_tagged { ":" } else { "" };
        picture.map_or(String::new(), |picture| picture + " ") + &title + colon
    }
}

impl CategoryTitle {
    /// Whether it is an item above its entries, such as `* Bugfixes`.
    fn is_item(&self) -> bool {
        ["- ", "* ", "+ "].iter().any(|sign| self.open.trim_start().starts_with(sign))
    }

    /// Finds how most titles that stand for a category are written, else most of the others.
    fn of(titles: &[Title], rank: usize) -> Option<Self> {
        let known: Vec<&Title> = titles.iter().filter(|title| title.is_known).collect();
        let typical: Vec<&Title> = if known.is_empty() { titles.iter().collect() } else { known };
        let forms: Vec<_> = typical.iter().map(|title| (title.open.clone(), title.close.clone())).collect();
        // Those of the parts of a section are underlined in another way than its own, which come first.
        let is_underlined = |form: &&(String, String)| form.1.starts_with('\n');
        let first = forms.iter().find(is_underlined).filter(|_| forms.iter().all(|form| is_underlined(&form)));
        let form = first.cloned().or_else(|| Some(most_common(&forms)?.0))?;
        let same = |title: &&Title| (&title.open, &title.close) == (&form.0, &form.1);
        let all: Vec<&Title> = titles.iter().filter(same).collect();
        let titles: Vec<&Title> = typical.into_iter().filter(same).collect();
        let common = |counts: Vec<usize>, usual| most_common(&counts).map_or(usual, |(count, _)| count.min(2));
        let counted = titles.iter().filter(|title| title.has_count).count();
        let open = moved(&form.0, rank, USUAL);
        Some(Self {
            open,
            close: form.1,
            has_count: counted * 2 > titles.len(),
            below: common(all.iter().map(|title| title.blanks_below).collect(), 1),
            above: common(all.iter().filter_map(|title| title.blanks_above).collect(), 1).max(1),
        })
    }
}

/// Returns what stands before a title, moved from below a version of one level to below one of another. A section is
/// made for a version of two hashes.
fn moved(open: &str, from: usize, to: usize) -> String {
    let hashes = open.trim_end().len();
    if open.starts_with('#') { "#".repeat((hashes + to).saturating_sub(from).max(1)) + " " } else { open.to_owned() }
}

/// Whether a label is a reference to a request or a person, such as `#12` and `@ida`.
fn is_reference(label: &str) -> bool {
    label.starts_with('@') || label.strip_prefix(['#', '!']).is_some_and(is_digits)
}

/// Finds the word before entries that names their category. Below headings, only types are one.
fn tag(entries: &[&SeenEntry], has_headings: bool) -> Option<Tag> {
    let tags: Vec<Tag> = entries.iter().filter_map(|entry| entry.tag.clone()).collect();
    if tags.len() < 2 || tags.len() * 10 < entries.len() * 3 {
        return None;
    }
    let (tag, _) = most_common(&tags)?;
    let is_type = tag.close == ": " && tags.iter().any(|tag| tag.is_type);
    (is_type || !has_headings).then_some(Tag { is_type, ..tag })
}

/// Returns the most frequent form of those that have more than a title, unless few entries have one. Forms that differ in
/// the ends of lines alone count as one.
fn usual_form(entries: &[&SeenEntry]) -> Form {
    let forms: Vec<&Form> = entries.iter().map(|entry| &entry.form).filter(|form| !form.is_plain()).collect();
    let in_one_line: Vec<Form> = forms.iter().map(|form| form.in_one_line()).collect();
    let most = most_common(&in_one_line).filter(|(_, count)| count * 10 >= entries.len() * 3);
    let Some((usual, _)) = most else { return Form::default() };
    let same: Vec<&Form> =
        forms.into_iter().zip(in_one_line).filter(|(_, form)| *form == usual).map(|(form, _)| form).collect();
    most_common(&same).map(|(form, _)| form.clone()).unwrap_or_default()
}

/// Joins the orders of several sections, the richest first: what only another has goes after its neighbour there.
fn in_order(sections: &[Vec<(String, String)>]) -> Vec<(String, String)> {
    let mut sections: Vec<_> = sections.iter().collect();
    sections.sort_by_key(|section| std::cmp::Reverse(section.len()));
    let mut joined: Vec<(String, String)> = Vec::new();
    for section in sections {
        join(&mut joined, section);
    }
    joined
}

/// Adds what only a section has, after its neighbour there.
fn join(joined: &mut Vec<(String, String)>, section: &[(String, String)]) {
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
