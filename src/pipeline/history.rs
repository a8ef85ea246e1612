//! The commits of a section: their range, their classification, and the warnings about them.

use std::sync::Arc;

use super::{
    base_tag, entry_source,
    estimate::Estimate,
    listed_changes::ListedChanges,
    loaded_config::LoadedConfig,
    numbers_went_back::{self, last_of_history},
    range_commits::RangeCommits,
    range_start::RangeStart,
    request::{ChangelogRequest, RangeSpec},
    shared_range::{PackageRange, SharedHistory},
    tags::Tags,
};
use crate::{
    config::EntrySource,
    git::{self, Repo},
    model::{Oid, Project, Range, Warning},
    sources::{
        classified_commit::ClassifiedCommit, classifier::Retention, folds,
        merge_request_reference::MergeRequestReference, trailer_warnings,
    },
};

/// The classified commits of a section.
#[derive(Debug)]
pub struct History {
    /// The configuration that the commits were read under.
    pub(crate) loaded: LoadedConfig,
    /// Where the range starts, and why.
    pub start: RangeStart,
    /// Where the range ends.
    pub(crate) to: Oid,
    /// Whether the range is the whole history because there is no tag yet, and not because the request says so.
    pub(crate) is_first: bool,
    /// The project that links point to and whose merge requests the commits name.
    pub(crate) project: Project,
    pub(super) range: RangeCommits,
    /// The number of commits in the range.
    pub range_len: usize,
    /// The source of entries in words, if the history decided it and it is not trailers.
    pub(crate) source_remark: Option<String>,
    /// Warnings about the configuration, the tags and the commits.
    pub(crate) warnings: Vec<Warning>,
    /// The shared history that the commits were taken from, and their indexes in it; `None` if the range was walked.
    pub(super) shared: Option<(Arc<SharedHistory>, Vec<usize>)>,
    /// Whether the start of the range is in the history of its end.
    pub(super) has_start: bool,
    /// The estimate that the version is, if the next version was found for this history.
    pub(crate) estimate: Option<Estimate>,
    /// The changes that files describe, if these are the source of entries.
    pub(crate) changes: Option<ListedChanges>,
    /// The number of commits that are skipped because a release of another line has them already.
    pub(super) released: usize,
}

impl History {
    /// Returns every commit of the range with its classification, newest first; of a range that packages share, only
    /// those that may concern this package.
    #[must_use]
    pub fn commits(&self) -> &[ClassifiedCommit] {
        &self.range.commits
    }

    /// Returns the commits of [`History::commits`] and drops the rest.
    pub(crate) fn into_commits(self) -> Vec<ClassifiedCommit> {
        self.range.commits
    }

    /// Adds warnings about probable mistakes in the messages.
    pub(crate) fn with_trailer_warnings(mut self, trailer: &str) -> Self {
        if self.changes.is_some() {
            return self;
        }
        let config = &self.loaded.config;
        self.warnings.extend(match self.shared {
            None => trailer_warnings::trailer_warnings(self.commits(), config, trailer),
            Some(_) => trailer_warnings::category_warnings(self.commits(), config),
        });
        self.with_type_warnings()
    }

    /// Adds warnings about types that are common and not known; of a shared range not all commits are here.
    pub(crate) fn with_type_warnings(mut self) -> Self {
        if self.shared.is_none() {
            self.warnings.extend(trailer_warnings::type_warnings(self.commits()));
        }
        self
    }

    /// Whether a range that packages share has commits but no entry for this package, and no warning explains that.
    pub(crate) fn has_nothing_for_package(&self) -> bool {
        let lists_none = match &self.changes {
            Some(files) => files.changes.is_empty(),
            None => trailer_warnings::list_nothing(self.commits()),
        };
        self.shared.is_some() && self.range_len > 0 && lists_none
    }

    pub(super) fn merge_requests(&self) -> Vec<Option<&MergeRequestReference>> {
        match &self.shared {
            Some((shared, indices)) => {
                let range = shared.range.as_ref();
                indices.iter().map(|index| range?.all.merge_request(*index)).collect()
            }
            None => self.range.merge_requests(),
        }
    }

