//! The text of a heading: whether it is that of a version, and where its parts are.

use std::{ops::Range, sync::LazyLock};

use regex::Regex;

use super::{
    dates,
    version_key::{FoundVersion, VersionKey, versions},
};

/// The mask for text that readers do not see: addresses, tags and pictures.
pub(super) const HIDDEN: char = '\u{2}';
const DATE: char = '\u{1}';

static UNSEEN: LazyLock<Regex> =
    LazyLock::new(|| heading_pattern(r"!\[[^\]]*\]\([^)]*\)|(\])\([^)]*\)|</?[A-Za-z][^>]*>"));
static STATUS: LazyLock<Regex> = LazyLock::new(|| {
    heading_pattern(
        r"(?i)\b(?:yanked|withdrawn|retracted|deprecated|un(?:released|published)|next|latest|current|stable|lts)\b",
    )
});
pub(super) static PENDING: LazyLock<Regex> = LazyLock::new(|| {
    heading_pattern(
        r"(?i)\b(?:un(?:released|published)|not (?:yet )?released|release ?date|next|tb[ad]|upcoming|pending|wip|dev(?:elopment)?|in (?:progress|development)|snapshot|yyyy.*|(?:\d{4}|xxxx)-[x?]{2}.*)(?:\b|$)",
    )
});
static UNRELEASED: LazyLock<Regex> = LazyLock::new(|| {
    let branch = r"(?:head|master|main|trunk|dev(?:elop(?:ment)?)?)";
    let words = r"(?:un-?released|upcoming|next|latest|current)(?: (?:version|release|changes))?|tb[ad]|in development|work in progress|unveröffentlicht";
    heading_pattern(&format!(r"(?i)^(?:{branch}|{words})(?:\W+(?:{words}|release ?date))*$"))
});
static SERIES: LazyLock<Regex> = LazyLock::new(|| {
    heading_pattern(r"(?:^|[^0-9A-Za-z.])[vV]?([0-9]+)(?:\.([0-9]+))?(?:\.[xX*])+(?:[^0-9A-Za-z.]|$)")
});
static PICTURE: LazyLock<Regex> = LazyLock::new(|| heading_pattern(r"^(?::[\w+-]+:|[^\w\s])+$"));

pub(super) fn heading_pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is constant and valid")
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Words {
    /// No words, a picture, `Version` or `Release`.
    Plain,
    Name(String),
    /// Several words.
    Sentence(String),
}

/// The text of a heading that names a version. Ranges are byte offsets in the text.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct VersionText {
    pub(super) key: VersionKey,
    /// Without `v`.
    pub(super) version: Range<usize>,
    pub(super) date: Option<Range<usize>>,
    /// The text with dates, addresses, tags and pictures masked, of the same length.
    pub(super) masked: String,
    pub(super) words: Words,
    pub(super) has_several: bool,
    pub(super) is_pending: bool,
    pub(super) is_struck: bool,
    /// Whether it is only numbers such as `1.12.2000`, which may be the date of another version.
    pub(super) may_be_date: bool,
}

impl VersionText {
    /// Whether a new heading may be like this one, which must be neither struck out nor pending.
    pub(super) fn has_style(&self) -> bool {
        !self.is_struck && !self.is_pending
    }
}

