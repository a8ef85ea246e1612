//! Users, members of organizations and pull requests.

use serde_json::{Value, json};

use super::{enter, refusal};
use crate::support::service::{
    State,
    access::Access,
    response::Response,
    router::{Ask, Reply, Route},
};

/// A pull request, merged by default.
#[derive(Clone, Debug, Default)]
pub struct Pull {
    pub number: u64,
    pub login: String,
    /// What its author is to the repository.
    pub association: &'static str,
    pub open: bool,
    pub commits: Vec<String>,
}

pub fn routes() -> Vec<Route> {
    let route = |template, handler| Route::new("GET", template, Access::OwnRule, handler);
    vec![
        route("/github/repos/:owner/:repo/commits/:sha", commit),
        route("/github/repos/:owner/:repo/commits/:sha/pulls", pulls),
        route("/github/orgs/:org/members/:username", member),
    ]
}

fn commit(state: &mut State, ask: &Ask<'_>) -> Reply {
    enter(ask)?;
    let commit = ask.value("sha");
    let author = state.github.authors.iter().find(|(id, _)| id == commit).map(|(_, login)| json!({ "login": login }));
    if author.is_none() && !state.github.pulls.iter().any(|pull| pull.commits.iter().any(|id| id == commit)) {
        return Err(refusal(422, &format!("No commit found for SHA: {commit}")));
    }
    Ok(Response::json(200, &json!({ "sha": commit, "author": author })))
}

fn pulls(state: &mut State, ask: &Ask<'_>) -> Reply {
    enter(ask)?;
    let having = state.github.pulls.iter().filter(|pull| pull.commits.iter().any(|id| id == ask.value("sha")));
    let rows: Vec<Value> = having.map(Pull::json).collect();
    Ok(Response::json(200, &json!(rows)))
}

fn member(state: &mut State, ask: &Ask<'_>) -> Reply {
    let pair = (ask.value("org").to_owned(), ask.value("username").to_owned());
    if state.github.members.contains(&pair) { Ok(Response::empty(204)) } else { Err(refusal(404, "Not Found")) }
}

impl Pull {
    fn json(&self) -> Value {
        json!({
            "number": self.number,
            "user": { "login": self.login },
            "author_association": self.association,
            "merged_at": (!self.open).then_some("2024-03-09T10:00:00Z"),
            "merge_commit_sha": null,
        })
    }
}