    /// Returns what a user should know about the start of the range and the source of entries, a sentence each.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let start = match &self.start {
            RangeStart::Base(base) => base.remarks(),
            RangeStart::Root if self.is_first => {
                vec!["no stable release found, so the whole history is unreleased".to_owned()]
            }
            RangeStart::Root | RangeStart::Revision { .. } => Vec::new(),
        };
        let estimate = self.estimate.as_ref().map(|estimate| format!("the version is {}", estimate.in_words()));
        start.into_iter().chain(self.source_remark.clone()).chain(self.released_remark()).chain(estimate).collect()
    }

    /// Whether the base tag is the last release before the end of the range, and no lower version was released after it.
    fn is_last_release(&self, repo: &Repo, tags: &Tags) -> anyhow::Result<bool> {
        let Some(base) = self.start.base() else { return Ok(true) };
        if self.shared.is_some() {
            return Ok(last_of_history(repo, tags, base.clone(), self.to)? == *base);
        }
        let ids: Vec<Oid> = self.commits().iter().map(|classified| classified.id).collect();
        Ok(numbers_went_back::later_tag(repo, tags, base, (&ids, &self.range.parents))?.is_none())
    }

    /// Adds a warning if a tag that is newer than the base tag is not read as a version.
    pub(super) fn with_unread_tags(mut self, repo: &Repo, tags: &Tags) -> anyhow::Result<Self> {
        if let RangeStart::Base(base) = &self.start {
            self.warnings.extend(tags.warn_unread(repo, &self.loaded.config, (&base.tag, self.to))?);
        }
        Ok(self)
    }

    /// Takes the range from the shared history, or walks it if that does not have it. The commits are still to be
    /// classified together.
    pub(super) fn read(
        loaded: LoadedConfig,
        repo: &Repo,
        request: &ChangelogRequest,
        (start, to): (RangeStart, Oid),
        keep: Retention,
    ) -> anyhow::Result<Self> {
        let range = Range { from: start.commit(), to };
        let asked = (loaded.config.paths.as_slice(), request.trailer.as_str());
        if let Some(shared) = loaded.shared.clone()
            && let Some(all) = &shared.range
            && let Some(PackageRange { range, indices, len, has_start }) = all.package(repo, asked, range, keep)?
        {
            let history = Self::new(loaded, repo, request, (start, to), (range, all.warnings.clone()));
            let source_remark = shared.source_remark.clone();
            return Ok(Self { range_len: len, has_start, source_remark, shared: Some((shared, indices)), ..history });
        }
        let walked = RangeCommits::walk(Arc::clone(&loaded.config), repo, request, (range, keep))?;
        Ok(Self::new(loaded, repo, request, (start, to), walked))
    }

    fn new(
        loaded: LoadedConfig,
        repo: &Repo,
        request: &ChangelogRequest,
        (start, to): (RangeStart, Oid),
        (range, further): (RangeCommits, Vec<Warning>),
    ) -> Self {
        let has_start = start.commit().is_some_and(|from| from == to || range.parents.outside().contains(&from));
        Self {
            is_first: start == RangeStart::Root && !request.range.first_release,
            start,
            to,
            project: request.project(repo, &loaded.config),
            range_len: range.commits.len(),
            range,
            source_remark: None,
            warnings: loaded.warnings.iter().cloned().chain(further).collect(),
            loaded,
            shared: None,
            has_start,
            estimate: None,
            released: 0,
            changes: None,
        }
    }

    /// Classifies the commits together under the source of entries that fits them. `has_recent` says whether commits
    /// before them have a trailer, if that is known already.
    pub(super) fn under_fitting_source(
        self,
        repo: &Repo,
        request: &ChangelogRequest,
        has_recent: Option<bool>,
    ) -> anyhow::Result<Self> {
        let of_range = (&self.range, Range { from: self.start.commit(), to: self.to });
        let look = || entry_source::has_recent(repo, &self.loaded, of_range, request);
        let has_recent = || has_recent.unwrap_or_else(look);
        let guess = || entry_source::guess(repo, &self.loaded, of_range, request, has_recent);
        let source = if self.shared.is_none() { guess() } else { None };
        let sourced = self.with_source(repo, source)?.with_folds(request);
        sourced.without_released(repo, request)?.with_change_files(repo, request)
    }

    /// Returns how many changes a section lists: those of change files if these are the source, else commits.
    pub(crate) fn listed_len(&self) -> usize {
        let listed = self.commits().iter().filter(|classified| classified.classification.is_listed());
        self.changes.as_ref().map_or_else(|| listed.count(), |files| files.changes.len())
    }

    /// Returns the IDs of the commits of the range, also of one that packages share.
    pub(super) fn commit_ids(&self) -> impl Iterator<Item = Oid> + '_ {
        let (range, indices) = self.whole_range();
        indices.into_iter().map(|index| range.commits[index].id)
    }

    /// Returns the commits of the range that are not merges, each with its first parent.
    pub(super) fn ordinary_commits(&self) -> Vec<(Oid, Option<Oid>)> {
        let (range, mut indices) = self.whole_range();
        indices.retain(|index| !range.commits[*index].is_merge);
        range.with_first_parents(&indices).collect()
    }

    /// Returns the commits of the walk that the range was taken from, and the indexes of those that it has.
    fn whole_range(&self) -> (&RangeCommits, Vec<usize>) {
        match self.shared.as_ref().and_then(|(shared, _)| shared.range.as_ref()) {
            Some(shared) => (&shared.all, shared.indices(self.start.commit())),
            None => (&self.range, (0..self.range.commits.len()).collect()),
        }
    }

    /// Classifies the commits together: as they were read, or under the source of entries that was chosen for them.
    fn with_source(mut self, repo: &Repo, source: Option<(EntrySource, Option<String>)>) -> anyhow::Result<Self> {
        if self.shared.is_some() {
            return Ok(self);
        }
        if let Some((source, remark)) = source {
            self.loaded = self.loaded.with_source(source);
            self.range.classify_under(Arc::clone(&self.loaded.config));
            self.source_remark = remark;
        }
        self.range.classify_together(repo)?;
        Ok(self)
    }

    /// Leaves out what mends a commit that is not released either, unless GitLab's bytes are asked for.
    fn with_folds(mut self, request: &ChangelogRequest) -> Self {
        if !self.loaded.writes_as_gitlab(&self.project) {
            folds::fold(&mut self.range.commits, &self.loaded.config, &request.trailer);
        }
        self
    }

    /// Classifies the commits again with trailers as the source of entries; every commit must have been kept.
    pub(crate) fn listed_by_trailers(self, repo: &Repo, request: &ChangelogRequest) -> anyhow::Result<Self> {
        let by_trailers = self.with_source(repo, Some((EntrySource::Trailers, None)))?;
        by_trailers.with_folds(request).without_released(repo, request)
    }

    /// Returns the history of a request under the same configuration; walks again only if its range is another one.
    pub(super) fn for_request(self, repo: &Repo, request: &ChangelogRequest) -> anyhow::Result<Self> {
        let RangeSpec { from, to, first_release, .. } = &request.range;
        let has_same_start = match from {
            _ if *first_release => self.start == RangeStart::Root,
            Some(from) => self.start.commit() == Some(git::revision::resolve(repo, from)?),
            None => !matches!(self.start, RangeStart::Revision { .. }),
        };
        if has_same_start && git::revision::resolve(repo, to)? == self.to {
            return Ok(self);
        }
        Ok(history_under(self.loaded, repo, request, Retention::Listed)?.with_trailer_warnings(&request.trailer))
    }
}

