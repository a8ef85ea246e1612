//! The comparison of versions in headings: as semantic versions, however they are written.

use std::sync::LazyLock;

use regex::Regex;
use semver::{BuildMetadata, Prerelease};

/// Two to four numbers, and a pre-release part as `SemVer`, Python, Ruby or Java writes it.
static VERSION: LazyLock<Regex> = LazyLock::new(|| {
    let word = r"(?i:alpha|beta|preview|pre|rc|cr|dev|post|final|release|ga|sp|snapshot|[abcm][0-9])";
    let suffix = format!(r"[-+][0-9A-Za-z]+(?:[.+-][0-9A-Za-z]+)*|[._]?{word}[-._]?[0-9]*(?:\.[0-9]+)*");
    Regex::new(&format!(r"[0-9]{{1,9}}(?:\.[0-9]{{1,9}}){{1,3}}(?:{suffix})?")).expect("the pattern is valid")
});

/// The key that versions are compared by: a missing number is zero, and `2.0.0rc1` equals `2.0.0-rc.1`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct VersionKey {
    numbers: [u64; 4],
    pre: Prerelease,
    build: BuildMetadata,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundVersion {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) key: VersionKey,
}

impl VersionKey {
    /// Parses a text that is only a version, with or without a leading `v`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let bare = text.strip_prefix(['v', 'V']).unwrap_or(text);
        VERSION.find(bare).filter(|found| found.len() == bare.len()).and_then(|_| Self::read(bare))
    }

    fn read(text: &str) -> Option<Self> {
        let (text, build) = text.split_once('+').unwrap_or((text, ""));
        let bytes = text.as_bytes();
        let is_number = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let end = (0..bytes.len()).find(|at| !(is_number(*at) || bytes[*at] == b'.' && is_number(at + 1)));
        let end = end.unwrap_or(text.len());
        let mut numbers = [0; 4];
        for (number, part) in numbers.iter_mut().zip(text[..end].split('.')) {
            *number = part.parse().ok()?;
        }
        let mut words = identifiers(&text[end..]);
        // Python abbreviates pre-releases (PEP 440).
        if let Some(word) = words.first_mut().filter(|_| !text[end..].starts_with('-')) {
            let long = [("a", "alpha"), ("b", "beta"), ("c", "rc")].into_iter().find(|(short, _)| word == short);
            *word = long.map_or(word.clone(), |(_, long)| long.to_owned());
        }
        match words.first().map(String::as_str) {
            Some("final" | "release" | "ga") => words.clear(),
            // A post-release or service pack is higher than the release itself.
            Some("post" | "sp") => {
                numbers[3] = words.get(1).and_then(|number| number.parse().ok()).unwrap_or(1);
                words.clear();
            }
            _ => {}
        }
        let pre = Prerelease::new(&words.join(".")).ok()?;
        Some(Self { numbers, pre, build: BuildMetadata::new(build).unwrap_or(BuildMetadata::EMPTY) })
    }

    /// Whether the third number or the fourth is not zero.
    pub(super) fn is_patch(&self) -> bool {
        self.numbers[2..] != [0, 0]
    }

    pub(super) fn is_in_series(&self, series: &[u64]) -> bool {
        self.numbers.starts_with(series)
    }

    pub(super) fn series(&self, len: usize) -> Vec<u64> {
        self.numbers[..len].to_vec()
    }
}

/// Splits a suffix into runs of letters and of digits, in lower case and without leading zeros: `rc10` is above `rc2`.
fn identifiers(suffix: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for letter in suffix.chars() {
        let joins = last.is_ascii_alphanumeric() && last.is_ascii_digit() == letter.is_ascii_digit();
        match words.last_mut() {
            Some(word) if joins && letter.is_ascii_alphanumeric() => word.push(letter.to_ascii_lowercase()),
            _ if letter.is_ascii_alphanumeric() => words.push(letter.to_ascii_lowercase().to_string()),
            _ => {}
        }
        last = letter;
    }
    words
        .iter()
        .map(|word| match word.trim_start_matches('0') {
            "" => "0".to_owned(),
            trimmed => trimmed.to_owned(),
        })
        .collect()
}

/// Finds versions that do not end within a word; unless the text is a name such as a tag, they do not begin within one.
pub(super) fn versions(text: &str, is_name: bool) -> Vec<FoundVersion> {
    let found = VERSION.find_iter(text).filter(|found| {
        let before = &text[..found.start()];
        let before = before.strip_suffix(['v', 'V']).unwrap_or(before).chars().next_back();
        let mut after = text[found.end()..].chars();
        let (first, second) = (after.next(), after.next());
        let is_word = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        let begins = before.is_none_or(|letter| letter != '.' && (is_name || !letter.is_alphanumeric()));
        begins && !is_word(first) && !(matches!(first, Some('.' | '_' | '+' | '-')) && is_word(second))
    });
    found
        .filter_map(|found| {
            // The digits of an escape such as `%40` are not part of the version after it.
            let escape = if text[..found.start()].ends_with('%') { 2 } else { 0 };
            let (start, end) = (found.start() + escape, found.end());
            Some(FoundVersion { start, end, key: VersionKey::read(text.get(start..end)?)? })
        })
        .collect()
}

/// Returns the text with its last version replaced; `None` if it has none.
pub(super) fn with_version(text: &str, version: &str) -> Option<String> {
    let found = versions(text, true).pop()?;
    Some(format!("{}{version}{}", &text[..found.start], &text[found.end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> VersionKey {
        VersionKey::parse(text).unwrap_or_else(|| panic!("{text} is a version"))
    }

    #[test]
    fn a_patch_has_a_third_or_fourth_number() {
        for (version, is_patch) in
            [("1.2.0", false), ("1.2", false), ("1.2.3", true), ("1.2.0.1", true), ("1.2.0-rc.1", false)]
        {
            assert_eq!(key(version).is_patch(), is_patch, "{version}");
        }
        assert_eq!([key("1.2.3").series(1), key("1.2.3").series(2)], [vec![1], vec![1, 2]]);
    }

    #[test]
    fn versions_ascend_however_they_are_written() {
        let ascending = [
            "0.46",
            "0.46.1",
            "1.9.0",
            "1.10",
            "2.0.0-1",
            "2.0.0a1",
            "2.0.0-alpha.2",
            "2.0.0.beta",
            "2.0.0b1",
            "2.0.0.RC2",
            "v2.0.0-rc.10",
            "2.0.0.Final",
            "2.0.0.1",
            "2.0.0.post2",
            "2.0.0.SP3",
            "2.0.1+1",
            "2.0.1+2",
        ];
        for pair in ascending.windows(2) {
            assert!(key(pair[0]) < key(pair[1]), "{pair:?}");
        }
        assert_eq!(key("2.0.0rc1"), key("v2.0.0-rc.1"));
        assert_eq!(key("1.2"), key("1.2.0"));
        assert_eq!(key("2.0.0.post"), key("2.0.0.1"));
    }

    #[test]
    fn a_version_begins_and_ends_at_a_word() {
        let found = |text: &'static str| {
            versions(text, false).into_iter().map(|found| &text[found.start..found.end]).collect::<Vec<_>>()
        };
        assert_eq!(found("pilot-mio-0.2.4, `v1.0.0` and 2.0.x"), ["0.2.4", "1.0.0"]);
        assert_eq!(found("1.0.0foo x1.0.0 1.2.3.4.5 13.x"), Vec::<&str>::new());
        assert_eq!(with_version("pilot@6.5.4", "7.0.0").as_deref(), Some("pilot@7.0.0"));
    }
}
