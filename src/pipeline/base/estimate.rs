//! The next version if the entries have no categories, as those of merge requests and titles: an estimate by what the
//! last releases were.

use std::fmt::Display;

use super::{
    base_tag::{BaseTag, peel_tags},
    maintenance_releases::without_maintenance_releases,
    tags::Tags,
};
use crate::{
    config::{CHANGES, Config, Versioning},
    git,
    model::{BumpLevel, Oid, Problem, compare_versions, without_build},
    pipeline::scope::Scope,
    sources::classified_commit::ClassifiedCommit,
    versions::tag_pattern::BaseCandidate,
};

/// The number of releases to look back at.
const LAST: usize = 5;

/// An estimate of the next version.
#[derive(Clone, Debug)]
pub(crate) struct Estimate {
    /// The level that most of the last releases had; a patch on a maintenance line.
    pub level: BumpLevel,
    /// The last releases, newest first, each with the part of the version that it raised.
    pub last: Vec<(String, BumpLevel)>,
    /// The versions to choose from, by the part they raise: the patch, and those of the last releases' levels.
    pub candidates: Vec<(BumpLevel, String)>,
    /// Whether a higher series is released on another line.
    pub is_maintenance: bool,
    /// Whether the base tag is on a branch that left this one; the last releases are then those that this one had.
    pub is_beside_base: bool,
    /// Whether the range has changes and none of them is listed.
    pub lists_nothing: bool,
}

impl Estimate {
    /// Estimates the version after `base`; `None` if most entries have a kind, dates make the version, or nothing is listed
    /// and the range has no other changes either.
    ///
    /// # Errors
    /// If the history of a release cannot be read.
    pub(crate) fn of(
        commits: &[ClassifiedCommit],
        scope: &Scope,
        tags: &Tags,
        base: Option<&BaseTag>,
        has_unlisted_changes: bool,
    ) -> anyhow::Result<Option<Self>> {
        let config = scope.config();
        let Some(base) = base else { return Ok(None) };
        if config.versioning != Versioning::SemVer {
            return Ok(None);
        }
        let lists_nothing = commits.iter().all(|commit| commit.classification.categories().is_empty());
        let lacks_kinds = if lists_nothing { has_unlisted_changes } else { lacks_kinds(commits, config) };
        if !lacks_kinds {
            return Ok(None);
        }
        let mut releases = tags.stable();
        releases.dedup_by(|left, right| compare_versions(number(left), number(right)).is_eq());
        let own = without_build(&base.version);
        let higher = releases.iter().filter(|other| step(own, number(other)) > Some(BumpLevel::Patch));
        let is_maintenance = has_another_line(scope, higher.cloned().collect())?;
        let is_beside_base = base.parted_at.is_some() && !is_maintenance;
        releases.retain(|other| compare_versions(number(other), own).is_le());
        if is_beside_base {
            releases = without_maintenance_releases(scope, releases)?;
        }
        let last: Vec<_> = releases.windows(2).take(LAST).filter_map(raised_part).collect();
        // A maintenance branch goes on with the patches of its series.
        let has_patches =
            releases.first().is_some_and(|newest| number(newest) == own) && count(&last, BumpLevel::Patch) > 0;
        let lowest = if is_beside_base && !has_patches { BumpLevel::Minor } else { BumpLevel::Patch };
        let level = if is_maintenance { BumpLevel::Patch } else { most_frequent(&last, lowest) };
        let levels = [BumpLevel::Patch, BumpLevel::Minor, BumpLevel::Major].into_iter();
        let levels = levels.filter(|level| *level == lowest || (*level > lowest && count(&last, *level) > 0));
        let candidates = levels.map(|level| (level, tags.version_after(own, level))).collect();
        Ok(Some(Self { level, last, candidates, is_maintenance, is_beside_base, lists_nothing }))
    }

    /// Returns the failure of a command that does not take an estimate for the version.
    pub(crate) fn refusal(&self, version: impl Display, hint: impl AsRef<str>) -> Problem {
        Problem::new(format!("the version {version} is {}", self.in_words())).hint(hint)
    }

    /// Returns the estimate in words, with all candidates.
    #[must_use]
    pub(crate) fn in_words(&self) -> String {
        let why = match self.last.len() {
            _ if self.is_maintenance => "as on a maintenance line".to_owned(),
            0 => "since no earlier release shows more".to_owned(),
            _ if self.is_beside_base && count(&self.last, self.level) == 0 => {
                "since the patches are made on a branch of their own".to_owned()
            }
            last if self.is_beside_base => {
                format!("as {} of the last {last} releases of this branch", count(&self.last, self.level))
            }
            1 if count(&self.last, self.level) == 1 => "as the last release did".to_owned(),
            last => format!("as {} of the last {last} releases", count(&self.last, self.level)),
        };
        let others: Vec<String> = self
            .candidates
            .iter()
            .filter(|(level, _)| *level != self.level)
            .map(|(level, version)| {
                let of_last = match self.last.len() {
                    1 => String::new(),
                    last => format!(" ({} of the last {last})", count(&self.last, *level)),
                };
                format!("{} would be {version}{of_last}", level.name())
            })
            .collect();
        let others = if others.is_empty() { String::new() } else { format!("; {}", others.join(", ")) };
        let own = self.candidates.iter().find(|(level, _)| *level == self.level);
        let version = own.map(|(_, version)| format!(" {version}")).unwrap_or_default();
        let lack = if self.lists_nothing { "none of the changes is listed" } else { "the changes have no kinds" };
        format!("an estimate, since {lack}: {}{version}, {why}{others}", self.level.name())
    }
}

