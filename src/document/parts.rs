//! The parts of a text in Markdown: headings, entries of lists with all that is indented below them, and paragraphs.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
    sync::LazyLock,
};

use regex::Regex;

static HEADING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:#{1,6}\s|\*\*[^*]+\*\*\s*$)"));
static ENTRY: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:[-*+]|[0-9]+[.)])\s"));
static FENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(?:[-*+]\s+)?(?:```|~~~)"));
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[0-9a-f]{7,64}\b|[#!][0-9]+"));
static COUNT: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s*\([0-9]+ changes?\)$"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of parts are valid")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Heading,
    Entry,
    Paragraph,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) kind: Kind,
    /// Its lines, without empty ones around them.
    pub(super) text: String,
    /// The number of empty lines above it.
    pub(super) gap: usize,
    /// What stays the same if its words change: the commits and requests of an entry, the words of a heading without
    /// their number of changes. Empty if there is nothing of that kind.
    pub(super) key: String,
    /// Where it is in the text.
    span: Range<usize>,
}

impl Part {
    fn new(kind: Kind, text: String, gap: usize, span: Range<usize>) -> Self {
        let key = match kind {
            Kind::Heading => COUNT.replace(text.trim_start_matches('#').trim(), "").to_lowercase(),
            Kind::Entry => {
                let found: BTreeSet<&str> = REFERENCE.find_iter(&text).map(|found| found.as_str()).collect();
                found.into_iter().collect::<Vec<_>>().join(" ")
            }
            Kind::Paragraph => String::new(),
        };
        Self { kind, text, gap, key, span }
    }

    fn from_lines((kind, lines, gap, span): (Kind, Vec<&str>, usize, Range<usize>)) -> Self {
        Self::new(kind, lines.join("\n"), gap, span)
    }

    /// The request of an entry: the last one that it names, since its title may name issues.
    fn request(&self) -> Option<&str> {
        let named = REFERENCE.find_iter(&self.text).map(|found| found.as_str());
        named.filter(|reference| reference.starts_with(['#', '!'])).last().filter(|_| self.kind == Kind::Entry)
    }

    /// Whether more than half of the words of the longer one are in the other, too.
    pub(super) fn has_words_of(&self, other: &Self) -> bool {
        let words =
            |part: &Self| part.text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase).collect();
        let (own, theirs): (BTreeSet<String>, BTreeSet<String>) = (words(self), words(other));
        own.intersection(&theirs).count() * 2 > own.len().max(theirs.len())
    }
}

/// Finds the entries of a text, which stands below a title, in a body. Those with other words below the same title there
/// replace them; without a title, those in the whole body. Returns the body, and the rest of the text.
pub(super) fn replace_entries(body: &str, title: &str, text: &str) -> (String, String) {
    let title = parts(title).into_iter().next().map(|title| title.key);
    let mut above = None;
    let mut known = parts(body);
    known.retain(|part| {
        if part.kind == Kind::Heading {
            above = Some(part.key.clone());
        }
        part.kind == Kind::Entry && (title.is_none() || above == title)
    });
    let mut entries = parts(text);
    let (count, mut left) = (entries.len(), EntryIndex::new(&known));
    entries.retain(|entry| {
        let same = left.same(entry);
        same.map(|index| left.remove(index)).is_none()
    });
    let mut replaced: Vec<(usize, String)> = Vec::new();
    entries.retain(|entry| {
        let Some(index) = left.like(entry).or_else(|| left.about(entry)) else { return true };
        left.remove(index);
        replaced.push((index, entry.text.clone()));
        false
    });
    replaced.sort_unstable_by_key(|(index, _)| *index);
    let (mut changed, mut end) = (String::with_capacity(body.len()), 0);
    for (index, text) in replaced {
        let span = &known[index].span;
        changed += &body[end..span.start];
        changed += &text;
        end = span.end;
    }
    changed += &body[end..];
    let rest = if entries.len() == count { text.to_owned() } else { joined(&entries) };
    (changed, rest)
}

/// Removes from a body the entries that a text has too, under whatever title, and the headings that have no entry then.
pub(super) fn without_entries_of(body: &str, text: &str) -> String {
    let known = parts(body);
    let (mut left, mut is_removed) = (EntryIndex::new(&known), vec![false; known.len()]);
    for entry in parts(text) {
        // Of several changes of one request it is not known which one is meant.
        let Some(index) = left.same(&entry).or_else(|| left.only(&entry)) else { continue };
        left.remove(index);
        is_removed[index] = true;
    }
    if !is_removed.contains(&true) {
        return body.to_owned();
    }
    let mut kept: Vec<Part> = Vec::with_capacity(known.len());
    let (mut gap, mut has_lost) = (0, false);
    let drop_empty = |kept: &mut Vec<Part>, has_lost: bool| {
        let is_empty = has_lost && kept.last().is_some_and(|above| above.kind == Kind::Heading);
        if is_empty {
            kept.pop();
        }
    };
    for (mut part, is_removed) in known.into_iter().zip(is_removed) {
        if is_removed {
            (gap, has_lost) = (gap.max(part.gap), true);
            continue;
        }
        if part.kind == Kind::Heading {
            drop_empty(&mut kept, has_lost);
        }
        part.gap = part.gap.max(gap);
        kept.push(part);
        (gap, has_lost) = (0, false);
    }
    drop_empty(&mut kept, has_lost);
    joined(&kept)
}

/// The entries among some parts, found by their text, their key and the request that they are about.
struct EntryIndex<'p> {
    parts: &'p [Part],
    by_text: HashMap<&'p str, BTreeSet<usize>>,
    by_key: HashMap<&'p str, BTreeSet<usize>>,
    by_request: HashMap<&'p str, BTreeSet<usize>>,
}

impl<'p> EntryIndex<'p> {
    fn new(parts: &'p [Part]) -> Self {
        let mut index = Self { parts, by_text: HashMap::new(), by_key: HashMap::new(), by_request: HashMap::new() };
        for (at, part) in parts.iter().enumerate().filter(|(_, part)| part.kind == Kind::Entry) {
            index.by_text.entry(&part.text).or_default().insert(at);
            index.by_key.entry(&part.key).or_default().insert(at);
            if let Some(request) = part.request() {
                index.by_request.entry(request).or_default().insert(at);
            }
        }
        index
    }

    fn remove(&mut self, index: usize) {
        let part = &self.parts[index];
        let named = [
            self.by_text.get_mut(&*part.text),
            self.by_key.get_mut(&*part.key),
            part.request().and_then(|request| self.by_request.get_mut(request)),
        ];
        named.into_iter().flatten().for_each(|all| {
            all.remove(&index);
        });
    }

    /// Returns the first entry with the same text.
    fn same(&self, entry: &Part) -> Option<usize> {
        let all = self.by_text.get(&*entry.text).filter(|_| entry.kind == Kind::Entry)?;
        all.first().copied()
    }

    /// Returns the first entry with the same text or the same references.
    fn like(&self, entry: &Part) -> Option<usize> {
        let alike = [self.by_text.get(&*entry.text), self.with_key(entry)].into_iter().flatten();
        alike.filter_map(BTreeSet::first).min().copied().filter(|_| entry.kind == Kind::Entry)
    }

    /// Returns the first entry that is about the same change: one with the same text or references, or of a request that the
    /// entry names.
    fn about(&self, entry: &Part) -> Option<usize> {
        self.about_sets(entry).filter_map(BTreeSet::first).min().copied()
    }

    /// Returns the only entry that is about the same change.
    fn only(&self, entry: &Part) -> Option<usize> {
        let last = self.about_sets(entry).filter_map(BTreeSet::last).max().copied();
        self.about(entry).filter(|first| Some(*first) == last)
    }

    fn about_sets(&self, entry: &Part) -> impl Iterator<Item = &BTreeSet<usize>> {
        let requests = entry.key.split(' ').filter_map(|named| self.by_request.get(named));
        let alike = [self.by_text.get(&*entry.text), self.with_key(entry)];
        alike.into_iter().flatten().chain(requests).filter(|_| entry.kind == Kind::Entry)
    }

    fn with_key(&self, entry: &Part) -> Option<&BTreeSet<usize>> {
        self.by_key.get(&*entry.key).filter(|_| !entry.key.is_empty())
    }
}

fn joined(parts: &[Part]) -> String {
    let text: String = parts.iter().map(|part| "\n".repeat(1 + part.gap) + &part.text).collect();
    text.trim_matches('\n').to_owned()
}

/// Splits a text into its parts.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut open: Option<(Kind, Vec<&str>, usize, Range<usize>)> = None;
    let (mut empty, mut is_fenced, mut next) = (0, false, 0);
    for whole in text.split_inclusive('\n') {
        let (start, line) = (next, whole.lines().next().unwrap_or_default());
        let end = start + line.len();
        next += whole.len();
        if line.trim().is_empty() && !is_fenced {
            empty += 1;
            continue;
        }
        let kind = match () {
            () if is_fenced => None,
            () if HEADING.is_match(line) => Some(Kind::Heading),
            () if ENTRY.is_match(line) => Some(Kind::Entry),
            () => None,
        };
        let is_indented = line.starts_with([' ', '\t']);
        let continues = open.as_ref().is_some_and(|(kind, ..)| match kind {
            _ if is_fenced => true,
            Kind::Heading => false,
            Kind::Entry => is_indented || empty == 0,
            Kind::Paragraph => empty == 0,
        });
        if FENCE.is_match(line) {
            is_fenced = !is_fenced;
        }
        match &mut open {
            Some((_, lines, _, span)) if kind.is_none() && continues => {
                lines.extend(std::iter::repeat_n("", empty));
                lines.push(line);
                span.end = end;
            }
            _ => {
                parts.extend(open.take().map(Part::from_lines));
                open = Some((kind.unwrap_or(Kind::Paragraph), vec![line], empty, start..end));
            }
        }
        empty = 0;
    }
    parts.extend(open.map(Part::from_lines));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_split_into_headings_entries_and_paragraphs() {
        let text = "Intro\nof two lines\n\n### added (2 changes)\n\n- [a](x/1234567)\n  more\n\n  - nested\n- b #12\n\n```\n- code\n\n```\n\
                    **Fixed**\n1. c\n";
        let found = parts(text);
        let shown: Vec<_> = found.iter().map(|part| (part.kind, part.text.as_str(), part.gap)).collect();
        assert_eq!(
            shown,
            [
                (Kind::Paragraph, "Intro\nof two lines", 0),
                (Kind::Heading, "### added (2 changes)", 1),
                (Kind::Entry, "- [a](x/1234567)\n  more\n\n  - nested", 1),
                (Kind::Entry, "- b #12", 0),
                (Kind::Paragraph, "```\n- code\n\n```", 1),
                (Kind::Heading, "**Fixed**", 0),
                (Kind::Entry, "1. c", 0),
            ]
        );
        let keys: Vec<_> = found.iter().map(|part| part.key.as_str()).collect();
        assert_eq!(keys, ["", "added", "1234567", "#12", "", "**fixed**", ""]);
    }

    #[test]
    fn two_texts_are_alike_by_more_than_half_of_their_words() {
        let part = |text: &str| Part::new(Kind::Entry, text.to_owned(), 0, 0..text.len());
        for (one, other, expected) in [
            ("lift the crane", "lift a crane", true),
            ("lift crane", "lift mast", false),
            ("lift the crane", "Lift, the mast!", false),
            ("lift", "mast", false),
        ] {
            assert_eq!(part(one).has_words_of(&part(other)), expected, "{one} and {other}");
        }
    }

    #[test]
    fn entries_that_a_section_has_already_are_not_added_again() {
        let body = "### added\n\n- a\n- [Lift](c/1111111)\n\n### fixed\n\n- [Mend](c/2222222)";
        let replaced = |text| replace_entries(body, "### added", text);
        let kept = |rest: &str| (body.to_owned(), rest.to_owned());
        assert_eq!(replaced("- a\n- b\n\n- c\n"), kept("- b\n\n- c"));
        assert_eq!(replaced("- b\n"), kept("- b\n"));
        assert_eq!(replaced("- a\n\nWords.\n"), kept("Words."));
        // Its words count below its own title.
        assert_eq!(
            replaced("- [Lift more](c/1111111)\n- [Mend more](c/2222222)\n"),
            (body.replace("Lift", "Lift more"), "- [Mend more](c/2222222)".to_owned())
        );
        assert_eq!(replace_entries(body, "", "- [Mend more](c/2222222)").0, body.replace("Mend", "Mend more"));
    }

    #[test]
    fn only_the_entry_itself_gets_other_words() {
        let body = "### added\n\n- Lift #12\n- Lift #1\n";
        let expected = "### added\n\n- Lift #12\n- Raise #1\n";
        assert_eq!(replace_entries(body, "", "- Raise #1\n"), (expected.to_owned(), String::new()));
    }

    #[test]
    fn thousands_of_entries_are_found_at_once() {
        let list = |word: &str| (0..5_000).map(|number| format!("- {word} #{number}\n")).collect::<Vec<_>>().concat();
        let (body, text) = (format!("### added\n\n{}", list("Lift")), list("Raise"));
        assert_eq!(replace_entries(&body, "", &text).0, body.replace("Lift", "Raise"));
        assert_eq!(without_entries_of(&body, &text), "");
        let same = "- Lift #1\n".repeat(5_000);
        assert_eq!(replace_entries(&same, "", &same.replace("Lift", "Raise")).0, same.replace("Lift", "Raise"));
    }

    #[test]
    fn an_entry_below_another_title_is_the_same_change() {
        let body = "### Changes\n\n- Lift, see #7 (@ida)\n- Fix #3, see #8\n- a\n\n### Docs\n\n- One (#9)\n\n### Rest\n\n\
                    - Two (#5)\n- Three (#5)";
        let left = |text: &str| without_entries_of(body, text);
        assert_eq!(left("- Lift the crane. Closes #2, see #7 (@olaf)\n"), body.replace("- Lift, see #7 (@ida)\n", ""));
        assert_eq!(left("- a\n"), body.replace("- a\n", ""));
        assert_eq!(left("- One more (#9)"), body.replace("### Docs\n\n- One (#9)\n\n", ""), "with its heading");
        assert_eq!(left("- b\n- Not lifted #70\n- About issue #3\n\nA paragraph about #7.\n"), body);
        assert_eq!(left("- One of two (#5)"), body, "the request has several entries");
    }
}
