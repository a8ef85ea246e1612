//! The configuration of a repository, and the files it names, from the work tree or from a commit.

use std::{path::Path, sync::Arc};

use super::request::ConfigSource;
use crate::{
    config::{self, Config, EntrySource},
    document::{Document, EntryStyle},
    git::{self, Repo, tree::SymbolicLink},
    model::{Oid, Problem, Warning},
    template::Template,
    version_files::{FileTree, workspace::join_path},
};

/// The bytes at the beginning of a changelog file that show its style.
const MOST_OF_FILE: usize = 64 * 1024;

/// The configuration of a repository, and the source of the files it names.
#[derive(Clone, Debug)]
pub(crate) struct LoadedConfig {
    /// The content of the file, with defaults.
    pub(crate) config: Arc<Config>,
    /// Warnings about the file.
    pub(crate) warnings: Vec<Warning>,
    files: FileSource,
}

/// The source of files of the repository.
#[derive(Clone, Debug)]
enum FileSource {
    WorkTree,
    /// The commit; `None` if a bare repository has none.
    Commit(Option<Oid>),
}

impl LoadedConfig {
    /// Loads the configuration from the given revision, else from the work tree, else from `HEAD` of a bare repository.
    ///
    /// # Errors
    /// If a given file, revision or package does not exist, or the file is invalid.
    pub(crate) fn load(repo: &Repo, request: &ConfigSource) -> anyhow::Result<Self> {
        let files = FileSource::resolve(repo, request)?;
        let found = match &request.file {
            Some(path) => Some(files.parse(repo, read_given(repo, &files, path)?, path)?),
            None => load_default(repo, &files)?,
        };
        let has_file = found.is_some();
        let (config, warnings) = found.unwrap_or_default();
        let mut config = match &request.package {
            Some(name) => config.package(name)?,
            None => config,
        };
        config.has_file = has_file;
        config.source = request.source.unwrap_or(config.source);
        if config.source == EntrySource::MergeRequests && config.labels.is_empty() {
            take_labels(repo, &files, &mut config)?;
        }
        config.forge = request.forge.or(config.forge);
        config.skip.released = request.skips_released.or(config.skip.released);
        config.trailer = request.trailer.clone().or(config.trailer.take());
        Ok(Self { config: Arc::new(config), warnings, files })
    }

    /// Returns the style of the entries in the changelog file; `None` if there is no such file or it shows none. Of a
    /// repository by URL, only what a section is made of is fetched.
    pub(crate) fn entry_style(&self, repo: &Repo) -> Option<EntryStyle> {
        if repo.transferred_bytes().is_some() || repo.is_incomplete() {
            return None;
        }
        let file = self.changelog_file(repo).ok()?;
        let content = self.files.read(repo, &file).ok()??;
        Document::parse(excerpt(&content)).entry_style()
    }

    /// Fails if the configuration has no packages.
    pub(crate) fn require_packages(&self) -> anyhow::Result<()> {
        if self.config.packages.is_empty() {
            return Err(Problem::usage("the configuration has no packages")
                .hint("list them in `packages:`, by the name of each, with its paths, tags and file")
                .into());
        }
        Ok(())
    }

    /// Loads the template: the given one, which is built in or a file, else that of the configuration.
    pub(crate) fn template(&self, repo: &Repo, given: Option<&str>) -> anyhow::Result<Template> {
        let found = |path: &str, content: Option<Vec<u8>>| content.ok_or_else(|| missing_file(path).into());
        match given {
            // A path on the command line is one on disk, relative to the current directory.
            Some(name) => Template::load_named(name, |path| found(path, git::file::read_local(repo, path)?)),
            None => Template::from_config(&self.config, |path| found(path, self.files.read(repo, path)?)),
        }
    }
}

fn read_given(repo: &Repo, files: &FileSource, path: &str) -> anyhow::Result<Vec<u8>> {
    // In a work tree the path is one on disk, relative to the current directory, as usual on a command line.
    let content = match files {
        FileSource::Commit(_) if Path::new(path).is_relative() => match files.read(repo, path)? {
            None if repo.is_bare() => git::file::read_local(repo, path)?,
            content => content,
        },
        _ => git::file::read_local(repo, path)?,
    };
    content.ok_or_else(|| missing_file(path).into())
}

