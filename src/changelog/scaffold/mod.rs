//! A first settings file, from what a history shows about how it is kept.

mod history_stats;
mod lock_file;
mod tags;
mod text;
mod version_files;

use indexmap::IndexSet;

use self::history_stats::HistoryStats;
pub use self::tags::{DetectedPackage, TagScheme};
use crate::{
    changelog::check::COMMON,
    config::EntrySource,
    model::{Commit, Project, VersionFile},
};

/// What is known of the files of a repository; paths start at its top.
#[derive(Clone, Copy)]
pub struct RepositoryFiles<'a> {
    /// Whether there is such a folder.
    pub is_folder: &'a dyn Fn(&str) -> bool,
    /// What is in a file; `None` where there is none.
    pub read: &'a dyn Fn(&str) -> Option<Vec<u8>>,
}

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
    /// The files that have the version; each package has its own.
    version_files: Vec<VersionFile>,
    /// Where the repository came from, if that is known.
    project: Option<Project>,
    habits: HistoryStats,
}

impl ConfigScaffold {
    /// Looks at a history, the newest commit first, at its tags, the project and the files.
    #[must_use]
    pub fn of(commits: &[Commit], tags: &[String], project: Option<Project>, files: &RepositoryFiles) -> Self {
        let habits = HistoryStats::of(commits);
        let tags = TagScheme::of(tags, files);
        let version_files = tags.packages().map_or_else(|| version_files::find("", files), |_| Vec::new());
        let source = habits.source();
        let (categories, template) = (Vec::new(), None);
        let mut starter =
            Self { source, categories, tags, sets_versions: true, template, version_files, project, habits };
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
        reasons.push(links);
        reasons
    }

    /// The files that have the version, as people say it; `None` where there is none.
    #[must_use]
    pub fn version_paths(&self) -> Option<String> {
        let packages = self.tags.packages().into_iter().flatten().flat_map(|(_, package)| &package.version_files);
        let files = self.version_files.iter().chain(packages);
        let paths: IndexSet<String> = files.map(|file| format!("`{}`", file.path)).collect();
        (!paths.is_empty()).then(|| paths.into_iter().collect::<Vec<_>>().join(", "))
    }
}
