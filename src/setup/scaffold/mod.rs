//! A first configuration file, from what a history shows about its habits.

mod directories;
mod history_stats;
mod tags;
mod text;
mod title_shapes;
mod tool_packages;
mod version_files;

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};

pub(crate) use self::tags::{DetectedPackage, DetectedTags, TagScheme};
use self::{
    history_stats::HistoryStats,
    tool_packages::groups_of_tool,
    version_files::{FoundVersions, VersionSearch},
};
use super::migration::Migration;
use crate::{
    config::{CHANGELOG, Config, EntrySource, HeadingRule, Package, VersionFile, VersionGroup},
    model::{Project, TaggedCommit},
    sources::{
        auto::SourceCounts,
        change_files::{self, ChangeFiles},
        classified_commit::ClassifiedCommit,
    },
    version_files::FileTree,
};

/// Returns the packages that the tags, the newest first, and the files of a repository show, by their names; `None` if
/// there is one thing to release.
pub(crate) fn packages(
    tags: &[TaggedCommit],
    repository: Option<&str>,
    tree: &dyn FileTree,
) -> Option<IndexMap<String, DetectedPackage>> {
    let files = change_files::find(tree).ok().flatten();
    match detect(tags, repository, tree, files.as_ref()).scheme {
        TagScheme::Packages(packages) => Some(packages),
        TagScheme::Default | TagScheme::Prefixed(_) | TagScheme::Regex(_) => None,
    }
}

/// Returns the packages that move together as a tool with change files says, by the names that they have here.
pub(crate) fn version_groups(
    files: &ChangeFiles,
    tree: &dyn FileTree,
    packages: &IndexMap<String, DetectedPackage>,
) -> Vec<VersionGroup> {
    let (listed, unreleased) = (files.packages(tree).unwrap_or_default(), files.unreleased(tree).unwrap_or_default());
    groups_of_tool(&files.groups, &listed, &unreleased, packages)
}

fn detect(
    tags: &[TaggedCommit],
    repository: Option<&str>,
    tree: &dyn FileTree,
    files: Option<&ChangeFiles>,
) -> DetectedTags {
    let search = VersionSearch::new(tree);
    let listed = files.and_then(|files| files.packages(tree).ok()).unwrap_or_default();
    let unreleased = files.and_then(|files| files.unreleased(tree).ok()).unwrap_or_default();
    let detected = DetectedTags::detect(tags, &search, repository);
    detected.with_packages_of_tool(&listed, &unreleased, tags, &search, repository)
}

#[derive(Clone, Debug)]
pub(crate) struct ConfigScaffold {
    pub source: EntrySource,
    /// The categories, in the order of the section.
    pub categories: Vec<String>,
    pub detected: DetectedTags,
    /// Whether releases set the version in the files that have it.
    pub sets_versions: bool,
    /// A built-in template; `None` is the section as GitLab writes it.
    pub template: Option<String>,
    project: Option<Project>,
    habits: HistoryStats,
    /// The values of further keys, and the titles of categories that are not the default ones.
    config: Config,
    /// The change files that are configured, of whatever tool.
    change_files: Option<ChangeFiles>,
    /// The categories that are not written, because the changelog file shows their titles.
    shown_by_file: Vec<String>,
    losses: Vec<String>,
}

