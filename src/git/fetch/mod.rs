//! Remote repositories by URL: only what is read is fetched.
//!
//! The references are listed first: they name the tags, and so the base tag. Then the server is asked for the end of
//! the range as if everything up to its start were present: it sends exactly the commits of `from..to`, without trees
//! (git-rev-list(1), `--filter=tree:0`). Shallow exclusion does not work: it cuts a merge off from all its parents if
//! one of them is excluded, and loses the merged branch. Files are fetched one by one, by ID, when they are read.
//!
//! The history has a repository of its own with one invariant: a missing commit is an ancestor of one that was
//! reported to the server as present, and so is outside of every range. It is checked after each fetch. Files are in another repository, since a
//! commit that is fetched for its tree must not look like one of the range.

mod connection;
mod credential;
mod extent;
mod extra_headers;
pub(crate) mod http;
mod integrity;
mod lazy_remote;
mod local_clone;
mod options;
mod paced;
mod references;
mod request;
mod server;
mod ssh;
mod storage;
mod url;

use std::cell::{Cell, RefCell};

use anyhow::Result;

pub(crate) use credential::GitCredential;
pub(crate) use options::{FetchEvent, FetchObserver, FetchPhase, Options};
#[cfg(any(test, fuzzing))]
pub(in crate::git) use request::store_pack;
pub(crate) use url::RepoUrl;

use self::{
    lazy_remote::LazyRemote, local_clone::LocalClone, references::References, server::RemoteServer, storage::Storage,
};
use super::Repo;
use crate::model::{Problem, Warning};

/// Opens the repository at `url`. Only its references are fetched now, and everything else when it is read.
///
/// # Errors
/// If the server cannot be reached, refuses, or has no commits.
pub(crate) fn open(url: &RepoUrl, options: Options) -> Result<Repo> {
    open_for(url, options, None)
}

/// Makes a shallow clone, or one without tags, read what it lacks from `url`, its remote. The clone itself is not
/// changed. The server is contacted when something is missing; a failure to reach it is reported once.
pub(crate) fn complete_clone(clone: &mut Repo, url: RepoUrl, options: Options) {
    clone.complete_from(Box::new(move |clone| match open_for(&url, options.clone(), Some(clone)) {
        Ok(repo) => Some(repo),
        Err(error) => {
            let mut warning = Warning::from_error("cannot read from `origin` what this clone lacks", &error);
            if warning.hints.is_empty() {
                warning = warning.hint("use `--offline` to continue without it");
            }
            options.report(FetchEvent::Warning(&warning));
            None
        }
    }));
}

/// Opens the repository at `url`. If `clone` is a clone of it, its git configuration is used to connect, and the
/// commits that only the clone has are read from it.
fn open_for(url: &RepoUrl, options: Options, clone: Option<&gix::Repository>) -> Result<Repo> {
    let storage = Storage::open(url, &options)?;
    let extent = storage.load_extent()?;
    let own = Repo::open(&storage.files(storage.object_hash()?)?)?;
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
    let (history, files) = (storage.history(hash)?, storage.files(hash)?);
    references.write(&history)?;
    references.write(&files)?;
    let remote = LazyRemote {
        url: url.clone(),
        server: RefCell::new(server),
        references: RefCell::new(references),
        files: Repo::open_fetched(&files)?,
        extent: RefCell::new(extent),
        excerpts: RefCell::default(),
        is_damaged: Cell::new(false),
        clone: clone.cloned().map(LocalClone::new),
        storage,
    };
    Ok(Repo::open_fetched(&history)?.fetched_from(Box::new(remote)))
}

#[cfg(test)]
mod tests;
