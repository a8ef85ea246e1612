//! The settings of a repository, and the files they name: in the work tree, or in a commit.

use std::{
    borrow::Cow,
    cell::RefCell,
    path::Path,
    rc::Rc,
    sync::{Arc, LazyLock, OnceLock},
};

use regex::Regex;

use super::{request::ConfigSource, shared_range::SharedHistory};
use crate::{
    changelog::{template::Template, version_file::FileTree},
    config::{self, Config, EntrySource},
    git::{
        self, Repo,
        people::{HistoryPeople, Mailmap},
    },
    model::{Oid, Problem, Warning},
};

/// The settings of a repository, and the place further files are read from.
#[derive(Clone, Debug)]
pub struct LoadedConfig {
    /// What the file says, with defaults.
    pub(crate) config: Arc<Config>,
    /// What is odd about it.
    pub(crate) warnings: Vec<Warning>,
    files: FileSource,
    /// What was read of the history for all packages.
    pub(super) shared: Option<Arc<SharedHistory>>,
    /// The names of authors, read once for all sections.
    mailmap: Arc<OnceLock<Mailmap>>,
    /// Who made the commits of the histories that were asked for, read once for all sections.
    pub(super) people: Rc<RefCell<Option<Rc<HistoryPeople>>>>,
}

/// A place that files of the repository are read from.
#[derive(Clone, Debug)]
enum FileSource {
    WorkTree,
    /// A bare repository may have none.
    Commit(Option<Oid>),
}

impl LoadedConfig {
    /// Reads the settings: from the work tree where there is one, else from `HEAD`; a given revision comes first.
    ///
    /// # Errors
    /// If a given file, revision or package is missing, or the file is wrong.
    pub fn load(repo: &Repo, place: &ConfigSource) -> anyhow::Result<Self> {
        let files = FileSource::of(repo, place)?;
        let (config, warnings) = match &place.file {
            Some(path) => config::parse(given(repo, &files, path)?, path)?,
            None => usual(repo, &files)?,
        };
        let mut config = match &place.package {
            Some(name) => config.package(name)?,
            None => config,
        };
        config.source = place.source.unwrap_or(config.source);
        config.forge = place.forge.or(config.forge);
        config.skip.released |= place.skips_released;
        let (mailmap, people) = (Arc::default(), Rc::default());
        Ok(Self { config: Arc::new(config), warnings, files, shared: None, mailmap, people })
    }

    /// The same configuration, narrowed to a package.
    pub(crate) fn package(&self, name: &str) -> anyhow::Result<Self> {
        Ok(Self { config: Arc::new(self.config.package(name)?), ..self.clone() })
    }

    pub(super) fn with_source(&self, source: EntrySource) -> Self {
        self.with_config(Config { source, ..Config::clone(&self.config) })
    }

    /// What another configuration says, with files read from the same place.
    pub(super) fn with_config(&self, config: Config) -> Self {
        Self { config: Arc::new(config), ..self.clone() }
    }

    /// The names of the packages, in their order.
    pub(crate) fn package_names(&self) -> anyhow::Result<impl Iterator<Item = &str>> {
        if self.config.packages.is_empty() {
            return Err(Problem::usage("the settings have no packages")
                .hint("`packages:` maps the name of each to its paths, tags and file")
                .into());
        }
        Ok(self.config.packages.keys().map(String::as_str))
    }

    pub(super) fn mailmap(&self, repo: &Repo) -> &Mailmap {
        self.mailmap.get_or_init(|| Mailmap::load(repo))
    }

    pub(super) fn tags(&self, repo: &Repo) -> anyhow::Result<Cow<'_, [String]>> {
        self.shared.as_ref().map_or_else(|| git::tags::names(repo).map(Cow::Owned), |shared| Ok((&*shared.tags).into()))
    }

    /// The template: the built-in one or file of a given name, else what the settings say.
    pub(crate) fn template(&self, repo: &Repo, given: Option<&str>) -> anyhow::Result<Template> {
        let found = |path: &str, content: Option<Vec<u8>>| content.ok_or_else(|| missing(path).into());
        match given {
            // A path on the command line is one on disk, relative to the current directory.
            Some(name) => Template::named(name, |path| found(path, git::file::on_this_machine(repo, path)?)),
            None => Template::of(&self.config, |path| found(path, self.files.read(repo, path)?)),
        }
    }

    /// The path of the changelog file, from the top of the repository: the configured one, else `CHANGELOG.md`, unless a
    /// commit has a single other one: at the top, else in `docs`, else in a directory of `packages`.
    pub(crate) fn changelog_file(&self, repo: &Repo) -> anyhow::Result<String> {
        if let Some(file) = &self.config.file {
            return Ok(file.clone());
        }
        let usual = config::CHANGELOG.to_owned();
        // A repository may have no commit.
        let Ok(commit) = git::revision::resolve(repo, "HEAD") else { return Ok(usual) };
        let packages = git::tree::directories(repo, commit, "packages")?;
        let packages = packages.into_iter().map(|name| format!("packages/{name}")).collect();
        for (directories, is_exact) in
            [(vec![String::new()], true), (vec!["docs".into(), "doc".into()], true), (packages, false)]
        {
            let mut found = candidates(repo, commit, &directories)?;
            match found.len() {
                0 => {}
                1 => return Ok(found.remove(0)),
                _ if found.contains(&usual) || !is_exact => break,
                _ => return Err(several(&found).into()),
            }
        }
        Ok(usual)
    }
}

