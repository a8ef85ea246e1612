//! The start of a range: a given revision, the base tag, or the beginning of history.

use std::collections::HashSet;

use serde::Serialize;

use super::{ConfigSource, LoadedConfig, RangeSpec, tags::Tags, unread_tags::package_hint};
use crate::{
    config::Config,
    git::{self, Repo, lineage::Lineage},
    model::{Oid, Problem, Version, Warning, compare_versions},
    versions::tag_pattern::{BaseCandidate, SEPARATORS},
};

/// The hint if a range has no base tag to start after.
const OTHER_STARTS: &str = "take the whole history with `--first-release`, or start after a commit with `--from`";

/// The excluded end of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeStart {
    /// A given revision.
    Revision {
        /// As it was typed.
        revision: String,
        /// The commit it names.
        commit: Oid,
    },
    /// The tag of the release before.
    Base(BaseTag),
    /// The beginning of history; nothing is excluded.
    Root,
}

/// The tag that a section starts after. Every JSON document shows it alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BaseTag {
    /// The name of the tag.
    pub tag: String,
    /// The stable version that it is the tag of.
    pub version: String,
    /// The commit it points to.
    pub commit: Oid,
    /// Why this tag was chosen.
    pub reason: String,
    /// Where the line of the tag parted from the history of the range, if the tag is not in that history.
    #[serde(skip)]
    pub parted_at: Option<Vec<Oid>>,
    /// Why a tag of a higher version does not count, if there is one.
    #[serde(skip)]
    pub passed_over: Option<String>,
}

impl BaseTag {
    pub(super) fn new(found: BaseCandidate, commit: Oid, reason: String) -> Self {
        Self { tag: found.tag, version: found.version, commit, reason, parted_at: None, passed_over: None }
    }

    /// Returns the tag of a version that follows the base tag: written as that one, with the configured prefix; `v` and
    /// the version if there is neither. `None` if the base tag does not show it.
    pub(super) fn next(base: Option<&Self>, config: &Config, version: &Version) -> Option<String> {
        let version = version.to_string();
        let Some(base) = base else {
            return Some(format!("{}{version}", config.tag_prefix.as_deref().unwrap_or("v")));
        };
        let written = |separator: char| {
            let change = |version: &str| version.replace('.', &separator.to_string());
            let (prefix, rest) = base.tag.rsplit_once(&change(&base.version))?;
            let prefix = config.tag_prefix.as_deref().unwrap_or(prefix);
            Some(format!("{prefix}{}{rest}", change(&version)))
        };
        let prefixed = || config.tag_prefix.as_ref().map(|prefix| format!("{prefix}{version}"));
        SEPARATORS.into_iter().find_map(written).or_else(prefixed)
    }

    /// Returns what a user should know about the choice, a sentence each.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let parted = self.parted_at.as_ref().map(|at| match at.as_slice() {
            [] => format!("`{}` shares no history with this branch", self.tag),
            at => {
                let at = at.iter().map(Oid::short).collect::<Vec<_>>().join(", ");
                format!("`{}` is on another branch, which left this one at {at}", self.tag)
            }
        });
        parted.into_iter().chain(self.passed_over.clone()).collect()
    }
}

impl RangeStart {
    /// Finds the start of a range that ends at `to`, among the tags of a repository.
    pub(super) fn resolve(
        repo: &Repo,
        (range, to): (&RangeSpec, Oid),
        version: Option<&Version>,
        (config, tags): (&Config, &Tags),
    ) -> anyhow::Result<Self> {
        match &range.from {
            _ if range.first_release => Ok(Self::Root),
            Some(revision) => {
                Ok(Self::Revision { revision: revision.clone(), commit: git::revision::resolve(repo, revision)? })
            }
            None => match find_base(repo, tags, version, to)? {
                Some(base) => Ok(Self::Base(base)),
                // Before the first stable tag there is no release yet, and everything is unreleased.
                None if tags.has_no_release(config)? && !repo.is_incomplete() => Ok(Self::Root),
                None => Err(no_base(repo, tags, version, (config, OTHER_STARTS)).into()),
            },
        }
    }

