//! An open repository, with what was read of its history.

mod fetched;

use std::{
    cell::{OnceCell, RefCell},
    collections::HashMap,
    fmt,
    path::{Path, PathBuf},
    rc::Rc,
};

use anyhow::{Context as _, Result};
use gix::ObjectId;

pub(super) use self::fetched::{FetchedCommits, FetchedObjects};
use super::{
    known_trees::KnownTrees,
    object_id,
    walk::{CommitTable, Grafts, Store, load_grafts},
};
use crate::{
    interrupt::TemporaryDirectory,
    model::{Oid, Range},
};

/// An open repository. Opening it reads the git settings; everything else is read when it is needed.
#[derive(Debug)]
pub(crate) struct Repo {
    pub(super) inner: gix::Repository,
    /// The server it is fetched from. This field is dropped after `inner`, since dropping it removes the directory.
    server: Option<Box<dyn RemoteSource>>,
    /// The remote of a clone, which supplies what the clone lacks.
    origin: Option<Box<Origin>>,
    /// The directory of a repository that holds only the commits of one range.
    pub(super) excerpt: Option<TemporaryDirectory>,
    /// The store through which the objects in other directories are read, and to which nothing can be written.
    pub(super) quarantine: Option<TemporaryDirectory>,
    pub(super) is_foreign: bool,
    /// Whether only the settings in the repository itself count.
    pub(super) is_isolated: bool,
    history: Rc<KnownHistory>,
    /// The trees of directories that were looked up, by the tree that the path starts at.
    directories: RefCell<HashMap<ObjectId, HashMap<String, ObjectId>>>,
    known_trees: RefCell<KnownTrees>,
    downloader: Downloader,
}

/// A function that downloads a file which the repository names by its address.
pub(crate) type Download = Rc<dyn Fn(&str) -> Result<Vec<u8>>>;

/// The way to get files that the repository names by their addresses; without one they cannot be read.
#[derive(Clone, Default)]
struct Downloader(Option<Download>);

impl fmt::Debug for Downloader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Downloader").field(&self.0.is_some()).finish()
    }
}

/// The server of a repository that is fetched as far as it is read. `history` is that repository, which holds commits;
/// trees and blobs are in another one.
pub(super) trait RemoteSource: fmt::Debug {
    fn url(&self) -> gix::Url;

    fn bytes(&self) -> u64;

    fn tag(&self, name: &str) -> Option<Oid>;

    /// Resolves a revision to a commit. A tag, a branch or a full ID costs little; anything else requires the history
    /// that it refers to.
    fn resolve(&self, history: &Repo, spec: &str) -> Result<Oid>;

    /// Whether a commit is an ancestor of another.
    fn is_ancestor(&self, ancestor: Oid, of: Oid) -> Result<bool>;

    /// Fetches the commits of a range that are not in the history yet. Returns a repository of only these commits if
    /// the range cannot extend the history.
    fn fetch_range(&self, history: &gix::Repository, range: Range) -> Result<Option<Rc<Repo>>>;

    /// Fetches all ancestors of several commits that are not in the history yet.
    fn fetch_histories(&self, history: &gix::Repository, commits: &[ObjectId]) -> Result<()>;

    /// Returns a repository of the commits that are reachable from `tips` and not from `hidden`.
    fn excerpt(&self, hidden: ObjectId, tips: &[ObjectId]) -> Result<Repo>;

    /// Returns a repository of commits and their ancestors up to a number of generations, themselves included.
    fn newest(&self, tips: &[ObjectId], generations: u32) -> Result<Repo>;

    /// Returns the repository from which a file of a commit is read.
    fn with_file(&self, commit: Oid, path: &str) -> Result<&Repo>;

    /// Returns the repository from which the trees of these commits are read.
    fn with_trees(&self, commits: Vec<ObjectId>) -> Result<&Repo>;

    /// Fetches the objects of annotated tags.
    fn fetch_tags(&self) -> Result<()>;

    /// Returns the repository from which the trees and blobs of a commit are read.
    fn with_blobs(&self, commit: Oid) -> Result<&Repo>;

