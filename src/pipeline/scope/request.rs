//! The request for a changelog: its arguments, checked.

use std::rc::Rc;

use crate::{
    config::{Config, EntrySource},
    git::{self, Repo, WalkOptions},
    model::{Date, Forge, JobServer, Project, Version},
    sources::lookup::ForgeLookup,
    version_files::workspace::Update,
};

/// A request for a changelog. The result follows from the request, the repository and its configuration alone, and from
/// what the forge says if it may be asked.
#[derive(Clone, Debug)]
pub(crate) struct ChangelogRequest {
    /// The version of the section; `None` for unreleased changes.
    pub version: Option<Version>,
    /// The tag that the version has or will have; `None` for one named like the base tag.
    pub tag: Option<String>,
    /// The date of the heading.
    pub date: Date,
    /// Whether the date was given; if not, the date of the tag counts that the range ends at, if it ends at one.
    pub is_dated: bool,
    /// Where the range starts and ends.
    pub range: RangeSpec,
    /// Where the configuration comes from.
    pub config_source: ConfigSource,
    /// The name of a built-in template or a file, which overrides the configuration.
    pub template: Option<String>,
    /// The host of links, which overrides that of the remote `origin`.
    pub host: Option<String>,
    /// The project's path in links and references, which overrides that of the remote `origin`.
    pub project_path: Option<String>,
    /// The members of the workspace whose new versions the package must require, each an entry of its own.
    pub updates: Vec<Update>,
    /// The forge that may be asked for labels and people; `None` asks nobody.
    pub forge: Option<Rc<dyn ForgeLookup>>,
    /// Whether the forge completes the people and merge requests that the repository does not know.
    pub people: bool,
}

/// The maximum number of commits in a range, on GitLab and here.
pub(crate) const MAX_COMMITS: usize = 15_000;

impl ChangelogRequest {
    /// Creates the request for the unreleased changes up to `HEAD`, dated today.
    #[must_use]
    pub(crate) fn unreleased() -> Self {
        Self {
            version: None,
            tag: None,
            date: Date::now(),
            is_dated: false,
            range: RangeSpec {
                from: None,
                to: "HEAD".to_owned(),
                is_end_open: true,
                first_release: false,
                pre_releases: false,
                notes: true,
                walk: WalkOptions { max_commits: MAX_COMMITS, allow_shallow: false },
            },
            config_source: ConfigSource::default(),
            template: None,
            host: None,
            project_path: None,
            updates: Vec::new(),
            forge: None,
            people: false,
        }
    }

    /// Returns the request with what the configuration asks for beyond it.
    pub(super) fn completed(mut self, config: &Config) -> Self {
        let RangeSpec { from, first_release, .. } = &self.range;
        self.range.pre_releases |= config.has_pre_releases && from.is_none() && !first_release;
        self.people |= config.asks_people;
        self
    }

    /// Returns the project that links and references point to: the given one, else that of the remote `origin`.
    pub(crate) fn project(&self, repo: &Repo, config: &Config) -> Project {
        let project = match (&self.host, &self.project_path) {
            (Some(host), Some(path)) => Project::new(host, path),
            (host, path) => {
                let origin = git::remote::project(repo).unwrap_or_default();
                let host = host.as_deref().unwrap_or(origin.host());
                Project::new(host, path.as_deref().unwrap_or(origin.path()))
            }
        };
        project.with_forge(config.forge, self.config_source.job.as_ref())
    }
}

/// The ends of a range, as revisions (gitrevisions(7)).
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct RangeSpec {
    /// The excluded start; `None` finds the base tag.
    pub from: Option<String>,
    /// The included end.
    pub to: String,
    /// Whether the end was not given, so that the section of a version that is tagged ends at its tag, unless GitLab
    /// reads the configuration too.
    pub is_end_open: bool,
    /// Whether to take the whole history and look for no base tag.
    pub first_release: bool,
    /// Whether a pre-release, and what is unreleased, starts after the pre-release before, if that is the last release.
    pub pre_releases: bool,
    /// Whether to read the notes of commits in place of their messages.
    pub notes: bool,
    /// How far a walk of the range may go.
    pub walk: WalkOptions,
}

/// The source of the configuration, and values that override the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConfigSource {
    /// The path of the file; `None` tries the usual ones.
    pub file: Option<String>,
    /// The revision it is read from instead of the work tree.
    pub revision: Option<String>,
    /// The package that the configuration is narrowed to.
    pub package: Option<String>,
    /// The source of entries, which overrides the file.
    pub source: Option<EntrySource>,
    /// The trailer that names the category, which overrides the file.
    pub trailer: Option<String>,
    /// The forge that the host of links runs, which overrides the file.
    pub forge: Option<Forge>,
    /// The server that runs the CI job, which says what the host runs if nothing else does.
    pub job: Option<JobServer>,
    /// Whether to skip what a release of another line already has, which overrides the file.
    pub skips_released: Option<bool>,
}
