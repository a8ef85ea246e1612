//! The version a section is for: `v?` and a semantic version.

use std::{fmt, str::FromStr};

use super::Problem;

/// A requested version: what was typed, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    given: String,
    semver: semver::Version,
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

    /// `major.minor.patch` and `+meta` if any: what versions are ordered by; the pre-release part does not count.
    #[must_use]
    pub fn stable(&self) -> String {
        let stable = semver::Version { pre: semver::Prerelease::EMPTY, ..self.semver.clone() };
        stable.to_string()
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
        semver::Version::parse(text.strip_prefix('v').unwrap_or(text))
            .map(|semver| Self { given: text.to_owned(), semver })
            .map_err(|_| refusal(text))
    }
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
    fn what_is_no_semantic_version_is_refused() {
        let refusal = |text: &str| text.parse::<Version>().unwrap_err().to_string();
        assert_eq!(refusal("  "), "the version is empty");
        for text in ["1.0", "V1.0.0", "vv1.0.0", "1.0.0.1", "01.0.0", "release 1.0.0", "1.0.0 "] {
            assert_eq!(refusal(text), format!("`{text}` is not a valid version"));
        }
    }
}
