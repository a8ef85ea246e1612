//! Servers of every kind: what they cannot do costs bytes, not correctness.

use std::{cell::RefCell, rc::Rc, time::Duration};

use crate::{
    api::{Proxies, RawHttp},
    git::{
        Repo, WalkOptions,
        fetch::{self, FetchEvent, FetchObserver, GitCredential, Options, RepoUrl, http},
        file, revision, tags, walk,
    },
    model::Range,
    support::{
        TestRepo,
        remote::{Running, Server},
    },
};

/// A history with a merge of a branch from before the base, and a release branch that is not merged.
fn history() -> TestRepo {
    history_with(&[])
}

fn history_with(options: &[&str]) -> TestRepo {
    let repo = TestRepo::with_options(options);
    repo.file("docs/guide.md", "Light it\n").file(".harbor/settings.yml", "lamp: on\n").commit("Light the lamp");
    repo.git(&["branch", "wick"]);
    repo.change("Trim the wick", "changed");
    repo.annotated_tag("v1.0.0").tag("v1.0.1");
    repo.git(&["checkout", "-q", "wick"]);
    repo.change("Oil the wick", "added");
    repo.git(&["checkout", "-q", "main"]);
    repo.git(&["merge", "-q", "--no-ff", "-m", "Merge wick", "wick"]);
    repo.git(&["checkout", "-q", "-b", "1.x", "v1.0.0"]);
    repo.change("Mend the lamp", "fixed");
    repo.tag("v1.1.0");
    repo.git(&["checkout", "-q", "main"]);
    repo.file(".mailmap", "Ida of the Harbor <ida@harbor.example>\n").change("Polish the lamp", "added");
    repo
}

fn try_open(url: &str, login: Option<GitCredential>) -> anyhow::Result<Repo> {
    open_with(url, login, None)
}

fn open_with(url: &str, login: Option<GitCredential>, observer: Option<FetchObserver>) -> anyhow::Result<Repo> {
    let sender = RawHttp::new(Proxies::from_environment(&|_| None), Duration::from_secs(10));
    let send = move |request: http::HttpRequest| {
        let reply = sender.send(&request.url, &request.headers, request.body, request.is_download)?;
        let headers = reply.headers.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Ok(http::HttpResponse { status: reply.status, headers, body: reply.body })
    };
    let options = Options { http: Some(Rc::new(send)), login, observer, ..Options::default() };
    fetch::open(&RepoUrl::parse(url).unwrap().expect("a URL"), options)
}

fn open(url: &str) -> Repo {
    try_open(url, None).unwrap()
}

/// Everything a section needs, from a repository and from the remote one.
#[track_caller]
fn compare(local: &TestRepo, url: &str) -> Vec<String> {
    let local = Repo::open_isolated(local.path()).unwrap();
    let warnings = Rc::<RefCell<Vec<String>>>::default();
    let heard = Rc::clone(&warnings);
    let observer: FetchObserver = Rc::new(move |event| {
        if let FetchEvent::Warning(warning) = event {
            heard.borrow_mut().push(warning.to_string());
        }
    });
    for (from, to) in [("v1.0.0", "HEAD"), ("v1.1.0", "main"), ("v1.0.1", "1.x"), ("v1.0.0", "v1.0.1")] {
        let remote = open_with(url, None, Some(Rc::clone(&observer))).unwrap();
        assert_eq!(tags::names(&remote).unwrap(), tags::names(&local).unwrap());
        assert_eq!(tags::peel(&remote, from).unwrap(), tags::peel(&local, from).unwrap());
        for path in
            ["docs/guide.md", ".harbor/settings.yml", ".mailmap", "missing", "docs/missing", "docs", "docs/guide.md/x"]
        {
            let at = |repo| file::read_at_commit(repo, revision::resolve(repo, to).unwrap(), path).unwrap();
            assert_eq!(at(&remote), at(&local), "{path} at {to}");
        }
        let id = |spec| revision::resolve(&local, spec).unwrap();
        let range = Range { from: Some(id(from)), to: id(to) };
        let (there, here) = (
            walk(&remote, range, &WalkOptions::default()).unwrap(),
            walk(&local, range, &WalkOptions::default()).unwrap(),
        );
        assert_eq!(there.commits, here.commits, "{from}..{to}");
        assert!(remote.transferred_bytes().is_some_and(|bytes| bytes > 0));
    }
    warnings.take()
}

