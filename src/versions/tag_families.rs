//! Families of tags, which have the same text before their versions, and the family that a repository itself is
//! released under.

use std::borrow::Cow;

use indexmap::IndexMap;

use crate::{
    model::{TaggedCommit, Version},
    versions::{
        calendar::{self, DatedVersion},
        tag_names,
    },
};

/// The number of newest releases whose tags show how a repository names its tags now, and what it releases.
pub(crate) const NEWEST: usize = 20;

/// A family is outdated if the repository's newest release is so many seconds newer than its own: two years.
const OUTDATED: u64 = 2 * 365 * 24 * 60 * 60;

/// A family went on under another name if that has a release so many seconds after its own last one: half a year.
const ENDED: u64 = OUTDATED / 4;

/// The tags with the same text before their versions.
#[derive(Clone, Debug)]
pub(crate) struct TagFamily<'a> {
    /// The text before the version and its `v`.
    pub(crate) name: &'a str,
    /// The tags, newest first.
    pub(crate) tags: Vec<&'a str>,
    /// The commit date of each tag, in seconds since 1970.
    dates: Vec<u64>,
    /// The number of the newest releases that have one of the tags.
    pub(crate) recent: usize,
    /// The index of its newest release among all releases, newest first.
    newest: usize,
    /// The index of its oldest release.
    oldest: usize,
    /// The commit date of its newest release, in seconds since 1970.
    pub(crate) date: u64,
}

/// The families of the tags of a repository.
#[derive(Clone, Debug, Default)]
pub(crate) struct TagFamilies<'a> {
    /// The families in the order of their newest tags.
    pub(crate) all: Vec<TagFamily<'a>>,
    /// The number of releases.
    releases: usize,
}

/// The family of tags that a repository itself is released under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OwnFamily<'a> {
    /// No tag has a version.
    None,
    /// The one with this text before versions.
    Named(&'a str),
    /// There are several, and none is clearly the repository's own.
    Unclear,
}

impl<'a> TagFamilies<'a> {
    /// Sorts the tags of stable versions into families; those of pre-releases only if there are no others. Several tags
    /// of one commit are one release, whose highest version counts.
    pub(crate) fn new(commits: &'a [TaggedCommit]) -> Self {
        let is_stable =
            |family: &str, version: &str| tag_names::stable_text(version).is_some() && !is_of_pre_releases(family);
        let stable = Self::of(commits, is_stable);
        if stable.all.is_empty() { Self::of(commits, |_, _| true) } else { stable }
    }

    fn of(commits: &'a [TaggedCommit], is_counted: impl Fn(&str, &str) -> bool) -> Self {
        let mut families: IndexMap<&str, TagFamily> = IndexMap::new();
        let mut releases = 0;
        for commit in commits {
            let mut own: Vec<&str> = Vec::new();
            for tag in &commit.tags {
                let Some(name) = tag_names::family(tag) else { continue };
                let version = &tag[name.len()..];
                if own.contains(&name) || !is_counted(name, version.strip_prefix('v').unwrap_or(version)) {
                    continue;
                }
                let new = TagFamily {
                    name,
                    tags: Vec::new(),
                    dates: Vec::new(),
                    recent: 0,
                    newest: releases,
                    oldest: releases,
                    date: commit.date,
                };
                let family = families.entry(name).or_insert(new);
                family.tags.push(tag);
                family.dates.push(commit.date);
                family.oldest = releases;
                family.recent += usize::from(releases < NEWEST);
                own.push(name);
            }
            releases += usize::from(!own.is_empty());
        }
        Self { all: families.into_values().collect(), releases }
    }

