//! Objects outside of the repository: what a push brings stays in quarantine while the hooks of the server judge it
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

/// Where new objects go, and where objects are looked for besides (git(1), "The Git Repository").
const OBJECTS: &str = "GIT_OBJECT_DIRECTORY";
const ALTERNATES: &str = "GIT_ALTERNATE_OBJECT_DIRECTORIES";

/// An object store made of the folders that the environment names. Nothing can be written to it.
#[derive(Debug)]
pub(super) struct Quarantine {
    /// A store with no object of its own, for gix learns of alternates from a file alone.
    _folder: TempDir,
}

impl Quarantine {
    /// Has a repository read the objects that the environment names; `None` where it names none.
    pub(super) fn enter(repo: &mut Repository) -> Result<Option<Self>> {
        let set = |variable| env::var_os(variable).filter(|value| !value.is_empty());
        let own = repo.common_dir().join("objects");
        let objects = set(OBJECTS).filter(|folder| !same_folder(Path::new(folder), &own));
        let alternates = set(ALTERNATES);
        if objects.is_none() && alternates.is_none() {
            return Ok(None);
        }
        let first = objects.map_or(own, PathBuf::from);
        let others = alternates.iter().flat_map(env::split_paths);
        let opened = Self::open(repo, std::iter::once(first).chain(others));
        opened.map(Some).with_context(|| format!("cannot read the objects that `{OBJECTS}` and `{ALTERNATES}` name"))
    }

    fn open(repo: &mut Repository, folders: impl Iterator<Item = PathBuf>) -> Result<Self> {
        let lines = folders.map(|folder| line(&folder)).collect::<Result<Vec<_>>>()?;
        let folder = TempDir::with_prefix("tidings-")?;
        fs::create_dir(folder.path().join("info"))?;
        fs::write(folder.path().join("info/alternates"), lines.concat())?;
        let (at, none) = (folder.path().to_owned(), &mut std::iter::empty());
        let store = odb::Store::at_opts(at, repo.object_hash(), none, odb::store::init::Options::default())?;
        let mut shared = ThreadSafeRepository::from(repo.clone());
        shared.objects = Arc::new(store);
        *repo = shared.into();
        Ok(Self { _folder: folder })
    }

    /// Why nothing can be committed.
    pub(super) fn refusal() -> Problem {
        Problem::new(format!("`{OBJECTS}` keeps new objects out of the repository, so nothing can be committed"))
            .hint("on a server, commit in a `post-receive` hook, when the push is in")
    }
}

fn same_folder(left: &Path, right: &Path) -> bool {
    left.canonicalize().is_ok_and(|left| right.canonicalize().is_ok_and(|right| left == right))
}

/// A folder as `info/alternates` has it (gitrepository-layout(5)).
fn line(folder: &Path) -> Result<String> {
    let absolute = std::path::absolute(folder)?;
    Ok(quote(&gix::path::into_bstr(absolute)?) + "\n")
}