fn directory(repo: &TestRepo) -> &std::path::Path {
    repo.path().parent().expect("a repository is in a directory")
}

#[cfg(unix)]
#[test]
fn a_daemon_sends_little() {
    let repo = history();
    let Some(server) = Server::of_directory(directory(&repo)).daemon() else { return };
    assert!(compare(&repo, &server.url("git", "repo")).is_empty());
}

#[cfg(unix)]
#[test]
fn a_daemon_that_cannot_filter_sends_more_and_that_is_told() {
    let repo = history();
    let Some(server) = Server { filters: false, ..Server::of_directory(directory(&repo)) }.daemon() else { return };
    let warnings = compare(&repo, &server.url("git", "repo"));
    assert!(warnings.iter().all(|warning| warning.contains("does not support object filters")), "{warnings:?}");
    assert!(!warnings.is_empty());
}

#[test]
fn a_directory_serves_itself() {
    let repo = history();
    compare(&repo, &format!("file://{}", repo.path().display()));
}

#[test]
fn a_shallow_clone_serves_what_it_has() {
    let repo = history();
    let url = format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--bare", "--depth=1", "--no-single-branch", &url, "../shallow.git"]);
    let remote = open(&format!("file://{}", repo.beside("shallow.git").display()));
    let to = revision::resolve(&remote, "HEAD").unwrap();
    let within = Range { from: None, to };
    let error = walk(&remote, within, &WalkOptions::default()).unwrap_err();
    assert!(error.to_string().contains("shallow clone ends inside the range"), "{error:#}");
    let options = WalkOptions { allow_shallow: true, ..WalkOptions::default() };
    assert_eq!(walk(&remote, within, &options).unwrap().commits.len(), 1);
}

#[test]
fn revisions_are_those_of_a_full_clone() {
    let repo = history();
    let id = repo.git(&["rev-parse", "HEAD~1"]);
    let specs = [
        "HEAD",
        "@",
        "main",
        "1.x",
        "refs/heads/1.x",
        "v1.0.0",
        "tags/v1.0.0",
        "v1.0.0^{}",
        "HEAD~1",
        "main~1^2",
        &id,
        &id[..9],
        "v1.0.0^0",
    ];
    for spec in specs {
        let remote = open(&format!("file://{}", repo.path().display()));
        let expected = repo.git(&["rev-parse", &format!("{spec}^{{commit}}")]);
        assert_eq!(revision::resolve(&remote, spec).unwrap().to_string(), expected, "{spec}");
    }
}

#[test]
fn what_the_server_does_not_know_is_refused() {
    let repo = history();
    for (number, spec) in
        ["v9", "0123456789012345678901234567890123456789", "abcdef0", "HEAD~99", "-x", "a b"].iter().enumerate()
    {
        repo.git(&["config", "uploadpack.allowFilter", if number % 2 == 0 { "true" } else { "false" }]);
        let remote = open(&format!("file://{}", repo.path().display()));
        let error = revision::resolve(&remote, spec).unwrap_err();
        assert!(error.to_string().contains("is not a tag, branch or commit of"), "{spec}: {error:#}");
    }
}

#[test]
fn http_sends_little() {
    let repo = history();
    let Some(server) = Server::of_directory(directory(&repo)).http() else { return };
    assert!(compare(&repo, &server.url("http", "repo/.git")).is_empty());
    assert!(server.requests().iter().all(|request| request.header("authorization").is_none()));
    assert_eq!(handshakes(&server), 4, "one for each time it was opened");
}

fn handshakes(server: &Running) -> usize {
    server.requests().iter().filter(|request| request.path.ends_with("info/refs")).count()
}

#[test]
fn http_that_cannot_filter_or_is_old_sends_more() {
    let repo = history();
    for (filters, is_new) in [(false, true), (true, false), (false, false)] {
        let Some(server) = Server { filters, is_new, ..Server::of_directory(directory(&repo)) }.http() else { return };
        let warnings = compare(&repo, &server.url("http", "repo/.git"));
        let expected =
            if filters { "speaks an old version of git's protocol" } else { "does not support object filters" };
        assert_eq!(warnings.len(), 4, "each time it was opened, once: {warnings:?}");
        assert!(warnings.iter().all(|warning| warning.contains(expected)), "{warnings:?}");
        assert_eq!(handshakes(&server), 4, "a connection is not needed for each request");
    }
}