    /// Returns the repository from which a blob, given by its ID or as `HEAD:README.md`, is read, and its name there.
    fn with_blob(&self, history: &Repo, name: &str) -> Result<(&Repo, String)>;
}

/// A function that opens the remote of a clone; it returns `None` if the remote cannot be reached.
pub(super) type OpenOrigin = Box<dyn Fn(&gix::Repository) -> Option<Repo>>;

/// The remote of a clone, which is opened when something is missing.
struct Origin {
    open: OpenOrigin,
    repo: OnceCell<Option<Repo>>,
    /// The clone together with the fetched trees of commits that it lacks.
    with_trees: OnceCell<Repo>,
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Origin").field(&self.repo).finish()
    }
}

impl Repo {
    pub(super) fn new(inner: gix::Repository, is_foreign: bool) -> Self {
        Self {
            inner,
            server: None,
            origin: None,
            excerpt: None,
            quarantine: None,
            is_foreign,
            is_isolated: false,
            history: Rc::default(),
            directories: RefCell::default(),
            known_trees: RefCell::default(),
            downloader: Downloader::default(),
        }
    }

    /// Sets how files are downloaded that the repository names by their addresses.
    pub(crate) fn download_with(&mut self, download: Download) {
        self.downloader = Downloader(Some(download));
    }

    /// Downloads a file that the repository names by its address; `None` if nothing is downloaded for it.
    pub(crate) fn download(&self, address: &str) -> Option<Result<Vec<u8>>> {
        self.downloader.0.as_ref().map(|download| download(address))
    }

    /// Sets the server from which the repository is fetched as far as it is read.
    pub(super) fn fetched_from(self, server: Box<dyn RemoteSource>) -> Self {
        Self { server: Some(server), ..self }
    }

    /// Makes a clone that may be incomplete, such as a shallow one or one without tags, read from its remote what it
    /// lacks. The clone itself is not changed, and the remote is not opened before it is needed.
    pub(super) fn complete_from(&mut self, open: OpenOrigin) {
        self.origin = Some(Box::new(Origin { open, repo: OnceCell::new(), with_trees: OnceCell::new() }));
    }

    /// Returns the repository of the remote, if this is a clone that may lack something and the remote can be read.
    pub(super) fn origin(&self) -> Option<&Self> {
        let origin = self.origin.as_ref()?;
        origin.repo.get_or_init(|| (origin.open)(&self.inner)).as_ref()
    }

    /// Returns the repository of the remote, if this one is a clone that lacks one of these commits.
    pub(super) fn origin_of_missing(&self, mut commits: impl Iterator<Item = Oid>) -> Option<&Self> {
        self.origin.as_ref()?;
        let is_missing = commits.any(|commit| !self.inner.has_object(object_id(commit)));
        if is_missing { self.origin() } else { None }
    }

