//! What is not released yet, and what the next version is counted from.

use anyhow::Context as _;

use super::version_counter::{BumpOptions, VersionCounter, VersionName};
use crate::{
    config::EntrySource,
    document::Document,
    git,
    model::{BREAKING, BumpLevel, Problem, Version, Warning},
    pipeline::{
        base::{base_tag::BaseTag, estimate::Estimate, last_release::last_release, tags::Tags},
        changes::{history::History, listed_changes::ListedChanges},
        packages::{configured::refuse_unnamed_package, dependents::PackageDependencies},
        range::range_start::{self, RangeStart},
        scope::Scope,
    },
    sources::{classified_commit::Classification, classifier::Retention},
    versions::bump::{self, CategoryBump},
};

/// The history after the last release, and what it asks of the next version.
#[derive(Debug)]
pub(super) struct Unreleased<'r> {
    pub(super) history: History<'r>,
    tags: Tags,
    /// Whether the options say that this is the first release, whatever tags there are.
    is_asked_first: bool,
    /// The last stable tag; `None` for a first release.
    pub(super) base: Option<BaseTag>,
    /// The version that the next one follows.
    pub(super) last: Option<Version>,
    /// Whether that is the one of the manifest, and not that of the last stable tag.
    pub(super) follows_manifest: bool,
    /// The version that manifests have for a first release.
    pub(super) first: Option<semver::Version>,
    pub(super) bumps: Vec<CategoryBump>,
    pub(super) estimate: Option<Estimate>,
    /// The level that the options or the changes ask for.
    pub(crate) level: BumpLevel,
}

impl<'r> Unreleased<'r> {
    /// Reads the history of a scope after the last release.
    pub(super) fn read(
        mut scope: Scope<'r>,
        dependencies: &PackageDependencies,
        bump: &BumpOptions,
    ) -> anyhow::Result<Self> {
        // A version is counted from the last stable one.
        scope.request.range.pre_releases = false;
        let tags = Tags::load(&scope)?;
        let is_said_first = scope.request.range.first_release || bump.initial.is_some();
        let tags = match tags.clone().narrow_to_family(&scope) {
            Err(_) if is_said_first => tags,
            narrowed => narrowed?,
        };
        let needless_option = range_start::follow_last_release(&mut scope, &tags)?;
        let is_asked_first = scope.request.range.first_release;
        // If no tag is a stable version, this is the first release.
        let is_first = tags.names.iter().all(|tag| tags.pattern.stable_version(tag).is_none());
        if is_first && !is_said_first {
            tags.has_no_release(scope.config())?;
        }
        if !is_said_first {
            refuse_unnamed_package(&scope, &tags)?;
        }
        let range = &mut scope.request.range;
        range.first_release |= is_first && range.from.is_none() && !scope.repo.is_incomplete();
        let mut history = History::read_after(scope, &tags, Retention::Listed)?.with_trailer_warnings();
        history.needless_option = needless_option;
        let base = match &history.start {
            RangeStart::Base(base) => Some(base.clone()),
            // Wherever the range starts, the version follows the last one.
            RangeStart::Revision { .. } => last_release(history.scope.repo, &tags, history.scope.to)?,
            RangeStart::Root => None,
        };
        history.is_first |= is_first && !is_asked_first && history.start == RangeStart::Root;
        let manifest = dependencies.manifest_version(&history)?;
        // A tool with change files sets the version in the commit that consumes them.
        let follows_manifest = manifest.is_some() && history.config().lists_change_files();
        let last = match &base {
            _ if follows_manifest => manifest.clone(),
            Some(base) => Some(parse(&base.version)?),
            None => None,
        };
        let is_noted = breaks_by_hand(&mut history);
        let bumps = bumps(&history, last.as_ref(), is_noted);
        let estimate = if bump.level.is_some() {
            None
        } else {
            let has_unlisted = bumps.is_empty() && history.has_unlisted_changes()?;
            Estimate::of(history.commits(), &history.scope, &tags, base.as_ref(), has_unlisted)?
        };
        let by_kinds = bumps.first().map_or(BumpLevel::None, |most| most.level);
        let estimate = estimate.filter(|estimate| estimate.level >= by_kinds);
        let level = bump.level.unwrap_or_else(|| estimate.as_ref().map_or(by_kinds, |estimate| estimate.level));
        let is_counted = base.is_some() || bump.initial.is_some() || history.config().release.initial.is_some();
        let first = if is_counted { None } else { dependencies.first_version(&history, manifest.as_ref()) };
        Ok(Self { history, tags, is_asked_first, base, last, follows_manifest, first, bumps, estimate, level })
    }

