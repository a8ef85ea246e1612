//! The story of a changelog: request, tag, range, commits, entries, release, section.

mod changelog_file;
mod commit_files;
pub mod entry_source;
mod forge_lookup;
mod loaded_config;
mod next;
mod range_start;
pub mod release;
mod request;
mod section_inputs;
mod tags;

pub use commit_files::CommitFiles;
pub use forge_lookup::ForgeLookup;
pub use loaded_config::LoadedConfig;
use next::next_under;
pub use next::{BumpOptions, NextVersion, next, nothing_to_release};
pub use range_start::{BaseTag, RangeStart};
pub use request::{ChangelogRequest, ConfigSource, RangeSpec};
pub use section_inputs::SectionInputs;

use self::tags::Tags;

use std::sync::Arc;

use crate::{
    changelog::{
        self,
        authors::AuthorResolver,
        classifier::{ClassifiedCommit, Classifier, Retention},
        document::InsertOptions,
        entries::EntryBuilder,
        merge_requests::merge_requests,
        version_file::workspace::Update,
    },
    config::Config,
    git::{self, MapCommit, Repo, WalkOptions},
    model::{
        Category, Entry, Oid, Parent, Parents, Person, Problem, Project, Range, Release, Section, Version, Warning,
    },
};

/// The commits of a section, each judged.
#[derive(Debug)]
pub struct History {
    /// The settings it was read under.
    pub settings: LoadedConfig,
    /// Where the range starts, and why.
    pub start: RangeStart,
    /// Where the range ends.
    pub to: Oid,
    /// Whether the whole history is taken because there is no tag yet, and not because it was asked for.
    pub is_first: bool,
    /// Where links point, and whose merge requests its commits name.
    pub project: Project,
    /// Every commit of the range, newest first, and what becomes of it.
    pub commits: Vec<ClassifiedCommit>,
    /// The parents of each.
    pub parents: Parents,
    /// What lists the commits, if the settings leave that to the history and it is not trailers.
    pub source_remark: Option<String>,
    /// What the user should know: of the settings and what could not be read.
    pub warnings: Vec<Warning>,
}

impl History {
    /// Whether its commits say what kind of change each is, or the settings say that they need not; a guess at the source
    /// is no reason for a release.
    fn names_kinds(&self) -> bool {
        self.source_remark.is_none() || self.settings.config.source.has_types()
    }

    /// The same history, and among its warnings what looks like a mistake in its messages.
    #[must_use]
    pub fn with_trailer_warnings(mut self, trailer: &str) -> Self {
        let advice = changelog::trailer_warnings::trailer_warnings(&self.commits, &self.settings.config, trailer);
        self.warnings.extend(advice);
        self
    }

    /// What a user should know of the start of the range and of the source of entries, a sentence each.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let start = match &self.start {
            RangeStart::Base(base) => base.remarks(),
            RangeStart::Root if self.is_first => {
                vec!["there is no release tag yet, so the whole history is unreleased".to_owned()]
            }
            RangeStart::Root | RangeStart::Revision { .. } => Vec::new(),
        };
        start.into_iter().chain(self.source_remark.clone()).collect()
    }

    /// The same history, and among its warnings that a newer tag than the base is not read as a version.
    fn with_unread_tags(mut self, repo: &Repo, tags: &Tags) -> anyhow::Result<Self> {
        if let RangeStart::Base(base) = &self.start {
            self.warnings.extend(tags.unread(repo, &base.tag, self.to)?);
        }
        Ok(self)
    }

    fn walk(
        settings: LoadedConfig,
        repo: &Repo,
        request: &ChangelogRequest,
        (start, to): (RangeStart, Oid),
        keep: Retention,
    ) -> anyhow::Result<Self> {
        let RangeSpec { max_commits, allow_shallow, .. } = request.range;
        let (project, config) = (project(repo, request), Arc::clone(&settings.config));
        let criteria = Arc::new(Classifier::new(&request.trailer, config, project.forge(), keep));
        let reading: MapCommit<ClassifiedCommit> = Arc::new({
            let criteria = Arc::clone(&criteria);
            move |commit| criteria.read(&commit)
        });
        let (range, options) = (Range { from: start.commit(), to }, WalkOptions { max_commits, allow_shallow });
        let git::WalkResult { mut commits, parents, warnings: walked } =
            git::walk_with(repo, range, &options, &reading)?;
        let changed = changed(&settings.config, repo, &commits, &parents)?;
        criteria.classify(&mut commits, changed.as_deref());
        let mut warnings = settings.warnings.clone();
        warnings.extend(walked);
        let is_first = start == RangeStart::Root && !request.range.first_release;
        Ok(Self { settings, start, to, is_first, project, commits, parents, source_remark: None, warnings })
    }

    /// The history of a request under the same configuration, walked again only if it is about another range.
    fn for_request(self, repo: &Repo, request: &ChangelogRequest) -> anyhow::Result<Self> {
        let RangeSpec { from, to, first_release, .. } = &request.range;
        let has_same_start = match from {
            _ if *first_release => self.start == RangeStart::Root,
            Some(from) => self.start.commit() == Some(git::revision::resolve(repo, from)?),
            None => !matches!(self.start, RangeStart::Revision { .. }),
        };
        if has_same_start && git::revision::resolve(repo, to)? == self.to {
            return Ok(self);
        }
        Ok(history_under(self.settings, repo, request, Retention::Listed)?.with_trailer_warnings(&request.trailer))
    }
}

