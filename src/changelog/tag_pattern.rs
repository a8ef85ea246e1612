//! Which tags are versions: the default shape read by hand, a configured `tag_regex` in RE2's meaning.

use regex::{Captures, Regex};

use crate::{
    config::{Config, Pattern},
    model::Problem,
};

/// Tells the version of a tag.
#[derive(Clone, Debug)]
pub enum TagPattern {
    /// `v?` and a semantic version, whole.
    Default,
    /// A prefix, and what the rest must be.
    Prefixed(String, Box<TagPattern>),
    /// A pattern with the groups `major`, `minor`, `patch` and perhaps `pre` and `meta`, searched anywhere in the name.
    Regex(Regex),
}

impl TagPattern {
    /// What the settings say about tags.
    ///
    /// # Errors
    ///
    /// Where the `tag_regex` is invalid, as [`TagPattern::parse`].
    pub fn of(config: &Config) -> Result<Self, Problem> {
        let rest = config.tag_regex.as_deref().map_or(Ok(Self::Default), Self::parse)?;
        Ok(match &config.tag_prefix {
            Some(prefix) => Self::Prefixed(prefix.clone(), Box::new(rest)),
            None => rest,
        })
    }

    /// Compiles a `tag_regex`.
    ///
    /// # Errors
    ///
    /// Where RE2 would refuse the pattern, or one of its rare constructs has no counterpart here.
    pub fn parse(tag_regex: &str) -> Result<Self, Problem> {
        let pattern = Pattern::parse(tag_regex).map_err(|why| invalid(tag_regex, &why))?;
        Ok(Self::Regex(pattern.regex().clone()))
    }

    /// The stable version a tag stands for, `major.minor.patch` and `+meta` if any; `None` for pre-releases and for
    /// names that are no version.
    #[must_use]
    pub fn stable_version(&self, tag: &str) -> Option<String> {
        match self {
            Self::Default => semantic(tag),
            Self::Prefixed(prefix, rest) => rest.stable_version(tag.strip_prefix(prefix)?),
            Self::Regex(regex) => regex.captures(tag).and_then(|groups| captured(&groups)),
        }
    }

    /// The stable version a tag leads to and the pre-release part behind it; `None` for any other tag.
    #[must_use]
    pub fn pre_release(&self, tag: &str) -> Option<(String, String)> {
        match self {
            Self::Default => {
                let version = semver::Version::parse(tag.strip_prefix('v').unwrap_or(tag)).ok()?;
                let stable = format!("{}.{}.{}", version.major, version.minor, version.patch);
                (!version.pre.is_empty()).then(|| (stable, version.pre.to_string()))
            }
            Self::Prefixed(prefix, rest) => rest.pre_release(tag.strip_prefix(prefix)?),
            Self::Regex(regex) => {
                let groups = regex.captures(tag)?;
                let pre = groups.name("pre")?.as_str().trim_start_matches(['-', '.', '_']);
                (!pre.is_empty()).then_some((numbers(&groups)?, pre.to_owned()))
            }
        }
    }
}

fn semantic(tag: &str) -> Option<String> {
    let text = tag.strip_prefix('v').unwrap_or(tag);
    // Most tags that are no version are told apart by their first byte, and no version is parsed for them.
    text.as_bytes().first().filter(|byte| byte.is_ascii_digit())?;
    let version = semver::Version::parse(text).ok()?;
    version.pre.is_empty().then(|| text.to_owned())
}

fn captured(groups: &Captures) -> Option<String> {
    let group = |name| groups.name(name).map(|group| group.as_str());
    if group("pre").is_some_and(|pre| !pre.is_empty()) {
        return None;
    }
    let stable = numbers(groups)?;
    Some(group("meta").map_or(stable.clone(), |meta| format!("{stable}+{meta}")))
}

