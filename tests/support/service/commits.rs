//! Commits that the service makes in the repository behind it, as GitHub and GitLab make and sign them.

use std::{
    fmt::Write as _,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{
    State,
    access::{Access, Role},
    github::refusal,
    requests::{head, repository},
    response::Response,
    router::{Ask, Reply, Route},
};
use crate::support::{git_in, isolate};

/// A commit to make, and the one it is made on.
struct NewCommit {
    branch: String,
    parent: String,
    message: String,
    edits: Vec<Edit>,
}

/// A file, and its new content; `None` deletes it.
struct Edit {
    path: String,
    content: Option<Vec<u8>>,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::new("POST", "/graphql/graphql", Access::OwnRule, graphql),
        Route::new("POST", "/projects/:id/repository/commits", Access::User, gitlab_commit),
    ]
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn decoded(value: &Value) -> Vec<u8> {
    STANDARD.decode(text(value)).expect("a content is base64")
}

/// A refusal of GraphQL has the status 200.
fn graphql_error(kind: &str, message: &str) -> Response {
    Response::json(
        200,
        &json!({ "data": { "createCommitOnBranch": null }, "errors": [{ "type": kind, "message": message }] }),
    )
}

/// The categories of discussions of the repository.
fn categories(state: &State, ask: &Ask<'_>) -> Reply {
    if ask.role.is_none() {
        return Err(refusal(401, "Bad credentials"));
    }
    let nodes: Vec<Value> = state.github.discussion_categories.iter().map(|name| json!({ "name": name })).collect();
    Ok(Response::json(200, &json!({ "data": { "repository": { "discussionCategories": { "nodes": nodes } } } })))
}

fn graphql(state: &mut State, ask: &Ask<'_>) -> Reply {
    let document: Value = serde_json::from_slice(&ask.request.body).expect("the body is JSON");
    let (query, input) = (text(&document["query"]), &document["variables"]["input"]);
    if query.contains("discussionCategories(") {
        return categories(state, ask);
    }
    assert!(query.contains("createCommitOnBranch(input: $input)"), "{query}");
    match ask.role {
        None => return Err(refusal(401, "Bad credentials")),
        Some(role) if role < Role::Developer => {
            return Err(graphql_error("FORBIDDEN", "Resource not accessible by integration"));
        }
        Some(_) => {}
    }
    assert_eq!(input["branch"]["repositoryNameWithOwner"], "harbor/app");
    let (branch, parent) = (text(&input["branch"]["branchName"]), text(&input["expectedHeadOid"]));
    let Some(tip) = head(state, &branch) else {
        return Err(graphql_error("NOT_FOUND", &format!("No ref found for branch {branch}")));
    };
    if tip != parent {
        let message = format!("Expected branch to point to \"{parent}\" but it did not. Pull and try again.");
        return Err(graphql_error("STALE_DATA", &message));
    }
    let changes = |kind: &str| input["fileChanges"][kind].as_array().cloned().unwrap_or_default();
    let added = changes("additions");
    let added = added.iter().map(|one| Edit { path: text(&one["path"]), content: Some(decoded(&one["contents"])) });
    let deleted = changes("deletions");
    let deleted = deleted.iter().map(|one| Edit { path: text(&one["path"]), content: None });
    let (headline, body) = (text(&input["message"]["headline"]), text(&input["message"]["body"]));
    let message = if body.is_empty() { headline } else { format!("{headline}\n\n{body}") };
    let made = make(state, &NewCommit { branch, parent, message, edits: added.chain(deleted).collect() });
    Ok(Response::json(200, &json!({ "data": { "createCommitOnBranch": { "commit": { "oid": made } } } })))
}

fn gitlab_commit(state: &mut State, ask: &Ask<'_>) -> Reply {
    ask.project(state)?;
    ask.needs(Role::Developer)?;
    let document: Value = serde_json::from_slice(&ask.request.body).expect("the body is JSON");
    let (branch, message) = (ask.required("branch")?, ask.required("commit_message")?);
    let Some(parent) = head(state, &branch) else {
        return Err(Response::message(400, "You can only create or edit files when you are on a branch"));
    };
    let mut edits = Vec::new();
    for action in document["actions"].as_array().into_iter().flatten() {
        let path = text(&action["file_path"]);
        let is_there = !list(state, &parent, &path).is_empty();
        let refused = |message: &str| Response::message(400, message);
        let content = match text(&action["action"]).as_str() {
            "create" if is_there => return Err(refused("A file with this name already exists")),
            "update" | "delete" if !is_there => return Err(refused("A file with this name doesn't exist")),
            "create" | "update" => Some(decoded(&action["content"])),
            _ => None,
        };
        edits.push(Edit { path, content });
    }
    let made = make(state, &NewCommit { branch, parent, message, edits });
    Ok(Response::json(201, &json!({ "id": made, "short_id": made[..8] })))
}

fn list(state: &State, commit: &str, path: &str) -> String {
    git_in(repository(state).expect("there is a repository"), &["ls-tree", commit, "--", path], 0)
}

/// Makes the commit, which keeps the modes of files, and returns its ID.
fn make(state: &State, new: &NewCommit) -> String {
    let mut stream = format!("commit refs/heads/{}\n", new.branch).into_bytes();
    let mut head = String::new();
    let _ = writeln!(head, "author Ida <ida@harbor.example> 1709978400 +0000");
    let _ = writeln!(head, "committer GitHub <noreply@github.com> 1709978400 +0000");
    let _ = writeln!(head, "data {}\n{}\nfrom {}", new.message.len(), new.message, new.parent);
    stream.extend(head.into_bytes());
    for Edit { path, content } in &new.edits {
        let listed = list(state, &new.parent, path);
        let mode = if listed.is_empty() { "100644" } else { &listed[..6] };
        match content {
            None => stream.extend(format!("D {path}\n").into_bytes()),
            Some(content) => {
                stream.extend(format!("M {mode} inline {path}\ndata {}\n", content.len()).into_bytes());
                stream.extend(content);
                stream.push(b'\n');
            }
        }
    }
    import(repository(state).expect("there is a repository"), &stream);
    super::requests::head(state, &new.branch).expect("the branch is there")
}

fn import(repository: &Path, stream: &[u8]) {
    let mut command = Command::new("git");
    isolate(&mut command);
    let command = command.args(["fast-import", "--quiet"]).current_dir(repository).stdin(Stdio::piped());
    let mut child = command.spawn().expect("git is on the PATH");
    child.stdin.take().expect("it is piped").write_all(stream).expect("git reads its input");
    assert!(child.wait().expect("git ends").success(), "git fast-import");
}