/// A section, and the release it was rendered from.
#[derive(Debug)]
pub struct Changelog {
    /// The commits behind it.
    pub history: History,
    /// The entries by category.
    pub release: Release,
    /// The rendered section.
    pub section: Section,
    /// How it goes into the changelog file.
    pub insertion: InsertOptions,
}

/// Reads and judges the commits of a section without rendering it.
///
/// # Errors
///
/// As [`SectionInputs::read`], the template aside.
pub fn history(repo: &Repo, request: &ChangelogRequest, keep: Retention) -> anyhow::Result<History> {
    history_under(LoadedConfig::load(repo, &request.settings)?, repo, request, keep)
}

/// Finds the tag that the section of a version starts after, the last stable one without a version.
///
/// # Errors
///
/// Where the settings are wrong or there is no such tag.
pub fn base(
    repo: &Repo,
    version: Option<&Version>,
    settings: &ConfigSource,
) -> anyhow::Result<(BaseTag, Vec<Warning>)> {
    let settings = LoadedConfig::load(repo, settings)?;
    let first = "a first release has none: `tidings show --first-release` takes the whole history";
    Ok((range_start::base_tag(repo, version, ("HEAD", first), &settings.config)?, settings.warnings))
}

/// The names of the packages of the settings, in their order.
///
/// # Errors
///
/// Where the settings are wrong or have no packages.
pub fn packages(repo: &Repo, settings: &ConfigSource) -> anyhow::Result<Vec<String>> {
    let config = LoadedConfig::load(repo, settings)?.config;
    if config.packages.is_empty() {
        return Err(Problem::usage("the settings have no packages")
            .hint("`packages:` maps the name of each to its paths, tags and file")
            .into());
    }
    Ok(config.packages.keys().cloned().collect())
}

fn history_under(
    settings: LoadedConfig,
    repo: &Repo,
    request: &ChangelogRequest,
    keep: Retention,
) -> anyhow::Result<History> {
    let to = git::revision::resolve(repo, &request.range.to)?;
    let tags = match &request.range.from {
        None if !request.range.first_release => Tags::for_range(repo, &settings.config, request.version.as_ref(), to)?,
        _ => Tags::default(),
    };
    history_since(settings, &tags, repo, request, (to, keep))
}

/// Reads the commits of a range that starts after one of these tags, by the source of entries that fits them.
fn history_since(
    settings: LoadedConfig,
    tags: &Tags,
    repo: &Repo,
    request: &ChangelogRequest,
    (to, keep): (Oid, Retention),
) -> anyhow::Result<History> {
    entry_source::settle(range_history(settings, tags, repo, request, (to, keep))?, repo, request, keep)
}

/// Reads the commits of a range that starts after one of these tags, unless the request names its start.
///
/// The highest version is nearly always in the history of the range, and the walk from there shows it: its commit is
/// among the parents at the boundary. Only otherwise the lines of history are looked at, and the range is walked again.
fn range_history(
    settings: LoadedConfig,
    tags: &Tags,
    repo: &Repo,
    request: &ChangelogRequest,
    (to, keep): (Oid, Retention),
) -> anyhow::Result<History> {
    let RangeSpec { from, first_release, .. } = &request.range;
    let is_open = request.version.is_none() && from.is_none() && !first_release && !repo.is_remote();
    if is_open && let Some(highest) = range_start::highest(repo, tags)? {
        let commit = highest.commit;
        let history = History::walk(settings.clone(), repo, request, (RangeStart::Base(highest), to), keep);
        let is_contained = |history: &History| commit == to || history.parents.outside().contains(&commit);
        if let Ok(history) = history
            && is_contained(&history)
        {
            return history.with_unread_tags(repo, tags);
        }
    }
    let start = RangeStart::resolve(repo, (&request.range, to), request.version.as_ref(), (&settings.config, tags))?;
    let history = History::walk(settings, repo, request, (start, to), keep)?;
    if request.version.is_none() { history.with_unread_tags(repo, tags) } else { Ok(history) }
}