    /// Returns the family of the repository itself: the only one, [the one that its name shows](Self::by_name), or that of
    /// most of the newest releases, if no other has half as many.
    pub(crate) fn own(&self, project: Option<&str>) -> OwnFamily<'a> {
        match self.all.as_slice() {
            [] => OwnFamily::None,
            [only] => OwnFamily::Named(only.name),
            all => self
                .by_name(project)
                .or_else(|| all.iter().find(|family| self.is_most(family)))
                .map_or(OwnFamily::Unclear, |family| OwnFamily::Named(family.name)),
        }
    }

    /// Returns the family whose name says that it is of the repository itself: the one with the name of the project, if
    /// it is not outdated and its newest tag is newer than the newest one that is nothing but a version; else those that
    /// are nothing but a version, if they are current, or the family that went on from them; else the one whose name
    /// differs from that of the project in case.
    pub(crate) fn by_name(&self, project: Option<&str>) -> Option<&TagFamily<'a>> {
        let bare = self.bare();
        let is_named = |family: &&TagFamily| {
            project.is_some_and(|name| tag_names::is_named(family.name, name))
                && !self.is_outdated(family)
                && bare.is_none_or(|bare| family.newest < bare.newest)
        };
        let is_spelled_alike = |family: &&TagFamily| project.is_some_and(|name| family.name.contains(name));
        let find = |is_meant: &dyn Fn(&&TagFamily<'a>) -> bool| self.all.iter().find(is_meant);
        find(&|family| is_named(family) && is_spelled_alike(family))
            .or_else(|| self.successor(bare?))
            .or(bare.filter(|bare| self.is_current(bare)))
            .or_else(|| find(&|family| is_named(family)))
    }

    /// Returns the only family whose releases are all newer than those of another one, and all of higher versions: that
    /// got a prefix, if it had no release for long.
    fn successor(&self, family: &TagFamily) -> Option<&TagFamily<'a>> {
        let last = family.last_version()?;
        let is_above = |other: &TagFamily| other.semantic_versions().min().is_some_and(|lowest| lowest > last);
        let is_later = |other: &TagFamily| {
            other.oldest < family.newest && other.date.saturating_sub(family.date) >= ENDED && is_above(other)
        };
        let mut found = self.all.iter().filter(|other| is_later(other));
        found.next().filter(|_| found.next().is_none())
    }

    /// Returns the family of tags that are nothing but a version.
    pub(crate) fn bare(&self) -> Option<&TagFamily<'a>> {
        self.all.iter().find(|family| family.name.is_empty())
    }

    /// Whether one of the newest releases has a tag of the family, and it is not outdated. Of few releases only the newer
    /// half counts.
    pub(crate) fn is_current(&self, family: &TagFamily) -> bool {
        family.recent > 0 && 2 * family.newest <= self.releases && !self.is_outdated(family)
    }

    /// Whether a family has no release anymore, while others have.
    pub(crate) fn is_outdated(&self, family: &TagFamily) -> bool {
        self.all.first().is_some_and(|newest| newest.date.saturating_sub(family.date) >= OUTDATED)
    }

    fn is_most(&self, family: &TagFamily) -> bool {
        2 * family.recent > self.releases.min(NEWEST)
            && self.all.iter().all(|other| other.name == family.name || 2 * other.recent <= family.recent)
    }
}

impl TagFamily<'_> {
    pub(crate) fn prefix(&self) -> String {
        let newest = self.tags.first().copied().unwrap_or_default();
        let has_v = newest[self.name.len()..].starts_with('v');
        format!("{}{}", self.name, if has_v { "v" } else { "" })
    }

    /// Returns the highest version, as Cargo and npm write it. Old tags may have been counted in another way, such as by
    /// dates.
    pub(crate) fn last_version(&self) -> Option<semver::Version> {
        let is_old = |date: u64| self.date.saturating_sub(date) >= OUTDATED;
        self.versions()
            .zip(&self.dates)
            .filter(|(_, date)| !is_old(**date))
            .filter_map(|(text, _)| semantic(&text))
            .max()
    }

    fn semantic_versions(&self) -> impl Iterator<Item = semver::Version> {
        self.versions().filter_map(|version| semantic(&version))
    }

    /// Returns the name of what is released, without the separator before the version.
    pub(crate) fn released_name(&self) -> &str {
        self.name.trim_end_matches(['/', '@', '-', '_', '.'])
    }

    /// Returns the versions of the tags, with dots between their numbers.
    fn versions(&self) -> impl Iterator<Item = String> {
        self.tags.iter().map(|tag| {
            let version = &tag[self.name.len()..];
            let version = version.strip_prefix('v').unwrap_or(version);
            tag_names::stable_text(version).map_or_else(|| version.to_owned(), Cow::into_owned)
        })
    }

    /// Returns the scheme of calendar versions, if the newest tags are dates.
    pub(crate) fn versioning(&self) -> Option<String> {
        let dated = self.versions().zip(&self.dates).map(|(text, date)| DatedVersion { text, date: *date });
        calendar::scheme(&dated.take(NEWEST).collect::<Vec<_>>())
    }
}

/// Whether the tags of a family are of pre-releases, though their versions do not say so: `prerelease-3.1.6`.
pub(crate) fn is_of_pre_releases(family: &str) -> bool {
    const WORDS: [&str; 9] = ["alpha", "beta", "canary", "nightly", "pre", "prerelease", "preview", "rc", "snapshot"];
    let name = family.trim_end_matches(|sign: char| !sign.is_alphanumeric());
    let last = name.rsplit(|sign: char| !sign.is_alphanumeric()).next().unwrap_or(name);
    WORDS.iter().any(|word| last.eq_ignore_ascii_case(word))
}