fn load_default(repo: &Repo, files: &FileSource) -> anyhow::Result<Option<(Config, Vec<Warning>)>> {
    for (index, path) in config::PATHS.iter().enumerate() {
        let Some(text) = files.read(repo, path)? else { continue };
        // Two files of the program's own are a mistake; that of GitLab may be meant for the server alone.
        let is_own = |other: &&&str| !config::is_gitlab_path(other);
        for other in config::PATHS[index + 1..].iter().filter(is_own) {
            if files.read(repo, other)?.is_some() {
                return Err(Problem::new(format!("the configuration is in `{path}` and in `{other}`"))
                    .hint("delete one of them")
                    .into());
            }
        }
        return files.parse(repo, text, path).map(Some);
    }
    Ok(None)
}

/// Takes over the categories of GitHub's file for generated release notes, if it is there.
fn take_labels(repo: &Repo, files: &FileSource, config: &mut Config) -> anyhow::Result<()> {
    for path in config::RELEASE_FILES {
        if let Some(bytes) = files.read(repo, path)? {
            return config::take_release_file(config, &bytes, path);
        }
    }
    Ok(())
}

/// Returns what shows the style of a changelog file: its beginning, and the link definitions at its end.
fn excerpt(content: &[u8]) -> Vec<u8> {
    let (beginning, rest) = content.split_at(content.len().min(MOST_OF_FILE));
    let end = &rest[rest.len().saturating_sub(MOST_OF_FILE)..];
    let definitions = end.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"["));
    let definitions: Vec<&[u8]> = std::iter::once(beginning).chain(definitions).collect();
    definitions.join(&b'\n')
}

fn missing_file(path: &str) -> Problem {
    Problem::new(format!("file `{path}` not found"))
}

impl FileSource {
    fn parse(&self, repo: &Repo, text: Vec<u8>, path: &str) -> anyhow::Result<(Config, Vec<Warning>)> {
        config::parse_with(text, path, &|path| {
            if !path.contains("://") {
                return self.read(repo, path);
            }
            let downloaded = repo.download(path).unwrap_or_else(|| {
                Err(Problem::new("nothing is downloaded here").hint("copy the file into the repository").into())
            });
            downloaded.map(Some)
        })
    }

    fn resolve(repo: &Repo, request: &ConfigSource) -> anyhow::Result<Self> {
        if let Some(revision) = &request.revision {
            return Ok(Self::Commit(Some(git::revision::resolve(repo, revision)?)));
        }
        Ok(match repo.work_tree() {
            Some(_) => Self::WorkTree,
            None => Self::Commit(git::revision::head(repo)?),
        })
    }

    fn read(&self, repo: &Repo, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
        match self {
            Self::WorkTree => git::file::in_work_tree(repo, path),
            Self::Commit(commit) => CommitFiles { repo, commit: *commit }.read(path),
        }
    }
}

/// The files of a commit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommitFiles<'a> {
    pub repo: &'a Repo,
    /// The commit; a repository without one has no files.
    pub commit: Option<Oid>,
}

impl FileTree for CommitFiles<'_> {
    fn read(&self, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
        self.commit.map_or(Ok(None), |commit| git::file::read_at_commit(self.repo, commit, path))
    }

    fn directories(&self, path: &str) -> anyhow::Result<Vec<String>> {
        self.commit.map_or(Ok(Vec::new()), |commit| git::tree::directories(self.repo, commit, path))
    }

    fn links(&self, path: &str) -> anyhow::Result<Vec<String>> {
        let Some(commit) = self.commit else { return Ok(Vec::new()) };
        let mut names = Vec::new();
        for SymbolicLink { name, target } in git::tree::links(self.repo, commit, path)? {
            let target = join_path(path, &target).unwrap_or_default();
            let (directory, file) = target.rsplit_once('/').unwrap_or(("", &target));
            if !git::tree::files(self.repo, commit, directory)?.iter().any(|found| found == file) {
                names.push(name);
            }
        }
        Ok(names)
    }

    fn submodules(&self, path: &str) -> anyhow::Result<Vec<String>> {
        self.commit.map_or(Ok(Vec::new()), |commit| git::tree::submodules(self.repo, commit, path))
    }
}
