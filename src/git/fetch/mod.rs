//! Remote repositories by URL: only what a section needs comes over.
//!
//! The references tell the tags, and so the base, before anything is fetched. Then the server is asked for the end of
//! the range as if everything up to its start were here already: it sends exactly the commits of `from..to`, without
//! trees (git-rev-list(1), `--filter=tree:0`). Shallow exclusion would not do: it cuts a merge off from all its parents
//! if one of them is excluded, and loses the branch it merged. Files come one by one, by id, when they are read.
//!
//! The history lies in a repository of its own that keeps one promise: a commit that is absent is an ancestor of what
//! was said to be here, and so out of every range. Files are kept apart, for a commit that is read for its tree must not
//! look like one of the range.

mod clone;
mod connection;
mod credential;
mod event;
mod files;
mod history;
pub mod http;
mod known_history;
mod origin;
mod pack;
mod references;
mod request;
mod server;
mod snapshot;
mod storage;
mod url;

use std::{cell::RefCell, fmt, path::PathBuf, rc::Rc, time::Duration};

use anyhow::Result;

pub use credential::GitCredential;
pub use event::{FetchEvent, FetchObserver, FetchPhase};
pub(in crate::git) use origin::Origin;
#[cfg(any(test, fuzzing))]
pub(in crate::git) use pack::store as store_pack;
pub use url::RepoUrl;

use self::{
    clone::LocalClone, known_history::KnownHistory, references::References, server::RemoteServer, storage::Storage,
};
use super::Repo;
use crate::model::{Problem, Range};

/// How a remote repository is fetched.
#[derive(Clone, Default)]
pub struct Options {
    /// Keep what was fetched in this folder and fetch only what is new next time; else nothing is kept.
    pub cache: Option<PathBuf>,
    /// What sends requests to http and https URLs.
    pub http: Option<Rc<dyn http::HttpClient>>,
    /// What listens to what happens.
    pub observer: Option<FetchObserver>,
    /// How long a `git daemon` may be silent; the client for http and https has a limit of its own.
    pub idle: Option<Duration>,
    /// Who we are to a host that asks; git's credential helpers know about others.
    pub login: Option<GitCredential>,
}

impl Options {
    fn tell(&self, event: FetchEvent<'_>) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Options").field("cache", &self.cache).field("login", &self.login).finish_non_exhaustive()
    }
}

/// Opens the repository at `url`: its references come over, everything else waits until it is asked for.
///
/// # Errors
/// Where the server cannot be reached, refuses, or has no commits.
pub fn open(url: &RepoUrl, options: Options) -> Result<Repo> {
    open_beside(url, options, None)
}

/// Opens the repository at `url` for a clone of it, whose git configuration says how to get there. What only the clone
/// has is read from it.
fn open_beside(url: &RepoUrl, options: Options, clone: Option<&gix::Repository>) -> Result<Repo> {
    let folder = Storage::make(url, &options)?;
    let own = Repo::open(&folder.files(folder.object_hash()?)?)?;
    let mut server = RemoteServer::connect(url, options, clone.unwrap_or(own.gix()))?;
    let hash = server.object_hash();
    let references = References::list(&mut server)?;
    match clone {
        None if references.is_empty() => return Err(Problem::new(format!("`{url}` has no commits yet")).into()),
        Some(clone) if clone.object_hash() != hash => {
            return Err(Problem::new(format!("`{url}` has another object format than the clone")).into());
        }
        _ => {}
    }
    let (history, files) = (folder.history(hash)?, folder.files(hash)?);
    references.write(&history)?;
    references.write(&files)?;
    let extent = KnownHistory::load(&folder.extent())?;
    let fetched = LazyRemote {
        url: url.clone(),
        server: RefCell::new(server),
        references: RefCell::new(references),
        files: Repo::open(&files)?,
        extent: RefCell::new(extent),
        excerpts: RefCell::default(),
        clone: clone.cloned().map(LocalClone::new),
        folder,
    };
    Repo::fetched(&history, fetched)
}

/// What stands behind a repository that is fetched from a server.
pub(in crate::git) struct LazyRemote {
    url: RepoUrl,
    server: RefCell<RemoteServer>,
    references: RefCell<References>,
    files: Repo,
    extent: RefCell<Option<KnownHistory>>,
    /// Ranges that the history cannot take, each with the repository that has it.
    excerpts: RefCell<Vec<(Range, Rc<Repo>)>>,
    clone: Option<LocalClone>,
    /// Last, so that it is removed when nothing reads it any more.
    folder: Storage,
}

impl LazyRemote {
    /// Where the server is.
    pub(in crate::git) fn url(&self) -> gix::Url {
        self.url.gix().clone()
    }

    /// The bytes that came over until now.
    pub(in crate::git) fn bytes(&self) -> u64 {
        self.server.borrow().bytes()
    }
}

impl fmt::Debug for LazyRemote {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Fetched").field("url", &self.url).finish_non_exhaustive()
    }
}
