//! The next version, which follows from the last stable tag and the categories of the commits after it.

use anyhow::Context as _;

use super::{
    BaseTag, Estimate, History, PackageDependencies, RangeStart,
    last_release::last_release,
    listed_changes::ListedChanges,
    packages::{ConfiguredPackages, refuse_unnamed_package},
    scope::Scope,
    tags::Tags,
};
use crate::{
    config::{Config, EntrySource, Versioning},
    document::Document,
    git,
    model::{BumpLevel, Problem, ProblemKind, Version, compare_versions},
    sources::{classified_commit::Classification, classifier::Retention, conventional::BREAKING},
    version_files::workspace::Update,
    versions::bump::{self, CategoryBump},
};

/// The options for the choice of the next version.
#[derive(Clone, Debug, Default)]
pub struct BumpOptions {
    /// The bump level, whatever the categories ask for.
    pub level: Option<BumpLevel>,
    /// The name of a pre-release, such as `rc`.
    pub pre: Option<String>,
    /// Build metadata, without `+`.
    pub build: Option<String>,
    /// The version of a first release; `None` is 0.1.0, and leaves it to the tags whether the release is the first.
    pub initial: Option<semver::Version>,
}

/// The next version, and the reasons for it.
#[derive(Debug)]
pub struct NextVersion {
    /// The version; `None` if no unreleased change bumps the version.
    pub version: Option<Version>,
    /// The last stable tag; `None` for a first release.
    pub base: Option<BaseTag>,
    /// The bump level; for a first release the one that the categories ask for.
    pub level: BumpLevel,
    /// The bump level of each category, the highest first.
    pub bumps: Vec<CategoryBump>,
    /// The estimate that the level is taken from, if the changes have no kinds.
    pub estimate: Option<Estimate>,
    /// The pre-release tag of a higher version than the changes ask for, if there is one.
    pub pre_release: Option<String>,
    /// The members of its workspace whose new versions a package must require; it is released for them alone if no
    /// change asks for a release.
    pub updates: Vec<Update>,
}

impl NextVersion {
    /// Returns the tag of the next version; `None` if there is no next version, or the last tag does not show its form.
    pub(crate) fn tag(&self, config: &Config) -> Option<String> {
        BaseTag::next(self.base.as_ref(), config, self.version.as_ref()?)
    }

    /// Adds the members that a package must require, and bumps its patch version if nothing else asks for a release.
    pub(super) fn with_updates(mut self, dependencies: &PackageDependencies, config: &Config) -> anyhow::Result<Self> {
        self.updates = dependencies.updates(config, self.base.as_ref())?;
        if let (None, Some(base), false) = (&self.version, &self.base, self.updates.is_empty()) {
            let last = parse(&base.version)?.semver().to_string();
            self.version = Some(bump::increment(&last, BumpLevel::Patch).parse()?);
            self.level = BumpLevel::Patch;
        }
        Ok(self)
    }
}

impl<'r> ConfiguredPackages<'r> {
    /// Takes a step for each package in turn. The version that it returns is the one that the package gets in this run,
    /// and those that come after it are required to follow it.
    ///
    /// # Errors
    /// Of a step; the message names the package.
    pub(crate) fn each<T>(
        self,
        mut step: impl FnMut(Scope<'r>, &PackageDependencies<'r>) -> anyhow::Result<(T, Option<Version>)>,
    ) -> impl Iterator<Item = anyhow::Result<(String, T)>> {
        let Self { packages, mut dependencies, .. } = self;
        packages.into_iter().map(move |scope| {
            let package = scope.package_name().unwrap_or_default().to_owned();
            let context = scope.in_package();
            let (made, version) = step(scope, &dependencies).context(context)?;
            if let Some(version) = &version {
                dependencies.plan(&package, version);
            }
            Ok((package, made))
        })
    }

