//! The parts of a text in Markdown: headings, entries of lists with all that is indented below them, and paragraphs.

use std::{collections::BTreeSet, sync::LazyLock};

use regex::Regex;

static HEADING: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:#{1,6}\s|\*\*[^*]+\*\*\s*$)"));
static ENTRY: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:[-*+]|[0-9]+[.)])\s"));
static FENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(?:[-*+]\s+)?(?:```|~~~)"));
static REFERENCE: LazyLock<Regex> = LazyLock::new(|| pattern(r"\b[0-9a-f]{7,64}\b|[#!][0-9]+"));
static COUNT: LazyLock<Regex> = LazyLock::new(|| pattern(r"\s*\([0-9]+ changes?\)$"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the patterns of parts are valid")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

impl Part {
    fn new(kind: Kind, text: String, gap: usize) -> Self {
        let key = match kind {
            Kind::Heading => COUNT.replace(text.trim_start_matches('#').trim(), "").to_lowercase(),
            Kind::Entry => {
                let found: BTreeSet<&str> = REFERENCE.find_iter(&text).map(|found| found.as_str()).collect();
                found.into_iter().collect::<Vec<_>>().join(" ")
            }
            Kind::Paragraph => String::new(),
        };
        Self { kind, text, gap, key }
    }

    /// Whether two parts are about the same thing.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.kind == other.kind && (self.text == other.text || !self.key.is_empty() && self.key == other.key)
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
    let count = entries.len();
    entries.retain(|entry| {
        let same = known.iter().position(|known| entry.kind == Kind::Entry && known.text == entry.text);
        same.map(|index| known.remove(index)).is_none()
    });
    let mut body = body.to_owned();
    entries.retain(|entry| {
        let found = about_change_of(entry, &known);
        let like = found.iter().find(|index| known[**index].is_like(entry)).or(found.first());
        let Some(index) = like.copied() else { return true };
        body = body.replacen(&known.remove(index).text, &entry.text, 1);
        false
    });
    if entries.len() == count {
        return (body, text.to_owned());
    }
    (body, joined(&entries))
}

/// Removes from a body the entries that a text has too, under whatever title, and the headings that have no entry then.
pub(super) fn without_entries_of(body: &str, text: &str) -> String {
    let mut kept = parts(body);
    let count = kept.len();
    for entry in parts(text) {
        let found = about_change_of(&entry, &kept);
        let same = found.iter().find(|index| kept[**index].text == entry.text).or(found.first());
        // Of several changes of one request it is not known which one is meant.
        let Some(index) = same.copied().filter(|index| found.len() == 1 || kept[*index].text == entry.text) else {
            continue;
        };
        let removed = kept.remove(index);
        if let Some(below) = kept.get_mut(index) {
            below.gap = below.gap.max(removed.gap);
        }
        let Some(above) = index.checked_sub(1).filter(|above| kept[*above].kind == Kind::Heading) else { continue };
        if kept.get(index).is_none_or(|below| below.kind == Kind::Heading) {
            kept.remove(above);
        }
    }
    if kept.len() == count { body.to_owned() } else { joined(&kept) }
}

/// Returns the indexes of the parts that are about the same change as an entry: those with the same references, and those of
/// a request that the entry names.
fn about_change_of(entry: &Part, parts: &[Part]) -> Vec<usize> {
    let is_named = |request: &str| entry.key.split(' ').any(|named| named == request);
    if entry.kind != Kind::Entry {
        return Vec::new();
    }
    let about = parts
        .iter()
        .enumerate()
        .filter(|(_, part)| part.kind == Kind::Entry && (part.is_like(entry) || part.request().is_some_and(is_named)));
    about.map(|(index, _)| index).collect()
}

fn joined(parts: &[Part]) -> String {
    let text: String = parts.iter().map(|part| "\n".repeat(1 + part.gap) + &part.text).collect();
    text.trim_matches('\n').to_owned()
}

/// Splits a text into its parts.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut open: Option<(Kind, Vec<&str>, usize)> = None;
    let (mut empty, mut is_fenced) = (0, false);
    let mut close = |open: &mut Option<(Kind, Vec<&str>, usize)>| {
        parts.extend(open.take().map(|(kind, lines, gap)| Part::new(kind, lines.join("\n"), gap)));
    };
    for line in text.lines() {
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
            Some((_, lines, _)) if kind.is_none() && continues => {
                lines.extend(std::iter::repeat_n("", empty));
                lines.push(line);
            }
            _ => {
                close(&mut open);
                open = Some((kind.unwrap_or(Kind::Paragraph), vec![line], empty));
            }
        }
        empty = 0;
    }
    close(&mut open);
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
        let part = |text: &str| Part::new(Kind::Entry, text.to_owned(), 0);
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
