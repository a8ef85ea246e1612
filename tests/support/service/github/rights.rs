//! What a token may do.

use serde_json::json;

use super::{enter, place, refusal};
use crate::support::service::{
    State,
    access::{Access, Role},
    response::Response,
    router::{Ask, Reply, Route},
};

pub fn routes() -> Vec<Route> {
    let route = |template, handler| Route::new("GET", template, Access::OwnRule, handler);
    vec![
        route("/github/repos/:owner/:repo", repository),
        route("/gitea/repos/:owner/:repo", repository),
        route("/github/installation/repositories", repositories_of_app),
    ]
}

/// Shows the role of the user, which an app does not have; scopes are shown only for the token of a user.
fn repository(state: &mut State, ask: &Ask<'_>) -> Reply {
    enter(ask)?;
    let push = !is_app(ask) && ask.role >= Some(Role::Developer);
    let mut found = json!({
        "id": 1, "name": "app", "full_name": "harbor/app", "url": place(ask), "private": false,
        "default_branch": "main", "permissions": { "pull": true, "push": push },
    });
    found.as_object_mut().unwrap().extend(state.requests.settings.clone());
    let answer = Response::json(200, &found);
    Ok(match ask.role {
        None => answer,
        Some(_) if is_app(ask) => answer.header("X-OAuth-Scopes", ""),
        Some(_) if is(ask, "read-token") => answer.header("X-OAuth-Scopes", "gist, read:org"),
        Some(_) => answer.header("X-OAuth-Scopes", "gist, public_repo"),
    })
}

fn repositories_of_app(_: &mut State, ask: &Ask<'_>) -> Reply {
    if is_app(ask) {
        return Ok(Response::json(200, &json!({ "total_count": 1, "repositories": [{ "id": 1 }] })));
    }
    Err(refusal(403, "You must authenticate with an installation access token in order to list repositories"))
}

fn is_app(ask: &Ask<'_>) -> bool {
    is(ask, "app-token")
}

fn is(ask: &Ask<'_>, token: &str) -> bool {
    ask.request.header("authorization") == Some(&format!("Bearer {token}"))
}
