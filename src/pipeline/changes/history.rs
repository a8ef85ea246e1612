//! The commits of a section: their range, their classification, and the warnings about them.

use std::sync::Arc;

use anyhow::Context as _;

use super::{entry_source, listed_changes::ListedChanges};
use crate::{
    config::{Config, EntrySource},
    git::{self, file_history::KnownPart},
    model::{Commit, Oid, Parent, Problem, Project, Version, Warning, pluralize},
    pipeline::{
        base::{base_tag, estimate::Estimate, numbers_went_back, tags::Tags},
        commits::{
            range_commits::RangeCommits,
            shared_range::{PackageRange, SharedRange},
        },
        range::range_start::RangeStart,
        scope::{
            Scope,
            request::{ChangelogRequest, RangeSpec},
        },
    },
    sources::{
        change_files::PreRelease, classified_commit::ClassifiedCommit, classifier::Retention, folds, labels,
        merge_request_reference::MergeRequestReference, trailer_warnings,
    },
};

/// The classified commits of a section.
#[derive(Debug)]
pub(crate) struct History<'r> {
    /// What was read, and under which configuration.
    pub(crate) scope: Scope<'r>,
    /// Where the range starts, and why.
    pub start: RangeStart,
    /// Whether the range is the whole history because there is no tag yet, and not because the request says so.
    pub(crate) is_first: bool,
    pub(super) range: RangeCommits,
    /// The number of commits in the range.
    pub range_len: usize,
    /// The source of entries in words, if the history decided it and it is not trailers.
    pub(crate) source_remark: Option<String>,
    /// Warnings about the configuration, the tags and the commits.
    pub(crate) warnings: Vec<Warning>,
    /// The shared history that the commits were taken from, and their indexes in it; `None` if the range was walked.
    pub(super) shared: Option<(Arc<SharedRange>, Vec<usize>)>,
    /// Whether the start of the range is in the history of its end.
    pub(super) has_start: bool,
    /// The estimate that the version is, if the next version was found for this history.
    pub(crate) estimate: Option<Estimate>,
    /// The changes that files describe, if these are listed.
    pub(crate) changes: Option<ListedChanges>,
    /// The number of commits that are skipped because a release of another line has them already.
    pub(super) released: usize,
    /// A sentence about an option that says what is not so, if there is one.
    pub(crate) needless_option: Option<String>,
}

impl<'r> History<'r> {
    /// Reads and classifies the commits of a scope.
    ///
    /// # Errors
    /// If the tags, an end of the range or the walk fails; the message says what to do.
    pub(crate) fn read(scope: Scope<'r>, keep: Retention) -> anyhow::Result<Self> {
        let tags = match &scope.request.range.from {
            None if !scope.request.range.first_release => Tags::for_range(&scope)?,
            _ => Tags::default(),
        };
        Self::read_after(scope, &tags, keep)
    }

    /// Reads every commit of a scope to check it. If neither trailers nor commit types list the commits, trailers are
    /// checked.
    pub(crate) fn read_for_check(scope: Scope<'r>) -> anyhow::Result<Self> {
        let mut history = Self::read(scope.end_at_tag()?, Retention::Reasons)?;
        let is_by_commits = history.changes.is_none();
        if history.source_remark.is_some() && is_by_commits && !history.config().source.has_types() {
            history = history.listed_by_trailers()?;
        }
        Ok(history.with_type_warnings())
    }

    /// Reads and classifies the commits of a range that starts after one of these tags, unless the request names its
    /// start.
    pub(crate) fn read_after(scope: Scope<'r>, tags: &Tags, keep: Retention) -> anyhow::Result<Self> {
        Self::walk_after(scope, tags, keep)?.under_fitting_source(None)
    }

