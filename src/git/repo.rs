//! An open repository.

use std::{
    cell::RefCell,
    env, fmt,
    path::{Path, PathBuf},
    rc::Rc,
};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId, ThreadSafeRepository,
    discover::upwards,
    open::Options,
    sec::{Trust, trust::Mapping},
};

use super::{
    fetch::{self, LazyRemote, Origin, RepoUrl},
    grafts::Grafts,
    object_id, ownership,
    quarantine::Quarantine,
    repo_format, tags,
    walk::CommitTable,
};
use crate::{
    interrupt::TemporaryDirectory,
    model::{Oid, Problem, Range, Warning},
};

/// Replaced objects are ignored, so that a history means the same on every machine.
const SETTINGS: [&str; 1] = ["core.useReplaceRefs=false"];

/// A repository on this machine. Opening it reads the git settings; everything else is read when it is needed.
#[derive(Debug)]
pub struct Repo {
    inner: gix::Repository,
    /// The remote that it is fetched from. It is dropped after the handle, since it removes the directory.
    fetched: Option<Box<LazyRemote>>,
    /// What it lacks and its remote has.
    origin: Option<Box<Origin>>,
    /// Where it lies if it holds the commits of one range alone.
    excerpt: Option<TemporaryDirectory>,
    /// The object directories that the environment names.
    quarantine: Option<Quarantine>,
    is_foreign: bool,
    history: KnownHistory,
}

/// What the walks so far have learnt of the history.
#[derive(Default)]
struct KnownHistory(RefCell<Option<Box<CommitTable>>>);