/// Whether nothing but a word before the versions of a family says that they are pre-releases of the repository itself, which
/// count as its releases do: `preview-3.1.8`, but not `web-beta-3.1.8`.
pub(crate) fn is_only_pre_release(family: &str) -> bool {
    let word = family.trim_end_matches(|sign: char| !sign.is_alphanumeric());
    word.chars().all(char::is_alphanumeric) && is_of_pre_releases(word)
}

fn semantic(version: &str) -> Option<semver::Version> {
    version.parse::<Version>().ok()?.to_semantic()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(tags: &[&str]) -> Vec<(String, usize, Option<String>)> {
        let commits = TaggedCommit::for_each(tags);
        let families = TagFamilies::new(&commits).all;
        families.iter().map(|family| (family.prefix(), family.tags.len(), family.versioning())).collect()
    }

    #[test]
    fn a_prefix_is_that_of_the_newest_tag() {
        let tags =
            ["tokio-1.53.0", "tokio-util-0.7.1", "tokio-1.52.0", "tokio-1.54.0-rc.1", "tokio-v0.1.10", "nightly"];
        assert_eq!(found(&tags), [("tokio-".into(), 3, None), ("tokio-util-".into(), 1, None)]);
        assert_eq!(found(&["v1.2.0", "26.2", "@a/b@1.0.0"]), [("v".into(), 2, None), ("@a/b@".into(), 1, None)]);
        assert_eq!(found(&["app-1.0.0-rc.1"]), [("app-".into(), 1, None)], "there is no stable one");
    }

    #[test]
    fn an_old_date_is_not_the_last_version() {
        let commit = |date, tag: &str| TaggedCommit { date, tags: vec![tag.to_owned()] };
        let commits =
            [commit(1_780_000_000, "v1.57.0"), commit(1_770_000_000, "v1.56.0"), commit(1_488_000_000, "2017-02-27")];
        let families = TagFamilies::new(&commits);
        assert_eq!(families.all[0].last_version(), Some(semver::Version::new(1, 57, 0)));
    }

    #[test]
    fn tags_that_are_called_pre_releases_are_no_family_beside_others() {
        let tags = ["prerelease-3.1.6", "preview-3.1.3", "release-2.30.8", "release-2.30.7"];
        assert_eq!(found(&tags), [("release-".into(), 2, None)]);
        assert_eq!(found(&tags[..1]), [("prerelease-".into(), 1, None)], "there is no other");
    }

    #[test]
    fn a_family_is_of_pre_releases_if_its_last_word_says_so() {
        for (family, expected) in
            [("prerelease-", true), ("app/Beta-", true), ("release-", false), ("alphabet-", false), ("", false)]
        {
            assert_eq!(is_of_pre_releases(family), expected, "{family}");
        }
        assert!(
            is_only_pre_release("preview-") && !is_only_pre_release("app/beta-") && !is_only_pre_release("release-")
        );
    }

    #[test]
    fn dates_show_the_scheme_of_their_versions() {
        for (tags, scheme) in [
            (&["2026.08.19", "2026.07.30"][..], Some("YYYY.0M.0D")),
            (&["2024-03-04", "2024-02-26"], Some("YYYY.0M.0D")),
            (&["v2023.11.1", "v2023.11.0"], Some("YYYY.MM.MICRO")),
            (&["v2024.3.1"], None),
        ] {
            assert_eq!(found(tags)[0].2.as_deref(), scheme, "{tags:?}");
        }
    }

    #[test]
    fn the_own_family_is_named_like_the_project_or_bare_or_that_of_most_releases() {
        let old: Vec<String> = (0..NEWEST).map(|patch| format!("api-1.0.{patch}")).collect();
        let with_old = |tags: &[&'static str]| {
            let old = old.iter().map(|tag| &**tag);
            tags.iter().copied().chain(old).map(str::to_owned).collect::<Vec<_>>()
        };
        let tags = |tags: &[&str]| tags.iter().map(|&tag| tag.to_owned()).collect();
        let cases: [(Vec<String>, OwnFamily); 15] = [
            (tags(&["nightly"]), OwnFamily::None),
            (tags(&["release-1.2.3"]), OwnFamily::Named("release-")),
            (tags(&["curl-8_1_0", "curl-8_0_0"]), OwnFamily::Named("curl-")),
            (tags(&["web-1.0.0", "harbor-1.0.0", "web-0.9.0", "web-0.8.0"]), OwnFamily::Named("harbor-")),
            (tags(&["@x/harbor@1.0.0", "@x/web@1.0.0", "v0.1.0"]), OwnFamily::Named("@x/harbor@")),
            (tags(&["v2.0.0", "harbor-1.0.0"]), OwnFamily::Named("")),
            (tags(&["Harbor-1.0.0", "v1.0.0", "v0.9.0"]), OwnFamily::Named("")),
            (tags(&["web-1.0.0", "Harbor-1.0.0", "web-0.9.0"]), OwnFamily::Named("Harbor-")),
            (tags(&["web-1.0.0", "v1.0.0", "web-0.9.0", "web-0.8.0"]), OwnFamily::Named("")),
            (tags(&["web-1.0.0", "web-0.9.0", "v1.0.0"]), OwnFamily::Named("web-")),
            (with_old(&["v1.0.0"]), OwnFamily::Named("")),
            ([with_old(&[]), tags(&["v1.0.0"])].concat(), OwnFamily::Named("api-")),
            (tags(&["web-1.0.0", "api-1.0.0", "web-0.9.0", "web-0.8.0"]), OwnFamily::Named("web-")),
            (tags(&["web-1.0.0", "api-1.0.0"]), OwnFamily::Unclear),
            (tags(&["web-1.2.0", "api-1.1.0", "web-1.1.0", "api-1.0.0", "web-1.0.0"]), OwnFamily::Unclear),
        ];
        for (tags, expected) in cases {
            let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
            let commits = TaggedCommit::for_each(&tags);
            assert_eq!(TagFamilies::new(&commits).own(Some("harbor")), expected, "{tags:?}");
        }
    }

    #[test]
    fn the_name_of_the_project_on_old_tags_says_nothing() {
        let mut commits = TaggedCommit::for_each(&["@harbor/api@1.0.0", "@harbor/web@1.0.0", "harbor@11.0.0"]);
        let own =
            |commits: &[TaggedCommit]| TagFamilies::new(commits).own(Some("harbor")) == OwnFamily::Named("harbor@");
        assert!(own(&commits));
        commits[2].date -= OUTDATED - 1;
        assert!(own(&commits));
        commits[2].date -= 1;
        assert!(!own(&commits));
    }

    #[test]
    fn old_bare_tags_are_not_the_own_ones_of_a_project_that_tags_packages_now() {
        let mut commits = TaggedCommit::for_each(&["web-1.0.0", "api-2.0.0", "v0.9.0", "v0.8.0", "v0.7.0"]);
        assert_eq!(TagFamilies::new(&commits).own(None), OwnFamily::Named(""));
        for commit in &mut commits[2..] {
            commit.date -= OUTDATED;
        }
        assert_eq!(TagFamilies::new(&commits).by_name(None).map(|family| family.name), None);
    }

    #[test]
    fn bare_tags_that_got_a_prefix_went_on_with_it() {
        for (tags, expected) in [
            (
                &["curve-4.1.0", "edwards-2.1.0", "curve-4.0.0", "edwards-2.0.0", "3.2.1", "3.2.0", "3.1.0", "3.0.0"][..],
                "curve-",
            ),
            (&["curve-4.1.0", "3.2.1", "curve-4.0.0", "3.2.0", "3.1.0"], ""),
            (&["curve-4.0.0", "edwards-4.0.0", "3.2.1", "3.2.0"], ""),
        ] {
            let mut commits = TaggedCommit::for_each(tags);
            assert_eq!(TagFamilies::new(&commits).own(None), OwnFamily::Named(""), "{tags:?}: not for long");
            commits.iter_mut().filter(|commit| !commit.tags[0].contains('-')).for_each(|commit| commit.date -= ENDED);
            assert_eq!(TagFamilies::new(&commits).own(None), OwnFamily::Named(expected), "{tags:?}");
        }
    }

    #[test]
    fn several_tags_of_a_commit_are_one_release() {
        let mut commits = TaggedCommit::for_each(&["v3.14.0", "api-1.0.0"]);
        commits[0].tags.extend(["v0.314.0".to_owned(), "web-1.0.0".to_owned()]);
        let families = TagFamilies::new(&commits);
        assert_eq!(families.all[0].tags, ["v3.14.0"]);
        assert_eq!(families.releases, 2);
        commits[1].tags.push("sail-1.0.0".to_owned());
        commits.remove(0);
        assert_eq!(
            TagFamilies::new(&commits).own(None),
            OwnFamily::Unclear,
            "two families are always released together"
        );
    }
}