    /// Returns the base tag, if the range starts after one.
    pub(crate) fn base(&self) -> Option<&BaseTag> {
        if let Self::Base(base) = self { Some(base) } else { None }
    }

    /// Returns the excluded commit.
    pub(crate) fn commit(&self) -> Option<Oid> {
        match self {
            Self::Revision { commit, .. } => Some(*commit),
            Self::Base(base) => Some(base.commit),
            Self::Root => None,
        }
    }
}

/// Finds the base tag of a section that ends at `HEAD`: that of a version, or of the unreleased changes.
pub(crate) fn base(
    repo: &Repo,
    version: Option<&Version>,
    source: &ConfigSource,
) -> anyhow::Result<(BaseTag, Vec<Warning>)> {
    let loaded = LoadedConfig::load(repo, source)?;
    let to = git::revision::resolve(repo, "HEAD")?;
    let tags = Tags::for_range(repo, &loaded, version, to)?;
    tags.has_no_release(&loaded.config)?;
    let otherwise = "for a first release, run `tidings show --first-release`";
    let no_base = || no_base(repo, &tags, version, (&loaded.config, otherwise));
    Ok((find_base(repo, &tags, version, to)?.ok_or_else(no_base)?, loaded.warnings))
}

/// Finds the base tag, if there is one: for a version as GitLab does, else by the lines of history of the tags.
pub(super) fn find_base(
    repo: &Repo,
    tags: &Tags,
    version: Option<&Version>,
    to: Oid,
) -> anyhow::Result<Option<BaseTag>> {
    version.map_or_else(|| last_release(repo, tags, to), |version| base_below(repo, tags, version, to))
}

/// Finds the highest stable version below the requested one, wherever its tag is.
///
/// Tags that are builds of the requested version itself (`1.2.0+ee.0` for `1.2.0`) count only if the section's end
/// descends from them; others were made after it.
fn base_below(repo: &Repo, tags: &Tags, version: &Version, to: Oid) -> anyhow::Result<Option<BaseTag>> {
    let ceiling = version.stable();
    let (mut passed_over, mut broken) = (HashSet::new(), None);
    loop {
        let names = tags.names.iter().map(String::as_str).filter(|tag| !passed_over.contains(*tag));
        let Some(found) = tags.pattern.base(names, Some(&ceiling)) else { return Ok(None) };
        let is_before_end = |commit: Oid| -> anyhow::Result<bool> {
            let is_build = is_build_of(&found.version, version);
            Ok(!is_build || (commit != to && git::merge_base::is_ancestor(repo, commit, to)?))
        };
        match git::tags::peel(repo, &found.tag)? {
            Some(commit) if is_before_end(commit)? => {
                let reason = format!("the highest stable version below {ceiling} of {}", tags.count());
                return Ok(Some(BaseTag { passed_over: broken, ..BaseTag::new(found, commit, reason) }));
            }
            Some(_) => {}
            None => broken = broken.or(explain_broken(repo, &found.tag)?),
        }
        passed_over.insert(found.tag);
    }
}

/// Returns the tag of the highest stable version, which is the base tag unless it is on another line of history.
pub(super) fn highest(repo: &Repo, tags: &Tags) -> anyhow::Result<Option<BaseTag>> {
    let Some(found) = tags.pattern.base(tags.names.iter().map(String::as_str), None) else { return Ok(None) };
    let reason = || format!("the highest stable version of {}", tags.count());
    if let Some(commit) = git::tags::peel(repo, &found.tag)? {
        return Ok(Some(BaseTag::new(found, commit, reason())));
    }
    let passed_over = explain_broken(repo, &found.tag)?;
    for below in tags.stable().into_iter().skip_while(|candidate| *candidate != found).skip(1) {
        if let Some(commit) = git::tags::peel(repo, &below.tag)? {
            return Ok(Some(BaseTag { passed_over, ..BaseTag::new(below, commit, reason()) }));
        }
    }
    Ok(None)
}