impl ConfigScaffold {
    /// Inspects the newest commits, with the counts in them, the tags, both newest first, the project and the files.
    pub(crate) fn new(
        commits: &[ClassifiedCommit],
        counts: SourceCounts,
        tags: &[TaggedCommit],
        project: Option<Project>,
        tree: &dyn FileTree,
    ) -> Self {
        let habits = HistoryStats::count(commits, counts);
        let name = project.as_ref().and_then(Project::name);
        let change_files = change_files::find(tree).ok().flatten();
        let detected = detect(tags, name, tree, change_files.as_ref());
        let source = habits.source();
        let mut scaffold = Self {
            source,
            categories: habits.categories(source),
            detected,
            sets_versions: true,
            template: None,
            project,
            config: Config { rules: habits.rules(source), ..Config::default() },
            habits,
            change_files,
            shown_by_file: Vec::new(),
            losses: Vec::new(),
        };
        if let (Some(files), Some(packages)) = (&scaffold.change_files, scaffold.detected.scheme.packages()) {
            let groups = version_groups(files, tree, packages).into_iter().filter(|group| group.packages.len() > 1);
            scaffold.config.groups = Arc::new(groups.collect());
            scaffold.config.raises_all_dependents = files.raises_all_dependents;
        }
        if scaffold.change_files.is_some() && source != EntrySource::Trailers {
            scaffold.set_source(EntrySource::Files);
        }
        scaffold
    }

    pub(crate) fn set_source(&mut self, source: EntrySource) {
        self.source = source;
        self.config.rules = self.habits.rules(source);
        if let Some(files) = self.change_files.as_ref().filter(|_| source == EntrySource::Files) {
            self.categories = files.categories.keys().cloned().collect();
            self.config.categories.clone_from(&files.categories);
        } else {
            self.categories = self.habits.categories(source);
            self.config.categories = IndexMap::new();
        }
    }

    pub(crate) fn reasons(&self) -> Vec<String> {
        let links = match &self.project {
            Some(project) => {
                format!("links lead to {}/{}, as the remote `origin` does", project.host(), project.path())
            }
            None => "no project found at the remote `origin`: set where links lead with `--host` and `--project-path`"
                .to_owned(),
        };
        let mut reasons = self.habits.reasons();
        reasons.extend(
            self.change_files.as_ref().map(|files| format!("`{}` configures change files", files.configured_in)),
        );
        reasons.extend(self.detected.scheme.reason());
        reasons.extend(self.detected.uncovered.clone());
        reasons
            .extend(self.detected.versioning.as_ref().map(|scheme| format!("versions are dates, such as `{scheme}`")));
        reasons.extend(self.version_paths().map(|paths| format!("the version is in {paths}")));
        reasons.extend(self.found_versions().flat_map(|found| &found.others).map(|(path, version)| {
            format!("`{path}` has the version {version}, which is not that of the last tag, and is left unchanged")
        }));
        reasons.push(links);
        reasons
    }

    /// Returns the changelog files that the configuration names; `None` if it names none, so that one is found by name.
    pub(crate) fn changelog_files(&self) -> Option<Vec<String>> {
        let Some(packages) = self.detected.scheme.packages() else {
            return self.config.file.clone().map(|file| vec![file]);
        };
        Some(
            packages
                .values()
                .filter_map(|package| {
                    package.file.clone().or_else(|| package.paths.first().map(|path| format!("{path}/{CHANGELOG}")))
                })
                .collect(),
        )
    }

    /// Returns the names that headings may have: those of the packages, and that of the repository.
    pub(crate) fn names(&self) -> Vec<&str> {
        let packages = self.detected.scheme.packages().into_iter().flatten().map(|(name, _)| name.as_str());
        packages.chain(self.project.as_ref().and_then(Project::name)).collect()
    }

    pub(crate) fn set_heading(&mut self, heading: String) {
        self.config.heading = HeadingRule::Text(heading);
    }

    /// Leaves the titles of the categories to the changelog file, unless somebody chooses others.
    pub(crate) fn leave_titles_to_file(&mut self) {
        if self.config.categories.is_empty() {
            self.shown_by_file.clone_from(&self.categories);
        }
    }

    pub(crate) fn losses(&self) -> &[String] {
        &self.losses
    }

    /// Lists the files that have the version in a text; `None` if there are none.
    pub(crate) fn version_paths(&self) -> Option<String> {
        let files = self.found_versions().flat_map(|found| &found.files);
        let paths: IndexSet<String> = files.map(|file| format!("`{}`", file.path)).collect();
        (!paths.is_empty()).then(|| paths.into_iter().collect::<Vec<_>>().join(", "))
    }

