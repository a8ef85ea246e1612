//! The sections of a whole history: one for each release, and one for the unreleased changes.

use std::{collections::HashSet, sync::Arc};

use anyhow::Context as _;

use super::{
    History, RangeStart, SectionInputs, base_tag::BaseTag, entry_source, range_start::base_below, scope::Scope,
    tags::Tags,
};
use crate::{
    git::{self, Repo},
    model::{Date, Oid, Version, compare_versions},
    sources::classifier::Retention,
    versions::tag_pattern::BaseCandidate,
};

struct ReleaseTag {
    candidate: BaseCandidate,
    version: Version,
    commit: Oid,
    date: Option<Date>,
}

/// Reads the unreleased changes and every release that is not below `since`, the highest version first, each release
/// with the date of its tag and its own base tag. A section without entries and version is left out.
pub(crate) fn releases<'r>(scope: &Scope<'r>, since: Option<&Version>) -> anyhow::Result<Vec<SectionInputs<'r>>> {
    let repo = scope.repo;
    let mut unreleased = scope.clone();
    unreleased.request.version = None;
    let tags = Tags::load(scope)?.narrow_to_family(scope)?.semantic(scope.config())?;
    let releases = tagged_releases(repo, &tags)?;
    // Missing objects are fetched at once, and not for one range at a time.
    repo.with_histories(&releases.iter().map(|release| release.commit).chain([scope.to]).collect::<Vec<_>>())?;
    entry_source::decide_by_whole_history(scope);
    unreleased.request.range.first_release |= releases.is_empty() && !repo.is_shallow();
    let mut newest = History::walk_after(unreleased, &tags, Retention::Listed)?;
    if newest.start == RangeStart::Root && !newest.is_first {
        tags.has_no_release(scope.config())?;
        newest.is_first = true;
    }
    let mut read = vec![newest];
    let reason = format!("of {}", tags.count());
    for (index, release) in releases.iter().enumerate() {
        if since.is_some_and(|since| compare_versions(&release.candidate.version, &since.stable()).is_lt()) {
            break;
        }
        let base = base(repo, &tags, &releases[index..], &reason)?;
        let scope = release.scope(scope, base.is_none());
        let history = History::walk(scope, base.map_or(RangeStart::Root, RangeStart::Base), Retention::Listed);
        read.push(history.with_context(|| format!("cannot read version {}", release.version))?);
    }
    settle(read, scope)
}

/// Returns the tags of releases, highest version first. Tags of one version, whatever its builds, and tags of one commit
/// are of one release, whose highest version counts.
fn tagged_releases(repo: &Repo, tags: &Tags) -> anyhow::Result<Vec<ReleaseTag>> {
    let mut releases: Vec<ReleaseTag> = Vec::new();
    let without_build = |version: &str| version.split('+').next().map(str::to_owned);
    let mut commits = HashSet::new();
    for candidate in tags.stable() {
        if releases
            .last()
            .is_some_and(|last| without_build(&last.candidate.version) == without_build(&candidate.version))
        {
            continue;
        }
        let (Ok(version), Some(commit)) = (candidate.version.parse(), git::tags::peel(repo, &candidate.tag)?) else {
            continue;
        };
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
    let tags = tags.clone().before(&own.version);
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

/// Classifies the commits of each range and makes the sections. If the configuration leaves the source of entries
/// open, it is trailers if the range has some, or the ranges before it up to a number of commits.
fn settle<'r>(read: Vec<History<'r>>, scope: &Scope) -> anyhow::Result<Vec<SectionInputs<'r>>> {
    let has_trailer = |history: &History| history.commits().iter().any(|commit| commit.has_trailer);
    let sizes: Vec<(usize, bool)> = read.iter().map(|history| (history.range_len, has_trailer(history))).collect();
    let mut settled = Vec::with_capacity(read.len());
    let mut template = None;
    for (index, history) in read.into_iter().enumerate() {
        let mut seen = 0;
        let mut recent = sizes[index..].iter().take_while(|(commits, _)| {
            let is_recent = seen < entry_source::NEWEST;
            seen += commits;
            is_recent
        });
        let has_recent = recent.any(|(_, has_trailer)| *has_trailer);
        let history = history.under_fitting_source(Some(has_recent))?;
        if history.scope.request.version.is_some() || history.listed_len() > 0 {
            let template = match &template {
                Some(template) => Arc::clone(template),
                None => Arc::clone(template.insert(scope.template()?.into())),
            };
            settled.push(SectionInputs::new(history, template));
        }
    }
    SectionInputs::prepare(&settled)?;
    Ok(settled)
}