#[test]
fn http_asks_for_credentials_and_gets_those_of_its_host() {
    let repo = history();
    let Some(server) = Server { account: Some("aWRhOnNlY3JldA=="), ..Server::of_directory(directory(&repo)) }.http()
    else {
        return;
    };
    let url = server.url("http", "repo/.git");
    let login = |origin: &str, secret: &str| GitCredential {
        origin: origin.to_owned(),
        user: "ida".to_owned(),
        secret: secret.to_owned(),
    };
    let origin = server.url("http", "").trim_end_matches('/').to_owned();
    assert_eq!(tags::names(&try_open(&url, Some(login(&origin, "secret"))).unwrap()).unwrap().len(), 3);
    let error = try_open(&url, Some(login(&origin, "wrong"))).unwrap_err();
    assert!(error.to_string().contains("refused the token"), "{error:#}");
    assert!(!format!("{error:?}").contains("wrong"), "{error:?}");
    open(&url.replace("http://", "http://ida:secret@"));
}

#[test]
fn a_login_goes_to_its_own_scheme_host_and_port() {
    let repo = history();
    let Some(server) = Server { account: Some("aWRhOnNlY3JldA=="), ..Server::of_directory(directory(&repo)) }.http()
    else {
        return;
    };
    let base = server.url("http", "").trim_end_matches('/').to_owned();
    let port = base.rsplit(':').next().unwrap();
    let login = |origin: &str| {
        let (user, secret) = ("ida".to_owned(), "secret".to_owned());
        Some(GitCredential { origin: origin.to_owned(), user, secret })
    };
    let is_silent = || server.requests().iter().all(|request| request.header("authorization").is_none());
    for other in [
        "http://127.0.0.1".to_owned(),
        "http://127.0.0.1:1".to_owned(),
        format!("http://localhost:{port}"),
        format!("https://127.0.0.1:{port}"),
        "http://git.example".to_owned(),
    ] {
        let error = try_open(&server.url("http", "repo/.git"), login(&other)).unwrap_err();
        assert!(is_silent(), "{other}: {error:#}");
    }
    // Another server, to which it is meant, redirects.
    for target in [base.clone(), format!("http://localhost:{port}")] {
        let Some(moved) = Server { redirect: Some(target), ..Server::of_directory(directory(&repo)) }.http() else {
            return;
        };
        let origin = moved.url("http", "").trim_end_matches('/').to_owned();
        let error = try_open(&moved.url("http", "repo/.git"), login(&origin)).unwrap_err();
        assert!(is_silent(), "{error:#}");
    }
    try_open(&server.url("http", "repo/.git"), login(&base)).unwrap();
    assert!(!is_silent());
}

#[test]
fn http_redirects_of_the_first_request_are_followed() {
    let repo = history();
    let Some(server) = Server::of_directory(directory(&repo)).http() else { return };
    let base = server.url("http", "").trim_end_matches('/').to_owned();
    let moved = Server { redirect: Some(base), ..Server::of_directory(directory(&repo)) };
    let Some(moved) = moved.http() else { return };
    compare(&repo, &moved.url("http", "repo/.git"));
    assert!(moved.requests().iter().all(|request| request.method == "GET"));
}

#[test]
fn a_redirect_to_a_path_stays_on_the_server() {
    let repo = history();
    let moved = Server { redirect: Some("/repo".to_owned()), ..Server::of_directory(directory(&repo)) };
    let Some(moved) = moved.http() else { return };
    compare(&repo, &moved.url("http", ".git"));
    assert!(moved.requests().iter().all(|request| request.method == "GET" || request.path.starts_with("/repo/")));
}

