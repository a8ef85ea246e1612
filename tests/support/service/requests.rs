//! Merge requests of GitLab and pull requests of GitHub and Gitea: one list, which each API reads and changes.
//!
//! The branches are those of the repository behind the service.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::{
    State,
    access::{Access, Role},
    github::{place, refusal},
    paging,
    response::Response,
    router::{Ask, Reply, Route},
};
use crate::support::git_in;

/// A request from one branch of the project into another.
#[derive(Clone, Debug, Default)]
pub struct ReleaseRequest {
    pub number: u64,
    pub source: String,
    pub target: String,
    pub title: String,
    pub body: String,
    /// `opened`, `closed` or `merged`.
    pub state: &'static str,
    pub labels: Vec<String>,
    /// The login of its author.
    pub author: String,
    pub comments: Vec<String>,
    /// Where the branch was when the request was closed.
    pub last_head: String,
}

/// All requests.
#[derive(Debug, Default)]
pub struct Requests {
    pub all: Vec<ReleaseRequest>,
    /// The comments on issues, by their numbers. On GitLab these are not the numbers of requests.
    pub issues: std::collections::BTreeMap<u64, Vec<String>>,
    /// How often a request was changed.
    pub changes: usize,
    /// What the project says of merges besides, as its page of the API has it.
    pub settings: serde_json::Map<String, Value>,
}

impl Requests {
    pub(super) fn named(&mut self, number: &str) -> Option<&mut ReleaseRequest> {
        self.all.iter_mut().find(|request| request.number.to_string() == number)
    }

    /// Opens one, or finds the open one of the same branches.
    fn open(&mut self, mut new: ReleaseRequest) -> Result<ReleaseRequest, u64> {
        let is_same =
            |one: &&ReleaseRequest| one.state == "opened" && (&one.source, &one.target) == (&new.source, &new.target);
        if let Some(present) = self.all.iter().find(is_same) {
            return Err(present.number);
        }
        (new.number, new.state) = (self.all.len() as u64 + 11, "opened");
        self.all.push(new.clone());
        Ok(new)
    }
}

pub fn routes() -> Vec<Route> {
    let own = |method, template, handler| Route::new(method, template, Access::OwnRule, handler);
    let user = |method, template, handler| Route::new(method, template, Access::User, handler);
    vec![
        user("POST", "/projects/:id/merge_requests", gitlab_create),
        user("PUT", "/projects/:id/merge_requests/:number", gitlab_update),
        user("POST", "/projects/:id/merge_requests/:number/notes", gitlab_comment),
        own("GET", "/github/repos/:owner/:repo/pulls", github_list),
        own("POST", "/github/repos/:owner/:repo/pulls", github_create),
        own("PATCH", "/github/repos/:owner/:repo/pulls/:number", github_update),
        own("POST", "/github/repos/:owner/:repo/issues/:number/comments", github_comment),
        own("GET", "/gitea/repos/:owner/:repo/pulls", gitea_list),
        own("POST", "/gitea/repos/:owner/:repo/pulls", gitea_create),
        own("PATCH", "/gitea/repos/:owner/:repo/pulls/:number", gitea_update),
        own("POST", "/gitea/repos/:owner/:repo/issues/:number/comments", github_comment),
    ]
}

/// The repository behind the service.
pub(super) fn repository(state: &State) -> Option<&PathBuf> {
    state.github.repository.as_ref().or_else(|| state.projects.repository("group/app"))
}

/// The commit of a branch of the repository; `None` if there is no such branch.
pub(super) fn head(state: &State, branch: &str) -> Option<String> {
    let pattern = format!("refs/heads/{branch}");
    let found = git_in(repository(state)?, &["for-each-ref", "--format=%(objectname)", &pattern], 0);
    Some(found.trim().to_owned()).filter(|found| !found.is_empty())
}

fn head_of(state: &State, request: &ReleaseRequest) -> String {
    let now = head(state, &request.source).filter(|_| request.state == "opened");
    now.unwrap_or_else(|| request.last_head.clone())
}

pub(super) fn gitlab_json(state: &State, request: &ReleaseRequest) -> Value {
    json!({
        "id": 1000 + request.number, "iid": request.number, "state": request.state,
        "title": request.title, "description": request.body,
        "labels": request.labels, "author": { "username": request.author },
        "source_branch": request.source, "target_branch": request.target,
        "source_project_id": 1, "target_project_id": 1,
        "sha": head_of(state, request),
        "web_url": format!("https://git.example.org/group/app/-/merge_requests/{}", request.number),
    })
}