    /// Whether this is a shallow clone, and the missing history cannot be read from a remote.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.is_shallow() && self.origin().is_none()
    }

    /// Returns the hint for getting the missing history in the environment in which the program runs.
    pub(crate) fn unshallow_hint(&self) -> &'static str {
        if self.server.is_some() {
            return "run `git fetch --unshallow --tags` in the repository on the server, which is a shallow clone itself";
        }
        unshallow_hint_for(|variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty()))
    }

    /// Whether a missing commit is outside every range that is read.
    pub(super) fn is_excerpt(&self) -> bool {
        self.server.is_some() || self.excerpt.is_some()
    }

    /// Returns the top of the work tree; `None` in a bare repository.
    #[must_use]
    pub(crate) fn work_tree(&self) -> Option<&Path> {
        self.inner.workdir()
    }

    /// Returns the repository's own directory: `.git`, or that of a linked work tree.
    pub(crate) fn git_dir(&self) -> &Path {
        self.inner.git_dir()
    }

    /// Whether the repository has no work tree.
    #[must_use]
    pub(crate) fn is_bare(&self) -> bool {
        self.inner.workdir().is_none()
    }

    /// Whether the repository has an object itself.
    pub(crate) fn has_object(&self, id: Oid) -> bool {
        self.inner.has_object(object_id(id))
    }

    /// Whether the repository is a shallow clone.
    #[must_use]
    pub(crate) fn is_shallow(&self) -> bool {
        self.inner.is_shallow().unwrap_or(false)
    }

    /// Whether something may be read from a server.
    pub(crate) fn asks_server(&self) -> bool {
        self.server.is_some() || self.origin.is_some()
    }

    /// Returns how many bytes were received over the network; `None` for a local repository.
    #[must_use]
    pub(crate) fn transferred_bytes(&self) -> Option<u64> {
        self.server.as_ref().map(|server| server.bytes())
    }

    pub(super) fn server(&self) -> Option<&dyn RemoteSource> {
        self.server.as_deref()
    }

    /// Returns gix's handle, for the other files of this module.
    pub(super) fn gix(&self) -> &gix::Repository {
        &self.inner
    }

    /// Shares the commits that are read with the handles on this repository before and after it. Only commits on this
    /// machine are shared.
    ///
    /// # Errors
    /// If the grafts or the shallow boundary cannot be read.
    pub(crate) fn share_history(&mut self, cache: &HistoryCache) -> Result<()> {
        if !self.is_excerpt() && self.quarantine.is_none() {
            self.history =
                cache.history_of(self.inner.objects.store_ref().path(), self.grafts()?, || Store::new(&self.inner));
        }
        Ok(())
    }

    pub(super) fn grafts(&self) -> Result<Grafts> {
        let shallow = self.inner.shallow_commits().context("cannot read the list of shallow commits")?;
        load_grafts(self.inner.common_dir(), shallow.iter().flat_map(|commits| commits.iter()))
    }
}

/// The commits that earlier walks have read, and the store that they were read from.
#[derive(Default)]
struct KnownHistory {
    table: RefCell<Option<Box<CommitTable>>>,
    store: OnceCell<Store>,
}

/// A cache through which one handle on a repository leaves the commits that it has read to the next one: no commit is
/// read twice, as long as they fit into 16 MiB.
#[derive(Clone, Debug, Default)]
pub(crate) struct HistoryCache(Rc<RefCell<Option<CachedHistory>>>);

/// The commits that were read of a history, and the repository to which they belong.
#[derive(Debug)]
struct CachedHistory {
    objects: PathBuf,
    grafts: Grafts,
    history: Rc<KnownHistory>,
}

impl fmt::Debug for KnownHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KnownHistory").finish_non_exhaustive()
    }
}

impl KnownHistory {
    fn store(&self, repo: &gix::Repository) -> &Store {
        self.store.get_or_init(|| Store::new(repo))
    }
}

impl HistoryCache {
    /// Returns what was read of the history of the repository with these objects, which the next handle will share. It
    /// is empty if the previous handle was on another repository, or if the grafts have changed.
    fn history_of(&self, objects: &Path, grafts: Grafts, store: impl FnOnce() -> Store) -> Rc<KnownHistory> {
        let objects = objects.canonicalize().unwrap_or_else(|_| objects.to_owned());
        let mut cached = self.0.borrow_mut();
        if let Some(cached) = cached.as_ref().filter(|cached| cached.objects == objects && cached.grafts == grafts) {
            return Rc::clone(&cached.history);
        }
        let history =
            Rc::new(KnownHistory { store: OnceCell::from(store().keep_commits()), ..KnownHistory::default() });
        *cached = Some(CachedHistory { objects, grafts, history: Rc::clone(&history) });
        history
    }
}

fn unshallow_hint_for(is_set: impl Fn(&str) -> bool) -> &'static str {
    if is_set("GITLAB_CI") {
        "set `GIT_DEPTH: 0` in the `variables:` of this job"
    } else if is_set("GITHUB_ACTIONS") {
        "set `fetch-depth: 0` in the `with:` of `actions/checkout`"
    } else {
        "run `git fetch --unshallow --tags`"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hint_fits_the_ci_system() {
        let hint_under = |name: &'static str| unshallow_hint_for(move |variable| variable == name);
        assert!(hint_under("").contains("git fetch --unshallow --tags"));
        assert!(hint_under("GITLAB_CI").contains("GIT_DEPTH: 0"));
        assert!(hint_under("GITHUB_ACTIONS").contains("fetch-depth: 0"));
    }
}
