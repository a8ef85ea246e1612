//! Where a repository came from.

use gix::{Remote, bstr::ByteSlice as _, remote::Direction, url::Scheme};

use super::{Repo, fetch::RepoUrl};

/// The URL that the remote `origin` is fetched from, or the repository itself; `url.*.insteadOf` applied, and without the
/// user and password of an http URL: tokens live there.
#[must_use]
pub fn origin(repo: &Repo) -> Option<String> {
    match repo.server() {
        Some(server) => shown(&repo.gix().remote_at(server.url()).ok()?),
        None => shown(&repo.gix().try_find_remote("origin")?.ok()?),
    }
}

/// The same of the remote of this name, or of this URL.
#[must_use]
pub fn url(repo: &Repo, remote: &str) -> Option<String> {
    let named = repo.gix().try_find_remote(remote);
    shown(&named.unwrap_or_else(|| repo.gix().remote_at(remote)).ok()?)
}

/// The URL that a clone's remote `origin` is fetched from, with user and password; `None` for what is itself read from a
/// server, and if the remote is of a kind that nothing is fetched from.
#[must_use]
pub fn fetch_url(repo: &Repo) -> Option<RepoUrl> {
    let remote = repo.gix().try_find_remote("origin")?.ok().filter(|_| repo.server().is_none())?;
    let mut url = remote.url(Direction::Fetch)?.clone();
    let directory = std::path::absolute(repo.work_tree().unwrap_or(repo.git_dir())).ok()?;
    url.canonicalize(&directory).ok()?;
    let is_known = matches!(url.scheme, Scheme::Http | Scheme::Https | Scheme::Ssh | Scheme::Git | Scheme::File);
    is_known.then(|| url.into())
}

fn shown(remote: &Remote) -> Option<String> {
    let mut url = remote.url(Direction::Fetch)?.clone();
    if matches!(url.scheme, Scheme::Http | Scheme::Https) {
        url.set_user(None);
        url.set_password(None);
    }
    Some(url.to_bstring().to_str_lossy().into_owned())
}