/// The requests between two branches or of some numbers, as GitLab lists them: the newest first.
pub fn gitlab_list(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    let numbers: Vec<String> =
        ask.request.query.iter().filter(|(name, _)| name == "iids[]").map(|(_, number)| number.clone()).collect();
    if !numbers.is_empty() {
        let all = state.requests.all.iter().rev().filter(|request| numbers.contains(&request.number.to_string()));
        let rows: Vec<Value> = all.map(|request| gitlab_json(state, request)).collect();
        return paging::offset(ask, &rows);
    }
    let (source, target) = (ask.required("source_branch")?, ask.required("target_branch")?);
    let wanted = ask.parameter("state").unwrap_or_else(|| "all".to_owned());
    let fits = |request: &&ReleaseRequest| {
        (request.source.as_str(), request.target.as_str()) == (source.as_str(), target.as_str())
            && (wanted == "all" || wanted == request.state)
    };
    let rows: Vec<Value> =
        state.requests.all.iter().rev().filter(fits).map(|request| gitlab_json(state, request)).collect();
    paging::offset(ask, &rows)
}

fn gitlab_create(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Developer)?;
    let (source, target) = (ask.required("source_branch")?, ask.required("target_branch")?);
    let (title, body) = (ask.required("title")?, ask.parameter("description").unwrap_or_default());
    if title.chars().count() > 255 {
        return Err(Response::invalid("title", "is too long (maximum is 255 characters)"));
    }
    if head(state, &source).is_none() {
        return Err(Response::message(400, json!({ "source_branch": ["does not exist"] })));
    }
    let new = ReleaseRequest { source, target, title, body, ..ReleaseRequest::default() };
    let made = state.requests.open(new).map_err(|number| {
        let message = format!("Another open merge request already exists for this source branch: !{number}");
        Response::message(409, json!([message]))
    })?;
    Ok(Response::json(201, &gitlab_json(state, &made)))
}

fn gitlab_update(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Developer)?;
    let event = ask.parameter("state_event");
    let (title, body) = (ask.parameter("title"), ask.parameter("description"));
    if event.is_none() && title.is_none() && body.is_none() {
        return Err(Response::error(
            400,
            "title, description, state_event are missing, at least one parameter must be provided",
        ));
    }
    let closes = event.as_deref() == Some("close");
    let changed = change(state, ask, (title, body, closes)).ok_or_else(|| Response::message(404, "404 Not found"))?;
    Ok(Response::json(200, &gitlab_json(state, &changed)))
}

fn gitlab_comment(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Reporter)?;
    let body = ask.required("body")?;
    let request = state.requests.named(ask.value("number")).ok_or_else(|| Response::message(404, "404 Not found"))?;
    request.comments.push(body.clone());
    Ok(Response::json(201, &json!({ "id": request.comments.len(), "body": body, "system": false })))
}

fn change(
    state: &mut State,
    ask: &Ask<'_>,
    (title, body, closes): (Option<String>, Option<String>, bool),
) -> Option<ReleaseRequest> {
    let source = state.requests.named(ask.value("number"))?.source.clone();
    let now = head(state, &source).unwrap_or_default();
    state.requests.changes += 1;
    let request = state.requests.named(ask.value("number"))?;
    request.title = title.unwrap_or_else(|| request.title.clone());
    request.body = body.unwrap_or_else(|| request.body.clone());
    if closes {
        (request.state, request.last_head) = ("closed", now);
    }
    Some(request.clone())
}

pub(super) fn github_json(state: &State, ask: &Ask<'_>, request: &ReleaseRequest) -> Value {
    let (number, place) = (request.number, place(ask));
    let repo = json!({ "full_name": "harbor/app" });
    json!({
        "id": 5000 + number, "number": number,
        "state": if request.state == "opened" { "open" } else { "closed" },
        "merged": request.state == "merged",
        "merged_at": (request.state == "merged").then_some("2024-03-09T10:00:00Z"),
        "title": request.title, "body": request.body, "draft": false, "locked": false,
        "labels": request.labels.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>(),
        "user": { "login": request.author },
        "head": { "ref": request.source, "sha": head_of(state, request), "repo": repo },
        "base": { "ref": request.target, "repo": repo },
        "url": format!("{place}/pulls/{number}"),
        "issue_url": format!("{place}/issues/{number}"),
        "comments_url": format!("{place}/issues/{number}/comments"),
        "html_url": format!("https://github.com/harbor/app/pull/{number}"),
    })
}

/// The comments of a thread are counted from this number for each.
pub(super) const COMMENTS: u64 = 1000;

/// The comment at a position of a thread, as GitHub and Gitea show it: its ID is one in all threads.
pub(super) fn github_comment_json(ask: &Ask<'_>, thread: u64, at: usize, body: &str) -> Value {
    let (place, id) = (place(ask), thread * COMMENTS + at as u64);
    json!({ "id": id, "body": body, "url": format!("{place}/issues/comments/{id}"), "user": { "login": "ida" } })
}

