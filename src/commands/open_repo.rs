//! The repository of a command: around the current directory, at a path, or fetched from a URL; and the fetching of
//! what a clone lacks.

use std::{cell::Cell, path::Path, rc::Rc, time::Duration};

use anstyle::Style;

use super::{Session, common_file, layout::human_size, server, session::variable};
use crate::{
    api::{Proxies, RawHttp, WireResponse},
    git::{
        self, Repo,
        fetch::{
            self, FetchEvent, FetchObserver, FetchPhase, GitCredential, Options, RepoUrl,
            http::{HttpRequest, HttpResponse},
        },
    },
    model::{Problem, Warning},
};

const DIM: Style = Style::new().dimmed();
/// The time limit of a request for git objects. A server that packs a large history sends nothing for a while.
const TIMEOUT: Duration = Duration::from_secs(120);

impl Session {
    /// Opens the repository of `--repo`, else the one around the current directory.
    pub(crate) fn repo(&self) -> anyhow::Result<Repo> {
        let repo = self.unsettled_repo()?;
        self.warn(&leftover_warning(&repo))?;
        Ok(repo)
    }

    /// Opens the repository, whatever a killed run has left in it.
    fn unsettled_repo(&self) -> anyhow::Result<Repo> {
        let asked = self.global.repo.as_deref();
        let mut repo = match asked.map(RepoUrl::parse).transpose()?.flatten() {
            Some(url) => {
                let mut repo = open(self, &url)?;
                repo.download_with(common_file::download(self, true));
                return Ok(repo);
            }
            None => asked.map_or_else(|| Repo::discover(Path::new(".")), |asked| Repo::open(Path::new(asked)))?,
        };
        repo.download_with(common_file::download(self, false));
        self.warn(&repo.ownership_warning())?;
        if let Some(history) = &self.history {
            repo.share_history(history)?;
        }
        Ok(repo)
    }

    /// Opens the same repository as [`Session::repo`]; if it is a clone that lacks a part of its history, that part is
    /// read from its remote.
    pub(crate) fn whole_repo(&self) -> anyhow::Result<Repo> {
        let mut repo = self.repo()?;
        complete_clone(self, &mut repo)?;
        Ok(repo)
    }

    /// Opens the same repository as [`Session::whole_repo`], and refuses a URL: what is fetched is removed at the end,
    /// with every commit that was made in it.
    pub(crate) fn local_repo(&self) -> anyhow::Result<Repo> {
        self.refuse_url()?;
        self.whole_repo()
    }

    /// Opens the same repository as [`Session::local_repo`] to commit to it, and first takes back or completes what a
    /// killed run has left in it.
    pub(crate) fn repo_to_commit(&self) -> anyhow::Result<Repo> {
        self.refuse_url()?;
        let mut repo = self.unsettled_repo()?;
        git::commit::settle(&repo)?;
        complete_clone(self, &mut repo)?;
        Ok(repo)
    }

    fn refuse_url(&self) -> anyhow::Result<()> {
        match self.global.repo.as_deref().map(RepoUrl::parse).transpose()?.flatten() {
            None => Ok(()),
            Some(url) => {
                Err(Problem::usage(format!("`{url}` is not on this machine, so there is nothing to commit to"))
                    .hint("clone it and run the command there, or let the server commit it with `--project`")
                    .into())
            }
        }
    }
}

/// Warns of a commit that a killed run has left in the middle, since the user's next commit could get what it staged.
fn leftover_warning(repo: &Repo) -> Option<Warning> {
    let files = git::commit::leftover_files(repo);
    let names = files.iter().map(|file| format!("`{file}`")).collect::<Vec<_>>().join(", ");
    let message = format!("a run that was killed may have left its change of {names} staged");
    let hint =
        "before you commit, run the same `tidings add` or `tidings release` again, which takes it back or completes it";
    (!files.is_empty()).then(|| Warning::new(message).hint(hint))
}

fn open(session: &Session, url: &RepoUrl) -> anyhow::Result<Repo> {
    fetch::open(url, options(session, credential_for(session, url)?, observer(session)))
}

