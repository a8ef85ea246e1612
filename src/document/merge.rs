//! The three-way merge of a text in Markdown: as it was generated, as people left it, and as it is generated now.
//!
//! The text is taken as a list of parts: headings, entries and paragraphs. People decide on the order and the wording of
//! what was there, and on what is struck out; what is new is inserted beside its neighbours. A part that people edited
//! and that is generated differently now, or not at all, is a conflict: it stays as people left it, and is reported.

use std::{collections::HashSet, sync::LazyLock};

use regex::Regex;

use super::parts::{Kind, Part, parts};

static COUNT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\s*\([0-9]+ changes?\)$").expect("the pattern of counts is valid"));

/// The result of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Merged {
    pub(crate) text: String,
    /// The parts that were edited and are generated differently now, as people left them.
    pub(crate) conflicts: Vec<String>,
}

/// Merges what people made of `base` with what is generated now.
pub(crate) fn merge(base: &str, theirs: &str, new: &str) -> Merged {
    let clean = |text: &str| Merged { text: text.to_owned(), conflicts: Vec::new() };
    let is_same = |one: &str, other: &str| one.trim().lines().eq(other.trim().lines());
    if is_same(base, theirs) || is_same(theirs, new) {
        return clean(new);
    }
    if is_same(base, new) {
        return clean(theirs);
    }
    let (base, theirs, new) = (parts(base), parts(theirs), parts(new));
    let mut merge = Merge { new: &new, theirs: &theirs, items: Vec::new(), conflicts: Vec::new() };
    merge.keep(&base);
    merge.insert_new(&base);
    merge.drop_empty_groups();
    merge.recount();
    let text = merge.render();
    Merged { text, conflicts: merge.conflicts }
}

/// Merges one line, such as a title: people decide on its words, and those that are generated differently now, such as a
/// version or a date, are replaced in what they wrote.
pub(crate) fn merge_line(base: &str, theirs: &str, new: &str, versions: [&str; 2]) -> Merged {
    let [old_version, version] = versions;
    let current =
        |text: &str| if old_version.is_empty() { text.to_owned() } else { text.replace(old_version, version) };
    let (base, theirs) = (current(base), current(theirs));
    if base == theirs || theirs == new {
        return Merged { text: new.to_owned(), conflicts: Vec::new() };
    }
    let (old_words, new_words): (Vec<&str>, Vec<&str>) =
        (base.split_whitespace().collect(), new.split_whitespace().collect());
    let is_same_form = old_words.len() == new_words.len();
    let mut changed = old_words.iter().zip(&new_words).filter(|(old, new)| old != new);
    if is_same_form && changed.clone().all(|(old, _)| theirs.contains(old)) {
        let text = changed.fold(theirs, |text, (old, new)| text.replace(old, new));
        return Merged { text, conflicts: Vec::new() };
    }
    let is_words_only = is_same_form && changed.all(|(old, _)| old.contains(|letter: char| letter.is_ascii_digit()));
    let conflicts = if is_words_only { Vec::new() } else { vec![theirs.clone()] };
    Merged { text: theirs, conflicts }
}

/// A part of the result.
#[derive(Debug)]
struct Item {
    kind: Kind,
    text: String,
    /// Its place in the text of people.
    theirs: Option<usize>,
    /// Its place in the text that is generated now.
    new: Option<usize>,
    /// Whether it is a heading that was generated once and is not now.
    is_dropped: bool,
}

struct Merge<'a> {
    theirs: &'a [Part],
    new: &'a [Part],
    items: Vec<Item>,
    conflicts: Vec<String>,
}