impl fmt::Debug for KnownHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownHistory").finish_non_exhaustive()
    }
}

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
        if inner
            .config_snapshot()
            .plumbing()
            .string("extensions.refStorage")
            .is_some_and(|kind| kind.as_slice() != b"files")
        {
            return Err(unsupported_reftable(path).into());
        }
        tags::check_packed(inner.common_dir())?;
        inner.shallow_commits().context("cannot read the list of shallow commits")?;
        let history = KnownHistory::default();
        Ok(Self { inner, fetched: None, origin: None, excerpt: None, quarantine: None, is_foreign, history })
    }

    /// Opens the repository at `path`, which is fetched from a server as far as it is needed.
    pub(in crate::git) fn fetched(path: &Path, fetched: LazyRemote) -> Result<Self> {
        Ok(Self { fetched: Some(Box::new(fetched)), ..Self::open(path)? })
    }

    /// The repository at `path`, which holds the commits of a range and is gone with `directory`.
    pub(in crate::git) fn excerpt(path: &Path, directory: TemporaryDirectory) -> Result<Self> {
        Ok(Self { excerpt: Some(directory), ..Self::open(path)? })
    }

    /// The same repository, which reads the objects of another one besides its own, and writes none.
    pub(in crate::git) fn with_objects_of(&self, other: &Self) -> Result<Self> {
        let mut both = Self::open(self.git_dir())?;
        let directories = [self, other].map(|repo| repo.inner.common_dir().join("objects"));
        both.quarantine = Some(Quarantine::open(&mut both.inner, directories.into_iter())?);
        Ok(both)
    }

    /// Makes it read from `url`, its remote, what a clone may lack: a shallow one, or one without tags. The clone itself
    /// stays as it is. Nothing is asked before it is needed.
    pub fn complete_from(&mut self, url: RepoUrl, options: fetch::Options) {
        self.origin = Some(Box::new(Origin::new(url, options)));
    }

    /// The repository behind the remote, if this one is a clone that may lack something and the remote can be asked.
    pub(in crate::git) fn origin(&self) -> Option<&Self> {
        self.origin.as_ref()?.open(&self.inner)
    }

    /// The same, if one of these commits is not here.
    pub(in crate::git) fn origin_of_missing(&self, mut commits: impl Iterator<Item = Oid>) -> Option<&Self> {
        self.origin.as_ref()?;
        let is_missing = commits.any(|commit| !self.inner.has_object(object_id(commit)));
        if is_missing { self.origin() } else { None }
    }

    /// Whether its history was cut off, and what is missing cannot be read from anywhere.
    #[must_use]
    pub fn is_incomplete(&self) -> bool {
        self.is_shallow() && self.origin().is_none()
    }

    /// Whether a commit that is absent is out of every range that is asked for.
    pub(in crate::git) fn is_excerpt(&self) -> bool {
        self.fetched.is_some() || self.excerpt.is_some()
    }

    /// The top of the work tree; `None` in a bare repository.
    #[must_use]
    pub fn work_tree(&self) -> Option<&Path> {
        self.inner.workdir()
    }

    /// The repository's own directory: `.git`, or that of a linked work tree.
    #[must_use]
    pub fn git_dir(&self) -> &Path {
        self.inner.git_dir()
    }

    /// Whether it has no work tree.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.inner.workdir().is_none()
    }

    /// Whether it is a shallow clone.
    #[must_use]
    pub fn is_shallow(&self) -> bool {
        self.inner.is_shallow().unwrap_or(false)
    }

    /// Warns if settings of the repository are not used because it belongs to another user.
    #[must_use]
    pub fn ownership_warning(&self) -> Option<Warning> {
        if self.is_foreign { ownership::warning(&self.inner) } else { None }
    }

    /// Refuses a repository of another user.
    pub(in crate::git) fn check_owner(&self) -> Result<()> {
        if self.is_foreign { Err(ownership::refusal(&self.inner).into()) } else { Ok(()) }
    }

    /// Refuses a repository in which new objects would not be kept, or whose format is unknown.
    pub(in crate::git) fn check_writable(&self) -> Result<()> {
        if self.quarantine.is_some() {
            return Err(Quarantine::refusal().into());
        }
        repo_format::check(&self.inner)
    }

    /// The name of its object format: `sha1` or `sha256`.
    #[must_use]
    pub fn object_format(&self) -> &'static str {
        object_format(self.inner.object_hash())
    }

    /// Whether it may be read from a server.
    #[must_use]
    pub fn asks_server(&self) -> bool {
        self.fetched.is_some() || self.origin.is_some()
    }

    /// How many bytes were received over the network; `None` if it is a local repository.
    #[must_use]
    pub fn transferred(&self) -> Option<u64> {
        self.fetched.as_ref().map(|fetched| fetched.bytes())
    }

    /// The remote that it is fetched from, if there is one.
    pub(in crate::git) fn server(&self) -> Option<&LazyRemote> {
        self.fetched.as_deref()
    }

    /// Fetches the commits of a range, unless they are present; returns a repository of them alone if this one cannot take them.
    pub(in crate::git) fn ensure_range(&self, range: Range) -> Result<Option<Rc<Self>>> {
        self.server().map_or(Ok(None), |server| server.fetch_range(&self.inner, range))
    }

    /// Returns the handle to read a file of a commit with, after fetching the file.
    pub(in crate::git) fn with_file(&self, commit: Oid, path: &str) -> Result<&gix::Repository> {
        let server = self.origin_of_missing([commit].into_iter()).unwrap_or(self).server();
        server.map_or(Ok(&self.inner), |server| server.with_file(commit, path))
    }

    /// Returns the repository to read the trees of a commit from, after fetching them.
    pub(in crate::git) fn with_folders(&self, commit: Oid) -> Result<&Self> {
        self.server().map_or(Ok(self), |server| server.with_trees(commit))
    }

    /// Returns the repository to read the trees of these commits from, after fetching them.
    pub(in crate::git) fn with_folders_of(&self, mut commits: Vec<ObjectId>) -> Result<&Self> {
        if let Some(server) = self.server() {
            return server.with_folders_of(commits);
        }
        commits.retain(|commit| !self.inner.has_object(*commit));
        match &self.origin {
            Some(origin) if !commits.is_empty() => origin.with_folders_of(self, commits),
            _ => Ok(self),
        }
    }

    /// Returns the repository to read the trees and blobs of a commit from, after fetching them.
    pub(in crate::git) fn with_contents(&self, commit: Oid) -> Result<&Self> {
        self.server().map_or(Ok(self), |server| server.with_blobs(commit))
    }

    /// Returns the repository to read the blob `name` from, and its name there, after fetching it.
    pub(in crate::git) fn with_named(&self, name: &str) -> Result<(&Self, String)> {
        self.server().map_or_else(|| Ok((self, name.to_owned())), |server| server.with_blob(self, name))
    }

    /// Fetches the ancestors of a commit, unless they are present.
    pub(in crate::git) fn ensure_history(&self, commit: Oid) -> Result<()> {
        self.ensure_range(Range { from: None, to: commit }).map(drop)
    }

    /// The handle of gix, for the other files of this module.
    pub(in crate::git) fn gix(&self) -> &gix::Repository {
        &self.inner
    }

    /// What the walks so far have learnt of the history, for the next one.
    pub(in crate::git) fn history(&self) -> &RefCell<Option<Box<CommitTable>>> {
        &self.history.0
    }

    /// The commits with other parents than their objects have.
    pub(in crate::git) fn grafts(&self) -> Result<Grafts> {
        let shallow = self.inner.shallow_commits().context("cannot read the list of shallow commits")?;
        Grafts::load(self.inner.common_dir(), shallow.iter().flat_map(|commits| commits.iter()))
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

/// The error for a repository with a reftable, which gix does not read.
fn unsupported_reftable(path: &Path) -> Problem {
    let shown = path.display();
    Problem::new(format!("the repository at `{shown}` keeps its references in a reftable, which is not supported"))
        .hint("run `git refs migrate --ref-format=files` to convert them to files")
}

/// The directory of what looks like a repository, at `path` or above.
fn nearest_repository(path: &Path) -> Option<PathBuf> {
    let path = path.canonicalize().ok()?;
    let is_repository =
        |at: &&Path| at.join(".git").exists() || (at.join("HEAD").exists() && at.join("objects").exists());
    path.ancestors().find(is_repository).map(Path::to_owned)
}

/// The names of the object formats that the program was built for.
pub fn object_formats() -> impl Iterator<Item = &'static str> {
    gix::hash::Kind::all().iter().map(|kind| object_format(*kind))
}

fn object_format(kind: gix::hash::Kind) -> &'static str {
    match kind {
        gix::hash::Kind::Sha256 => "sha256",
        _ => "sha1",
    }
}
