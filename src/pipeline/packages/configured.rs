//! The packages of a repository, configured or detected, read together: each commit is read once, and its changed
//! paths are looked up once for all packages.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use super::dependents::PackageDependencies;
use crate::{
    config::Config,
    git::{self, Repo},
    model::{Oid, Problem, TaggedCommit, Warning},
    pipeline::{
        base::{
            base_tag::{self, BaseTag},
            tags::{Tags, commits_before, hint_at_packages, project_name, several_families},
        },
        changes::entry_source,
        commits::{range_commits::RangeCommits, shared_range::SharedRange},
        range::range_start,
        scope::{Scope, loaded_config::CommitFiles},
    },
    setup::scaffold,
    sources::{classified_commit::Classification, classifier::Retention},
    versions::{
        tag_families::{OwnFamily, TagFamilies, TagFamily},
        tag_names,
    },
};

/// The packages of a configuration.
#[derive(Debug)]
pub(crate) struct ConfiguredPackages<'r> {
    /// The scope of the whole repository, with the commits that the packages share.
    pub whole: Scope<'r>,
    /// A scope for each package, those that others require first.
    pub packages: Vec<Scope<'r>>,
    /// The requirements between them.
    pub dependencies: PackageDependencies<'r>,
    /// Warnings of requirements that the order does not meet.
    pub(crate) warnings: Vec<Warning>,
}

impl<'r> Scope<'r> {
    /// Narrows the scope to the package that has the tags which are nothing but versions, if they are current and no package
    /// was named: they are those of the repository itself, before packages are configured and after. What writes asks for
    /// the package.
    ///
    /// # Errors
    /// If the tags cannot be read.
    pub(crate) fn or_bare_package(self) -> anyhow::Result<Self> {
        self.or_package_with(|families, _| families.bare().filter(|bare| families.is_current(bare)).cloned())
    }

    /// As [`Self::or_bare_package`], or to the package whose tags have the name of the project.
    ///
    /// # Errors
    /// If the tags cannot be read.
    pub(crate) fn or_package_by_name(self) -> anyhow::Result<Self> {
        self.or_package_with(|families, project| families.by_name(project).cloned())
    }

    fn or_package_with(
        self,
        choose: impl for<'a> FnOnce(&TagFamilies<'a>, Option<&str>) -> Option<TagFamily<'a>>,
    ) -> anyhow::Result<Self> {
        let config = self.config();
        let is_said = config.is_gitlab_file || config.tag_prefix.is_some() || config.tag_regex.is_some();
        if config.packages.is_empty() || self.package_name().is_some() || is_said {
            return Ok(self);
        }
        let commits = commits_before(self.repo, self.tag_names()?, self.to)?;
        let own = choose(&TagFamilies::new(&commits), project_name(self.repo).as_deref());
        match own.and_then(|family| config.package_of(family.tags[0])) {
            Some(package) => self.package(package),
            None => Ok(self),
        }
    }

    /// Narrows the scope to each package, those that others require first, with one walk for all.
    ///
    /// # Errors
    /// If the configuration has no packages, or their tags or paths cannot be read.
    pub(crate) fn packages(self) -> anyhow::Result<ConfiguredPackages<'r>> {
        let scope = self.with_tool_packages()?;
        scope.loaded.require_packages()?;
        let whole = scope.with_shared_range()?;
        let mut dependencies = PackageDependencies::new(&whole);
        let (names, warnings) = dependencies.order()?;
        let packages = names.iter().map(|name| whole.package(name)).collect::<anyhow::Result<_>>()?;
        Ok(ConfiguredPackages { whole, packages, dependencies, warnings })
    }

    /// Returns the same scope with the commits that it needs, read in one walk for all packages. If they have no range in
    /// common that can be read, each package reads its own.
    fn with_shared_range(self) -> anyhow::Result<Self> {
        // The boundary of a shallow clone may lie in the ranges of some packages and not in those of others.
        if self.config().packages.is_empty() || self.repo.asks_server() || self.repo.is_shallow() {
            return Ok(self);
        }
        let packages = self.configured_packages()?;
        let starts: Vec<Option<Oid>> = packages.iter().map(start).collect::<anyhow::Result<_>>()?;
        let range = self.range(widest_start(self.repo, &starts)?);
        // If the walk fails, each package walks its own range and reports the failure.
        let Ok((mut commits, mut warnings)) = packages[0].walk(range, Retention::Listed) else {
            return Ok(self);
        };
        // All packages have the same source of entries.
        let decided = entry_source::guess(&self, &commits, range.from, None, &mut warnings);
        if let Some((source, _)) = decided {
            commits.classify_under(packages[0].clone().with_source(source).loaded.config);
        }
        let paths: Vec<&[String]> = packages.iter().map(|package| package.config().paths.as_slice()).collect();
        let changed = find_changes(self.repo, &commits, &paths)?;
        let mut shared = SharedRange::new(range, commits, changed);
        shared.warnings = warnings;
        shared.follow_moves(self.repo, paths.into_iter().zip(starts))?;
        let mut all = self;
        if let Some((source, remark)) = decided {
            all = all.with_source(source);
            shared.source_remark = remark;
        }
        all.shared = Some(Arc::new(shared));
        Ok(all)
    }
}