/// Which commits change the paths of the settings, if there are any: trees are read only then.
fn changed(
    config: &Config,
    repo: &Repo,
    commits: &[ClassifiedCommit],
    parents: &Parents,
) -> anyhow::Result<Option<Vec<bool>>> {
    let id = |parent: Parent| parent.id(|place| commits[place].id);
    let with_parents = commits.iter().zip(0..).map(|(judged, place)| (judged.id, parents.first(place).map(id)));
    (!config.paths.is_empty()).then(|| git::paths::changed(repo, with_parents, &config.paths)).transpose()
}

fn release(repo: &Repo, request: &ChangelogRequest, history: &History) -> Release {
    let (project, config) = (&history.project, &history.settings.config);
    let mailmap = git::mailmap::load(repo);
    let people = AuthorResolver { known: &config.authors, project };
    let author = |person: &Person| people.author(&mailmap.resolve(person));
    let requests = merge_requests(&history.commits, &history.parents);
    let making = EntryBuilder { project, author: &author, config };
    let base = match &history.start {
        RangeStart::Base(base) => Some(base),
        RangeStart::Revision { .. } | RangeStart::Root => None,
    };
    Release {
        version: request.version.as_ref().map_or_else(|| UNRELEASED.to_owned(), ToString::to_string),
        date: changelog::strftime(&request.date, &config.date_format),
        previous_version: base.map(|base| base.version.clone()),
        compare_url: base.and_then(|base| project.compare_url(&base.tag, &tag(request, base, config)?)),
        project: (!project.path().is_empty()).then(|| project.path().to_owned()),
        categories: with_updates(request, making.categories(&history.commits, &requests), history),
    }
}

/// Adds an entry for each version that the package is made to require; its commit is the one that is released.
fn with_updates(request: &ChangelogRequest, mut categories: Vec<Category>, history: &History) -> Vec<Category> {
    const CATEGORY: &str = "changed";
    let entry = |update: &Update| Entry {
        title: format!("Update `{}` to {}", update.member, update.version),
        category: CATEGORY.to_owned(),
        commit: history.project.commit(history.to),
        ..Entry::default()
    };
    if request.updates.is_empty() {
        return categories;
    }
    let titles = changelog::category_titles(&history.settings.config);
    let title = titles.get(CATEGORY).map_or(CATEGORY, String::as_str);
    let known = categories.iter().position(|category| category.title == title);
    let mut entries = known.map(|index| std::mem::take(&mut categories[index].entries)).unwrap_or_default();
    entries.extend(request.updates.iter().map(entry));
    let category = Category::new(title.to_owned(), entries);
    match known {
        Some(index) => categories[index] = category,
        None => categories.push(category),
    }
    categories
}

/// The tag that the version of a request has or will have.
fn tag(request: &ChangelogRequest, base: &BaseTag, config: &Config) -> Option<String> {
    let version = request.version.as_ref()?;
    let prefix = config.tag_prefix.as_deref().or_else(|| base.prefix());
    let named = || prefix.map_or_else(|| version.given().to_owned(), |prefix| format!("{prefix}{version}"));
    Some(request.tag.clone().unwrap_or_else(named))
}

/// The header of a section that has no version yet.
pub const UNRELEASED: &str = "Unreleased";

/// Where links point: as asked for, else where the remote `origin` lies.
fn project(repo: &Repo, request: &ChangelogRequest) -> Project {
    if let (Some(host), Some(path)) = (&request.host, &request.project_path) {
        return Project::new(host, path);
    }
    let origin = git::remote::origin(repo).and_then(|url| Project::from_remote(&url)).unwrap_or_default();
    let host = request.host.as_deref().unwrap_or(origin.host());
    Project::new(host, request.project_path.as_deref().unwrap_or(origin.path()))
}
