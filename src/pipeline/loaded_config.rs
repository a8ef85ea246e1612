//! Where the settings and the template file are read: the work tree, or a commit.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context as _;

use super::ConfigSource;
use crate::{
    changelog::template::Template,
    config::{self, Config},
    git::{self, Repo},
    model::{Oid, Problem, Warning, none_if_missing},
};

/// The settings of a repository, and the place further files are read from.
#[derive(Debug)]
pub struct LoadedConfig {
    /// What the file says, with defaults.
    pub config: Arc<Config>,
    /// What is odd about it.
    pub warnings: Vec<Warning>,
    files: FileSource,
}

/// A place that files of the repository are read from.
#[derive(Debug)]
enum FileSource {
    /// A work tree whose own settings are read; they name files of it alone.
    WorkTree(PathBuf),
    /// A work tree read under settings that the user chose, which may name any file.
    Disk(PathBuf),
    Commit(Oid),
    /// A bare repository without a commit.
    Nowhere,
}

impl LoadedConfig {
    /// Reads the settings: from the work tree where there is one, else from `HEAD`; a given revision comes first.
    ///
    /// # Errors
    ///
    /// Where a given file, revision or package is missing, or the file is wrong.
    pub fn load(repo: &Repo, place: &ConfigSource) -> anyhow::Result<Self> {
        let files = FileSource::of(repo, place)?;
        let (config, warnings) = match &place.file {
            Some(path) => config::parse(given(repo, &files, path)?, path)?,
            None => usual(repo, &files)?,
        };
        let config = match &place.package {
            Some(name) => config.package(name)?,
            None => config,
        };
        Ok(Self { config: Arc::new(config), warnings, files })
    }

    /// The template: the built-in one or file of a given name, else what the settings say.
    ///
    /// # Errors
    ///
    /// Where a file is missing or cannot be read, or the template is wrong.
    pub fn template(&self, repo: &Repo, given: Option<&str>) -> anyhow::Result<Template> {
        let found = |path: &str, content: Option<Vec<u8>>| content.ok_or_else(|| missing(path).into());
        match given {
            // On the command line a path is one on disk, seen from the current folder.
            Some(name) => Template::named(name, |path| found(path, read(Path::new(path))?)),
            None => Template::of(&self.config, |path| found(path, self.files.read(repo, path)?)),
        }
    }
}

fn given(repo: &Repo, files: &FileSource, path: &str) -> anyhow::Result<Vec<u8>> {
    // In a work tree the path is one on disk, seen from the current folder, as everywhere on a command line.
    let content = match files {
        FileSource::WorkTree(_) | FileSource::Disk(_) => read(Path::new(path))?,
        FileSource::Commit(_) | FileSource::Nowhere => match files.read(repo, path)? {
            None if repo.is_bare() => read(Path::new(path))?,
            content => content,
        },
    };
    content.ok_or_else(|| missing(path).into())
}

fn usual(repo: &Repo, files: &FileSource) -> anyhow::Result<(Config, Vec<Warning>)> {
    for path in config::PATHS {
        if let Some(text) = files.read(repo, path)? {
            return config::parse(text, path);
        }
    }
    Ok(Default::default())
}

fn missing(path: &str) -> Problem {
    Problem::new(format!("there is no file `{path}`"))
}

impl FileSource {
    fn of(repo: &Repo, place: &ConfigSource) -> anyhow::Result<Self> {
        if let Some(revision) = &place.revision {
            return Ok(Self::Commit(git::revision::resolve(repo, revision)?));
        }
        Ok(match repo.work_tree() {
            Some(root) if place.file.is_some() => Self::Disk(root.to_owned()),
            Some(root) => Self::WorkTree(root.to_owned()),
            None => git::revision::resolve(repo, "HEAD").map_or(Self::Nowhere, Self::Commit),
        })
    }

    fn read(&self, repo: &Repo, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
        match self {
            Self::WorkTree(root) => read_inside(root, path),
            Self::Disk(root) => read(&root.join(path)),
            Self::Commit(commit) => git::file::at(repo, *commit, path),
            Self::Nowhere => Ok(None),
        }
    }
}

/// Reads a file of a work tree. One that lies elsewhere is refused, also behind a link: whoever may propose settings
/// would else have a job print whatever the job can read.
fn read_inside(root: &Path, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
    let full = root.join(path);
    let is_outside = |real: PathBuf| root.canonicalize().is_ok_and(|root| !real.starts_with(root));
    if full.canonicalize().is_ok_and(is_outside) {
        return Err(Problem::new(format!("`{path}` lies outside of the repository"))
            .hint("`--config-file` and `--template` take files from anywhere")
            .into());
    }
    read(&full)
}

fn read(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    none_if_missing(fs::read(path)).with_context(|| format!("cannot read `{}`", path.display()))
}