impl Merge<'_> {
    /// Takes the parts that people have, each as they left it or as it is generated now.
    fn keep(&mut self, base: &[Part]) {
        let (in_theirs, in_new) = (pair(base, self.theirs, true), pair(base, self.new, false));
        let mut origin = vec![None; self.theirs.len()];
        for (index, place) in in_theirs.iter().enumerate() {
            if let Some(place) = place {
                origin[*place] = Some(index);
            }
        }
        // What people wrote themselves may be what is generated now.
        let mut taken: HashSet<usize> = in_new.iter().flatten().copied().collect();
        for (place, part) in self.theirs.iter().enumerate() {
            let mut item =
                Item { kind: part.kind, text: part.text.clone(), theirs: Some(place), new: None, is_dropped: false };
            if let Some(index) = origin[place] {
                let old = &base[index];
                item.new = in_new[index];
                match in_new[index].map(|place| &self.new[place]) {
                    Some(now) => self.merge_part(&mut item, old, now),
                    None if part.kind == Kind::Heading => item.is_dropped = true,
                    None if part.text == old.text => continue,
                    None => self.conflicts.push(part.text.clone()),
                }
            } else {
                let is_it = |(place, now): &(usize, &Part)| now.is_like(part) && !taken.contains(place);
                item.new = self.new.iter().enumerate().find(is_it).map(|(place, _)| place);
                taken.extend(item.new);
            }
            self.items.push(item);
        }
    }

    fn merge_part(&mut self, item: &mut Item, old: &Part, now: &Part) {
        if old.text == now.text || item.text == now.text {
            return;
        }
        if item.kind == Kind::Heading {
            item.text = merge_headings(&old.text, &item.text, &now.text);
        } else if item.text == old.text {
            item.text.clone_from(&now.text);
        } else {
            self.conflicts.push(item.text.clone());
        }
    }

    /// Inserts what was not generated before, with the heading it needs.
    fn insert_new(&mut self, base: &[Part]) {
        let known: HashSet<usize> = pair(base, self.new, false).into_iter().flatten().collect();
        for place in 0..self.new.len() {
            let is_here = self.items.iter().any(|item| item.new == Some(place));
            if !known.contains(&place) && !is_here && self.new[place].kind != Kind::Heading {
                self.insert(place);
            }
        }
    }

    fn insert(&mut self, place: usize) {
        let heading = (0..place).rev().find(|at| self.new[*at].kind == Kind::Heading);
        let first = heading.map_or(0, |heading| heading + 1);
        let end = (place + 1..self.new.len()).find(|at| self.new[*at].kind == Kind::Heading).unwrap_or(self.new.len());
        let before = (first..place).rev().find_map(|at| self.position(at)).map(|at| at + 1);
        let at =
            before.or_else(|| (place + 1..end).find_map(|at| self.position(at))).unwrap_or_else(|| match heading {
                Some(heading) => self.position(heading).unwrap_or_else(|| self.insert_heading(heading)) + 1,
                None => self.items.iter().position(|item| item.kind == Kind::Heading).unwrap_or(self.items.len()),
            });
        self.items.insert(at, self.item(place));
    }

    /// Inserts a heading after the group that it follows, and returns its position.
    fn insert_heading(&mut self, place: usize) -> usize {
        let is_heading = |at: &usize| self.new[*at].kind == Kind::Heading;
        let after = (0..place).rev().filter(is_heading).find_map(|at| self.position(at)).map(|at| {
            let next = self.items.iter().skip(at + 1).position(|item| item.kind == Kind::Heading);
            next.map_or(self.items.len(), |next| at + 1 + next)
        });
        let at = after
            .or_else(|| (place + 1..self.new.len()).filter(is_heading).find_map(|at| self.position(at)))
            .unwrap_or(self.items.len());
        self.items.insert(at, self.item(place));
        at
    }

    fn item(&self, place: usize) -> Item {
        let Part { kind, text, .. } = &self.new[place];
        Item { kind: *kind, text: text.clone(), theirs: None, new: Some(place), is_dropped: false }
    }

    /// Returns the position of a part that is generated now.
    fn position(&self, place: usize) -> Option<usize> {
        self.items.iter().position(|item| item.new == Some(place))
    }

    /// Drops the headings that are no longer generated, unless people have something below them.
    fn drop_empty_groups(&mut self) {
        let mut has_content = false;
        let mut kept = Vec::with_capacity(self.items.len());
        for item in std::mem::take(&mut self.items).into_iter().rev() {
            let is_heading = item.kind == Kind::Heading;
            if !item.is_dropped || has_content {
                kept.push(item);
            }
            has_content = !is_heading;
        }
        kept.reverse();
        self.items = kept;
    }

    /// Writes into a heading how many entries are left below it, if the generated one says how many it has.
    fn recount(&mut self) {
        for at in 0..self.items.len() {
            let is_counted = self.items[at].new.is_some_and(|place| self.is_counted(place));
            let below = self.items[at + 1..].iter().map(|item| item.kind);
            let entries = count_entries(below);
            if is_counted && entries > 0 {
                let count = format!(" ({entries} {})", if entries == 1 { "change" } else { "changes" });
                let text = COUNT.replace(&self.items[at].text, count).into_owned();
                self.items[at].text = text;
            }
        }
    }

    /// Whether a part is a generated heading that has the number of its entries.
    fn is_counted(&self, place: usize) -> bool {
        let count = COUNT.find(&self.new[place].text).map(|count| count.as_str());
        let digits: String = count.unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
        let entries = count_entries(self.new[place + 1..].iter().map(|part| part.kind));
        digits.parse() == Ok(entries)
    }

    fn render(&self) -> String {
        let mut text = String::new();
        for (index, item) in self.items.iter().enumerate() {
            if let Some(before) = index.checked_sub(1).map(|before| &self.items[before]) {
                text.push_str(&"\n".repeat(1 + self.gap(before, item)));
            }
            text.push_str(&item.text);
        }
        text
    }

    /// Returns the number of empty lines between two parts: as people have them, else as they are usual.
    fn gap(&self, before: &Item, item: &Item) -> usize {
        if before.theirs.is_some() && item.theirs == before.theirs.map(|place| place + 1) {
            return item.theirs.map_or(0, |place| self.theirs[place].gap);
        }
        let kinds = |pair: &&[Part]| (pair[0].kind, pair[1].kind) == (before.kind, item.kind);
        let usual = self.theirs.windows(2).find(kinds).or_else(|| self.new.windows(2).find(kinds));
        let default = usize::from((before.kind, item.kind) != (Kind::Entry, Kind::Entry));
        usual.map_or(default, |pair| pair[1].gap)
    }
}