pub(super) fn github_enter(ask: &Ask<'_>, writes: bool) -> Result<(), Response> {
    match ask.role {
        None => Err(refusal(401, "Bad credentials")),
        role if writes && role < Some(Role::Developer) => Err(refusal(403, "Resource not accessible by integration")),
        _ => Ok(()),
    }
}

/// GitHub and Gitea close a request whose branch is deleted.
fn close_without_branch(state: &mut State) {
    let is_gone = |request: &ReleaseRequest| request.state == "opened" && head(state, &request.source).is_none();
    let gone: Vec<bool> = state.requests.all.iter().map(is_gone).collect();
    for (request, _) in state.requests.all.iter_mut().zip(gone).filter(|(_, is_gone)| *is_gone) {
        request.state = "closed";
    }
}

/// Without an owner before the branch the filter is left out.
fn github_list(state: &mut State, ask: &Ask<'_>) -> Reply {
    github_enter(ask, false)?;
    close_without_branch(state);
    let source = ask.parameter("head").and_then(|head| Some(head.strip_prefix("harbor:")?.to_owned()));
    let (base, wanted) = (ask.parameter("base"), ask.parameter("state").unwrap_or_else(|| "open".to_owned()));
    let fits = |request: &&ReleaseRequest| {
        source.as_ref().is_none_or(|source| *source == request.source)
            && base.as_ref().is_none_or(|base| *base == request.target)
            && (wanted == "all" || (wanted == "open") == (request.state == "opened"))
    };
    let rows: Vec<Value> =
        state.requests.all.iter().rev().filter(fits).map(|request| github_json(state, ask, request)).collect();
    paging::offset(ask, &rows)
}

fn github_create(state: &mut State, ask: &Ask<'_>) -> Reply {
    github_enter(ask, true)?;
    let (source, target) = (ask.required("head")?, ask.required("base")?);
    let (title, body) = (ask.required("title")?, ask.parameter("body").unwrap_or_default());
    let refused = |error: Value| Response::json(422, &json!({ "message": "Validation Failed", "errors": [error] }));
    if body.chars().count() > 65_536 {
        return Err(refused(
            json!({ "resource": "Issue", "code": "custom", "field": "body", "message": "body is too long (maximum is 65536 characters)" }),
        ));
    }
    if head(state, &source).is_none() {
        return Err(refused(json!({ "resource": "PullRequest", "field": "head", "code": "invalid" })));
    }
    let message = format!("A pull request already exists for harbor:{source}.");
    let new = ReleaseRequest { source, target, title, body, ..ReleaseRequest::default() };
    let made = state.requests.open(new);
    let made = made.map_err(|_| refused(json!({ "resource": "PullRequest", "code": "custom", "message": message })))?;
    Ok(Response::json(201, &github_json(state, ask, &made)))
}

fn github_update(state: &mut State, ask: &Ask<'_>) -> Reply {
    github_enter(ask, true)?;
    let closes = ask.parameter("state").as_deref() == Some("closed");
    let texts = (ask.parameter("title"), ask.parameter("body"), closes);
    let changed = change(state, ask, texts).ok_or_else(|| refusal(404, "Not Found"))?;
    Ok(Response::json(200, &github_json(state, ask, &changed)))
}

fn github_comment(state: &mut State, ask: &Ask<'_>) -> Reply {
    github_enter(ask, true)?;
    let body = ask.required("body")?;
    let request = state.requests.named(ask.value("number")).ok_or_else(|| refusal(404, "Not Found"))?;
    request.comments.push(body.clone());
    Ok(Response::json(201, &github_comment_json(ask, request.number, request.comments.len() - 1, &body)))
}

/// Gitea knows no filter by branches, and answers with all requests of a state.
fn gitea_list(state: &mut State, ask: &Ask<'_>) -> Reply {
    github_enter(ask, false)?;
    close_without_branch(state);
    let wanted = ask.parameter("state").unwrap_or_else(|| "open".to_owned());
    let fits = |request: &&ReleaseRequest| wanted == "all" || (wanted == "open") == (request.state == "opened");
    let rows: Vec<Value> =
        state.requests.all.iter().rev().filter(fits).map(|request| github_json(state, ask, request)).collect();
    paging::offset(ask, &rows)
}

/// Gitea answers 409 if a request is open already.
fn gitea_create(state: &mut State, ask: &Ask<'_>) -> Reply {
    github_create(state, ask).map_err(|refusal| {
        let is_there = String::from_utf8_lossy(&refusal.body).contains("already exists");
        let message = json!({ "message": "pull request already exists for these targets" });
        if is_there { Response::json(409, &message) } else { refusal }
    })
}

/// Gitea answers a change with 201, and has no title that is empty.
fn gitea_update(state: &mut State, ask: &Ask<'_>) -> Reply {
    Ok(Response { status: 201, ..github_update(state, ask)? })
}