    /// Returns the files with a version, at the top and in packages.
    fn found_versions(&self) -> impl Iterator<Item = &FoundVersions> {
        let packages = self.detected.scheme.packages().into_iter().flatten();
        std::iter::once(&self.detected.versions).chain(packages.map(|(_, package)| &package.versions))
    }
}

impl ConfigScaffold {
    /// Takes over the configuration of another tool; the history shows the rest. Returns their disagreements.
    pub(crate) fn take_over(&mut self, migration: Migration, tags: &[TaggedCommit]) -> Vec<String> {
        self.losses = migration.losses();
        let missing = migration.tags.iter().filter(|tag| !tags.iter().any(|commit| commit.tags.contains(tag)));
        let disagreements =
            missing.map(|tag| format!("the versions of the other tool name the tag `{tag}`, which does not exist"));
        let disagreements = disagreements.collect();
        let mut config = migration.config;
        self.source = config.source;
        if !config.categories.is_empty() {
            self.categories = config.categories.keys().cloned().collect();
        }
        add_files(&mut self.detected.versions.files, std::mem::take(&mut config.version_files));
        if !config.packages.is_empty() {
            let detected = self.detected.scheme.packages().cloned().unwrap_or_default();
            let packages =
                config.packages.iter().map(|(name, package)| (name.clone(), merge_detected(package, &detected)));
            self.detected.scheme = TagScheme::Packages(packages.collect());
            self.detected.uncovered = None;
        } else if let Some(prefix) = config.tag_prefix.take() {
            self.detected.scheme = TagScheme::Prefixed(prefix);
        }
        self.set_files(migration.files, &mut config);
        let packages = self.detected.scheme.packages();
        Arc::make_mut(&mut config.groups).retain(|group| {
            let has_all =
                group.packages.iter().all(|name| packages.is_some_and(|packages| packages.contains_key(name)));
            if !has_all {
                let names = group.packages.join("`, `");
                self.losses.push(format!("the group of `{names}`: not all of them are packages here"));
            }
            has_all
        });
        self.config = config;
        disagreements
    }
}

impl ConfigScaffold {
    /// Sets the changelog files of packages by name, of which the empty one is that of all others.
    fn set_files(&mut self, mut files: IndexMap<String, String>, config: &mut Config) {
        let of_others = files.shift_remove("");
        let TagScheme::Packages(packages) = &mut self.detected.scheme else {
            let first = files.into_values().next();
            config.file = config.file.take().or(first).or(of_others);
            return;
        };
        for (name, package) in packages.iter_mut() {
            let named = files.shift_remove(name).or_else(|| of_others.clone());
            package.file = named.or_else(|| package.file.take());
        }
        self.losses
            .extend(files.into_iter().map(|(name, file)| format!("`{file}` of `{name}`: it is not a package here")));
    }
}

/// Converts a package of the other tool; a detected one of the same directory adds its tag prefix and version files.
fn merge_detected(package: &Package, detected: &IndexMap<String, DetectedPackage>) -> DetectedPackage {
    let found = detected.values().find(|found| found.paths.first() == package.paths.first());
    let usual = package.paths.first().map(|directory| format!("{directory}/{CHANGELOG}"));
    let mut versions = found.map_or_else(FoundVersions::default, |found| found.versions.clone());
    add_files(&mut versions.files, package.version_files.clone());
    DetectedPackage {
        prefix: found.map_or_else(|| package.tag_prefix.clone(), |found| found.prefix.clone()),
        paths: package.paths.clone(),
        file: Some(package.file.clone()).filter(|file| Some(file) != usual.as_ref()),
        versioning: found.and_then(|found| found.versioning.clone()),
        versions,
    }
}

/// Adds named files that were not found; a found file has more information about its workspace.
fn add_files(found: &mut Vec<VersionFile>, named: Vec<VersionFile>) {
    for file in named {
        if found.iter().all(|known| known.path != file.path) {
            found.push(file);
        }
    }
}