    /// Reads the commits of a range that starts after one of these tags, unless the request names its start. The commits
    /// are still to be classified together.
    ///
    /// The tag of the highest version is nearly always in the history of the range. A walk from it shows whether that is
    /// so: its commit is then among the parents outside the range. If not, the base tag is looked for by lines of
    /// history, and the range is walked again.
    pub(crate) fn walk_after(scope: Scope<'r>, tags: &Tags, keep: Retention) -> anyhow::Result<Self> {
        let RangeSpec { from, first_release, .. } = &scope.request.range;
        let is_open = scope.request.version.is_none() && from.is_none() && !first_release;
        if is_open && let Some(highest) = base_tag::highest(scope.repo, tags)? {
            let history = Self::walk(scope.clone(), RangeStart::Base(highest), keep);
            if let Ok(history) = history
                && history.has_start
                && history.is_last_release(tags)?
            {
                return history.with_unread_tags(tags);
            }
        }
        let start = RangeStart::resolve(&scope, tags)?;
        let mut history = Self::walk(scope, start, keep)?;
        match &history.scope.request.version {
            None => history.with_unread_tags(tags),
            Some(version) => {
                let warning = tags.tagged_elsewhere(&history.scope, version)?;
                history.warnings.extend(warning);
                Ok(history)
            }
        }
    }

    /// Takes the range from the shared one, or walks it if that does not have it. The commits are still to be classified
    /// together.
    pub(crate) fn walk(scope: Scope<'r>, start: RangeStart, keep: Retention) -> anyhow::Result<Self> {
        let scope = scope.before_change_files()?;
        let range = scope.range(start.commit());
        if let Some(shared) = scope.shared.clone()
            && keep == Retention::Listed
            && let Some(part) = shared.package(scope.repo, &scope.config().paths, scope.config().trailer(), range)?
        {
            let PackageRange { range, indices, len, has_start } = part;
            let mut history = Self::new(scope, start, range);
            history.warnings.extend(shared.warnings.clone());
            let source_remark = shared.source_remark.clone();
            return Ok(Self { range_len: len, has_start, source_remark, shared: Some((shared, indices)), ..history });
        }
        let (walked, warnings) = scope.walk(range, keep)?;
        let mut history = Self::new(scope, start, walked);
        history.warnings.extend(warnings);
        Ok(history)
    }

    fn new(scope: Scope<'r>, start: RangeStart, range: RangeCommits) -> Self {
        let has_start = start.commit().is_some_and(|from| from == scope.to || range.parents.outside().contains(&from));
        Self {
            is_first: start == RangeStart::Root && !scope.request.range.first_release,
            start,
            range_len: range.commits.len(),
            range,
            source_remark: None,
            warnings: scope.loaded.warnings.clone(),
            scope,
            shared: None,
            has_start,
            estimate: None,
            released: 0,
            needless_option: None,
            changes: None,
        }
    }

    /// Returns the configuration that the commits were classified under.
    #[must_use]
    pub(crate) fn config(&self) -> &Config {
        self.scope.config()
    }

    /// Returns the project that links point to and whose merge requests the commits name.
    pub(crate) fn project(&self) -> &Project {
        self.scope.project()
    }

    /// Returns every commit of the range with its classification, newest first; of a range that packages share, only
    /// those that may concern this package.
    #[must_use]
    pub(crate) fn commits(&self) -> &[ClassifiedCommit] {
        &self.range.commits
    }

    /// Takes the commits that were kept whole, each at its index in [`History::commits`].
    pub(crate) fn take_whole_commits(&mut self) -> Vec<Option<Box<Commit>>> {
        self.range.commits.iter_mut().map(|classified| classified.commit.take()).collect()
    }

