//! What a preview reads of requests, and their comments: listed, added and edited in place.

use serde_json::{Value, json};

use super::{
    State,
    access::{Access, Role},
    github::refusal,
    paging,
    requests::{COMMENTS, github_comment_json, github_enter, github_json, gitlab_json},
    response::Response,
    router::{Ask, Reply, Route},
};

pub fn routes() -> Vec<Route> {
    let own = |method, template, handler| Route::new(method, template, Access::OwnRule, handler);
    let anybody = |template, handler| Route::new("GET", template, Access::Anybody, handler);
    vec![
        anybody("/projects/:id/merge_requests/:number", gitlab_request),
        anybody("/projects/:id/merge_requests/:number/notes", gitlab_comments),
        Route::new("PUT", "/projects/:id/merge_requests/:number/notes/:note", Access::User, gitlab_edit),
        anybody("/projects/:id/issues/:number/notes", gitlab_issue_comments),
        Route::new("POST", "/projects/:id/issues/:number/notes", Access::User, gitlab_comment_on_issue),
        own("GET", "/github/repos/:owner/:repo/pulls/:number", github_request),
        own("GET", "/github/repos/:owner/:repo/issues/:number/comments", github_comments),
        own("PATCH", "/github/repos/:owner/:repo/issues/comments/:comment", github_edit),
        own("GET", "/gitea/repos/:owner/:repo/pulls/:number", github_request),
        own("GET", "/gitea/repos/:owner/:repo/issues/:number/comments", github_comments),
        own("PATCH", "/gitea/repos/:owner/:repo/issues/comments/:comment", github_edit),
    ]
}

fn missing() -> Response {
    Response::message(404, "404 Not found")
}

fn rows(comments: &[String]) -> Vec<Value> {
    comments.iter().zip(1..).map(|(body, id)| json!({ "id": id, "body": body, "system": false })).collect()
}

fn gitlab_request(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    let request = state.requests.named(ask.value("number")).ok_or_else(missing)?.clone();
    Ok(Response::json(200, &gitlab_json(state, &request)))
}

fn gitlab_comments(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    let request = state.requests.named(ask.value("number")).ok_or_else(missing)?;
    let mut rows = rows(&request.comments);
    rows.insert(0, json!({ "id": 900, "body": "<!-- tidings:preview main -->", "system": true }));
    paging::offset(ask, &rows)
}

fn gitlab_issue_comments(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    let number = ask.value("number").parse().map_err(|_| missing())?;
    paging::offset(ask, &rows(state.requests.issues.get(&number).ok_or_else(missing)?))
}

fn gitlab_comment_on_issue(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Reporter)?;
    let body = ask.required("body")?;
    let number = ask.value("number").parse().map_err(|_| missing())?;
    let comments = state.requests.issues.get_mut(&number).ok_or_else(missing)?;
    comments.push(body.clone());
    Ok(Response::json(201, &json!({ "id": comments.len(), "body": body })))
}

fn gitlab_edit(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Reporter)?;
    let body = ask.required("body")?;
    let request = state.requests.named(ask.value("number")).ok_or_else(missing)?;
    let at = ask.value("note").parse::<usize>().ok().and_then(|id| id.checked_sub(1)).ok_or_else(missing)?;
    request.comments.get_mut(at).ok_or_else(missing)?.clone_from(&body);
    Ok(Response::json(200, &json!({ "id": at + 1, "body": body })))
}

fn github_request(state: &mut State, ask: &Ask<'_>) -> Reply {
    github_enter(ask, false)?;
    let request = state.requests.named(ask.value("number")).ok_or_else(|| refusal(404, "Not Found"))?.clone();
    Ok(Response::json(200, &github_json(state, ask, &request)))
}

fn github_comments(state: &mut State, ask: &Ask<'_>) -> Reply {
    github_enter(ask, false)?;
    let request = state.requests.named(ask.value("number")).ok_or_else(|| refusal(404, "Not Found"))?;
    let comments = request.comments.iter().enumerate();
    let rows: Vec<Value> = comments.map(|(at, body)| github_comment_json(ask, request.number, at, body)).collect();
    paging::offset(ask, &rows)
}

fn github_edit(state: &mut State, ask: &Ask<'_>) -> Reply {
    github_enter(ask, true)?;
    let (missing, body) = (|| refusal(404, "Not Found"), ask.required("body")?);
    let id: u64 = ask.value("comment").parse().map_err(|_| missing())?;
    let (thread, at) = (id / COMMENTS, usize::try_from(id % COMMENTS).map_err(|_| missing())?);
    let request = state.requests.named(&thread.to_string()).ok_or_else(missing)?;
    request.comments.get_mut(at).ok_or_else(missing)?.clone_from(&body);
    Ok(Response::json(200, &github_comment_json(ask, thread, at, &body)))
}