    /// Finds the next version of each package, and its history.
    ///
    /// # Errors
    /// Of a package, if its range cannot be read; the message names the package.
    pub(crate) fn next_versions(
        self,
        bump: &BumpOptions,
    ) -> impl Iterator<Item = anyhow::Result<(String, (NextVersion, History<'r>))>> {
        self.each(move |scope, dependencies| {
            let (next, history) = next(scope, dependencies, bump)?;
            let version = next.version.clone();
            Ok(((next, history), version))
        })
    }
}

/// Finds the next version for the range of a scope, and returns it with the history of that range.
///
/// The version is counted from the last stable tag, also if the request names another start of the range.
///
/// # Errors
/// If an end of the range or the walk fails, or a given part of the version is invalid.
pub fn next<'r>(
    mut scope: Scope<'r>,
    dependencies: &PackageDependencies,
    bump: &BumpOptions,
) -> anyhow::Result<(NextVersion, History<'r>)> {
    let tags = Tags::load(&scope)?;
    let asked_first = scope.request.range.first_release;
    let is_said_first = asked_first || bump.initial.is_some();
    let tags = match tags.clone().narrow_to_family(&scope) {
        Err(_) if is_said_first => tags,
        narrowed => narrowed?,
    };
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
    let base = match &history.start {
        RangeStart::Base(base) => Some(base.clone()),
        // Wherever the range starts, the version follows the last one.
        RangeStart::Revision { .. } => last_release(history.scope.repo, &tags, history.scope.to)?,
        RangeStart::Root => None,
    };
    let from = base.as_ref().map(|base| parse(&base.version)).transpose()?;
    let bumps = bumps(&history, from.as_ref());
    let estimate = match bump.level {
        Some(_) => None,
        None => Estimate::of(history.commits(), history.config(), &tags, base.as_ref()),
    };
    let by_kinds = bumps.first().map_or(BumpLevel::None, |most| most.level);
    let estimate = estimate.filter(|estimate| estimate.level >= by_kinds);
    let level = bump.level.unwrap_or_else(|| estimate.as_ref().map_or(by_kinds, |estimate| estimate.level));
    history.is_first |= is_first && !asked_first && history.start == RangeStart::Root;
    let mut next = NextVersion { version: None, base, level, bumps, estimate, pre_release: None, updates: Vec::new() };
    if level > BumpLevel::None {
        let counter = VersionCounter { scope: &history.scope, tags: &tags, is_asked_first: asked_first };
        next.version = Some(counter.version(from.as_ref(), bump, &mut next)?);
    }
    // A pre-release that people have tagged says what the version is.
    next.estimate = next.estimate.filter(|_| next.pre_release.is_none());
    history.estimate.clone_from(&next.estimate);
    let next = next.with_updates(dependencies, history.config())?;
    Ok((next, history))
}

/// Returns the bump level of each category of a history that follows a version, the highest first.
fn bumps(history: &History, last: Option<&Version>) -> Vec<CategoryBump> {
    let config = history.config();
    let of_files = history.changes.as_ref().map(ListedChanges::bumps).unwrap_or_default();
    if config.source == EntrySource::Files {
        return of_files;
    }
    let breaking = Classification::Listed(vec![BREAKING.to_owned()]);
    let classifications = history.commits().iter().flat_map(|classified| {
        let breaks = classified.is_breaking_elsewhere(config.source).then_some(&breaking);
        std::iter::once(&classified.classification).chain(breaks)
    });
    let is_noted = breaks_by_hand(&history.scope);
    let classifications = classifications.chain(is_noted.then_some(&breaking));
    let categories = classifications.flat_map(Classification::categories).map(String::as_str);
    let mut bumps = bump::category_bumps(categories, config, last.map(Version::semver));
    bumps.extend(of_files);
    bumps.sort_by_key(|bump| std::cmp::Reverse(bump.level));
    bumps
}

/// Whether the text below `Unreleased` in the changelog file, which the release takes, says that something breaks.
fn breaks_by_hand(scope: &Scope) -> bool {
    if scope.config().keeps_unreleased || scope.repo.asks_server() {
        return false;
    }
    // A file that cannot be read is reported where it is written.
    let file = scope.changelog_file().ok();
    let file = file.and_then(|file| git::file::read_at_commit(scope.repo, scope.to, &file).ok()?);
    file.is_some_and(|file| Document::parse(file).unreleased_breaks())
}

/// Returns the failure if no change asks for a release.
pub(crate) fn nothing_to_release(hint: &str) -> Problem {
    Problem::new("nothing to release: no unreleased change bumps the version").hint(hint).kind(ProblemKind::NothingToDo)
}

/// The version of a first release if no other is given.
const INITIAL: &str = "0.1.0";

/// The hint about a version that is missing, for commands that do not explain it themselves.
pub(crate) const RUN_NEXT: &str = "run `tidings next` to see why";

fn parse(version: &str) -> anyhow::Result<Version> {
    version.parse().with_context(|| {
        Problem::new(format!("the last stable version `{version}` cannot be bumped"))
            .hint("change `tag_regex` so that its groups are numbers")
    })
}

struct VersionCounter<'a> {
    scope: &'a Scope<'a>,
    tags: &'a Tags,
    /// Whether the options say that this is the first release, whatever tags there are.
    is_asked_first: bool,
}

