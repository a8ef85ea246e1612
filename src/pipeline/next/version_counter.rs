//! The number of the next version: what the changes ask for, the calendar, pre-releases and tags say together.

use std::{collections::HashSet, fmt};

use anyhow::Context as _;
use chrono::Datelike as _;

use crate::{
    config::{CalendarPart, Versioning},
    git,
    model::{BumpLevel, Date, Problem, Version, compare_versions},
    pipeline::{
        base::{base_tag::BaseTag, tags::Tags},
        scope::Scope,
    },
    sources::change_files::PreRelease,
    versions::{
        bump,
        calendar::{self, DatedVersion},
        tag_families::NEWEST,
        tag_pattern::BaseCandidate,
    },
};

/// The options for the choice of the next version.
#[derive(Clone, Debug, Default)]
pub(crate) struct BumpOptions {
    /// The bump level, whatever the categories ask for.
    pub level: Option<BumpLevel>,
    /// The name of a pre-release, such as `rc`.
    pub pre: Option<String>,
    /// Build metadata, without `+`.
    pub build: Option<String>,
    /// The version of a first release; `None` is 0.1.0, and leaves it to the tags whether the release is the first.
    pub initial: Option<semver::Version>,
}

/// What says which version is the next, if it is a higher one than the changes ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum VersionName {
    /// The tag of a pre-release.
    PreRelease(String),
    /// The branch, by its name.
    Branch(String),
}

impl fmt::Display for VersionName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PreRelease(tag) => write!(out, "`{tag}` is a pre-release of it"),
            Self::Branch(name) => write!(out, "it is the first version of the branch `{name}`"),
        }
    }
}

/// The version of a first release if no other is given.
const INITIAL: &str = "0.1.0";

/// Counts the next version.
pub(super) struct VersionCounter<'a> {
    pub(crate) scope: &'a Scope<'a>,
    pub(super) tags: &'a Tags,
    /// Whether the options say that this is the first release, whatever tags there are.
    pub(super) is_asked_first: bool,
    /// The last stable tag.
    pub(super) base: Option<&'a BaseTag>,
    /// Whether the version is counted from that of the manifest.
    pub(super) follows_manifest: bool,
    /// The pre-release that a tool with change files makes at the moment.
    pub(super) pre_release: Option<&'a PreRelease>,
}