/// Makes a clone read what it lacks from its remote `origin`, if it is shallow, follows some of the branches alone, has no
/// tags, or is that of a CI job.
fn complete_clone(session: &Session, repo: &mut Repo) -> anyhow::Result<()> {
    if session.global.offline || !(may_lack_history(repo)? || is_job()) {
        return Ok(());
    }
    let Some(url) = git::remote::fetch_url(repo) else { return Ok(()) };
    let (observe, fetched) = (observer(session), Rc::clone(&session.fetched));
    let (shown, has_more) = (url.to_string(), Cell::new(false));
    let count: FetchObserver = Rc::new(move |event| {
        if let FetchEvent::Received { part, total, .. } = event {
            has_more.set(has_more.get() || part != FetchPhase::References);
            let what = if has_more.get() { "what this clone lacks" } else { "the tags" };
            fetched.borrow_mut().completion =
                Some(format!("read {what} from `{shown}` ({} received; the clone stays as it is)", human_size(total)));
        }
        observe(event);
    });
    // A token that cannot be read matters only if the server asks for one. git's own credentials are tried then.
    let login = credential_for(session, &url).ok().flatten();
    fetch::complete_clone(repo, url, options(session, login, count));
    Ok(())
}

/// Whether a clone was made without some of the commits or tags. git fetches the tags of the commits that it fetches, so
/// those of other branches are missing where it follows one alone.
fn may_lack_history(repo: &Repo) -> anyhow::Result<bool> {
    Ok(repo.is_shallow() || git::remote::only_branches(repo).is_some() || !git::tags::has_any(repo)?)
}

/// Whether this is a CI job: its checkout may have some of the tags alone, such as the one that it was started for, or
/// those that an earlier job of the same runner has fetched.
fn is_job() -> bool {
    variable("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

fn options(session: &Session, login: Option<GitCredential>, observer: FetchObserver) -> Options {
    let timeout = session.global.server.timeout.map_or(TIMEOUT, Duration::from_secs);
    let sender = RawHttp::new(Proxies::from_environment(&variable), timeout);
    Options {
        cache: session.global.cache.clone(),
        // Neither git nor the API depends on the other.
        http: Some(Rc::new(move |HttpRequest { url, headers, body, is_download }| {
            let WireResponse { status, headers, body } = sender.send(&url, &headers, body, is_download)?;
            Ok(HttpResponse { status, headers: headers.0, body })
        })),
        observer: Some(observer),
        timeout: Some(timeout),
        max_response: session.global.max_response.map(|mebibytes| mebibytes << 20),
        login,
    }
}

/// Returns the token for the server that it was given for, unless none is to be sent; for others git's credential
/// helpers are asked.
fn credential_for(session: &Session, url: &RepoUrl) -> anyhow::Result<Option<GitCredential>> {
    let Some(origin) = url.origin().filter(|_| session.global.server.auth != Some(None)) else { return Ok(None) };
    let account = server::git_credential(&session.global.server, &origin)?;
    Ok(account.map(|(user, secret)| GitCredential { origin, user: user.to_owned(), secret }))
}

fn observer(session: &Session) -> FetchObserver {
    let verbose = session.global.verbose > 0;
    let (messages, fetched) = (session.messages.clone(), Rc::clone(&session.fetched));
    Rc::new(move |event| {
        if let FetchEvent::Receiving { part, bytes } = event {
            return messages.progress().bytes(phase_name(part), bytes, None);
        }
        messages.progress().finish();
        match event {
            FetchEvent::Received { part, bytes, total } if verbose => {
                messages.note(&format!("{DIM}fetched {bytes} bytes of {part}, {total} in all{DIM:#}"));
            }
            FetchEvent::Waiting(directory) => {
                messages.note(&format!("waiting for another run that uses `{}`", directory.display()));
            }
            FetchEvent::Said { program, line } => messages.note(&format!("{program}: {line}")),
            FetchEvent::Warning(warning) => fetched.borrow_mut().warnings.push(warning.clone()),
            FetchEvent::Receiving { .. } | FetchEvent::Received { .. } => {}
        }
    })
}

fn phase_name(part: FetchPhase) -> &'static str {
    match part {
        FetchPhase::References => "fetching references",
        FetchPhase::Commits => "fetching commits",
        FetchPhase::Files => "fetching files",
    }
}
