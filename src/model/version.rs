//! Versions, their order, and how far a change bumps them.

use std::{cmp::Ordering, fmt, str::FromStr};

use serde::Serialize;

use super::{Problem, name_in};

/// A version as the user gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    given: String,
    /// The version; if it is not semantic, its first three numbers and its pre-release and build parts.
    semver: semver::Version,
    /// If the version is not semantic, its numbers as they are written.
    numbers: Option<String>,
}

impl Version {
    /// Returns the text as it was given, with a leading `v` if there was one.
    pub(crate) fn as_given(&self) -> &str {
        &self.given
    }

    /// Returns the semantic version, or the one closest to it.
    pub(crate) fn semver(&self) -> &semver::Version {
        &self.semver
    }

    /// Returns the version as Cargo and npm write it: `25.07` is 25.7.0 for them. `None` if it has four numbers.
    pub(crate) fn to_semantic(&self) -> Option<semver::Version> {
        let has_four = self.numbers.as_ref().is_some_and(|numbers| numbers.split('.').count() > 3);
        (!has_four).then(|| self.semver.clone())
    }

    /// Whether the version has a pre-release part.
    pub(crate) fn is_pre_release(&self) -> bool {
        !self.semver.pre.is_empty()
    }

    /// Returns the version without its pre-release part.
    pub(crate) fn stable(&self) -> String {
        let stable = semver::Version { pre: semver::Prerelease::EMPTY, ..self.semver.clone() };
        match &self.numbers {
            Some(numbers) if stable.build.is_empty() => numbers.clone(),
            Some(numbers) => format!("{numbers}+{}", stable.build),
            None => stable.to_string(),
        }
    }

    /// Refuses a version that is not semantic, such as `26.2` or `2026.08.19`.
    pub(crate) fn require_semantic(&self) -> Result<(), Problem> {
        self.numbers.as_ref().map_or(Ok(()), |_| Err(refusal(&self.given)))
    }

    /// Whether it is a semantic version.
    pub(crate) fn is_semantic(&self) -> bool {
        self.numbers.is_none()
    }
}

/// Writes the version without a leading `v`, as in the heading of a section.
impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.given.strip_prefix('v').unwrap_or(&self.given))
    }
}

impl FromStr for Version {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        let version = text.strip_prefix('v').unwrap_or(text);
        let given = text.to_owned();
        if let Ok(semver) = semver::Version::parse(version) {
            return Ok(Self { given, semver, numbers: None });
        }
        let (numbers, semver) = loose(version).ok_or_else(|| refusal(text))?;
        Ok(Self { given, semver, numbers: Some(numbers) })
    }
}

/// Parses a version that is not semantic into its numbers and the semantic version closest to it.
fn loose(text: &str) -> Option<(String, semver::Version)> {
    let end = text.find(['-', '+']).unwrap_or(text.len());
    let (numbers, rest) = text.split_at(end);
    let parsed = numbers.split('.').map(number).collect::<Option<Vec<u64>>>()?;
    if !(2..=4).contains(&parsed.len()) {
        return None;
    }
    let part = |index: usize| parsed.get(index).copied().unwrap_or(0);
    let semver = format!("{}.{}.{}{rest}", part(0), part(1), part(2));
    Some((numbers.to_owned(), semver::Version::parse(&semver).ok()?))
}

fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

fn refusal(text: &str) -> Problem {
    let is_blank = text.trim().is_empty();
    let what = if is_blank { "the version is empty".to_owned() } else { format!("`{text}` is not a valid version") };
    Problem::usage(what).hint("use a semantic version such as `1.0.0`, `v1.0.0` or `2.0.0-rc.1`")
}

/// The part of a version that is incremented; a greater level increments an earlier part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BumpLevel {
    /// Nothing: the change does not need a release.
    #[default]
    None,
    /// `1.2.3` to `1.2.4`.
    Patch,
    /// `1.2.3` to `1.3.0`.
    Minor,
    /// `1.2.3` to `2.0.0`.
    Major,
}

