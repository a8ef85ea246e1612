//! The sections of a whole history: one for each release, and one for the unreleased changes.

use std::{
    collections::{HashSet, VecDeque},
    sync::Arc,
};

use anyhow::Context as _;

use super::{contributors, inputs::SectionInputs};
use crate::{
    git::{self, Repo},
    model::{Date, Oid, Version, compare_versions, without_build},
    pipeline::{
        base::{base_tag::BaseTag, tags::Tags},
        changes::{entry_source, history::History},
        range::range_start::{RangeStart, base_below},
        scope::Scope,
    },
    sources::{auto::TrailerUse, classifier::Retention},
    template::Template,
    versions::tag_pattern::BaseCandidate,
};

struct ReleaseTag {
    candidate: BaseCandidate,
    version: Version,
    commit: Oid,
    date: Option<Date>,
}

/// Reads the unreleased changes and every release that is not below `since`, the highest version first, each release
/// with the date of its tag and its own base tag, and hands each on as soon as it is complete: together they may be more
/// than fits into memory. A section without entries and version is left out.
pub(crate) fn releases<'r>(
    scope: &Scope<'r>,
    since: Option<&Version>,
    mut add: impl FnMut(SectionInputs<'r>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let repo = scope.repo;
    let mut unreleased = scope.clone();
    unreleased.request.version = None;
    let tags = Tags::load(scope)?.narrow_to_family(scope)?.semantic(scope.config())?;
    let releases = tagged_releases(repo, &tags)?;
    // Missing objects are fetched at once, and not for one range at a time.
    repo.fetch_histories(&releases.iter().map(|release| release.commit).chain([scope.to]).collect::<Vec<_>>())?;
    entry_source::decide_by_whole_history(scope);
    unreleased.request.range.first_release |= releases.is_empty() && !repo.is_shallow();
    let mut newest = History::walk_after(unreleased, &tags, Retention::Listed)?;
    if newest.start == RangeStart::Root && !newest.is_first {
        tags.has_no_release(scope.config())?;
        newest.is_first = true;
    }
    let is_wanted = |release: &&ReleaseTag| {
        since.is_none_or(|since| compare_versions(&release.candidate.version, &since.stable()).is_ge())
    };
    let wanted = releases.iter().take_while(is_wanted).count();
    // The oldest release starts after the one below it.
    let ends = releases.iter().take(wanted + 1).map(|release| release.commit);
    let template = Arc::new(scope.template()?);
    contributors::prepare(&template, &newest, ends.chain([scope.to]).chain(newest.start.commit()))?;
    let mut open = OpenReleases { template, histories: VecDeque::new(), commits: 0 };
    open.push(newest);
    let reason = format!("of {}", tags.count());
    for (index, release) in releases.iter().enumerate().take(wanted) {
        let base = base(repo, &tags, &releases[index..], &reason)?;
        let scope = release.scope(scope, base.is_none());
        let history = History::walk(scope, base.map_or(RangeStart::Root, RangeStart::Base), Retention::Listed);
        open.push(history.with_context(|| format!("cannot read version {}", release.version))?);
        while open.commits >= entry_source::NEWEST {
            open.settle_first()?.map_or(Ok(()), &mut add)?;
        }
    }
    while !open.histories.is_empty() {
        open.settle_first()?.map_or(Ok(()), &mut add)?;
    }
    Ok(())
}

