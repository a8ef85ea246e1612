//! Objects outside of the repository: those of a push are in quarantine while the hooks of the server run
//! (git-receive-pack(1), "Quarantine environment").

use std::{
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, Result};
use gix::{Repository, ThreadSafeRepository, odb};
use tempfile::TempDir;

use super::encoding::quote;
use crate::model::Problem;

/// The directory for new objects, and further directories with objects (git(1), "The Git Repository").
const OBJECTS: &str = "GIT_OBJECT_DIRECTORY";
const ALTERNATES: &str = "GIT_ALTERNATE_OBJECT_DIRECTORIES";

/// An object store of the directories that the environment names. Nothing can be written to it.
#[derive(Debug)]
pub(super) struct Quarantine {
    /// An empty store with an alternates file, from which alone gix reads alternates.
    _directory: TempDir,
}

impl Quarantine {
    /// Makes a repository read the objects that the environment names; `None` if it names none.
    pub(super) fn enter(repo: &mut Repository) -> Result<Option<Self>> {
        let set = |variable| env::var_os(variable).filter(|value| !value.is_empty());
        let own = repo.common_dir().join("objects");
        let objects = set(OBJECTS).filter(|directory| !is_same(Path::new(directory), &own));
        let alternates = set(ALTERNATES);
        if objects.is_none() && alternates.is_none() {
            return Ok(None);
        }
        let first = objects.map_or(own, PathBuf::from);
        let others = alternates.iter().flat_map(env::split_paths);
        let opened = Self::open(repo, std::iter::once(first).chain(others));
        opened.map(Some).with_context(|| format!("cannot read the objects that `{OBJECTS}` and `{ALTERNATES}` name"))
    }

    /// Makes a repository read the objects in these directories.
    pub(super) fn open(repo: &mut Repository, directories: impl Iterator<Item = PathBuf>) -> Result<Self> {
        let lines = directories.map(|directory| line(&directory)).collect::<Result<Vec<_>>>()?;
        let directory = TempDir::with_prefix("tidings-")?;
        fs::create_dir(directory.path().join("info"))?;
        fs::write(directory.path().join("info/alternates"), lines.concat())?;
        let (at, none) = (directory.path().to_owned(), &mut std::iter::empty());
        let store = odb::Store::at_opts(at, repo.object_hash(), none, odb::store::init::Options::default())?;
        let mut shared = ThreadSafeRepository::from(repo.clone());
        shared.objects = Arc::new(store);
        *repo = shared.into();
        Ok(Self { _directory: directory })
    }

    /// The error for commits, which are not possible.
    pub(super) fn refusal() -> Problem {
        Problem::new(format!("`{OBJECTS}` keeps new objects out of the repository, so nothing can be committed"))
            .hint("on a server, commit in a `post-receive` hook, after the push is accepted")
    }
}

fn is_same(left: &Path, right: &Path) -> bool {
    left.canonicalize().is_ok_and(|left| right.canonicalize().is_ok_and(|right| left == right))
}

/// A line of `info/alternates` (gitrepository-layout(5)).
fn line(directory: &Path) -> Result<String> {
    let absolute = std::path::absolute(directory)?;
    Ok(quote(&gix::path::into_bstr(absolute)?) + "\n")
}
