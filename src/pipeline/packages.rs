//! The packages of a repository, configured or detected, read together: each commit is read once, and its changed
//! paths are looked up once for all packages.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use super::{
    CommitFiles, base_tag,
    dependents::PackageDependencies,
    entry_source,
    loaded_config::LoadedConfig,
    range_commits::RangeCommits,
    range_start,
    request::ChangelogRequest,
    shared_range::{SharedHistory, SharedRange},
    tags::{Tags, commits_before, hint_at_packages, project_name, several_families},
};
use crate::{
    config::Config,
    git::{self, Repo},
    model::{Oid, Problem, Range, TaggedCommit, Warning},
    setup::scaffold,
    sources::{classified_commit::Classification, classifier::Retention},
    versions::tag_families::{OwnFamily, TagFamilies, TagFamily},
};

/// The packages of a configuration.
#[derive(Debug)]
pub struct ConfiguredPackages<'a> {
    /// The packages with their configurations, those that others require first.
    pub packages: Vec<(String, LoadedConfig)>,
    /// The requirements between them.
    pub dependencies: PackageDependencies<'a>,
    /// Warnings of requirements that the order does not meet.
    pub(crate) warnings: Vec<Warning>,
}

impl LoadedConfig {
    /// Returns the configuration of each package, those that others require first, with one walk for all.
    ///
    /// # Errors
    /// If the configuration has no packages, or their tags or paths cannot be read.
    pub fn packages<'a>(self, repo: &'a Repo, request: &ChangelogRequest) -> anyhow::Result<ConfiguredPackages<'a>> {
        drop(self.package_names()?);
        let to = git::revision::resolve(repo, &request.range.to)?;
        let all = self.with_shared_history(repo, (request, to))?;
        let dependencies = PackageDependencies::new(repo, all.clone(), to);
        let (names, warnings) = dependencies.order()?;
        let packages = names.into_iter().map(|name| Ok((name.clone(), all.package(&name)?)));
        Ok(ConfiguredPackages { packages: packages.collect::<anyhow::Result<_>>()?, dependencies, warnings })
    }

    /// Whether the configuration is of a package at the top of the repository, which owns the changelog file there.
    pub(crate) fn is_of_top(&self) -> bool {
        self.config.paths.first().is_some_and(|path| path == ".")
    }

    /// Returns the same configuration with the history that a request needs of it, read in one walk for all packages.
    pub(super) fn with_shared_history(
        self,
        repo: &Repo,
        (request, to): (&ChangelogRequest, Oid),
    ) -> anyhow::Result<Self> {
        let shared = read_shared(repo, &self, (request, to))?;
        let mut all = shared.source.map_or_else(|| self.clone(), |source| self.with_source(source));
        all.shared = Some(Arc::new(shared));
        Ok(all)
    }
}

/// Reads the history that the packages of a configuration share.
fn read_shared(
    repo: &Repo,
    loaded: &LoadedConfig,
    (request, to): (&ChangelogRequest, Oid),
) -> anyhow::Result<SharedHistory> {
    let tags = git::tags::names(repo)?;
    let mut shared = SharedHistory { tags, range: None, source: None, source_remark: None };
    // The boundary of a shallow clone may lie in the ranges of some packages and not in those of others.
    if repo.asks_server() || repo.is_shallow() {
        return Ok(shared);
    }
    let packages = loaded.config.packages.keys().map(|name| loaded.package(name));
    let packages: Vec<LoadedConfig> = packages.collect::<anyhow::Result<_>>()?;
    let start = |package: &LoadedConfig| start(repo, package, &shared.tags, (request, to));
    let starts: Vec<Option<Oid>> = packages.iter().map(start).collect::<anyhow::Result<_>>()?;
    let range = Range { from: widest_start(repo, &starts)?, to };
    let config = |loaded: &LoadedConfig| Arc::clone(&packages.first().unwrap_or(loaded).config);
    // If the walk fails, each package walks its own range and reports the failure.
    let walked = RangeCommits::walk(config(loaded), repo, request, (range, Retention::Listed));
    let Ok((mut commits, warnings)) = walked else { return Ok(shared) };
    // All packages have the same source of entries.
    let has_recent = || entry_source::has_recent(repo, loaded, (&commits, range), request);
    if let Some((source, remark)) = entry_source::guess(repo, loaded, (&commits, range), request, has_recent) {
        commits.classify_under(Arc::new(Config { source, ..Config::clone(&config(loaded)) }));
        (shared.source, shared.source_remark) = (Some(source), remark);
    }
    let paths: Vec<&[String]> = packages.iter().map(|package| package.config.paths.as_slice()).collect();
    let changed = find_changes(repo, &commits, &paths)?;
    let mut all = SharedRange::new(range, commits, changed, warnings);
    all.follow_moves(repo, paths.into_iter().zip(starts))?;
    shared.range = Some(all);
    Ok(shared)
}

/// Returns the start of a range that contains the ranges of nearly all packages: the oldest of their starts.
fn widest_start(repo: &Repo, starts: &[Option<Oid>]) -> anyhow::Result<Option<Oid>> {
    let starts: BTreeSet<Option<Oid>> = starts.iter().copied().collect();
    if starts.contains(&None) { Ok(None) } else { git::oldest(repo, starts.into_iter().flatten()) }
}