    /// Whether the next release ends the pre-releases of a tool with change files, of which this had one.
    pub(super) fn ends_pre_release(&self) -> bool {
        self.last.as_ref().is_some_and(|last| !last.semver().pre.is_empty()) && self.history.ends_pre_release()
    }

    /// Counts the version of a level, and returns it with what else says what it is; `None` if the level
    /// asks for no version.
    pub(super) fn count(
        &self,
        level: BumpLevel,
        bump: &BumpOptions,
    ) -> anyhow::Result<Option<(Version, Option<VersionName>)>> {
        if level == BumpLevel::None {
            return Ok(None);
        }
        let pre_release = self.history.pre_release_of_tool();
        let counter = VersionCounter {
            scope: &self.history.scope,
            tags: &self.tags,
            is_asked_first: self.is_asked_first,
            base: self.base.as_ref(),
            follows_manifest: self.follows_manifest,
            pre_release: pre_release.filter(|_| bump.pre.is_none() && self.follows_manifest),
        };
        let options = BumpOptions { initial: bump.initial.clone().or_else(|| self.first.clone()), ..bump.clone() };
        counter.version(self.last.as_ref(), level, &options).map(Some)
    }
}

fn parse(version: &str) -> anyhow::Result<Version> {
    version.parse().with_context(|| {
        Problem::new(format!("the last stable version `{version}` cannot be bumped"))
            .hint("change `tag_regex` so that its groups are numbers")
    })
}

/// Returns the bump level of each category of a history that follows a version, the highest first. `is_noted` says
/// whether a text that was written by hand says that something breaks.
fn bumps(history: &History, last: Option<&Version>, is_noted: bool) -> Vec<CategoryBump> {
    let config = history.config();
    let of_files = history.changes.as_ref().map(ListedChanges::bumps).unwrap_or_default();
    let files = history.changes.as_ref().and_then(|changes| changes.files.as_ref());
    let is_lowered =
        files.is_some_and(|files| files.lowers_levels) && last.is_some_and(|last| last.semver().major == 0);
    let mut bumps =
        if config.source == EntrySource::Files { of_files } else { all_bumps(history, last, is_noted, of_files) };
    for bump in bumps.iter_mut().filter(|bump| is_lowered && !config.bump.contains_key(&bump.category)) {
        bump.level = bump.asked.for_zero_major();
    }
    bumps.sort_by_key(|bump| std::cmp::Reverse(bump.level));
    bumps
}

/// Returns the bump levels of what commits and files list.
fn all_bumps(
    history: &History,
    last: Option<&Version>,
    is_noted: bool,
    of_files: Vec<CategoryBump>,
) -> Vec<CategoryBump> {
    let config = history.config();
    let breaking = Classification::Listed(vec![BREAKING.to_owned()]);
    let classifications = history.commits().iter().flat_map(|classified| {
        let breaks = classified.is_breaking_elsewhere(config.source).then_some(&breaking);
        std::iter::once(&classified.classification).chain(breaks)
    });
    let classifications = classifications.chain(is_noted.then_some(&breaking));
    let categories = classifications.flat_map(Classification::categories).map(String::as_str);
    let mut bumps = bump::category_bumps(categories, config, last.map(Version::semver));
    bumps.extend(of_files);
    bumps
}

/// Whether the text below `Unreleased` in the changelog file, which the release takes, says that something breaks. Warns
/// if that is unknown.
fn breaks_by_hand(history: &mut History) -> bool {
    let scope = &history.scope;
    if scope.config().keeps_unreleased || scope.repo.asks_server() || scope.config().source == EntrySource::Files {
        return false;
    }
    // Which of several files it is has to be known where it is written.
    let Ok(file) = scope.changelog_file() else { return false };
    match git::file::read_at_commit(scope.repo, scope.to, &file) {
        Ok(file) => file.is_some_and(|file| Document::parse(file).unreleased_breaks()),
        Err(error) => {
            let what = "it is unknown whether the text below `Unreleased` says that something breaks";
            history.warnings.push(Warning::from_error(what, &error));
            false
        }
    }
}
