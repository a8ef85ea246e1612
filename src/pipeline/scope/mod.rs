//! The scope of a changelog: the repository, the configuration it is read under, what is asked for, and the commit that
//! the range ends at. It is made once, and narrowed to each package.

pub(super) mod changelog_file;
pub(super) mod loaded_config;
pub(super) mod parsed_changes;
pub(super) mod request;

use std::{
    cell::{OnceCell, RefCell},
    path::Path,
    rc::Rc,
    sync::Arc,
};

use self::{loaded_config::LoadedConfig, parsed_changes::ParsedChanges, request::ChangelogRequest};
use crate::{
    config::{Config, EntrySource},
    document::EntryStyle,
    git::{
        self, Repo,
        notes::Notes,
        people::{HistoryPeople, Mailmap},
    },
    model::{Forge, Oid, Project, Range, Warning},
    pipeline::commits::{range_commits::RangeCommits, shared_range::SharedRange},
    sources::{
        auto::SourceCounts,
        change_files::ChangeFiles,
        classifier::{Classifier, Retention},
    },
    template::Template,
};

/// What every step needs to know: where it reads, under which configuration, for which request, and up to which commit.
#[derive(Clone, Debug)]
pub(crate) struct Scope<'r> {
    pub(crate) repo: &'r Repo,
    /// The configuration of the repository, or of the package that the scope was narrowed to.
    pub(crate) loaded: LoadedConfig,
    /// What is asked for.
    pub request: ChangelogRequest,
    /// The commit that the range ends at.
    pub(crate) to: Oid,
    /// The range that was read for all packages.
    pub(super) shared: Option<Arc<SharedRange>>,
    pub(super) known: Rc<KnownFacts>,
    /// The style of the entries in the changelog file.
    style: Rc<OnceCell<Option<EntryStyle>>>,
}

/// What was read of the repository so far, once for all sections and packages.
#[derive(Debug, Default)]
pub(super) struct KnownFacts {
    /// The names of all tags, in ref order.
    tags: OnceCell<Vec<String>>,
    project: OnceCell<Project>,
    /// The corrections of authors' names.
    mailmap: OnceCell<Mailmap>,
    /// The people of the histories that were read.
    pub(super) people: RefCell<Option<Rc<HistoryPeople>>>,
    /// What the newest commits show about the source of entries.
    pub(super) habits: OnceCell<SourceCounts>,
    /// The change files that are configured at the commit that was asked about last.
    pub(super) change_files: RefCell<Option<(Oid, Option<Rc<ChangeFiles>>)>>,
    /// The changes that wait for a release at the commit that was asked about last, for packages with a shared range.
    pub(super) waiting: RefCell<Option<(Oid, Rc<ParsedChanges>)>>,
}

impl<'r> Scope<'r> {
    /// Loads the configuration that a request names, narrowed to its package, and resolves the end of the range.
    ///
    /// # Errors
    /// If the configuration is invalid, or the package or the end does not exist.
    pub(crate) fn open(repo: &'r Repo, request: ChangelogRequest) -> anyhow::Result<Self> {
        let mut source = request.config_source.clone();
        let package = source.package.take();
        let loaded = LoadedConfig::load(repo, &source)?;
        let to = git::revision::resolve(repo, &request.range.to)?;
        let request = request.completed(&loaded.config);
        let whole = Self { repo, loaded, request, to, shared: None, known: Rc::default(), style: Rc::default() };
        match package {
            Some(name) => whole.with_tool_packages()?.package(&name),
            None => Ok(whole),
        }
    }

    /// Returns the configuration.
    #[must_use]
    pub(crate) fn config(&self) -> &Config {
        &self.loaded.config
    }

    /// Narrows the scope to a package of the configuration.
    ///
    /// # Errors
    /// If the configuration does not have it.
    pub(crate) fn package(&self, name: &str) -> anyhow::Result<Self> {
        Ok(self.clone().with_package(name.to_owned(), self.config().package(name)?))
    }

    /// Narrows the scope to each package of the configuration, in its order.
    ///
    /// # Errors
    /// If the configuration has no packages.
    pub(crate) fn configured_packages(&self) -> anyhow::Result<Vec<Self>> {
        self.loaded.require_packages()?;
        self.config().packages.keys().map(|name| self.package(name)).collect()
    }

    /// Narrows the scope to a package that has this configuration.
    pub(super) fn with_package(mut self, name: String, config: Config) -> Self {
        self.request.config_source.package = Some(name);
        self.style = Rc::default();
        self.with_config(config)
    }

    /// Returns the name of the package that the scope was narrowed to.
    pub(crate) fn package_name(&self) -> Option<&str> {
        self.request.config_source.package.as_deref()
    }

    /// Returns what stands before the failures of the package.
    pub(crate) fn in_package(&self) -> String {
        format!("package `{}`", self.package_name().unwrap_or_default())
    }