/// Returns the start of a range that contains the ranges of nearly all packages: the oldest of their starts.
fn widest_start(repo: &Repo, starts: &[Option<Oid>]) -> anyhow::Result<Option<Oid>> {
    let starts: BTreeSet<Option<Oid>> = starts.iter().copied().collect();
    if starts.contains(&None) { Ok(None) } else { git::oldest(repo, starts.into_iter().flatten()) }
}

/// Returns the start of a package's range, as far as it is known before the history is read.
fn start(package: &Scope) -> anyhow::Result<Option<Oid>> {
    let range = &package.request.range;
    if range.first_release {
        return Ok(None);
    }
    if let Some(from) = &range.from {
        return git::revision::resolve(package.repo, from).map(Some);
    }
    let tags = Tags::load(package)?;
    let base = match package.request.version {
        None => base_tag::highest(package.repo, &tags)?,
        Some(_) => range_start::find_base(package, &tags)?,
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

/// Finds the packages, configured or else as `init` would write them, each with its scope, the one at the top first; empty
/// if the newest tags are the repository's own.
pub(crate) fn detected_packages<'r>(scope: &Scope<'r>) -> anyhow::Result<Vec<Scope<'r>>> {
    let config = scope.config();
    if config.tag_prefix.is_some() || config.tag_regex.is_some() {
        return Ok(Vec::new());
    }
    let tags = Tags::load(scope)?;
    let commits = commits_before(scope.repo, &tags.names, scope.to)?;
    let families = TagFamilies::new(&commits);
    let mut packages: Vec<Scope<'r>> = if config.packages.is_empty() {
        let own = families.own(project_name(scope.repo).as_deref());
        if matches!(own, OwnFamily::None | OwnFamily::Named("")) || families.all.len() == 1 {
            return Ok(Vec::new());
        }
        // Without trees it is not known which commits are a package's.
        let can_compare = git::paths::can_compare(scope.repo, scope.to)?;
        let found = if can_compare { scopes_by_tags(scope, &commits) } else { Vec::new() };
        if found.is_empty() && own == OwnFamily::Unclear {
            return Err(several_families(&families, config).into());
        }
        found
    } else {
        let is_of_package = |family: &TagFamily| config.package_of(family.tags[0]).is_some();
        if families.bare().is_some_and(|bare| families.is_current(bare) && !is_of_package(bare))
            || !families.all.iter().any(is_of_package)
        {
            return Ok(Vec::new());
        }
        scope.configured_packages()?
    };
    packages.sort_by_key(|package| !package.is_of_top());
    Ok(packages)
}

/// Finds the base tag of a section: that of a version, or of the unreleased changes.
///
/// # Errors
/// If there is none, or if the tags are of several packages and none of these has the name of the project, also where one
/// had most of the last releases.
pub(crate) fn base(scope: &Scope) -> anyhow::Result<BaseTag> {
    let base = range_start::base(scope)?;
    let is_by_name = || {
        let project = project_name(scope.repo);
        tag_names::family(&base.tag).zip(project).is_some_and(|(family, name)| tag_names::is_named(family, &name))
    };
    if scope.request.version.is_none() && !is_by_name() {
        refuse_unnamed_package(scope, &Tags::for_range(scope)?)?;
    }
    Ok(base)
}

/// Refuses to choose a package: if only the tags show that there are several, the changes of all would count for one.
pub(crate) fn refuse_unnamed_package(scope: &Scope, tags: &Tags) -> anyhow::Result<()> {
    if tags.family.is_none() {
        return Ok(());
    }
    let packages = detected_packages(scope)?;
    if packages.is_empty() {
        return Ok(());
    }
    let problem = Problem::new(format!("the tags belong to several packages: {}", quoted_names(&packages).join(", ")));
    Err(hint_at_packages(problem, scope.config()).into())
}

/// Returns the names of packages as a message shows them.
pub(crate) fn quoted_names(packages: &[Scope]) -> Vec<String> {
    packages.iter().filter_map(|package| Some(format!("`{}`", package.package_name()?))).collect()
}

/// Narrows the scope to each of the packages that files and tags, the newest first, show.
fn scopes_by_tags<'r>(scope: &Scope<'r>, tags: &[TaggedCommit]) -> Vec<Scope<'r>> {
    let files = CommitFiles { repo: scope.repo, commit: Some(scope.to) };
    let found = scaffold::packages(tags, scope.project().name(), &files);
    let mut names = tags.iter().flat_map(|commit| &commit.tags);
    let has_plain = names.any(|tag| tag.trim_start_matches('v').starts_with(|sign: char| sign.is_ascii_digit()));
    let mut scopes = Vec::new();
    for (name, package) in found.into_iter().flatten() {
        let prefix = package.prefix.trim_end_matches('v');
        let mut config = Config::clone(scope.config());
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
        scopes.push(scope.clone().with_package(name, config));
    }
    scopes
}
