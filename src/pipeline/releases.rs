//! The sections of a whole history: one for each release, and one for the unreleased changes.

use std::{collections::HashSet, sync::Arc};

use anyhow::Context as _;

use super::{
    ChangelogRequest, History, LoadedConfig, RangeStart, SectionInputs, base_tag::BaseTag, entry_source, range_history,
    range_start::find_base, tags::Tags,
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
pub(crate) fn releases(
    loaded: &LoadedConfig,
    repo: &Repo,
    request: &ChangelogRequest,
    since: Option<&Version>,
) -> anyhow::Result<Vec<SectionInputs>> {
    let to = git::revision::resolve(repo, &request.range.to)?;
    // The git settings of the remote are read once.
    let project = request.project(repo, &loaded.config);
    let (host, project_path) = (Some(project.host().to_owned()), Some(project.path().to_owned()));
    let request = &ChangelogRequest { host, project_path, ..request.clone() };
    let tags = Tags::load(repo, loaded)?.narrow_to_family(repo, &loaded.config, to)?.semantic(&loaded.config)?;
    let releases = tagged_releases(repo, &tags)?;
    // Missing objects are fetched at once, and not for one range at a time.
    repo.ensure_histories(&releases.iter().map(|release| release.commit).chain([to]).collect::<Vec<_>>())?;
    entry_source::decide_by_whole_history(repo, loaded, request);
    let mut unreleased = request.clone();
    unreleased.version = None;
    unreleased.range.first_release |= releases.is_empty() && !repo.is_shallow();
    let mut newest = range_history(loaded.clone(), &tags, repo, &unreleased, (to, Retention::Listed))?;
    if newest.start == RangeStart::Root && !newest.is_first {
        tags.has_no_release(&loaded.config)?;
        newest.is_first = true;
    }
    let mut read = vec![(newest, unreleased)];
    let reason = format!("of {}", tags.count());
    for (index, release) in releases.iter().enumerate() {
        if since.is_some_and(|since| compare_versions(&release.candidate.version, &since.stable()).is_lt()) {
            break;
        }
        let base = base(repo, &tags, &releases[index..], &reason)?;
        let request = release.request(request, base.is_none());
        let start = base.map_or(RangeStart::Root, RangeStart::Base);
        let history = History::read(loaded.clone(), repo, &request, (start, release.commit), Retention::Listed);
        read.push((history.with_context(|| format!("cannot read version {}", release.version))?, request));
    }
    settle(read, loaded, repo)
}

/// Returns the tags of releases, highest version first. Tags of one version, whatever its builds, and tags of one commit
/// are of one release, whose highest version counts.
fn tagged_releases(repo: &Repo, tags: &Tags) -> anyhow::Result<Vec<ReleaseTag>> {
    let mut releases: Vec<ReleaseTag> = Vec::new();
    let without_build = |version: &str| version.split('+').next().map(str::to_owned);
    let mut commits = HashSet::new();
    for candidate in tags.stable() {
        let is_same = |last: &ReleaseTag| without_build(&last.candidate.version) == without_build(&candidate.version);
        if releases.last().is_some_and(is_same) {
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
/// of a version leave a choice, which `find_base` decides.
fn base(repo: &Repo, tags: &Tags, releases: &[ReleaseTag], reason: &str) -> anyhow::Result<Option<BaseTag>> {
    let own = &releases[0];
    let is_equal =
        |pair: &[ReleaseTag]| compare_versions(&pair[0].candidate.version, &pair[1].candidate.version).is_eq();
    let is_unclear = own.candidate.version.contains('+') || releases.windows(2).take(2).any(is_equal);
    if is_unclear {
        return find_base(repo, tags, Some(&own.version), own.commit);
    }
    let reason = || format!("the highest stable version below {} {reason}", own.version.stable());
    Ok(releases.get(1).map(|below| BaseTag::new(below.candidate.clone(), below.commit, reason())))
}

impl ReleaseTag {
    fn request(&self, all: &ChangelogRequest, is_first: bool) -> ChangelogRequest {
        let mut request = all.clone();
        request.version = Some(self.version.clone());
        request.tag = Some(self.candidate.tag.clone());
        request.range.to = self.commit.to_string();
        request.range.first_release = is_first;
        request.date = self.date.unwrap_or_else(Date::now);
        request
    }
}

/// Classifies the commits of each range and makes the sections. If the configuration leaves the source of entries
/// open, it is trailers if the range has some, or the ranges before it up to a number of commits.
fn settle(
    read: Vec<(History, ChangelogRequest)>,
    loaded: &LoadedConfig,
    repo: &Repo,
) -> anyhow::Result<Vec<SectionInputs>> {
    let sizes: Vec<(usize, bool)> = read
        .iter()
        .map(|(history, _)| (history.range_len, history.commits().iter().any(|one| one.has_trailer)))
        .collect();
    let mut settled = Vec::with_capacity(read.len());
    let mut template = None;
    for (index, (history, request)) in read.into_iter().enumerate() {
        let mut seen = 0;
        let mut recent = sizes[index..].iter().take_while(|(commits, _)| {
            let is_recent = seen < entry_source::NEWEST;
            seen += commits;
            is_recent
        });
        let has_recent = recent.any(|(_, has_trailer)| *has_trailer);
        let history = history.under_fitting_source(repo, &request, Some(has_recent))?;
        if request.version.is_some() || history.listed_len() > 0 {
            let template = match &template {
                Some(template) => Arc::clone(template),
                None => Arc::clone(template.insert(loaded.template(repo, request.template.as_deref())?.into())),
            };
            settled.push(SectionInputs::new(history, request, template));
        }
    }
    SectionInputs::prepare(&settled, repo)?;
    Ok(settled)
}