/// Returns the tags of releases, highest version first. Tags of one version, whatever its builds, and tags of one commit
/// are of one release, whose highest version counts.
fn tagged_releases(repo: &Repo, tags: &Tags) -> anyhow::Result<Vec<ReleaseTag>> {
    let mut releases: Vec<ReleaseTag> = Vec::new();
    let mut commits = HashSet::new();
    let stable = tags.stable();
    let names: Vec<&str> = stable.iter().map(|candidate| candidate.tag.as_str()).collect();
    let peeled = git::tags::peel_all(repo, &names)?;
    for (candidate, commit) in stable.into_iter().zip(peeled) {
        if releases
            .last()
            .is_some_and(|last| without_build(&last.candidate.version) == without_build(&candidate.version))
        {
            continue;
        }
        let (Ok(version), Some(commit)) = (candidate.version.parse(), commit) else { continue };
        if !commits.insert(commit) {
            continue;
        }
        releases.push(ReleaseTag { candidate, version, commit, date: None });
    }
    let moments = git::tags::moments(repo, releases.iter().map(|release| release.candidate.tag.as_str()))?;
    for (release, moment) in releases.iter_mut().zip(moments) {
        release.date = moment.and_then(Date::from_time);
    }
    Ok(releases)
}

/// Finds the base tag of the first of these releases: that of the next lower one, unless builds or different spellings
/// of a version leave a choice, which [`base_below`] decides.
fn base(repo: &Repo, tags: &Tags, releases: &[ReleaseTag], reason: &str) -> anyhow::Result<Option<BaseTag>> {
    let own = &releases[0];
    let is_unclear = own.candidate.version.contains('+')
        || releases
            .windows(2)
            .take(2)
            .any(|pair| compare_versions(&pair[0].candidate.version, &pair[1].candidate.version).is_eq());
    if is_unclear {
        return base_below(repo, &tags.clone().before(&own.version), &own.version, own.commit);
    }
    // A stable version follows a stable one, whatever pre-releases it had.
    let counts = |below: &&ReleaseTag| !own.is_stable() || below.is_stable();
    let Some(below) = releases[1..].iter().find(counts) else { return Ok(None) };
    // The names of all tags would be copied for every release.
    let tags = Tags { pattern: tags.pattern.clone(), ..Tags::default() }.before(&own.version);
    let reason = format!("the highest {} below {} {reason}", tags.release_word(), tags.ceiling(&own.version));
    Ok(Some(BaseTag::new(below.candidate.clone(), below.commit, reason)))
}

impl ReleaseTag {
    fn is_stable(&self) -> bool {
        !self.version.is_pre_release()
    }

    /// Returns the scope of the release.
    fn scope<'r>(&self, all: &Scope<'r>, is_first: bool) -> Scope<'r> {
        let mut scope = all.clone().ending_at(self.commit);
        scope.request.version = Some(self.version.clone());
        scope.request.tag = Some(self.candidate.tag.clone());
        scope.request.range.first_release = is_first;
        scope.request.date = self.date.unwrap_or_else(Date::now);
        scope
    }
}

/// The releases whose commits are read and still to be classified, the newest first.
struct OpenReleases<'r> {
    template: Arc<Template>,
    histories: VecDeque<History<'r>>,
    /// The number of their commits.
    commits: usize,
}

impl<'r> OpenReleases<'r> {
    fn push(&mut self, history: History<'r>) {
        self.commits += history.range_len;
        self.histories.push_back(history);
    }

    /// Classifies the commits of the newest one; `None` if it needs no section. If the configuration leaves the source of
    /// entries open, it is trailers if the range has some, or the ranges before it up to a number of commits.
    fn settle_first(&mut self) -> anyhow::Result<Option<SectionInputs<'r>>> {
        let mut seen = 0;
        let recent = self.histories.iter().take_while(|history| {
            let is_recent = seen < entry_source::NEWEST;
            seen += history.range_len;
            is_recent
        });
        let counted = recent.flat_map(History::commits).filter(|commit| commit.has_trailer || !commit.is_merge);
        let has_trailers = counted.map(|commit| commit.has_trailer).collect::<TrailerUse>().is_habit();
        let Some(first) = self.histories.pop_front() else { return Ok(None) };
        self.commits -= first.range_len;
        let history = first.under_fitting_source(Some(has_trailers))?;
        let has_section = history.scope.request.version.is_some() || history.listed_len() > 0;
        Ok(has_section.then(|| SectionInputs::new(history, Arc::clone(&self.template))))
    }
}
