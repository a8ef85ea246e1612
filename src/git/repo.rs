//! An open repository: found from a folder, or opened where it lies.

use std::{
    cell::RefCell,
    env, fmt,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use gix::{
    ThreadSafeRepository,
    discover::upwards,
    open::Options,
    sec::{Trust, trust::Mapping},
};

use super::{
    fetch::LazyRemote, grafts::Grafts, ownership, quarantine::Quarantine, repo_format, tags, walk::CommitTable,
};
use crate::model::{Oid, Problem, Range};

/// Histories mean the same on every machine: what is replaced locally is not replaced here.
const SETTINGS: [&str; 1] = ["core.useReplaceRefs=false"];

/// A repository on this machine. Opening reads its settings; everything else waits until it is asked for.
#[derive(Debug)]
pub struct Repo {
    inner: gix::Repository,
    /// The server behind it; after the handle, for it removes the folder that the handle reads.
    fetched: Option<Box<LazyRemote>>,
    /// Where its objects are, if the environment puts them elsewhere.
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
    /// The repository that `GIT_DIR` names, else the one `folder` lies in; with the objects that the environment names.
    ///
    /// # Errors
    /// Where there is none, or none that can be read.
    pub fn discover(folder: &Path) -> Result<Self> {
        let open = |options| {
            let upwards = upwards::Options { match_ceiling_dir_or_error: false, ..Default::default() };
            ThreadSafeRepository::discover_with_environment_overrides_opts(folder, upwards, options)
        };
        let found = Self::opened(folder, open);
        if let (Err(_), Some(named)) = (&found, env::var_os("GIT_DIR")) {
            return Err(not_where_named(Path::new(&named)).into());
        }
        let mut repo = found?;
        repo.quarantine = Quarantine::enter(&mut repo.inner)?;
        Ok(repo)
    }

    /// The repository at `path`: a work tree, a `.git` folder or a bare repository.
    ///
    /// # Errors
    /// Where there is none, or none that can be read.
    pub fn open(path: &Path) -> Result<Self> {
        Self::opened(path, |options| options.full.open(path))
    }

    fn opened(asked: &Path, open: impl Fn(Mapping<Options>) -> gix::Result<ThreadSafeRepository>) -> Result<Self> {
        let open = |options| match open(options) {
            Ok(found) => Ok(gix::Repository::from(found)),
            Err(error) => Err(refusal(error.into(), asked)),
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
            return Err(no_reference_files(asked).into());
        }
        tags::check_packed(inner.common_dir())?;
        inner.shallow_commits().context("cannot read the list of shallow commits")?;
        Ok(Self { inner, fetched: None, quarantine: None, is_foreign, history: KnownHistory::default() })
    }

    /// The repository at `path`, which a server fills as far as it is asked for.
    pub(in crate::git) fn fetched(path: &Path, fetched: LazyRemote) -> Result<Self> {
        Ok(Self { fetched: Some(Box::new(fetched)), ..Self::open(path)? })
    }

    /// Where the files are checked out; `None` in a bare repository.
    #[must_use]
    pub fn work_tree(&self) -> Option<&Path> {
        self.inner.workdir()
    }

    /// The repository's own folder: `.git`, or that of a linked work tree.
    #[must_use]
    pub fn git_dir(&self) -> &Path {
        self.inner.git_dir()
    }

    /// Whether it has no work tree.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.inner.workdir().is_none()
    }

    /// Whether its history was cut off when it was cloned.
    #[must_use]
    pub fn is_shallow(&self) -> bool {
        self.inner.is_shallow().unwrap_or(false)
    }

    /// Whether it belongs to another user, and `safe.directory` does not name it.
    pub(in crate::git) fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// Refuses where nothing can be committed, since new objects would not stay.
    pub(in crate::git) fn check_writable(&self) -> Result<()> {
        if self.quarantine.is_some() {
            return Err(Quarantine::refusal().into());
        }
        repo_format::check(self)
    }

    /// The name of its object format: `sha1` or `sha256`.
    #[must_use]
    pub fn object_format(&self) -> &'static str {
        match self.inner.object_hash() {
            gix::hash::Kind::Sha256 => "sha256",
            _ => "sha1",
        }
    }

    /// Whether it is read from a server as far as it is asked for.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.fetched.is_some()
    }

    /// How many bytes came over the network for it; `None` where it is no remote one.
    #[must_use]
    pub fn transferred(&self) -> Option<u64> {
        self.fetched.as_ref().map(|fetched| fetched.bytes())
    }

    /// The server behind it, if there is one.
    pub(in crate::git) fn server(&self) -> Option<&LazyRemote> {
        self.fetched.as_deref()
    }

    /// Makes sure that a range is here.
    pub(in crate::git) fn ensure_range(&self, range: Range) -> Result<()> {
        self.server().map_or(Ok(()), |server| server.fetch_range(&self.inner, range))
    }

    /// The handle that a file of a commit is read through, once the file is here.
    pub(in crate::git) fn with_file(&self, commit: Oid, path: &str) -> Result<&gix::Repository> {
        self.server().map_or(Ok(&self.inner), |server| server.with_file(commit, path))
    }

    /// The repository that every folder of a commit is read through, once they are here.
    pub(in crate::git) fn with_folders(&self, commit: Oid) -> Result<&Self> {
        self.server().map_or(Ok(self), |server| server.with_trees(commit))
    }

    /// The repository that every folder of these commits is read through, once they are here.
    pub(in crate::git) fn with_folders_of(&self, commits: impl Iterator<Item = gix::ObjectId>) -> Result<&Self> {
        self.server().map_or(Ok(self), |server| server.with_folders_of(commits.collect()))
    }

    /// The repository that every folder and file of a commit is read through, once they are here.
    pub(in crate::git) fn with_contents(&self, commit: Oid) -> Result<&Self> {
        self.server().map_or(Ok(self), |server| server.with_blobs(commit))
    }

    /// The repository that a file is read through, and what it is called there, once it is here.
    pub(in crate::git) fn with_named(&self, name: &str) -> Result<(&Self, String)> {
        self.server().map_or_else(|| Ok((self, name.to_owned())), |server| server.with_blob(self, name))
    }

    /// Makes sure that everything a commit descends from is here.
    pub(in crate::git) fn ensure_history(&self, commit: Oid) -> Result<()> {
        self.ensure_range(Range { from: None, to: commit })
    }

    /// gix's own handle, for the other files of this room.
    pub(in crate::git) fn gix(&self) -> &gix::Repository {
        &self.inner
    }

    /// What the walks so far have learnt of the history, for the next one.
    pub(in crate::git) fn history(&self) -> &RefCell<Option<Box<CommitTable>>> {
        &self.history.0
    }

    /// Which commits have other parents than they say.
    pub(in crate::git) fn grafts(&self) -> Result<Grafts> {
        let shallow = self.inner.shallow_commits().context("cannot read which commits the shallow clone ends at")?;
        Grafts::load(self.inner.common_dir(), shallow.iter().flat_map(|commits| commits.iter()))
    }
}