/// Reads the text of a heading; `None` if it does not name a version, or continues as a sentence after the version.
pub(super) fn read(text: &str) -> Option<VersionText> {
    let unmasked = mask_unseen(text);
    let mut masked = unmasked.clone();
    let dates: Vec<_> = dates::find(&unmasked).collect();
    for date in &dates {
        mask(&mut masked, date.clone(), DATE);
    }
    // `2024.1.5` and `1.12.2000` are dates only beside a version.
    let mut may_be_date = false;
    if versions(&masked, false).is_empty()
        && let Some(date) = dates.iter().find(|date| dates::may_be_version(&unmasked[(*date).clone()]))
    {
        masked.replace_range(date.clone(), &unmasked[date.clone()]);
        may_be_date = dates.len() == 1 && dates::has_year_last(&unmasked[date.clone()]);
    }
    let found = versions(&masked, false);
    let FoundVersion { start, end, key } = found.first()?.clone();
    let after = &masked[end..];
    let date = date_of(&masked, &(start..end));
    let rest = after.trim_start_matches(['*', '_', '~', ']', ')', '}', '`', HIDDEN]).trim_start();
    let goes_on = rest.starts_with(char::is_alphanumeric) && !after.contains(DATE) && !is_status(rest);
    let before = masked[..start].trim_end_matches(['v', 'V']);
    (!goes_on).then(|| VersionText {
        words: words(before),
        has_several: found.iter().any(|other| other.key != key),
        is_pending: PENDING.is_match(&masked[start..]),
        is_struck: text.contains("~~") || text.contains("<del>") || text.contains("<s>"),
        may_be_date,
        version: start..end,
        date,
        key,
        masked: masked.clone(),
    })
}

/// Returns the numbers of a series such as `1.2.x`, with the words before it.
pub(super) fn series(text: &str) -> Option<(Words, Vec<u64>)> {
    let masked = mask_unseen(text);
    let found = SERIES.captures(&masked)?;
    let numbers = (1..3).filter_map(|group| found.get(group)?.as_str().parse().ok()).collect();
    let before = masked[..found.get(1)?.start()].trim_end_matches(['v', 'V']);
    Some((words(before), numbers))
}

/// Whether a text after a version is about its state and not part of the heading's form.
pub(super) fn is_status(text: &str) -> bool {
    STATUS.is_match(text) || PENDING.is_match(text)
}

pub(super) fn is_unreleased(text: &str) -> bool {
    UNRELEASED.is_match(mask_unseen(text).trim_matches(|letter: char| !letter.is_alphanumeric()))
}

fn is_picture(words: &str) -> bool {
    PICTURE.is_match(words)
}

/// Returns the date of a heading: the first one after the version, else the first one before it.
fn date_of(masked: &str, version: &Range<usize>) -> Option<Range<usize>> {
    let runs = |from: usize, to: usize| masked[from..to].find(DATE).map(|at| at + from);
    let start = runs(version.end, masked.len()).or_else(|| runs(0, version.start))?;
    Some(start..start + masked[start..].find(|letter| letter != DATE).unwrap_or(masked.len() - start))
}

fn words(before: &str) -> Words {
    let mut words: Vec<&str> = before
        .split_whitespace()
        .filter(|word| !is_picture(word))
        .map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()))
        .collect();
    words.retain(|word| !word.is_empty());
    if words
        .last()
        .is_some_and(|word| ["version", "release", "ver", "rel", "v"].contains(&word.to_lowercase().as_str()))
    {
        words.pop();
    }
    // `Release pilot 1.2.0` names a package, and `Release notes 1.2.0` none.
    if let [first, second] = words[..]
        && ["version", "release"].contains(&first.to_lowercase().as_str())
        && !second.eq_ignore_ascii_case("notes")
    {
        words.remove(0);
    }
    match words.as_slice() {
        [] => Words::Plain,
        [name] => Words::Name((*name).to_owned()),
        words => Words::Sentence(words.join(" ")),
    }
}

fn mask_unseen(text: &str) -> String {
    let mut masked = text.to_owned();
    for found in UNSEEN.captures_iter(text) {
        let all = found.get(0).expect("a match").range();
        let start = found.get(1).map_or(all.start, |bracket| bracket.end());
        mask(&mut masked, start..all.end, HIDDEN);
    }
    masked
}