impl VersionCounter<'_> {
    /// Returns the version after `base`; an error if it is tagged already.
    fn version(
        &self,
        base: Option<&Version>,
        options: &BumpOptions,
        next: &mut NextVersion,
    ) -> anyhow::Result<Version> {
        let mut text = match &self.scope.config().versioning {
            Versioning::Calendar(parts) => {
                let last = base.map(Version::stable);
                bump::next_by_calendar(parts, last.as_deref(), next.level, &self.scope.request.date)?
            }
            Versioning::SemVer => self.bump_by_changes(base, options, next)?,
        };
        if let Some(name) = &options.pre {
            let leading: Vec<_> = self.tags.names.iter().filter_map(|tag| self.tags.pattern.pre_release(tag)).collect();
            let existing = leading.iter().filter(|(to, _)| *to == text).map(|(_, pre)| pre.as_str());
            let pre = bump::next_pre_release(name, existing);
            semver::Prerelease::new(&pre).with_context(|| invalid_part("a pre-release", name))?;
            text = format!("{text}-{pre}");
        }
        if let Some(build) = &options.build {
            semver::BuildMetadata::new(build).with_context(|| invalid_part("build metadata", build))?;
            text = format!("{text}+{build}");
        }
        let version = text.parse::<Version>().context("the next version is not valid")?;
        self.check_free(&version, next)?;
        Ok(version)
    }

    fn bump_by_changes(
        &self,
        base: Option<&Version>,
        options: &BumpOptions,
        next: &mut NextVersion,
    ) -> anyhow::Result<String> {
        let initial = || options.initial.as_ref().map_or_else(|| INITIAL.to_owned(), ToString::to_string);
        let counted = match base {
            None if self.is_asked_first => return Ok(initial()),
            None => initial(),
            Some(base) if !base.is_semantic() && bump::is_date(&base.stable()) => {
                let message =
                    format!("the last version `{}` is a date, and the form of the next one is not set", base.stable());
                let hint =
                    "run `tidings init`, or set `versioning` in the configuration, such as `versioning: YYYY.0M.MICRO`";
                return Err(Problem::new(message).hint(hint).into());
            }
            Some(base) => self.without_fourth(bump::increment(&base.stable(), next.level)),
        };
        // An existing pre-release may be of a higher version than the changes ask for.
        let Some((tag, stable)) = self.highest_pre_release(&counted, options.pre.is_none())? else {
            return Ok(counted);
        };
        next.pre_release = Some(tag);
        Ok(stable)
    }

    /// Drops a fourth number that is 0, if other versions have three: `1.8.3` follows `1.8.2.3` where `1.8.2` exists.
    fn without_fourth(&self, version: String) -> String {
        let numbers = |version: &str| version.split('+').next().map_or(0, |numbers| numbers.split('.').count());
        let has_three = || {
            let stable = |tag: &String| self.tags.pattern.stable_version(tag);
            self.tags.names.iter().filter_map(stable).any(|version| numbers(&version) == 3)
        };
        match version.strip_suffix(".0") {
            Some(three) if numbers(three) == 3 && has_three() => three.to_owned(),
            _ => version,
        }
    }

    /// Finds the pre-release tag of the highest version above `counted` that is not released, and that version.
    fn highest_pre_release(&self, counted: &str, must_be_contained: bool) -> anyhow::Result<Option<(String, String)>> {
        let leading = self.tags.names.iter().filter_map(|tag| Some((tag, self.tags.pattern.pre_release(tag)?.0)));
        let mut above: Vec<_> = leading.filter(|(_, stable)| compare_versions(stable, counted).is_gt()).collect();
        above.sort_by(|left, right| compare_versions(&right.1, &left.1));
        for (tag, stable) in above {
            let is_released =
                self.tags.names.iter().any(|tag| self.tags.pattern.stable_version(tag).as_ref() == Some(&stable));
            let Some(commit) = git::tags::peel(self.scope.repo, tag)?.filter(|_| !is_released) else { continue };
            if !must_be_contained || git::merge_base::is_ancestor(self.scope.repo, commit, self.scope.to)? {
                return Ok(Some((tag.clone(), stable)));
            }
        }
        Ok(None)
    }

    fn check_free(&self, version: &Version, next: &NextVersion) -> anyhow::Result<()> {
        let Some(taken) = self.tags.tag_of(version) else { return Ok(()) };
        let base = next.base.as_ref().map_or("the beginning", |base| base.tag.as_str());
        Err(Problem::new(format!("the version after `{base}` is {version}, but the tag `{taken}` exists already"))
            .hint("choose another version, or another part with `--level`")
            .into())
    }
}

fn invalid_part(what: &str, text: &str) -> Problem {
    Problem::usage(format!("`{text}` cannot be {what}"))
        .hint("use letters, digits and hyphens, in parts separated by dots")
}