impl VersionCounter<'_> {
    /// Returns the version after the last one, and what else says what it is, if something does; an error if it is tagged
    /// already, or begins a series below that of another tag.
    pub(super) fn version(
        &self,
        last: Option<&Version>,
        level: BumpLevel,
        options: &BumpOptions,
    ) -> anyhow::Result<(Version, Option<VersionName>)> {
        let mut named_by = None;
        let mut text = match &self.scope.config().versioning {
            Versioning::Calendar(parts) => {
                let last = last.map(Version::stable);
                let next = bump::next_by_calendar(parts, last.as_deref(), level, &self.scope.request.date)?;
                self.tags.without_zeros(self.with_first_counter(parts, &next))
            }
            Versioning::SemVer => {
                let mut counted = self.bump(last, level, options)?;
                if options.level.is_none()
                    && !self.follows_manifest
                    && let Some((branch, first)) = self.first_of_branch(last)
                    && compare_versions(&first, &counted).is_gt()
                {
                    (counted, named_by) = (first, Some(VersionName::Branch(branch)));
                }
                let leading = if self.is_asked_first && last.is_none() || self.follows_manifest {
                    // A tool that sets the version in manifests does not read tags.
                    None
                } else {
                    // An existing pre-release may be of a higher version than the changes ask for.
                    self.highest_pre_release(&counted, options.pre.is_none())?
                };
                match leading {
                    Some((tag, stable)) => {
                        named_by = Some(VersionName::PreRelease(tag));
                        stable
                    }
                    None => counted,
                }
            }
        };
        if let Some(name) = &options.pre {
            let leading: Vec<_> = self.tags.names.iter().filter_map(|tag| self.tags.pattern.pre_release(tag)).collect();
            let existing = leading.iter().filter(|(to, _)| *to == text).map(|(_, pre)| pre.as_str());
            let pre = bump::next_pre_release(name, existing);
            semver::Prerelease::new(&pre).with_context(|| invalid_part("a pre-release", name))?;
            text = format!("{text}-{pre}");
        }
        if let Some(PreRelease { name, restarts, .. }) = self.pre_release {
            let is_continued = |last: &&Version| !restarts || last.stable() == text;
            text = format!("{text}-{name}.{}", last.filter(is_continued).map_or(0, next_number));
        }
        if let Some(build) = &options.build {
            semver::BuildMetadata::new(build).with_context(|| invalid_part("build metadata", build))?;
            text = format!("{text}+{build}");
        }
        let version = text.parse::<Version>().context("the next version is not valid")?;
        self.check_tags(&version, last, named_by.is_some())?;
        Ok((version, named_by))
    }

    fn bump(&self, last: Option<&Version>, level: BumpLevel, options: &BumpOptions) -> anyhow::Result<String> {
        let Some(base) = last else {
            let initial = options.initial.as_ref().or(self.scope.config().release.initial.as_ref());
            return Ok(initial.map_or_else(|| INITIAL.to_owned(), ToString::to_string));
        };
        if let Some(problem) = self.date_problem(base, options.level.is_some())? {
            return Err(problem.into());
        }
        // The number after a day is counted, as on the branch of that release, but the day is not.
        if level == BumpLevel::Major && bump::begins_with_day(&base.stable()) {
            return Err(uncounted_date(base).hint(setting("YYYY0M0D.MICRO")).into());
        }
        Ok(if self.tags.is_revision(base) {
            self.tags.version_after(&base.to_string(), level)
        } else if base.semver().pre.is_empty() {
            self.tags.version_after(&base.stable(), level)
        } else {
            bump::increment_version(base.semver(), level)
        })
    }

    /// Returns the problem of a version that is a date, while the configuration has no calendar: one in which months or
    /// days are padded with zeros, as `2021.12.17` is where the other versions are as `2021.06.06`, or, if no part to raise
    /// `is_named`, one that agrees with the dates of the tags. Counters with leading zeros, as in `0.22.00`, are none.
    fn date_problem(&self, version: &Version, is_named: bool) -> anyhow::Result<Option<Problem>> {
        let stable = version.stable();
        let may_agree = !is_named && version.is_semantic() && self.is_year_of_base(version.semver().major)?;
        if !may_agree && !bump::is_date(&stable) {
            return Ok(None);
        }
        let scheme = self.calendar_scheme()?;
        let is_date = match &scheme {
            Some(scheme) => !version.is_semantic() || may_agree || scheme.contains("0M") || scheme.contains("0D"),
            None => !version.is_semantic() && bump::begins_with_year(&stable),
        };
        if !is_date {
            return Ok(None);
        }
        let scheme = scheme.as_deref().unwrap_or("YYYY.0M.MICRO");
        Ok(Some(uncounted_date(version).hint(self.scope.config().init_or(&setting(scheme)))))
    }

    /// Whether a number is the year of the last stable tag, with four digits or two.
    fn is_year_of_base(&self, number: u64) -> anyhow::Result<bool> {
        let Some(base) = self.base else { return Ok(false) };
        let date = git::commit_date(self.scope.repo, base.commit)?.and_then(|date| date.try_into().ok());
        let year = date.and_then(Date::from_seconds).and_then(|date| u64::try_from(date.parts().year()).ok());
        Ok(year.is_some_and(|year| number == year || number.saturating_add(2000) == year))
    }

    /// Returns the scheme of calendar versions that the highest versions show.
    fn calendar_scheme(&self) -> anyhow::Result<Option<String>> {
        let newest: Vec<BaseCandidate> = self.tags.stable().into_iter().take(NEWEST).collect();
        let names: Vec<&str> = newest.iter().map(|candidate| candidate.tag.as_str()).collect();
        let dates = git::tags::dates(self.scope.repo, names)?;
        let versions = newest.into_iter().zip(dates);
        let newest = versions.filter_map(|(tag, date)| Some(DatedVersion { text: tag.version, date: date? }));
        Ok(calendar::scheme(&newest.collect::<Vec<_>>()))
    }

    /// Lets a counter begin at 1 where it did so in other periods, and at 0 in none: `26.1.0` follows `25.4.0`.
    fn with_first_counter(&self, parts: &[CalendarPart], version: &str) -> String {
        let known: Vec<String> =
            self.tags.names.iter().filter_map(|tag| self.tags.pattern.stable_version(tag)).collect();
        let known: Vec<Vec<&str>> = known.iter().map(|version| version.split('.').collect()).collect();
        let begins_at_one = |index: usize| {
            let begun = known.iter().filter(|numbers| numbers.get(index) == Some(&"1"));
            let periods: HashSet<&[&str]> = begun.map(|numbers| &numbers[..index]).collect();
            periods.len() > 1 && known.iter().all(|numbers| numbers.get(index).is_some_and(|number| *number != "0"))
        };
        let numbers = version.split('.').enumerate().map(|(index, text)| {
            let is_first = text == "0" && parts.get(index).is_some_and(|part| !part.is_date());
            if is_first && begins_at_one(index) { "1" } else { text }
        });
        numbers.collect::<Vec<_>>().join(".")
    }
}

/// Returns the problem of a version that is a date, if the configuration does not say how to count on.
fn uncounted_date(version: &Version) -> Problem {
    let version = version.stable();
    Problem::new(format!(
        "the last version `{version}` looks like a date, and `versioning` does not say how to count on"
    ))
}

fn setting(scheme: &str) -> String {
    format!("set `versioning` in the configuration, such as `versioning: {scheme}`")
}

/// Returns the number after that of a pre-release such as `next.3`; 0 after a stable version.
fn next_number(version: &Version) -> u64 {
    let last = version.semver().pre.as_str().rsplit('.').next().and_then(|number| number.parse::<u64>().ok());
    last.map_or(0, |number| number.saturating_add(1))
}

fn invalid_part(what: &str, text: &str) -> Problem {
    Problem::usage(format!("`{text}` cannot be {what}"))
        .hint("use letters, digits and hyphens, in parts separated by dots")
}
