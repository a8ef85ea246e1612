//! What is asked for: the arguments of a changelog, checked.

use crate::{
    changelog::version_file::workspace::Update,
    config::{Config, EntrySource},
    git::{self, Repo, WalkOptions, notes::Notes},
    model::{Date, Forge, Project, Version},
};

/// A changelog to be made. Its result is a function of this, the repository and its settings alone.
#[derive(Clone, Debug)]
pub struct ChangelogRequest {
    /// The version of the section; `None` is what is unreleased.
    pub version: Option<Version>,
    /// The tag it has or will have; `None` is named as the base tag is.
    pub tag: Option<String>,
    /// The date of the header.
    pub date: Date,
    /// Whether the date was asked for; otherwise that of the tag counts at which the range ends, if it ends at one.
    pub is_dated: bool,
    /// Where the range starts and ends.
    pub range: RangeSpec,
    /// The trailer that names the category.
    pub trailer: String,
    /// Where the settings come from.
    pub settings: ConfigSource,
    /// A built-in template's name or a file, over what the settings say.
    pub template: Option<String>,
    /// The host of links, over that of the remote `origin`.
    pub host: Option<String>,
    /// The project's path in links and references, over that of the remote `origin`.
    pub project_path: Option<String>,
    /// Members of the workspace that the package is made to require, each an entry of its own.
    pub updates: Vec<Update>,
}

impl ChangelogRequest {
    /// The notes that replace messages; none if the request ignores them.
    pub(super) fn notes(&self, repo: &Repo) -> anyhow::Result<Notes> {
        if self.range.notes { Notes::load(repo) } else { Ok(Notes::default()) }
    }

    /// The project that links and references point to: the one that was asked for, else that of the remote `origin`.
    pub(super) fn project(&self, repo: &Repo, config: &Config) -> Project {
        let project = match (&self.host, &self.project_path) {
            (Some(host), Some(path)) => Project::new(host, path),
            (host, path) => {
                let origin = git::remote::origin(repo).and_then(|url| Project::from_remote(&url)).unwrap_or_default();
                let host = host.as_deref().unwrap_or(origin.host());
                Project::new(host, path.as_deref().unwrap_or(origin.path()))
            }
        };
        project.on(config.forge)
    }
}

/// The ends of a range, as revisions (gitrevisions(7)).
#[derive(Clone, Debug)]
pub struct RangeSpec {
    /// Excluded; `None` finds the base tag.
    pub from: Option<String>,
    /// Included.
    pub to: String,
    /// Takes the whole history and looks for no base tag.
    pub first_release: bool,
    /// Reads the notes of commits in place of their messages.
    pub notes: bool,
    /// How far a walk of the range may go.
    pub walk: WalkOptions,
}

/// Where the settings file is read, and what of it counts.
#[derive(Clone, Debug, Default)]
pub struct ConfigSource {
    /// Its path; `None` tries the usual ones.
    pub file: Option<String>,
    /// The commit it is read from in place of the work tree.
    pub revision: Option<String>,
    /// The package they are narrowed to.
    pub package: Option<String>,
    /// What lists commits, over what the file says.
    pub source: Option<EntrySource>,
    /// What the host of links runs, over what the file says.
    pub forge: Option<Forge>,
    /// Skips what a release of another line has already, also if the file does not say so.
    pub skips_released: bool,
}