/// Returns the start of a package's range, as far as it is known before the history is read.
fn start(
    repo: &Repo,
    package: &LoadedConfig,
    tags: &[String],
    (request, to): (&ChangelogRequest, Oid),
) -> anyhow::Result<Option<Oid>> {
    if request.range.first_release {
        return Ok(None);
    }
    if let Some(from) = &request.range.from {
        return git::revision::resolve(repo, from).map(Some);
    }
    let tags = Tags::select(tags, repo, &package.config)?;
    let base = match &request.version {
        None => base_tag::highest(repo, &tags)?,
        version => range_start::find_base(repo, &tags, version.as_ref(), to)?,
    };
    Ok(base.map(|base| base.commit))
}

/// Finds for each of these lists of paths the commits that change one of its paths, among those that may be listed.
fn find_changes(
    repo: &Repo,
    commits: &RangeCommits,
    scopes: &[&[String]],
) -> anyhow::Result<HashMap<Vec<String>, Vec<usize>>> {
    let mut changed: HashMap<Vec<String>, Vec<usize>> = HashMap::new();
    let asked = commits.indices(Classification::is_listed);
    let found = git::paths::changed_scopes(repo, commits.with_first_parents(&asked), scopes.iter().copied())?;
    changed.extend(scopes.iter().map(|paths| (paths.to_vec(), Vec::new())));
    for (index, numbers) in asked.iter().zip(found) {
        for number in numbers {
            // Packages with the same paths share a list.
            let indices = changed.get_mut(scopes[number as usize]);
            indices
                .into_iter()
                .filter(|indices| indices.last() != Some(index))
                .for_each(|indices| indices.push(*index));
        }
    }
    Ok(changed)
}

/// Finds the packages, configured or else as `init` would write them, each with its configuration, the one at the top
/// first; empty if the newest tags are the repository's own.
pub(crate) fn detected_packages(
    loaded: &LoadedConfig,
    repo: &Repo,
    request: &ChangelogRequest,
) -> anyhow::Result<Vec<(String, LoadedConfig)>> {
    let config = &loaded.config;
    if config.tag_prefix.is_some() || config.tag_regex.is_some() {
        return Ok(Vec::new());
    }
    let to = git::revision::resolve(repo, &request.range.to)?;
    let tags = Tags::load(repo, loaded)?;
    let commits = commits_before(repo, &tags.names, to)?;
    let families = TagFamilies::new(&commits);
    let mut packages: Vec<_> = if config.packages.is_empty() {
        let own = families.own(project_name(repo).as_deref());
        if matches!(own, OwnFamily::None | OwnFamily::Named("")) || families.all.len() == 1 {
            return Ok(Vec::new());
        }
        // Without trees it is not known which commits are a package's.
        let can_compare = git::paths::can_compare(repo, to);
        let found = if can_compare { detected_configs(loaded, repo, (request, to), &commits) } else { Vec::new() };
        if found.is_empty() && own == OwnFamily::Unclear {
            return Err(several_families(&families, config).into());
        }
        found
    } else {
        let is_of_package = |family: &TagFamily| config.package_of(family.tags[0]).is_some();
        if families.bare().is_some_and(|bare| families.is_current(bare)) || !families.all.iter().any(is_of_package) {
            return Ok(Vec::new());
        }
        let package = |name: &String| Ok((name.clone(), loaded.package(name)?));
        config.packages.keys().map(package).collect::<anyhow::Result<_>>()?
    };
    packages.sort_by_key(|(_, loaded)| !loaded.is_of_top());
    Ok(packages)
}

/// Refuses to choose a package: if only the tags show that there are several, the changes of all would count for one.
pub(super) fn refuse_unnamed_package(
    loaded: &LoadedConfig,
    tags: &Tags,
    repo: &Repo,
    request: &ChangelogRequest,
) -> anyhow::Result<()> {
    if tags.family.is_none() {
        return Ok(());
    }
    let packages = detected_packages(loaded, repo, request)?;
    if packages.is_empty() {
        return Ok(());
    }
    let names: Vec<String> = packages.iter().map(|(name, _)| format!("`{name}`")).collect();
    let problem = Problem::new(format!("the tags are of several packages: {}", names.join(", ")));
    Err(hint_at_packages(problem, &loaded.config).into())
}

/// Returns the configurations of the packages that files and tags, the newest first, show.
fn detected_configs(
    loaded: &LoadedConfig,
    repo: &Repo,
    (request, to): (&ChangelogRequest, Oid),
    tags: &[TaggedCommit],
) -> Vec<(String, LoadedConfig)> {
    let project = request.project(repo, &loaded.config);
    let files = CommitFiles { repo, commit: Some(to) };
    let found = scaffold::packages(tags, project.name(), &files);
    let mut names = tags.iter().flat_map(|commit| &commit.tags);
    let has_plain = names.any(|tag| tag.trim_start_matches('v').starts_with(|sign: char| sign.is_ascii_digit()));
    let package = |(name, package): (String, scaffold::DetectedPackage)| {
        let prefix = package.prefix.trim_end_matches('v');
        let mut config = Config::clone(&loaded.config);
        if has_plain && !prefix.is_empty() && package.paths.first().is_some_and(|path| path == ".") {
            // The pattern also reads the tags from before the packages had tags of their own.
            let prefix = regex::escape(prefix);
            config.tag_regex = Some(format!(
                r"^(?:{prefix})?v?(?P<major>\d+)\.(?P<minor>\d+)\.(?P<patch>\d+)(?:-(?P<pre>[0-9A-Za-z.-]+))?$"
            ));
        } else {
            config.tag_prefix = Some(package.prefix);
        }
        (config.file, config.paths) = (package.file, package.paths);
        (name, loaded.with_config(config))
    };
    found.into_iter().flatten().map(package).collect()
}