/// How repositories are opened, by whether they belong to this user. One of another user is read all the same: gix takes
/// no settings from it that could run anything.
fn options(change: impl Fn(Options) -> Options) -> Mapping<Options> {
    let Mapping { full, reduced } = Mapping::<Options>::default();
    let [full, reduced] = [full, reduced].map(|options| change(options.config_overrides(SETTINGS)));
    Mapping { full, reduced }
}

/// Looking around is no use where the environment says where to look.
fn not_where_named(path: &Path) -> Problem {
    Problem::new(format!("`GIT_DIR` names `{}`, which is no repository that can be read", path.display()))
        .hint("unset it, or name a repository with `--repo`")
}

/// Why a repository cannot be opened, in the user's words.
fn refusal(error: anyhow::Error, asked: &Path) -> anyhow::Error {
    match nearest_repository(asked) {
        None => Problem::new(format!("no git repository at `{}` or above it", asked.display()))
            .hint("run the command inside a repository, or choose one with `--repo`")
            .into(),
        Some(at) => error.context(format!("cannot open the repository at `{}`", at.display())),
    }
}

/// gix reads reference files only; what it finds in a repository with a reftable are placeholders.
fn no_reference_files(asked: &Path) -> Problem {
    let shown = asked.display();
    Problem::new(format!("the repository at `{shown}` keeps its references in a reftable, which is not supported"))
        .hint("`git refs migrate --ref-format=files` turns them into files")
}

/// The folder of something that looks like a repository, at `folder` or above.
fn nearest_repository(folder: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let is_repository =
        |at: &&Path| at.join(".git").exists() || (at.join("HEAD").exists() && at.join("objects").exists());
    folder.ancestors().find(is_repository).map(Path::to_owned)
}
