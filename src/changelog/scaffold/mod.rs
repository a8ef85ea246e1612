//! A first settings file, from what a history shows about how it is kept.

mod history_stats;
mod tags;
mod text;
mod version_files;

use indexmap::IndexSet;

use self::history_stats::HistoryStats;
pub use self::tags::{DetectedPackage, TagScheme};
use self::version_files::FoundVersions;
use crate::{
    changelog::{check::COMMON, version_file::FileTree},
    config::EntrySource,
    model::{Commit, Project},
};

/// What a first settings file says.
#[derive(Clone, Debug)]
pub struct ConfigScaffold {
    /// Where categories come from.
    pub source: EntrySource,
    /// The categories, in the order of the section; what is in use, else the usual ones.
    pub categories: Vec<String>,
    /// How tags are named.
    pub tags: TagScheme,
    /// Whether releases set the version in the files that have it.
    pub sets_versions: bool,
    /// A built-in template; `None` is the section as the service writes it.
    pub template: Option<String>,
    /// What has the version of the repository; each package has its own.
    versions: FoundVersions,
    /// Where the repository came from, if that is known.
    project: Option<Project>,
    habits: HistoryStats,
}

impl ConfigScaffold {
    /// Looks at a history, the newest commit first, at its tags, the project and the files.
    #[must_use]
    pub fn of(commits: &[Commit], tags: &[String], project: Option<Project>, tree: &dyn FileTree) -> Self {
        let habits = HistoryStats::of(commits);
        let scheme = TagScheme::of(tags, tree);
        let last = tags::last(tags, scheme.prefix());
        let has_packages = scheme.packages().is_some();
        // Beside packages a version at the top counts if it is released as well.
        let versions = if has_packages && last.is_none() {
            FoundVersions::default()
        } else {
            version_files::find("", tree, last.as_ref(), has_packages)
        };
        let tags = scheme;
        let source = habits.source();
        let (categories, template) = (Vec::new(), None);
        let mut starter = Self { source, categories, tags, sets_versions: true, template, versions, project, habits };
        starter.set_source(source);
        starter
    }

    /// Takes the categories from somewhere else: those in use there, or the usual ones.
    pub fn set_source(&mut self, source: EntrySource) {
        self.source = source;
        self.categories = self.habits.categories(source);
        if self.categories.is_empty() {
            self.categories = COMMON.iter().map(|&word| word.to_owned()).collect();
        }
    }

    /// What was found, a sentence each.
    #[must_use]
    pub fn reasons(&self) -> Vec<String> {
        let links = match &self.project {
            Some(project) => {
                format!("links lead to {}/{}, as the remote `origin` does", project.host(), project.path())
            }
            None => "no remote `origin` tells where links lead: `--host` and `--project-path` do".to_owned(),
        };
        let mut reasons = self.habits.reasons();
        reasons.extend(self.tags.reason());
        reasons.extend(self.version_paths().map(|paths| format!("the version stands in {paths}")));
        reasons.extend(self.found_versions().flat_map(|found| &found.others).map(|(path, version)| {
            format!("`{path}` has the version {version}, which is not that of the last tag, and is left alone")
        }));
        reasons.push(links);
        reasons
    }

    /// The files that have the version, as people say it; `None` where there is none.
    #[must_use]
    pub fn version_paths(&self) -> Option<String> {
        let files = self.found_versions().flat_map(|found| &found.files);
        let paths: IndexSet<String> = files.map(|file| format!("`{}`", file.path)).collect();
        (!paths.is_empty()).then(|| paths.into_iter().collect::<Vec<_>>().join(", "))
    }

    /// What has a version, at the top and in packages.
    fn found_versions(&self) -> impl Iterator<Item = &FoundVersions> {
        let packages = self.tags.packages().into_iter().flatten();
        std::iter::once(&self.versions).chain(packages.map(|(_, package)| &package.versions))
    }
}