fn given(repo: &Repo, files: &FileSource, path: &str) -> anyhow::Result<Vec<u8>> {
    // In a work tree the path is one on disk, relative to the current directory, as usual on a command line.
    let content = match files {
        FileSource::Commit(_) if Path::new(path).is_relative() => match files.read(repo, path)? {
            None if repo.is_bare() => git::file::on_this_machine(repo, path)?,
            content => content,
        },
        _ => git::file::on_this_machine(repo, path)?,
    };
    content.ok_or_else(|| missing(path).into())
}

fn usual(repo: &Repo, files: &FileSource) -> anyhow::Result<(Config, Vec<Warning>)> {
    for (index, path) in config::PATHS.iter().enumerate() {
        let Some(text) = files.read(repo, path)? else { continue };
        // Two files of our own are a mistake; that of GitLab may be for the server alone.
        let is_own = |other: &&&str| !config::is_gitlab_path(other);
        for other in config::PATHS[index + 1..].iter().filter(is_own) {
            if files.read(repo, other)?.is_some() {
                return Err(Problem::new(format!("the configuration is in `{path}` and in `{other}`"))
                    .hint("delete one of them")
                    .into());
            }
        }
        return config::parse(text, path);
    }
    Ok(Default::default())
}

fn missing(path: &str) -> Problem {
    Problem::new(format!("there is no file `{path}`"))
}

impl FileSource {
    fn of(repo: &Repo, place: &ConfigSource) -> anyhow::Result<Self> {
        if let Some(revision) = &place.revision {
            return Ok(Self::Commit(Some(git::revision::resolve(repo, revision)?)));
        }
        Ok(match repo.work_tree() {
            Some(_) => Self::WorkTree,
            None => Self::Commit(git::revision::resolve(repo, "HEAD").ok()),
        })
    }

    fn read(&self, repo: &Repo, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
        match self {
            Self::WorkTree => git::file::in_work_tree(repo, path),
            Self::Commit(commit) => CommitFiles { repo, commit: *commit }.read(path),
        }
    }
}

static CHANGELOG_NAME: LazyLock<Regex> = LazyLock::new(|| {
    let extension = r"(?:md|markdown|mdown|mkd|txt|rst|adoc|asciidoc|rdoc|textile|org)";
    let name = r"(?:change[-_]?log|changes|history|news|release[-_]?notes|releases)";
    Regex::new(&format!(r"(?i-u)^{name}(?:\.{extension})?$")).expect("the pattern is constant and valid")
});

fn candidates(repo: &Repo, commit: Oid, directories: &[String]) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for directory in directories {
        let names = git::tree::files(repo, commit, directory)?.into_iter().filter(|name| CHANGELOG_NAME.is_match(name));
        found.extend(names.map(|name| if directory.is_empty() { name } else { format!("{directory}/{name}") }));
    }
    Ok(found)
}

fn several(found: &[String]) -> Problem {
    Problem::new(format!("several files may be the changelog: `{}`", found.join("`, `")))
        .hint(format!("name one with `--file`, or set `file: {}`", found[0]))
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct CommitFiles<'a> {
    pub repo: &'a Repo,
    /// The commit; a repository without one has no files.
    pub commit: Option<Oid>,
}

impl FileTree for CommitFiles<'_> {
    fn read(&self, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
        self.commit.map_or(Ok(None), |commit| git::file::at(self.repo, commit, path))
    }

    fn directories(&self, path: &str) -> anyhow::Result<Vec<String>> {
        self.commit.map_or(Ok(Vec::new()), |commit| git::tree::directories(self.repo, commit, path))
    }
}
