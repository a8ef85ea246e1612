//! The patterns of tags that are versions (the default one, which is parsed by hand, or a `tag_regex` in RE2's syntax),
//! and the choice of the base tag, the highest stable version below the requested one.

use std::{cmp::Ordering, collections::HashSet};

use regex::{Captures, Regex};

use super::{
    revisions,
    tag_names::{names_pre_release, stable_text},
};
use crate::{
    config::{Config, Pattern},
    model::{BumpLevel, Problem, compare_versions},
};

#[derive(Clone, Debug, Default)]
pub(crate) enum TagPattern {
    /// The whole name is `v?` and a semantic version.
    #[default]
    Default,
    /// As [`Self::Default`], or `v?` and two to four numbers, perhaps with leading zeros, or with `_` or `-` between them;
    /// `moving` tags are not versions, and build metadata that names a pre-release makes a version one.
    Loose {
        /// Tags such as `v1.2` that follow the newest version of a series.
        moving: HashSet<String>,
    },
    /// Another pattern, where pre-releases are releases as stable versions are.
    WithPreReleases(Box<TagPattern>),
    /// Another pattern, where a number behind a dash is a revision: `7.1.2-29` is a release.
    WithRevisions(Box<TagPattern>),
    /// A prefix, and the pattern of the rest.
    Prefixed(String, Box<TagPattern>),
    /// A regular expression with the groups `major`, `minor`, `patch` and perhaps `pre` and `meta`, searched in a name.
    Regex(Regex),
}

/// The tag that a section starts after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BaseCandidate {
    pub tag: String,
    pub version: String,
}

impl TagPattern {
    pub(crate) fn from_config(config: &Config) -> Result<Self, Problem> {
        let rest = config.tag_regex.as_deref().map_or(Ok(Self::Default), Self::parse)?;
        Ok(match &config.tag_prefix {
            Some(prefix) => Self::Prefixed(prefix.clone(), Box::new(rest)),
            None => rest,
        })
    }

    /// Returns the pattern, which also reads versions of two and four numbers and with leading zeros if it is the
    /// default one; `moving` are the tags that are not versions.
    pub(crate) fn with_loose_versions(self, moving: HashSet<String>) -> Self {
        match self {
            Self::Default | Self::Loose { .. } => Self::Loose { moving },
            Self::Prefixed(prefix, rest) => Self::Prefixed(prefix, Box::new(rest.with_loose_versions(moving))),
            Self::WithPreReleases(rest) => rest.with_loose_versions(moving).with_pre_releases(),
            Self::WithRevisions(rest) => rest.with_loose_versions(moving).with_revisions(),
            Self::Regex(_) => self,
        }
    }

    /// Returns the pattern, of which the stable version of a pre-release tag is its whole version.
    pub(crate) fn with_pre_releases(self) -> Self {
        if self.has_pre_releases() { self } else { Self::WithPreReleases(Box::new(self)) }
    }

    /// Returns the pattern, of which a pre-release has no stable version.
    pub(crate) fn without_pre_releases(self) -> Self {
        if let Self::WithPreReleases(rest) = self { *rest } else { self }
    }

    /// Whether pre-releases are releases as stable versions are.
    pub(crate) fn has_pre_releases(&self) -> bool {
        matches!(self, Self::WithPreReleases(_))
    }

    pub(crate) fn with_revisions(self) -> Self {
        Self::WithRevisions(Box::new(self))
    }

    /// Whether a number behind a dash is a revision.
    pub(crate) fn has_revisions(&self) -> bool {
        match self {
            Self::WithRevisions(_) => true,
            Self::WithPreReleases(rest) => rest.has_revisions(),
            _ => false,
        }
    }

    pub(crate) fn parse(tag_regex: &str) -> Result<Self, Problem> {
        let pattern = Pattern::parse(tag_regex).map_err(|why| invalid(tag_regex, &why))?;
        Ok(Self::Regex(pattern.regex().clone()))
    }