    /// Adds warnings about probable mistakes in the messages.
    pub(crate) fn with_trailer_warnings(mut self) -> Self {
        if self.config().source == EntrySource::Files {
            return self;
        }
        let warnings = match self.shared {
            None => trailer_warnings::trailer_warnings(self.commits(), self.config(), self.config().trailer()),
            Some(_) => trailer_warnings::category_warnings(self.commits(), self.config()),
        };
        self.warnings.extend(warnings);
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
            Some(files) if !files.changes.is_empty() => false,
            Some(_) if !self.config().adds_change_files => true,
            _ => trailer_warnings::list_nothing(self.commits()),
        };
        self.shared.is_some() && self.range_len > 0 && lists_none
    }

    pub(crate) fn merge_requests(&self) -> Vec<Option<&MergeRequestReference>> {
        match &self.shared {
            Some((shared, indices)) => indices.iter().map(|index| shared.all.merge_request(*index)).collect(),
            None => self.range.merge_requests(),
        }
    }

    /// Returns what a user should know about the start of the range and the source of entries, a sentence each.
    #[must_use]
    pub(crate) fn remarks(&self) -> Vec<String> {
        let start = match &self.start {
            RangeStart::Base(base) => base.remarks(),
            RangeStart::Root if self.is_first => {
                vec!["no stable release found, so the whole history is unreleased".to_owned()]
            }
            RangeStart::Root | RangeStart::Revision { .. } => Vec::new(),
        };
        let estimate = self.estimate.as_ref().map(|estimate| format!("the version is {}", estimate.in_words()));
        let source = self.needless_option.clone().into_iter().chain(self.source_remark.clone());
        start.into_iter().chain(source).chain(self.released_remark()).chain(estimate).collect()
    }

    /// Whether the base tag is the last release before the end of the range, and no lower version was released after it.
    fn is_last_release(&self, tags: &Tags) -> anyhow::Result<bool> {
        let Some(base) = self.start.base() else { return Ok(true) };
        let lower = numbers_went_back::lower_releases(self.scope.repo, tags, base)?;
        if lower.is_empty() {
            return Ok(true);
        }
        let later = if let Some((shared, _)) = &self.shared {
            let index_after = shared.index_after(base.commit);
            numbers_went_back::last_in(lower, index_after, shared.parent(base.commit), &shared.all.parents)
        } else {
            let ids: Vec<Oid> = self.commits().iter().map(|classified| classified.id).collect();
            numbers_went_back::last_after(lower, &ids, Parent::Outside(base.commit), &self.range.parents)
        };
        Ok(later.is_none())
    }

    /// Adds a warning if a tag that is newer than the base tag is not read as a version.
    fn with_unread_tags(mut self, tags: &Tags) -> anyhow::Result<Self> {
        if let RangeStart::Base(base) = &self.start {
            self.warnings.extend(tags.warn_unread(&self.scope, &base.tag)?);
        }
        Ok(self)
    }

    /// Classifies the commits together under the source of entries that fits them. `has_trailers` says whether commits
    /// before them have a trailer, if that is known already.
    pub(crate) fn under_fitting_source(mut self, has_trailers: Option<bool>) -> anyhow::Result<Self> {
        let source = if self.shared.is_none() {
            let from = self.start.commit();
            entry_source::guess(&self.scope, &self.range, from, has_trailers, &mut self.warnings)
        } else {
            None
        };
        self.with_source(source)?.with_folds().without_released()?.with_labels()?.with_change_files()
    }

    /// Returns the name of the pre-release that the tool with change files makes at the moment.
    pub(crate) fn pre_release_of_tool(&self) -> Option<&PreRelease> {
        self.changes.as_ref()?.pre_release().filter(|pre| !pre.is_ending)
    }

    /// Whether the next release ends the pre-releases of the tool with change files.
    pub(crate) fn ends_pre_release(&self) -> bool {
        self.changes.as_ref().and_then(ListedChanges::pre_release).is_some_and(|pre| pre.is_ending)
    }

    /// Returns how many changes a section lists.
    pub(crate) fn listed_len(&self) -> usize {
        let listed = self.commits().iter().filter(|classified| classified.classification.is_listed());
        listed.count() + self.changes.as_ref().map_or(0, |files| files.changes.len())
    }

    /// Returns the IDs of the commits of the range, also of one that packages share.
    pub(crate) fn commit_ids(&self) -> impl Iterator<Item = Oid> + '_ {
        let (range, indices) = self.whole_range();
        indices.into_iter().map(|index| range.commits[index].id)
    }

    /// Returns the commits of the range, and those that it follows.
    pub(super) fn known_part(&self) -> KnownPart {
        let outside = self.whole_range().0.parents.outside().iter().copied().chain(self.start.commit()).collect();
        let range = self.scope.range(self.start.commit());
        KnownPart { range, commits: self.commit_ids().collect(), outside }
    }

    /// Returns the commits of the range that are not merges, each with its first parent.
    pub(super) fn ordinary_commits(&self) -> Vec<(Oid, Option<Oid>)> {
        let (range, mut indices) = self.whole_range();
        indices.retain(|index| !range.commits[*index].is_merge);
        range.with_first_parents(&indices).collect()
    }

    /// Returns the commits of the walk that the range was taken from, and the indexes of those that it has.
    pub(crate) fn whole_range(&self) -> (&RangeCommits, Vec<usize>) {
        match &self.shared {
            Some((shared, _)) => (&shared.all, shared.indices(self.start.commit())),
            None => (&self.range, (0..self.range.commits.len()).collect()),
        }
    }

    /// Classifies the commits together: as they were read, or under the source of entries that was chosen for them.
    fn with_source(mut self, source: Option<(EntrySource, Option<String>)>) -> anyhow::Result<Self> {
        if self.shared.is_some() {
            return Ok(self);
        }
        if let Some((source, remark)) = source {
            self.scope = self.scope.with_source(source);
            self.range.classify_under(Arc::clone(&self.scope.loaded.config));
            self.source_remark = remark;
        }
        self.range.classify_together(self.scope.repo)?;
        Ok(self)
    }

    /// Asks the forge for the labels of the merge requests that are listed, if the configuration has rules for them and
    /// the forge may be asked.
    fn with_labels(mut self) -> anyhow::Result<Self> {
        let config = Arc::clone(&self.scope.loaded.config);
        if config.labels.is_empty() {
            return Ok(self);
        }
        let project = self.scope.project().clone();
        let numbers = labels::undecided_requests(&self.range.commits, &project);
        let noun = project.forge().profile().merge_request_noun;
        let asked = self.scope.request.forge.as_ref().filter(|_| !numbers.is_empty());
        let Some(forge) = asked else { return Ok(self) };
        let (requests, warnings) = forge.merge_requests(&project, &numbers).with_context(|| {
            Problem::new(format!("cannot read the labels of {}", pluralize(numbers.len(), noun)))
                .hint("use `--offline` to list them without their labels")
        })?;
        self.warnings.extend(warnings);
        labels::classify(&mut self.range.commits, &requests, &config.labels, &project);
        Ok(self)
    }

    /// Leaves out what mends a commit that is not released either, unless GitLab's bytes are asked for.
    fn with_folds(mut self) -> Self {
        if !self.scope.writes_as_gitlab() {
            folds::fold(&mut self.range.commits, self.scope.config(), self.scope.config().trailer());
        }
        self
    }

    /// Reads the commits again with trailers as the source of entries.
    fn listed_by_trailers(mut self) -> anyhow::Result<Self> {
        self.scope = self.scope.with_source(EntrySource::Trailers);
        // They were read before, so the warnings are there.
        let (range, _) = self.scope.walk(self.scope.range(self.start.commit()), self.range.classifier.keep)?;
        Self { range, source_remark: None, ..self }.with_source(None)?.with_folds().without_released()
    }

    /// Returns the history of a request under the same configuration; walks again only if its range is another one.
    pub(crate) fn for_request(mut self, request: ChangelogRequest) -> anyhow::Result<Self> {
        let to = self.scope.to;
        let RangeSpec { from, first_release, .. } = &request.range;
        let is_pre_release = request.version.as_ref().is_some_and(Version::is_pre_release);
        let has_same_start = match from {
            _ if request.range.pre_releases && is_pre_release => false,
            _ if *first_release => self.start == RangeStart::Root,
            Some(from) => self.start.commit() == Some(git::revision::resolve(self.scope.repo, from)?),
            None => !matches!(self.start, RangeStart::Revision { .. }),
        };
        self.scope = self.scope.with_request(request)?;
        if has_same_start && self.scope.to == to {
            return Ok(self);
        }
        Ok(Self::read(self.scope, Retention::Listed)?.with_trailer_warnings())
    }
}
