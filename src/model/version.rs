//! The version a section is for: `v?` and a semantic version, or two to four numbers as some repositories count.

use std::{fmt, str::FromStr};

use super::Problem;

/// A requested version: what was typed, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    given: String,
    /// Of a version that is not semantic, its first three numbers.
    semver: semver::Version,
    /// The numbers of a version that is not semantic, as they are written.
    numbers: Option<String>,
}

impl Version {
    /// The text as it was given, a leading `v` included.
    #[must_use]
    pub fn given(&self) -> &str {
        &self.given
    }

    /// Its parts.
    #[must_use]
    pub fn semver(&self) -> &semver::Version {
        &self.semver
    }

    /// The numbers, and `+meta` if any: what versions are ordered by; the pre-release part does not count.
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
    ///
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

/// The version without a leading `v`: the text of a section's header.
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

/// The numbers of a version that is not semantic, and the semantic version closest to it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_leading_v_is_dropped_from_the_header() {
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
    fn what_is_no_semantic_version_is_refused() {
        let refusal = |text: &str| text.parse::<Version>().unwrap_err().to_string();
        assert_eq!(refusal("  "), "the version is empty");
        for text in ["1", "V1.0.0", "vv1.0.0", "1.0.0.1.2", "1..0", "release 1.0.0", "1.0.0 "] {
            assert_eq!(refusal(text), format!("`{text}` is not a valid version"));
        }
    }
}