    /// Returns the stable version of a tag, `major.minor.patch` and `+meta` if any; `None` for pre-releases and for
    /// names that are not versions.
    pub(crate) fn stable_version(&self, tag: &str) -> Option<String> {
        match self {
            Self::Default => semantic(tag),
            Self::Loose { moving } => {
                let version = stable_text(tag.strip_prefix('v').unwrap_or(tag))?;
                (!moving.contains(tag)).then(|| version.into_owned())
            }
            Self::WithPreReleases(rest) => rest
                .stable_version(tag)
                .or_else(|| rest.pre_release(tag).map(|(stable, pre)| format!("{stable}-{pre}"))),
            Self::WithRevisions(rest) => rest.stable_version(tag).or_else(|| rest.revision(tag)),
            Self::Prefixed(prefix, rest) => rest.stable_version(tag.strip_prefix(prefix)?),
            Self::Regex(regex) => regex.captures(tag).and_then(|groups| captured_version(regex, &groups)),
        }
    }

    /// Returns the stable version and the pre-release part of a pre-release tag; `None` for any other tag.
    pub(crate) fn pre_release(&self, tag: &str) -> Option<(String, String)> {
        match self {
            Self::Default | Self::Loose { .. } => {
                let version = semver::Version::parse(tag.strip_prefix('v').unwrap_or(tag)).ok()?;
                let stable = format!("{}.{}.{}", version.major, version.minor, version.patch);
                let is_loose = matches!(self, Self::Loose { .. });
                let pre = if version.pre.is_empty() {
                    (is_loose && names_pre_release(&version.build)).then(|| version.build.to_string())?
                } else {
                    version.pre.to_string()
                };
                Some((stable, pre))
            }
            Self::WithPreReleases(rest) => rest.pre_release(tag),
            Self::WithRevisions(rest) => rest.pre_release(tag).filter(|_| rest.revision(tag).is_none()),
            Self::Prefixed(prefix, rest) => rest.pre_release(tag.strip_prefix(prefix)?),
            Self::Regex(regex) => {
                let groups = regex.captures(tag)?;
                let pre = groups.name("pre")?.as_str().trim_start_matches(['-', '.', '_']);
                (!pre.is_empty()).then_some((numbers(regex, &groups)?, pre.to_owned()))
            }
        }
    }

    /// Returns the lowest part that the versions of tags have: a `tag_regex` without `minor` or `patch` reads 0 for it.
    pub(crate) fn lowest_part(&self) -> BumpLevel {
        match self {
            Self::Default | Self::Loose { .. } => BumpLevel::Patch,
            Self::WithPreReleases(rest) | Self::WithRevisions(rest) | Self::Prefixed(_, rest) => rest.lowest_part(),
            Self::Regex(regex) => match () {
                () if has_group(regex, "patch") => BumpLevel::Patch,
                () if has_group(regex, "minor") => BumpLevel::Minor,
                () => BumpLevel::Major,
            },
        }
    }

    /// Returns the version of a tag with a revision.
    fn revision(&self, tag: &str) -> Option<String> {
        let (stable, pre) = self.pre_release(tag)?;
        Some(format!("{stable}-{pre}")).filter(|version| revisions::split(version).is_some())
    }

    /// Finds the base tag among names in ref order: the highest below `ceiling` (a stable version), or of all.
    ///
    /// Reachability does not count. Of several tags of one version, the last one in ref order is used; of versions with
    /// the same precedence, the one whose first tag comes last.
    pub(crate) fn base<'a>(
        &self,
        tags: impl IntoIterator<Item = &'a str>,
        ceiling: Option<&str>,
    ) -> Option<BaseCandidate> {
        let mut highest: Vec<BaseCandidate> = Vec::new();
        for tag in tags {
            let Some(version) = self.stable_version(tag) else { continue };
            if ceiling.is_some_and(|ceiling| compare_versions(&version, ceiling).is_ge()) {
                continue;
            }
            match highest.first().map_or(Ordering::Greater, |base| compare_versions(&version, &base.version)) {
                Ordering::Less => {}
                Ordering::Greater => highest = vec![BaseCandidate { tag: tag.to_owned(), version }],
                Ordering::Equal => join_equals(&mut highest, tag, version),
            }
        }
        highest.pop()
    }
}

fn semantic(tag: &str) -> Option<String> {
    let text = tag.strip_prefix('v').unwrap_or(tag);
    // Most tags that are not versions are recognized by their first byte.
    text.as_bytes().first().filter(|byte| byte.is_ascii_digit())?;
    let version = semver::Version::parse(text).ok()?;
    version.pre.is_empty().then(|| text.to_owned())
}