impl BumpLevel {
    /// Every level by its name in the configuration.
    pub const NAMES: [(&'static str, Self); 4] =
        [("major", Self::Major), ("minor", Self::Minor), ("patch", Self::Patch), ("none", Self::None)];

    /// Returns the name of the level.
    pub(crate) fn name(self) -> &'static str {
        name_in(&Self::NAMES, &self)
    }

    /// Returns the level to use below 1.0.0, where the minor part marks breaking changes; a patch stays a patch.
    pub(crate) fn for_zero_major(self) -> Self {
        match self {
            Self::Major => Self::Minor,
            Self::Minor | Self::Patch => Self::Patch,
            Self::None => Self::None,
        }
    }
}

/// The number of components that are compared.
const MAX_COMPONENTS: usize = 64;

/// A part of a version, in the order of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Component<'a> {
    Word(&'a [u8]),
    /// The version ends.
    End,
    Number(u32),
}

/// Compares two versions. Versions that are written differently can be equal (`1.0.0-rc1` and `1.0.0-rc.1`).
///
/// A number is higher than a word. If one version begins with the other, the longer is higher if it continues with a
/// number, and lower if it continues with a word: `1.0.0-rc1` < `1.0.0+b` < `1.0.0` < `1.0.0.1`.
pub(crate) fn compare_versions(left: &str, right: &str) -> Ordering {
    let (mut left, mut right) = (components(left), components(right));
    loop {
        let pair = [&mut left, &mut right].map(|components| components.next().unwrap_or(Component::End));
        let order = pair[0].cmp(&pair[1]);
        if order.is_ne() || pair[0] == Component::End {
            return order;
        }
    }
}

/// Returns a version without its build (semver.org, 10).
pub(crate) fn without_build(version: &str) -> &str {
    version.split('+').next().unwrap_or_default()
}

fn components(version: &str) -> impl Iterator<Item = Component<'_>> {
    let mut rest = version.as_bytes();
    std::iter::from_fn(move || {
        let start = rest.iter().position(|byte| byte.is_ascii_digit() || is_word(*byte))?;
        let run = &rest[start..];
        let end = run
            .iter()
            .position(|byte| {
                !(byte.is_ascii_digit() == run[0].is_ascii_digit() && (byte.is_ascii_digit() || is_word(*byte)))
            })
            .unwrap_or(run.len());
        rest = &run[end..];
        Some(component(&run[..end]))
    })
    .take(MAX_COMPONENTS)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'-'
}

fn component(run: &[u8]) -> Component<'_> {
    if is_word(run[0]) { Component::Word(run) } else { gem_number(run).map_or(Component::Word(run), Component::Number) }
}

/// Parses a number in 32 bits, as the gem `version_sorter` does, which GitLab sorts versions with: if a digit makes
/// the number smaller, the run is compared as a word. The gem misses other overflows, which are reproduced here.
fn gem_number(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0u32, |number, digit| {
        let next = number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'));
        (next >= number).then_some(next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_leading_v_is_dropped_from_the_heading() {
        let version: Version = "v1.2.3-rc.1+b5".parse().unwrap();
        assert_eq!((version.as_given(), version.to_string().as_str()), ("v1.2.3-rc.1+b5", "1.2.3-rc.1+b5"));
        assert_eq!(version.stable(), "1.2.3+b5");
    }

    #[test]
    fn two_to_four_numbers_are_a_version_that_is_not_semantic() {
        for (text, stable) in [("26.2", "26.2"), ("v2026.08.19-rc.1", "2026.08.19"), ("1.0.0.1+b", "1.0.0.1+b")] {
            let version: Version = text.parse().unwrap();
            assert_eq!(version.stable(), stable);
            assert_eq!(version.require_semantic().unwrap_err().to_string(), format!("`{text}` is not a valid version"));
        }
        assert!("1.2.3".parse::<Version>().unwrap().is_semantic());
    }

    #[test]
    fn what_is_not_a_version_is_refused() {
        let refusal = |text: &str| text.parse::<Version>().unwrap_err().to_string();
        assert_eq!(refusal("  "), "the version is empty");
        for text in ["1", "V1.0.0", "vv1.0.0", "1.0.0.1.2", "1..0", "release 1.0.0", "1.0.0 "] {
            assert_eq!(refusal(text), format!("`{text}` is not a valid version"));
        }
    }

    #[test]
    fn names_and_levels_agree() {
        for (name, level) in BumpLevel::NAMES {
            assert_eq!(level.name(), name);
        }
        assert!(BumpLevel::Major > BumpLevel::Minor && BumpLevel::Patch > BumpLevel::None);
    }

    #[test]
    fn the_order_is_that_of_the_gem() {
        let descending = [
            "1.10.0",
            "1.9.0",
            "1.0.0.1",
            "1.0.0",
            "1.0.0+b",
            "1.0.0-rc10",
            "1.0.0-rc2",
            "1.0.0-alpha.1",
            "1.0.0-alpha",
            "1.0.0-Beta",
            "1.0.0-1",
        ];
        for (index, higher) in descending.iter().enumerate() {
            for lower in &descending[index + 1..] {
                assert_eq!(compare_versions(higher, lower), Ordering::Greater, "{higher} > {lower}");
                assert_eq!(compare_versions(lower, higher), Ordering::Less, "{lower} < {higher}");
            }
        }
    }

    #[test]
    fn separators_do_not_count() {
        assert_eq!(compare_versions("1.0.0-rc1", "1.0.0-rc.1"), Ordering::Equal);
        assert_eq!(compare_versions("1.0.0.1", "1.0.0+1"), Ordering::Equal);
    }

    #[test]
    fn numbers_overflow_as_in_the_gem() {
        assert_eq!(compare_versions("5000000000", "705032704"), Ordering::Equal);
        assert_eq!(compare_versions("4294967296", "1"), Ordering::Less, "an overflow makes it a word");
    }
}