/// Returns why a tag does not count if it leads to an object that is missing.
fn explain_broken(repo: &Repo, tag: &str) -> anyhow::Result<Option<String>> {
    let is_broken = git::tags::is_broken(repo, tag)?;
    Ok(is_broken.then(|| format!("`{tag}` leads to an object that is missing, so it does not count")))
}

/// Finds the last release of the line of history that `to` is on.
///
/// Tags are examined from the highest version down. One in the history of `to` is the base tag. The others are on
/// lines that parted from that history. A line with several series of versions is a trunk that went on after the
/// parting. A line with a single series is another release branch if the history of `to` has tags after the parting,
/// all of other, lower series, or if it merged the branch of `to`. Any other line is a release branch of that of `to`, and
/// its highest tag is the base.
fn last_release(repo: &Repo, tags: &Tags, to: Oid) -> anyhow::Result<Option<BaseTag>> {
    let Some(first) = highest(repo, tags)? else { return Ok(None) };
    if git::lineage::lineage(repo, to, &[first.commit])? == [Lineage::Contained] {
        return Ok(Some(first));
    }
    let mut peeled = peel_tags(repo, tags.stable())?;
    // Several tags of one commit are one release, of which the highest version counts.
    let mut seen = HashSet::new();
    peeled.retain(|(_, commit)| seen.insert(*commit));
    let commits: Vec<Oid> = peeled.iter().map(|(_, commit)| *commit).collect();
    let lineages = git::lineage::lineage(repo, to, &commits)?;
    let mut passed_over = first.passed_over;
    let mut closed: HashSet<&[Oid]> = HashSet::new();
    for (index, lineage) in lineages.iter().enumerate() {
        let (candidate, commit) = &peeled[index];
        let reason = || format!("the highest stable version of its line of {}", tags.count());
        match lineage {
            Lineage::Contained => {
                return Ok(Some(BaseTag { passed_over, ..BaseTag::new(candidate.clone(), *commit, reason()) }));
            }
            Lineage::Parted { at } if at.is_empty() || closed.contains(at.as_slice()) => {}
            Lineage::Parted { at } => {
                let line = HistoryLine { repo, to, peeled: &peeled, lineages: &lineages };
                match line.explain_other_line(index, at)? {
                    None => {
                        let found = BaseTag::new(candidate.clone(), *commit, reason());
                        return Ok(Some(BaseTag { parted_at: Some(at.clone()), passed_over, ..found }));
                    }
                    Some(why) => passed_over = passed_over.or(Some(why)),
                }
                closed.insert(at);
            }
        }
    }
    Ok(None)
}

/// Returns the tags that lead to a commit, each with that commit.
pub(super) fn peel_tags(
    repo: &Repo,
    tags: impl IntoIterator<Item = BaseCandidate>,
) -> anyhow::Result<Vec<(BaseCandidate, Oid)>> {
    let peel = |tag: BaseCandidate| Ok(git::tags::peel(repo, &tag.tag)?.map(|commit| (tag, commit)));
    tags.into_iter().filter_map(|tag| peel(tag).transpose()).collect()
}

/// All stable tags, highest first, and how they are related to the end of the range.
struct HistoryLine<'a> {
    repo: &'a Repo,
    to: Oid,
    peeled: &'a [(BaseCandidate, Oid)],
    lineages: &'a [Lineage],
}