fn captured_version(regex: &Regex, groups: &Captures) -> Option<String> {
    let group = |name| groups.name(name).map(|group| group.as_str());
    if group("pre").is_some_and(|pre| !pre.is_empty()) {
        return None;
    }
    let stable = numbers(regex, groups)?;
    Some(group("meta").map_or(stable.clone(), |meta| format!("{stable}+{meta}")))
}

/// Returns the three numbers; one whose group the pattern does not have is 0.
fn numbers(regex: &Regex, groups: &Captures) -> Option<String> {
    let number = |name| match groups.name(name) {
        None if name != "major" && !has_group(regex, name) => Some("0"),
        group => group.map(|group| group.as_str()),
    };
    Some(format!("{}.{}.{}", number("major")?, number("minor")?, number("patch")?))
}

fn has_group(regex: &Regex, name: &str) -> bool {
    regex.capture_names().flatten().any(|group| group == name)
}

fn invalid(tag_regex: &str, why: &str) -> Problem {
    Problem::new(format!("the `tag_regex` `{tag_regex}` is invalid: {why}"))
        .hint("use RE2 syntax with the groups `major`, `minor` and `patch`, such as `^v(?P<major>\\d+)\\.(?P<minor>\\d+)\\.(?P<patch>\\d+)$`")
}