/// Tries to open a repository whose server responds to everything with this.
fn refused(status: u16, kind: &str, body: &'static str) -> String {
    let headers = vec![("Content-Type".to_owned(), kind.to_owned())];
    let send = move |_: http::HttpRequest| {
        Ok(http::HttpResponse { status, headers: headers.clone(), body: Box::new(body.as_bytes()) })
    };
    let options = Options { http: Some(Rc::new(send)), ..Options::default() };
    let url = RepoUrl::parse("https://harbor.example/ship").unwrap().expect("a URL");
    format!("{:#}", fetch::open(&url, options).unwrap_err())
}

#[test]
fn what_does_not_speak_gits_protocol_is_told_apart() {
    let dumb = refused(200, "text/plain", "0123456789012345678901234567890123456789\trefs/heads/main\n");
    assert_eq!(dumb, "`https://harbor.example/ship` does not support git's smart protocol");
    let garbled =
        refused(200, "application/x-git-upload-pack-advertisement", "001e# service=git-upload-pack\n0000zzzz");
    assert!(garbled.starts_with("cannot reach `https://harbor.example/ship`: "), "{garbled}");
    let failed = refused(503, "text/html", "busy");
    assert_eq!(failed, "cannot reach `https://harbor.example/ship`: the server responded with HTTP status 503");
    // The message of a failed ssh is only for ssh, and not for a server that hangs up at once.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let closing = std::thread::spawn(move || drop(listener.accept()));
    let error = format!("{:#}", try_open(&format!("git://{address}/ship"), None).unwrap_err());
    closing.join().unwrap();
    assert!(error.starts_with(&format!("cannot reach `git://{address}/ship`")) && !error.contains("ssh"), "{error}");
}

#[test]
fn an_empty_repository_has_no_commits_yet() {
    let empty = TestRepo::new();
    let url = format!("file://{}", empty.path().display());
    assert_eq!(try_open(&url, None).unwrap_err().to_string(), format!("`{url}` has no commits yet"));
}

#[test]
fn a_clone_is_not_completed_from_a_repository_of_another_object_format() {
    let (repo, other) = (history(), history_with(&["--object-format=sha256"]));
    let url = |repo: &TestRepo| format!("file://{}", repo.path().display());
    repo.git(&["clone", "-q", "--depth=1", &url(&repo), "../clone"]);
    for (source, expected) in [(&repo, None), (&other, Some("has another object format than the clone"))] {
        let mut clone = Repo::open_isolated(&repo.beside("clone")).unwrap();
        let warnings = Rc::<RefCell<Vec<String>>>::default();
        let heard = Rc::clone(&warnings);
        let observer: FetchObserver = Rc::new(move |event| {
            if let FetchEvent::Warning(warning) = event {
                heard.borrow_mut().push(warning.to_string());
            }
        });
        let options = Options { observer: Some(observer), ..Options::default() };
        fetch::complete_clone(&mut clone, RepoUrl::parse(&url(source)).unwrap().expect("a URL"), options);
        let range = Range { from: None, to: revision::resolve(&clone, "HEAD").unwrap() };
        let walked = walk(&clone, range, &WalkOptions::default());
        let found = warnings.take().into_iter().find(|warning| warning.starts_with("cannot read from `origin`"));
        match expected {
            None => assert!(walked.is_ok() && found.is_none(), "{found:?}"),
            Some(expected) => {
                assert!(walked.is_err() && found.as_ref().is_some_and(|told| told.contains(expected)), "{found:?}");
            }
        }
    }
}

#[test]
fn what_is_no_repository_is_said_to_be_none() {
    let repo = history();
    let Some(server) = Server::of_directory(directory(&repo)).http() else { return };
    let error = try_open(&server.url("http", "missing"), None).unwrap_err();
    assert!(format!("{error:#}").contains("HTTP status 404"), "{error:#}");
    let error = try_open("http://127.0.0.1:1/repo", None).unwrap_err();
    assert!(format!("{error:#}").contains("connection refused"), "{error:#}");
    let error = try_open("file:///nowhere/at/all", None).unwrap_err();
    assert!(format!("{error:#}").contains("no git repository at `file:///nowhere/at/all`"), "{error:#}");
}

#[test]
fn other_object_formats_are_met_too() {
    let repo = history_with(&["--object-format=sha256"]);
    compare(&repo, &format!("file://{}", repo.path().display()));
    let Some(server) = Server::of_directory(directory(&repo)).http() else { return };
    compare(&repo, &server.url("http", "repo/.git"));
}
