//! Versions, and how far a change bumps them.

use std::{fmt, str::FromStr};

use serde::Serialize;

use super::Problem;

/// A version as the user gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    given: String,
    /// If the version is not semantic, its first three numbers.
    semver: semver::Version,
    /// If the version is not semantic, its numbers as they are written.
    numbers: Option<String>,
}

impl Version {
    /// The text as it was given, with a leading `v` if there was one.
    #[must_use]
    pub fn given(&self) -> &str {
        &self.given
    }

    /// The semantic version, or the one closest to it.
    #[must_use]
    pub fn semver(&self) -> &semver::Version {
        &self.semver
    }

    /// The version without its pre-release part.
    #[must_use]
    pub fn stable(&self) -> String {
        let stable = semver::Version { pre: semver::Prerelease::EMPTY, ..self.semver.clone() };
        match &self.numbers {
            Some(numbers) if stable.build.is_empty() => numbers.clone(),
            Some(numbers) => format!("{numbers}+{}", stable.build),
            None => stable.to_string(),
        }
    }

    /// Refuses a version that is not semantic, such as `26.2` or `2026.08.19`.
    ///
    /// # Errors
    /// If it is not `v?` and a semantic version.
    pub fn require_semantic(&self) -> Result<(), Problem> {
        self.numbers.as_ref().map_or(Ok(()), |_| Err(refusal(&self.given)))
    }

    /// Whether it is a semantic version.
    #[must_use]
    pub fn is_semantic(&self) -> bool {
        self.numbers.is_none()
    }
}

/// The version without a leading `v`, as in the heading of a section.
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

    /// Parses the name of a level.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, level)| level)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(_, level)| *level == self).map_or("none", |(name, _)| name)
    }

    /// The level below 1.0.0, where the minor part marks breaking changes; a patch stays a patch.
    #[must_use]
    pub fn for_zero_major(self) -> Self {
        match self {
            Self::Major => Self::Minor,
            Self::Minor | Self::Patch => Self::Patch,
            Self::None => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_leading_v_is_dropped_from_the_heading() {
        let version: Version = "v1.2.3-rc.1+b5".parse().unwrap();
        assert_eq!((version.given(), version.to_string().as_str()), ("v1.2.3-rc.1+b5", "1.2.3-rc.1+b5"));
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
            assert_eq!((BumpLevel::parse(name), level.name()), (Some(level), name));
        }
        assert_eq!(BumpLevel::parse("Major"), None);
        assert!(BumpLevel::Major > BumpLevel::Minor && BumpLevel::Patch > BumpLevel::None);
    }
}