/// Returns the number of entries before the next heading.
fn count_entries(kinds: impl Iterator<Item = Kind>) -> usize {
    kinds.take_while(|kind| *kind != Kind::Heading).filter(|kind| *kind == Kind::Entry).count()
}

/// Merges the words of a heading and the number of changes at its end; a heading is not worth a conflict.
fn merge_headings(old: &str, theirs: &str, new: &str) -> String {
    fn split(heading: &str) -> (&str, &str) {
        heading.split_at(COUNT.find(heading).map_or(heading.len(), |count| count.start()))
    }
    let (old, theirs, new) = (split(old), split(theirs), split(new));
    let words = if theirs.0 == old.0 { new.0 } else { theirs.0 };
    let count = if theirs.1.is_empty() && !old.1.is_empty() { "" } else { new.1 };
    words.to_owned() + count
}

/// Finds the part of `others` that each part became: the same text, the same references, or, for what people edited,
/// similar words under the same heading.
fn pair(parts: &[Part], others: &[Part], by_words: bool) -> Vec<Option<usize>> {
    let mut found = vec![None; parts.len()];
    let mut taken = vec![false; others.len()];
    let mut take = |found: &mut Vec<Option<usize>>, is_it: &dyn Fn(&Part, &Part) -> bool| {
        for (index, part) in parts.iter().enumerate() {
            if found[index].is_none()
                && let Some(place) = (0..others.len()).find(|place| !taken[*place] && is_it(part, &others[*place]))
            {
                taken[place] = true;
                found[index] = Some(place);
            }
        }
    };
    take(&mut found, &|part, other| part.kind == other.kind && part.text == other.text);
    take(&mut found, &|part, other| part.kind == other.kind && !part.key.is_empty() && part.key == other.key);
    if by_words {
        take(&mut found, &|part, other| part.kind == other.kind && part.has_words_of(other));
    }
    found
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