fn join_equals(highest: &mut Vec<BaseCandidate>, tag: &str, version: String) {
    match highest.iter_mut().find(|base| base.version == version) {
        Some(same) => tag.clone_into(&mut same.tag),
        None => highest.push(BaseCandidate { tag: tag.to_owned(), version }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_finds_stable_versions() {
        let loose = TagPattern::Default.with_loose_versions(["v1.2".to_owned()].into());
        let regex = |regex: &str| Config { tag_regex: Some(regex.to_owned()), ..Config::default() };
        let searched = regex(r"app/(?P<major>\d+)\.(?<minor>\d+)\.(?P<patch>\d+)(?P<pre>-\w+)?(\+(?P<meta>\d+))?$");
        let prefixed = Config { tag_prefix: Some("api/".to_owned()), ..Config::default() };
        let both = Config { tag_prefix: Some("api/".into()), ..regex(r"(?P<major>\d+)-(?P<minor>\d)(?P<patch>\d)") };
        let [searched, without_groups, prefixed, both] =
            [searched, regex("^v"), prefixed, both].map(|config| TagPattern::from_config(&config).unwrap());
        for (pattern, tag, expected) in [
            (&TagPattern::Default, "v1.2.3", Some("1.2.3")),
            (&TagPattern::Default, "1.2.3+b.5", Some("1.2.3+b.5")),
            (&TagPattern::Default, "v1.2.3-rc1", None),
            (&TagPattern::Default, "1.2", None),
            (&TagPattern::Default, "vv1.2.3", None),
            (&TagPattern::Default, "v01.2.3", None),
            (&TagPattern::Default, "release-1.2.3", None),
            (&TagPattern::Default, "1.2.3 ", None),
            (&loose, "v1.2.3", Some("1.2.3")),
            (&loose, "26.2", Some("26.2")),
            (&loose, "2026.08.19", Some("2026.08.19")),
            (&loose, "v1.2.3.4", Some("1.2.3.4")),
            (&loose, "v1.2", None),
            (&loose, "v1", None),
            (&loose, "1.2.3.4.5", None),
            (&loose, "1..2", None),
            (&loose, "26.2b1", None),
            (&loose, "8_1_0", Some("8.1.0")),
            (&loose, "6_5", Some("6.5")),
            (&loose, "v1-2-3", Some("1.2.3")),
            (&loose, "2024-03-04", Some("2024.03.04")),
            (&loose, "2024-03-04.1", Some("2024.03.04.1")),
            (&loose, "2024-03", None),
            (&loose, "1_2-3", None),
            (&loose, "16.2.0+rc45.ee.0", None),
            (&loose, "16.2.0+rcx.1", Some("16.2.0+rcx.1")),
            (&TagPattern::Default, "16.2.0+rc45.ee.0", Some("16.2.0+rc45.ee.0")),
            (&TagPattern::Default, "8_1_0", None),
            (&searched, "x/app/1.2.0", Some("1.2.0")),
            (&searched, "app/1.2.0+7", Some("1.2.0+7")),
            (&searched, "app/1.2.0-rc1", None),
            (&without_groups, "v1.2.0", None),
            (&prefixed, "api/1.2.0", Some("1.2.0")),
            (&prefixed, "api/v1.2.0", Some("1.2.0")),
            (&prefixed, "v1.2.0", None),
            (&prefixed, "api/v1.2.0-rc.1", None),
            (&both, "api/4-20", Some("4.2.0")),
        ] {
            assert_eq!(pattern.stable_version(tag).as_deref(), expected, "{tag} by {pattern:?}");
        }
        assert_eq!(prefixed.pre_release("api/v1.2.0-rc.1"), Some(("1.2.0".into(), "rc.1".into())));
    }

    #[test]
    fn a_pre_release_is_split_into_version_and_pre_release_part() {
        let found = TagPattern::Default.pre_release("v1.2.0-rc.1+b");
        assert_eq!(found, Some(("1.2.0".into(), "rc.1".into())));
        assert_eq!(TagPattern::Default.pre_release("v1.2.0"), None);
        let loose = TagPattern::Default.with_loose_versions(HashSet::new());
        assert_eq!(loose.pre_release("16.2.0+rc45.ee.0"), Some(("16.2.0".into(), "rc45.ee.0".into())));
        assert_eq!(loose.pre_release("16.2.0+ee.0"), None, "a build");
        assert_eq!(TagPattern::Default.pre_release("16.2.0+rc45.ee.0"), None, "a build, as semantic versions have it");
        let pattern = TagPattern::parse(r"^app/(?P<major>\d+)\.(?P<minor>\d+)\.(?P<patch>\d+)(?P<pre>-.+)?$").unwrap();
        assert_eq!(pattern.pre_release("app/2.0.0-rc2"), Some(("2.0.0".into(), "rc2".into())));
        assert_eq!(pattern.pre_release("app/2.0.0"), None);
    }

    #[test]
    fn where_pre_releases_count_they_are_versions_and_otherwise_not() {
        let tags = ["v1.0.0", "v1.1.0-rc.1"];
        let base = |pattern: &TagPattern| pattern.base(tags, None).map(|base| (base.tag, base.version));
        let counting = TagPattern::Default.with_pre_releases();
        assert!(counting.has_pre_releases() && !TagPattern::Default.has_pre_releases());
        assert_eq!(base(&counting), Some(("v1.1.0-rc.1".to_owned(), "1.1.0-rc.1".to_owned())));
        assert_eq!(base(&counting.without_pre_releases()), Some(("v1.0.0".to_owned(), "1.0.0".to_owned())));
    }

    #[test]
    fn an_invalid_pattern_says_why() {
        for (pattern, why) in [(r"^(?=v)", "look-around"), (r"^v(?P<major>\d+", "unclosed group"), (r"a{1001}", "1000")]
        {
            let message = TagPattern::parse(pattern).unwrap_err().to_string();
            assert!(message.contains(pattern) && message.contains(why), "{message}");
        }
    }

    #[test]
    fn the_base_is_the_highest_stable_version_below_and_of_equal_ones_the_later_tag() {
        let tags = ["v1.0.0", "v1.0.0-pre1", "v1.1.0", "v2.0.0", "v3.0.0-rc1"];
        for (tags, ceiling, expected) in [
            (&tags[..], Some("1.1.1"), Some("v1.1.0")),
            (&tags, Some("2.0.0"), Some("v1.1.0")),
            (&tags, Some("1.0.0"), None),
            (&tags, None, Some("v2.0.0")),
            (&["v1.9.0", "v1.10.0"], Some("1.11.0"), Some("v1.10.0")),
            (&["1.1.0", "v1.1.0"], Some("1.2.0"), Some("v1.1.0")),
            // Build metadata counts in the order.
            (&["1.1.0+b.1", "1.1.0+b1", "v1.1.0+b.1"], Some("1.1.0"), Some("1.1.0+b1")),
            (&["v1.0.0", "v1.0.0+5"], Some("1.0.1"), Some("v1.0.0+5")),
            (&["v1.0.0", "v1.0.0+zeta"], Some("1.0.1"), Some("v1.0.0")),
        ] {
            let base = TagPattern::Default.base(tags.iter().copied(), ceiling).map(|base| base.tag);
            assert_eq!(base.as_deref(), expected, "{tags:?} below {ceiling:?}");
        }
    }
}
