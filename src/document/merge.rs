//! The three-way merge of a text in Markdown: as it was generated, as people left it, and as it is generated now.
//!
//! The text is taken as a list of parts: headings, entries and paragraphs. People decide on the order and the wording of
//! what was there, and on what is struck out; what is new is inserted beside its neighbours. A part that people edited
//! and that is generated differently now, or not at all, is a conflict: it stays as people left it, and is reported.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::LazyLock,
};

use regex::Regex;

use super::{
    merge_items::{Item, MergeItems},
    parts::{Kind, Part, parts},
};

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
    let mut merge = Merge { new: &new, theirs: &theirs, items: MergeItems::default(), conflicts: Vec::new() };
    merge.keep(&base);
    merge.insert_new(&base);
    let mut items = merge.take_items();
    merge.recount(&mut items);
    let text = merge.render(&items);
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

struct Merge<'a> {
    theirs: &'a [Part],
    new: &'a [Part],
    items: MergeItems,
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
        let mut left = Places::new(self.new, in_new.iter().flatten().copied());
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
                item.new = left.take_like(part);
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
        let groups = groups(self.new);
        for place in 0..self.new.len() {
            let is_here = self.items.position(place).is_some();
            if !known.contains(&place) && !is_here && self.new[place].kind != Kind::Heading {
                self.insert(place, &groups[place], &groups);
            }
        }
    }

    fn insert(&mut self, place: usize, group: &Group, groups: &[Group]) {
        let item = self.item(place);
        let (first, items) = (group.heading.map_or(0, |heading| heading + 1), &mut self.items);
        if let Some(before) = (first..place).rev().find_map(|at| items.position(at)) {
            items.insert_after(before, item);
        } else if let Some(after) = (place + 1..group.end).find_map(|at| items.position(at)) {
            items.insert_before(Some(after), item);
        } else if let Some(heading) = group.heading {
            let heading = items.position(heading).unwrap_or_else(|| self.insert_heading(heading, groups));
            self.items.insert_after(heading, item);
        } else {
            items.insert_before(items.next_heading(None), item);
        }
    }

    /// Inserts a heading after the group that it follows, and returns its number.
    fn insert_heading(&mut self, place: usize, groups: &[Group]) -> usize {
        let before = |at: usize| groups[at].heading;
        let known = std::iter::successors(before(place), |at| before(*at)).find_map(|at| self.items.position(at));
        let next = if known.is_some() {
            self.items.next_heading(known)
        } else {
            let after = |at: usize| Some(groups[at].end).filter(|end| *end < groups.len());
            std::iter::successors(after(place), |at| after(*at)).find_map(|at| self.items.position(at))
        };
        self.items.insert_before(next, self.item(place))
    }

    fn item(&self, place: usize) -> Item {
        let Part { kind, text, .. } = &self.new[place];
        Item { kind: *kind, text: text.clone(), theirs: None, new: Some(place), is_dropped: false }
    }

    /// Returns the items without the headings that are no longer generated, unless people have something below them.
    fn take_items(&mut self) -> Vec<Item> {
        let mut has_content = false;
        let mut kept = Vec::new();
        for item in std::mem::take(&mut self.items).into_vec().into_iter().rev() {
            let is_heading = item.kind == Kind::Heading;
            if !item.is_dropped || has_content {
                kept.push(item);
            }
            has_content = !is_heading;
        }
        kept.reverse();
        kept
    }

    /// Writes into each heading how many entries are left below it, if the generated one says how many it has.
    fn recount(&self, items: &mut [Item]) {
        for at in 0..items.len() {
            if !items[at].new.is_some_and(|place| self.is_counted(place)) {
                continue;
            }
            let entries = count_entries(items[at + 1..].iter().map(|item| item.kind));
            if entries > 0 {
                let count = format!(" ({entries} {})", if entries == 1 { "change" } else { "changes" });
                items[at].text = COUNT.replace(&items[at].text, count).into_owned();
            }
        }
    }

    /// Whether a part is a generated heading that has the number of its entries.
    fn is_counted(&self, place: usize) -> bool {
        let part = &self.new[place];
        let Some(count) = COUNT.find(&part.text).filter(|_| part.kind == Kind::Heading) else { return false };
        let digits: String = count.as_str().chars().filter(char::is_ascii_digit).collect();
        let entries = count_entries(self.new[place + 1..].iter().map(|part| part.kind));
        digits.parse() == Ok(entries)
    }

    fn render(&self, items: &[Item]) -> String {
        let mut usual = HashMap::new();
        for pair in self.theirs.windows(2).chain(self.new.windows(2)) {
            usual.entry((pair[0].kind, pair[1].kind)).or_insert(pair[1].gap);
        }
        let mut text = String::new();
        for (index, item) in items.iter().enumerate() {
            if let Some(before) = index.checked_sub(1).map(|before| &items[before]) {
                text.push_str(&"\n".repeat(1 + self.gap(before, item, &usual)));
            }
            text.push_str(&item.text);
        }
        text
    }

    /// Returns the number of empty lines between two parts: as people have them, else as they are usual.
    fn gap(&self, before: &Item, item: &Item, usual: &HashMap<(Kind, Kind), usize>) -> usize {
        if before.theirs.is_some() && item.theirs == before.theirs.map(|place| place + 1) {
            return item.theirs.map_or(0, |place| self.theirs[place].gap);
        }
        let kinds = (before.kind, item.kind);
        usual.get(&kinds).copied().unwrap_or(usize::from(kinds != (Kind::Entry, Kind::Entry)))
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

/// The parts of a text by what they are alike in, without those that were taken.
struct Places<'p> {
    by_text: HashMap<(Kind, &'p str), VecDeque<usize>>,
    by_key: HashMap<(Kind, &'p str), VecDeque<usize>>,
    taken: HashSet<usize>,
}

impl<'p> Places<'p> {
    fn new(parts: &'p [Part], taken: impl IntoIterator<Item = usize>) -> Self {
        let (mut by_text, mut by_key) = (HashMap::<_, VecDeque<_>>::new(), HashMap::<_, VecDeque<_>>::new());
        for (place, part) in parts.iter().enumerate() {
            by_text.entry((part.kind, &*part.text)).or_default().push_back(place);
            if !part.key.is_empty() {
                by_key.entry((part.kind, &*part.key)).or_default().push_back(place);
            }
        }
        Self { by_text, by_key, taken: taken.into_iter().collect() }
    }

    /// Takes the first part with the same text.
    fn take_same(&mut self, part: &'p Part) -> Option<usize> {
        let place = first(self.by_text.get_mut(&(part.kind, &*part.text)), &self.taken);
        self.take(place)
    }

    /// Takes the first part with the same references or words of a heading.
    fn take_keyed(&mut self, part: &'p Part) -> Option<usize> {
        let place = first(self.by_key.get_mut(&(part.kind, &*part.key)), &self.taken);
        self.take(place)
    }

    /// Takes the first part that is about the same thing.
    fn take_like(&mut self, part: &'p Part) -> Option<usize> {
        let same = first(self.by_text.get_mut(&(part.kind, &*part.text)), &self.taken);
        let keyed = first(self.by_key.get_mut(&(part.kind, &*part.key)), &self.taken);
        self.take(same.into_iter().chain(keyed).min())
    }

    fn take(&mut self, place: Option<usize>) -> Option<usize> {
        self.taken.extend(place);
        place
    }
}

/// Returns the first place that is not taken.
fn first(places: Option<&mut VecDeque<usize>>, taken: &HashSet<usize>) -> Option<usize> {
    let places = places?;
    while places.front().is_some_and(|place| taken.contains(place)) {
        places.pop_front();
    }
    places.front().copied()
}

/// The most comparisons of the words of parts. If people edited more than that, they wrote another text.
const MAX_COMPARISONS: usize = 250_000;

/// Finds the part of `others` that each part became: the same text, the same references, or, for what people edited,
/// similar words under the same heading.
fn pair<'p>(parts: &'p [Part], others: &'p [Part], by_words: bool) -> Vec<Option<usize>> {
    let mut left = Places::new(others, []);
    let mut found: Vec<_> = parts.iter().map(|part| left.take_same(part)).collect();
    for (part, found) in parts.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
        *found = left.take_keyed(part);
    }
    let mut others: Vec<_> =
        others.iter().enumerate().filter(|(place, _)| by_words && !left.taken.contains(place)).collect();
    let edited: Vec<usize> = (0..parts.len()).filter(|index| found[*index].is_none()).collect();
    if edited.len() * others.len() > MAX_COMPARISONS {
        return found;
    }
    for index in edited {
        let part = &parts[index];
        let same = others.iter().position(|(_, other)| part.kind == other.kind && part.has_words_of(other));
        found[index] = same.map(|at| others.remove(at).0);
    }
    found
}

/// The heading above a part, and where the next one is.
struct Group {
    heading: Option<usize>,
    end: usize,
}

fn groups(parts: &[Part]) -> Vec<Group> {
    let mut heading = None;
    let mut groups: Vec<Group> = Vec::with_capacity(parts.len());
    for (place, part) in parts.iter().enumerate() {
        groups.push(Group { heading, end: parts.len() });
        heading = if part.kind == Kind::Heading { Some(place) } else { heading };
    }
    let mut end = parts.len();
    for (place, group) in groups.iter_mut().enumerate().rev() {
        group.end = end;
        end = if parts[place].kind == Kind::Heading { place } else { end };
    }
    groups
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