impl HistoryLine<'_> {
    /// Returns why the line of a tag is another one than that of `to`; `None` if it is a release branch of that.
    fn explain_other_line(&self, tag: usize, parted_at: &[Oid]) -> anyhow::Result<Option<String>> {
        let candidate = &self.peeled[tag].0;
        let all = self.peeled.iter().zip(self.lineages);
        let of_line = all.clone().filter(|(_, lineage)| matches!(lineage, Lineage::Parted { at } if at == parted_at));
        let series: HashSet<_> = of_line.map(|((candidate, _), _)| series(&candidate.version)).collect();
        let at = parted_at.iter().map(Oid::short).collect::<Vec<_>>().join(", ");
        let why = format!("`{}` is on another line of history, which diverged at {at}", candidate.tag);
        if series.len() > 1 {
            return Ok(Some(why));
        }
        let contained = all.filter(|(_, lineage)| **lineage == Lineage::Contained).map(|(own, _)| own);
        let (versions, commits): (Vec<_>, Vec<_>) = contained.map(|(own, commit)| (&own.version, *commit)).unzip();
        let is_after = git::lineage::at_or_after(self.repo, parted_at, self.to, &commits)?;
        let ours: Vec<_> = versions.into_iter().zip(is_after).filter(|(_, after)| *after).map(|(own, _)| own).collect();
        let is_lower =
            |own: &&String| !series.contains(&self::series(own)) && compare_versions(own, &candidate.version).is_lt();
        let is_other = if ours.is_empty() { self.is_merged_into(tag)? } else { ours.iter().all(is_lower) };
        Ok(is_other.then_some(why))
    }

    /// Whether the tag is of a line that merged a maintenance branch which ends at `to`: the branch's own last release,
    /// of a lower series and not the first of it, is a first-parent ancestor of `to` and none of the tag.
    fn is_merged_into(&self, tag: usize) -> anyhow::Result<bool> {
        let (candidate, commit) = &self.peeled[tag];
        let mut contained = self.peeled.iter().zip(self.lineages);
        let Some(((last, own), _)) = contained.find(|(_, lineage)| **lineage == Lineage::Contained) else {
            return Ok(false);
        };
        // The last number of three or four counts the releases of a branch.
        let numbers = |version: &str| -> Vec<u64> {
            version.split('+').next().into_iter().flat_map(|text| text.split('.')).flat_map(str::parse).collect()
        };
        let (own_numbers, other) = (numbers(&last.version), numbers(&candidate.version));
        let is_maintained = own_numbers.split_last().is_some_and(|(patch, series)| {
            series.len() >= 2 && *patch > 0 && other.get(..series.len()).is_some_and(|other| series < other)
        });
        let is_on_line = |of| git::lineage::is_on_first_parent_line(self.repo, of, *own);
        Ok(is_maintained && is_on_line(self.to)? && !is_on_line(*commit)?)
    }
}

/// Returns the first two numbers of a version.
fn series(version: &str) -> (Option<u64>, Option<u64>) {
    let mut numbers = version.split(['.', '+']).map(|number| number.parse().ok());
    (numbers.next().flatten(), numbers.next().flatten())
}

fn is_build_of(found: &str, version: &Version) -> bool {
    let without_build = |version: &str| version.split('+').next().map(str::to_owned);
    without_build(found) == without_build(&version.stable())
}

fn no_base(
    repo: &Repo,
    Tags { names, pattern, .. }: &Tags,
    version: Option<&Version>,
    (config, otherwise): (&Config, &str),
) -> Problem {
    let problem = Problem::new("no release tag found to start after");
    if repo.is_incomplete() {
        return problem.hint(format!("this clone is shallow and may lack tags: {}", repo.unshallow_hint()));
    }
    let no_version = names.iter().rev().find(|tag| pattern.stable_version(tag).is_none());
    let problem = match (no_version, version) {
        (Some(tag), _) if names.iter().all(|tag| pattern.stable_version(tag).is_none()) => {
            problem.hint(package_hint(tag, config).unwrap_or_else(|| {
                format!(
                    "no tag is a stable version, such as `{tag}`: set `tag_regex` in the configuration if it is one"
                )
            }))
        }
        (_, Some(version)) if !names.is_empty() => problem.hint(format!("no stable tag is below {}", version.stable())),
        _ => match &config.tag_prefix {
            Some(prefix) if names.is_empty() => problem.hint(format!("no tag begins with `{prefix}`")),
            _ => problem,
        },
    };
    problem.hint(otherwise)
}