/// Reads and classifies the commits of a section without rendering it.
///
/// # Errors
/// If the configuration, an end of the range or the walk fails; the message says what to do.
pub fn history(repo: &Repo, request: &ChangelogRequest, keep: Retention) -> anyhow::Result<History> {
    let (loaded, mut request) = (LoadedConfig::load(repo, &request.config_source)?, request.clone());
    super::range_end::end_at_tag(repo, &loaded, &mut request)?;
    history_under(loaded, repo, &request, keep)
}

pub(super) fn history_under(
    loaded: LoadedConfig,
    repo: &Repo,
    request: &ChangelogRequest,
    keep: Retention,
) -> anyhow::Result<History> {
    let to = git::revision::resolve(repo, &request.range.to)?;
    let tags = match &request.range.from {
        None if !request.range.first_release => Tags::for_range(repo, &loaded, request.version.as_ref(), to)?,
        _ => Tags::default(),
    };
    history_since(loaded, &tags, repo, request, (to, keep))
}

/// Reads the commits of a range that starts after one of these tags, and classifies them under the source that fits.
pub(super) fn history_since(
    loaded: LoadedConfig,
    tags: &Tags,
    repo: &Repo,
    request: &ChangelogRequest,
    (to, keep): (Oid, Retention),
) -> anyhow::Result<History> {
    range_history(loaded, tags, repo, request, (to, keep))?.under_fitting_source(repo, request, None)
}

/// Reads the commits of a range that starts after one of these tags, unless the request names its start. The commits
/// are still to be classified together.
///
/// The tag of the highest version is nearly always in the history of the range. A walk from it shows whether that is
/// so: its commit is then among the parents outside the range. If not, the base tag is looked for by lines of history,
/// and the range is walked again.
pub(super) fn range_history(
    loaded: LoadedConfig,
    tags: &Tags,
    repo: &Repo,
    request: &ChangelogRequest,
    (to, keep): (Oid, Retention),
) -> anyhow::Result<History> {
    let RangeSpec { from, first_release, .. } = &request.range;
    let is_open = request.version.is_none() && from.is_none() && !first_release;
    if is_open && let Some(highest) = base_tag::highest(repo, tags)? {
        let history = History::read(loaded.clone(), repo, request, (RangeStart::Base(highest), to), keep);
        if let Ok(history) = history
            && history.has_start
            && history.is_last_release(repo, tags)?
        {
            return history.with_unread_tags(repo, tags);
        }
    }
    let start = RangeStart::resolve(repo, (&request.range, to), request.version.as_ref(), (&loaded.config, tags))?;
    let mut history = History::read(loaded, repo, request, (start, to), keep)?;
    match &request.version {
        None => history.with_unread_tags(repo, tags),
        Some(version) => {
            history.warnings.extend(tags.tagged_elsewhere(repo, version, to)?);
            Ok(history)
        }
    }
}