/// Whether at least half of the entries are changes without a kind, whose level the configuration does not name.
fn lacks_kinds(commits: &[ClassifiedCommit], config: &Config) -> bool {
    if config.source.has_trailers() || config.source.has_types() || config.bump.contains_key(CHANGES) {
        return false;
    }
    let categories = || commits.iter().flat_map(|commit| commit.classification.categories());
    let unkind = categories().filter(|category| *category == CHANGES).count();
    unkind > 0 && unkind * 2 >= categories().count()
}

/// Whether one of these releases, the highest first, is not in the history of the scope. Those that are came before the
/// numbers went back.
fn has_another_line(scope: &Scope, releases: Vec<BaseCandidate>) -> anyhow::Result<bool> {
    let commits: Vec<Oid> = peel_tags(scope.repo, releases)?.into_iter().map(|(_, commit)| commit).collect();
    // Mostly the highest one shows it, and the history need not be read down to the oldest.
    for commits in [commits.get(..1), commits.get(1..)].into_iter().flatten() {
        if git::lineage::contained(scope.repo, scope.to, commits)?.contains(&false) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn number(release: &BaseCandidate) -> &str {
    without_build(&release.version)
}

/// Returns the higher of two releases, and the part of the version that it raised.
fn raised_part(releases: &[BaseCandidate]) -> Option<(String, BumpLevel)> {
    let [higher, lower] = releases else { return None };
    Some((number(higher).to_owned(), step(number(lower), number(higher))?))
}

/// Returns the first part of a version that is above that of a lower one; parts after the third count as the third.
/// `None` if the version is not higher, or only written with more zeros.
fn step(lower: &str, higher: &str) -> Option<BumpLevel> {
    if !compare_versions(lower, higher).is_lt() {
        return None;
    }
    let parts = |version: &str| -> Vec<u64> { version.split('.').map(|part| part.parse().unwrap_or(0)).collect() };
    let (lower, higher) = (parts(lower), parts(higher));
    let levels = [BumpLevel::Major, BumpLevel::Minor];
    let first = (0..lower.len().max(higher.len()))
        .find(|index| lower.get(*index).unwrap_or(&0) != higher.get(*index).unwrap_or(&0))?;
    Some(levels.get(first).copied().unwrap_or(BumpLevel::Patch))
}

fn count(last: &[(String, BumpLevel)], level: BumpLevel) -> usize {
    last.iter().filter(|(_, step)| *step == level).count()
}

/// Returns the most frequent level, the lowest of several; `lowest` if there is none. Lower levels count as `lowest`.
fn most_frequent(last: &[(String, BumpLevel)], lowest: BumpLevel) -> BumpLevel {
    let levels = [BumpLevel::Major, BumpLevel::Minor, BumpLevel::Patch].into_iter().filter(|level| *level >= lowest);
    levels.max_by_key(|level| last.iter().filter(|(_, step)| (*step).max(lowest) == *level).count()).unwrap_or(lowest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_the_first_part_that_was_raised() {
        for (lower, higher, level) in [
            ("1.2.3", "2.0.0", Some(BumpLevel::Major)),
            ("1.2.3", "1.4.0", Some(BumpLevel::Minor)),
            ("1.2", "1.2.1", Some(BumpLevel::Patch)),
            ("1.2.3.4", "1.2.3.5", Some(BumpLevel::Patch)),
            ("1.2", "1.2.0", None),
            ("1.3.0", "1.2.0", None),
        ] {
            assert_eq!(step(lower, higher), level, "{lower} {higher}");
        }
    }

    #[test]
    fn the_lowest_of_the_most_frequent_levels_is_taken() {
        let level = |levels: &[BumpLevel]| {
            let last: Vec<_> = levels.iter().map(|level| (String::new(), *level)).collect();
            most_frequent(&last, BumpLevel::Patch)
        };
        let (major, minor, patch) = (BumpLevel::Major, BumpLevel::Minor, BumpLevel::Patch);
        assert_eq!(level(&[minor, patch, minor, minor, major]), minor);
        assert_eq!(level(&[minor, patch, minor, patch, major]), patch);
        assert_eq!(level(&[]), patch);
        let last = [patch, patch, major].map(|level| (String::new(), level));
        assert_eq!(most_frequent(&last, minor), minor, "patches count as the lowest level");
    }
}
