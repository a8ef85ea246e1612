//! Finding and opening repositories.

use std::{
    env,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use gix::{
    ThreadSafeRepository,
    discover::upwards,
    odb::store::init::Slots,
    open::Options,
    sec::{Trust, trust::Mapping},
};

use super::{Repo, ownership, quarantine::Quarantine, repo_format};
use crate::{interrupt::TemporaryDirectory, model::Problem};

/// Replaced objects are ignored, so that a history means the same on every machine.
const SETTINGS: [&str; 1] = ["core.useReplaceRefs=false"];

/// How many bytes of objects are kept that were looked up one by one, such as tags and what they lead to.
const OBJECT_CACHE: usize = 256 << 10;

/// How many packs a repository may get while it is open, if it is fetched piece by piece, with a pack for each piece.
const FETCHED_PACKS: usize = 4096;

impl Repo {
    /// Opens the repository that `GIT_DIR` names, or the one that contains `directory`, with the objects that the
    /// environment names.
    ///
    /// # Errors
    /// If there is no repository, or it cannot be read.
    pub fn discover(directory: &Path) -> Result<Self> {
        let open = |options| {
            let upwards = upwards::Options { match_ceiling_dir_or_error: false, ..Default::default() };
            ThreadSafeRepository::discover_with_environment_overrides_opts(directory, upwards, options)
        };
        let found = Self::opened(directory, open);
        if let (Err(_), Some(named)) = (&found, env::var_os("GIT_DIR")) {
            return Err(invalid_git_dir(Path::new(&named)).into());
        }
        let mut repo = found?;
        repo.quarantine = Quarantine::enter(&mut repo.inner)?;
        Ok(repo)
    }

    /// Opens the repository at `path`: a work tree, a `.git` directory or a bare repository.
    ///
    /// # Errors
    /// If there is no repository, or it cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        Self::opened(path, |options| options.full.open(path))
    }

    /// Opens the repository at `path`, into which objects are fetched while it is read.
    pub(in crate::git) fn open_fetched(path: &Path) -> Result<Self> {
        let slots = Slots::AsNeededByDiskState { multiplier: 1.1, minimum: FETCHED_PACKS };
        Self::opened(path, |options| options.full.object_store_slots(slots).open(path))
    }

    fn opened(path: &Path, open: impl Fn(Mapping<Options>) -> gix::Result<ThreadSafeRepository>) -> Result<Self> {
        let open = |options| match open(options) {
            Ok(found) => Ok(gix::Repository::from(found)),
            Err(error) => Err(open_error(error.into(), path)),
        };
        let mut inner = open(options(|options| options))?;
        let is_foreign = ownership::is_foreign(&inner);
        if !is_foreign && inner.git_dir_trust() != Trust::Full {
            inner = open(options(|options| options.filter_config_section(|_| true)))?;
        }
        inner.clear_namespace();
        inner.object_cache_size_if_unset(OBJECT_CACHE);
        repo_format::check_readable(&inner)?;
        inner.shallow_commits().context("cannot read the list of shallow commits")?;
        Ok(Self::new(inner, is_foreign))
    }

    /// The repository at `path`, which holds the commits of a range and is gone with `directory`.
    pub(in crate::git) fn excerpt(path: &Path, directory: TemporaryDirectory) -> Result<Self> {
        let mut repo = Self::open_fetched(path)?;
        repo.excerpt = Some(directory);
        Ok(repo)
    }

    /// The same repository, which reads the objects of another one besides its own, and writes none.
    pub(in crate::git) fn with_objects_of(&self, other: &Self) -> Result<Self> {
        let mut both = Self::open(self.git_dir())?;
        let directories = [self, other].map(|repo| repo.inner.common_dir().join("objects"));
        both.quarantine = Some(Quarantine::open(&mut both.inner, directories.into_iter())?);
        Ok(both)
    }
}

/// The options for opening repositories of this user, and of others: from the settings of those, gix takes nothing that
/// could run a program.
fn options(change: impl Fn(Options) -> Options) -> Mapping<Options> {
    let Mapping { full, reduced } = Mapping::<Options>::default();
    let [full, reduced] = [full, reduced].map(|options| change(options.config_overrides(SETTINGS)));
    Mapping { full, reduced }
}

fn invalid_git_dir(path: &Path) -> Problem {
    Problem::new(format!("`GIT_DIR` names `{}`, which is not a readable repository", path.display()))
        .hint("unset it, or name a repository with `--repo`")
}

/// The error for a repository that cannot be opened.
fn open_error(error: anyhow::Error, path: &Path) -> anyhow::Error {
    match nearest_repository(path) {
        None => Problem::new(format!("no git repository at `{}` or above it", path.display()))
            .hint("run the command inside a repository, or choose one with `--repo`")
            .into(),
        Some(at) => error.context(format!("cannot open the repository at `{}`", at.display())),
    }
}

/// The directory of what looks like a repository, at `path` or above.
fn nearest_repository(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    let is_repository =
        |at: &&Path| at.join(".git").exists() || (at.join("HEAD").exists() && at.join("objects").exists());
    path.ancestors().find(is_repository).map(Path::to_owned)
}