fn numbers(groups: &Captures) -> Option<String> {
    let group = |name| groups.name(name).map(|group| group.as_str());
    Some(format!("{}.{}.{}", group("major")?, group("minor")?, group("patch")?))
}

fn invalid(tag_regex: &str, why: &str) -> Problem {
    Problem::new(format!("the `tag_regex` `{tag_regex}` is invalid: {why}"))
        .hint("it takes RE2 syntax with the groups `major`, `minor` and `patch`, such as `^v(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)$`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(pattern: &str, tag: &str) -> Option<String> {
        TagPattern::parse(pattern).unwrap().stable_version(tag)
    }

    #[test]
    fn the_default_takes_a_whole_semantic_version_without_pre_release() {
        for (tag, expected) in [
            ("v1.2.3", Some("1.2.3")),
            ("1.2.3+b.5", Some("1.2.3+b.5")),
            ("v1.2.3-rc1", None),
            ("1.2", None),
            ("vv1.2.3", None),
            ("v01.2.3", None),
            ("release-1.2.3", None),
            ("1.2.3 ", None),
        ] {
            assert_eq!(TagPattern::Default.stable_version(tag).as_deref(), expected, "{tag}");
        }
    }

    #[test]
    fn a_configured_pattern_searches_and_drops_pre_releases() {
        let pattern = r"app/(?P<major>\d+)\.(?<minor>\d+)\.(?P<patch>\d+)(?P<pre>-\w+)?(\+(?P<meta>\d+))?$";
        assert_eq!(version(pattern, "x/app/1.2.0"), Some("1.2.0".into()));
        assert_eq!(version(pattern, "app/1.2.0+7"), Some("1.2.0+7".into()));
        assert_eq!(version(pattern, "app/1.2.0-rc1"), None);
        assert_eq!(version("^v", "v1.2.0"), None, "no groups, no version");
    }

    #[test]
    fn a_pre_release_is_told_apart_from_the_version_it_leads_to() {
        let found = TagPattern::Default.pre_release("v1.2.0-rc.1+b");
        assert_eq!(found, Some(("1.2.0".into(), "rc.1".into())));
        assert_eq!(TagPattern::Default.pre_release("v1.2.0"), None);
        let pattern = TagPattern::parse(r"^app/(?P<major>\d+)\.(?P<minor>\d+)\.(?P<patch>\d+)(?P<pre>-.+)?$").unwrap();
        assert_eq!(pattern.pre_release("app/2.0.0-rc2"), Some(("2.0.0".into(), "rc2".into())));
        assert_eq!(pattern.pre_release("app/2.0.0"), None);
    }

    #[test]
    fn a_version_may_stand_behind_a_prefix() {
        let config = Config { tag_prefix: Some("api/".to_owned()), ..Config::default() };
        let pattern = TagPattern::of(&config).unwrap();
        for (tag, version) in
            [("api/1.2.0", Some("1.2.0")), ("api/v1.2.0", Some("1.2.0")), ("v1.2.0", None), ("api/v1.2.0-rc.1", None)]
        {
            assert_eq!(pattern.stable_version(tag).as_deref(), version, "{tag}");
        }
        assert_eq!(pattern.pre_release("api/v1.2.0-rc.1"), Some(("1.2.0".into(), "rc.1".into())));
        let searched = Config { tag_regex: Some(r"(?P<major>\d+)-(?P<minor>\d)(?P<patch>\d)".into()), ..config };
        assert_eq!(TagPattern::of(&searched).unwrap().stable_version("api/4-20").as_deref(), Some("4.2.0"));
    }

    #[test]
    fn an_invalid_pattern_says_why() {
        for (pattern, why) in [(r"^(?=v)", "look-around"), (r"^v(?P<major>\d+", "unclosed group"), (r"a{1001}", "1000")]
        {
            let message = TagPattern::parse(pattern).unwrap_err().to_string();
            assert!(message.contains(pattern) && message.contains(why), "{message}");
        }
    }
}