/// Replaces every byte of a range, so that the offsets of the text after it do not change.
fn mask(text: &mut String, range: Range<usize>, letter: char) {
    let mask = letter.to_string().repeat(range.len());
    text.replace_range(range, &mask);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_about_the_state_of_a_version_go_on_no_sentence() {
        for (text, is_read) in [
            ("1.0.0 yanked", true),
            ("1.0.0 pending", true),
            ("1.0.0 unreleased", true),
            ("1.0.0 brings light", false),
            ("1.0.0 of 2024-01-05", true),
        ] {
            assert_eq!(read(text).is_some(), is_read, "{text}");
        }
        for (text, is_struck) in
            [("~~1.0.0~~", true), ("<del>1.0.0</del>", true), ("<s>1.0.0</s>", true), ("1.0.0", false)]
        {
            assert_eq!(read(text).map(|found| found.is_struck), Some(is_struck), "{text}");
        }
    }

    #[test]
    fn headings_of_versions_are_found_in_every_form() {
        for (text, version, date) in [
            ("[1.0.0] - 2024-01-31", "1.0.0", "2024-01-31"),
            ("<small>[v5.1.1](https://x/compare/v5.1.0...v5.1.1) (2024-03-09)</small>", "5.1.1", "2024-03-09"),
            ("2.4.1 (09.03.2024)", "2.4.1", "09.03.2024"),
            ("2024-02-14 - Supported Release 4.6.0", "4.6.0", "2024-02-14"),
            ("2024.1.5", "2024.1.5", ""),
            ("1.0.1000 (2025-01-11)", "1.0.1000", "2025-01-11"),
            ("1.12.2000 (09.03.2024)", "1.12.2000", "09.03.2024"),
            ("[5.4.1234] - 2.1.2025", "5.4.1234", "2.1.2025"),
            ("v40.2.1234 / 2025-01-11", "40.2.1234", "2025-01-11"),
            ("1.12.2000", "1.12.2000", ""),
            ("🔖 Release v1.1: \"North Star\"", "1.1", ""),
            ("CHANGES WITH 5.3.0:", "5.3.0", ""),
            ("1.8.3 ultimate-farewell (2022-04-07)", "1.8.3", "2022-04-07"),
            ("\\[1.6.1] [YANKED]", "1.6.1", ""),
        ] {
            let found = read(text).unwrap_or_else(|| panic!("{text} is of a version"));
            assert_eq!(&text[found.version], version, "{text}");
            assert_eq!(found.date.map(|date| &text[date]).unwrap_or_default(), date, "{text}");
        }
        for text in [
            "Unreleased",
            "1.75 and up are not here",
            "1.2.x",
            "2024-01-05",
            "09.03.2024",
            "1.0.0foo",
            "Since v1.2.3 it is",
        ] {
            assert!(read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn numbers_alone_may_be_a_date_if_they_end_with_a_year() {
        for (text, expected) in [
            ("1.12.2000", true),
            ("2024.1.5", false),
            ("1.12.2000 (09.03.2024)", false),
            ("1.12.2000 - 2.1.2001", false),
            ("1.0.1000", false),
        ] {
            assert_eq!(read(text).map(|found| found.may_be_date), Some(expected), "{text}");
        }
    }

    #[test]
    fn words_before_a_version_are_of_three_kinds() {
        let words = |text| read(text).map(|found| found.words);
        for text in ["v1.0.0", "Version 1.0.0", ":tada: 1.0.0", "[🔖 1.0.0](x)", "2024-01-05, 1.0.0"] {
            assert_eq!(words(text), Some(Words::Plain), "{text}");
        }
        for text in ["pilot 1.0.0", "pilot-1.0.0", "pilot@1.0.0", "Pilot Release 1.0.0", "Release pilot 1.0.0"] {
            assert!(matches!(words(text), Some(Words::Name(_))), "{text}");
        }
        assert_eq!(words("Upgrading to 2.0.0"), Some(Words::Sentence("Upgrading to".to_owned())));
        assert_eq!(series("v1.2.x (LTS)"), Some((Words::Plain, vec![1, 2])));
    }
}
