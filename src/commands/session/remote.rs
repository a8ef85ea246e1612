//! `--repo URL`: what a remote repository is fetched with.

use std::{rc::Rc, time::Duration};

use anstyle::Style;

use super::{Progress, Session};
use crate::{
    api::{Plain, Proxies},
    commands::server,
    git::{
        Repo,
        fetch::{self, Event, Login, Observer, Options, Part, Url, http},
    },
};

const DIM: Style = Style::new().dimmed();
/// A server that packs a large history is silent for a while.
const IDLE: Duration = Duration::from_secs(120);

/// Opens the repository at a URL.
pub(super) fn open(session: &Session, url: &Url) -> anyhow::Result<Repo> {
    let idle = session.global.server.timeout.map_or(IDLE, Duration::from_secs);
    let options = Options {
        cache: session.global.cache.clone(),
        http: Some(Rc::new(Sender(Plain::new(Proxies::from_environment(&server::variable), idle)))),
        observer: Some(observer(session)),
        login: login(session, url)?,
    };
    fetch::open(url, options)
}

/// Git's requests through the API's sender: neither knows the other.
struct Sender(Plain);

impl http::Client for Sender {
    fn send(&self, request: http::Request) -> anyhow::Result<http::Response> {
        let reply = self.0.send(&request.url, &request.headers, request.body)?;
        Ok(http::Response { status: reply.status, headers: reply.headers, body: reply.body })
    }
}

/// The token, for the host it was given for; every other host is up to git's credential helpers.
fn login(session: &Session, url: &Url) -> anyhow::Result<Option<Login>> {
    let Some(host) = url.host() else { return Ok(None) };
    let account = match server::git_account(&session.global.server, host)? {
        Some(account) => Some(account),
        None => github_account(host),
    };
    Ok(account.map(|(user, secret)| Login { host: host.to_owned(), user: user.to_owned(), secret }))
}

/// The token of a GitHub job, for the GitHub it runs on.
fn github_account(host: &str) -> Option<(&'static str, String)> {
    let server = crate::api::Url::parse(&server::variable("GITHUB_SERVER_URL")?).ok()?;
    (server.host() == host).then(|| server::variable("GITHUB_TOKEN")).flatten().map(|token| ("x-access-token", token))
}

fn observer(session: &Session) -> Observer {
    let (quiet, verbose) = (session.global.quiet, session.global.verbose > 0 && !session.global.quiet);
    let (messages, progress) = (session.messages.clone(), Progress::of(session));
    Rc::new(move |event| {
        if let Event::Receiving { part, bytes } = event {
            return progress.bytes(fetching(part), bytes, None);
        }
        progress.finish();
        let text = match event {
            Event::Received { part, bytes, total } if verbose => {
                format!("{DIM}fetched {bytes} bytes of {part}, {total} in all{DIM:#}")
            }
            Event::Waiting(folder) if !quiet => format!("waiting for another run that uses `{}`", folder.display()),
            Event::Receiving { .. } | Event::Received { .. } | Event::Waiting(_) => return,
        };
        messages.say(&text);
    })
}

fn fetching(part: Part) -> &'static str {
    match part {
        Part::References => "fetching references",
        Part::Commits => "fetching commits",
        Part::Files => "fetching files",
    }
}