    /// Returns the other packages of the group that the package is in.
    pub(crate) fn others_in_group(&self) -> Vec<String> {
        let group = self.package_name().and_then(|name| self.config().group_of(name));
        let names = group.into_iter().flat_map(|group| &group.packages);
        names.filter(|name| Some(name.as_str()) != self.package_name()).cloned().collect()
    }

    /// Returns the same scope under another configuration, whose files are read from the same source.
    pub(super) fn with_config(mut self, config: Config) -> Self {
        self.loaded.config = Arc::new(config);
        self
    }

    pub(super) fn with_source(self, source: EntrySource) -> Self {
        let config = Config { source, ..Config::clone(self.config()) };
        self.with_config(config)
    }

    /// Returns the scope of another request under the same configuration.
    pub(crate) fn with_request(self, request: ChangelogRequest) -> anyhow::Result<Self> {
        let to = git::revision::resolve(self.repo, &request.range.to)?;
        Ok(Self { request, to, ..self })
    }

    /// Returns the same scope with a range that ends at a commit.
    pub(crate) fn ending_at(mut self, to: Oid) -> Self {
        self.request.range.to = to.to_string();
        self.to = to;
        self
    }

    /// Returns the range after `from`.
    pub(super) fn range(&self, from: Option<Oid>) -> Range {
        Range { from, to: self.to }
    }

    /// Returns the names of all tags, in ref order.
    pub(super) fn tag_names(&self) -> anyhow::Result<&[String]> {
        if let Some(known) = self.known.tags.get() {
            return Ok(known);
        }
        let names = git::tags::names(self.repo)?;
        Ok(self.known.tags.get_or_init(|| names))
    }

    /// Returns the project that links and references point to.
    pub(crate) fn project(&self) -> &Project {
        self.known.project.get_or_init(|| self.request.project(self.repo, self.config()))
    }

    /// Returns the classifier of the commits.
    pub(super) fn classifier(&self, keep: Retention) -> Classifier {
        Classifier::new(
            self.config().trailer(),
            Arc::clone(&self.loaded.config),
            self.project().forge_of_messages(),
            keep,
        )
    }

    /// Walks a range and classifies each commit by itself; also returns the warnings about single commits.
    pub(super) fn walk(&self, range: Range, keep: Retention) -> anyhow::Result<(RangeCommits, Vec<Warning>)> {
        RangeCommits::walk(self.repo, range, &self.request.range.walk, self.classifier(keep), self.notes()?)
    }

    /// Loads the notes that replace messages; there are none if the request ignores them.
    pub(super) fn notes(&self) -> anyhow::Result<Notes> {
        if self.request.range.notes { Notes::load(self.repo) } else { Ok(Notes::default()) }
    }

    pub(super) fn mailmap(&self) -> &Mailmap {
        self.known.mailmap.get_or_init(|| Mailmap::load(self.repo))
    }

    /// Loads the template that the request names, else that of the configuration.
    pub(super) fn template(&self) -> anyhow::Result<Template> {
        self.loaded.template(self.repo, self.request.template.as_deref())
    }

    /// Returns the same scope with this changelog file in place of the configured one, if one is given.
    pub(crate) fn with_changelog_file(self, file: Option<&Path>) -> Self {
        let path = file.and_then(|file| git::commit::canonical(self.repo, file).ok());
        // One that leads nowhere, or is not UTF-8, has no style to take.
        let Some(file) = path.and_then(|path| path.into_os_string().into_string().ok()) else { return self };
        let config = Config { file: Some(file), ..Config::clone(self.config()) };
        Self { style: Rc::default(), ..self.with_config(config) }
    }

    /// Returns the path of the changelog file from the top of the repository.
    pub(crate) fn changelog_file(&self) -> anyhow::Result<String> {
        self.loaded.changelog_file(self.repo)
    }

    /// Whether a section has the bytes that GitLab would write: under GitLab's configuration, and where a project on
    /// GitLab has none and its trailers are read.
    pub(super) fn writes_as_gitlab(&self) -> bool {
        let is_on_gitlab = !self.project().host().is_empty() && self.project().forge() == Forge::GitLab;
        let is_read_by_gitlab = !self.config().has_file && is_on_gitlab && self.config().source.has_only_trailers();
        self.config().is_gitlab_file || is_read_by_gitlab
    }

    /// Whether the configuration leaves the text of a section to the program.
    pub(super) fn leaves_text(&self) -> bool {
        let config = self.config();
        config.template.is_none() && config.template_file.is_none() && config.entry_templates.is_empty()
    }

    /// Whether the configuration is of a package at the top of the repository, which owns the changelog file there.
    pub(crate) fn is_of_top(&self) -> bool {
        self.config().paths.first().is_some_and(|path| path == ".")
    }

    /// Returns the style of the entries in the changelog file; `None` if there is no such file or it shows none. Of a
    /// repository by URL, only what a section is made of is fetched.
    pub(super) fn entry_style(&self) -> Option<&EntryStyle> {
        self.style.get_or_init(|| self.loaded.entry_style(self.repo)).as_ref()
    }
}
