//! Users, members and merge requests.

use serde_json::{Value, json};

use super::{
    State,
    access::{Access, Role},
    paging, requests,
    response::Response,
    router::{Ask, Reply, Route},
};

/// A merge request.
#[derive(Clone, Debug, Default)]
pub struct MergeRequest {
    pub id: u64,
    pub iid: u64,
    pub project: String,
    pub author: u64,
    pub state: &'static str,
    pub target: String,
    /// The ids of its commits.
    pub commits: Vec<String>,
    pub merge_commit: Option<String>,
}

/// Everybody, with what they are to whom.
#[derive(Debug, Default)]
pub struct People {
    /// Name and e-mail address; the index is the ID.
    users: Vec<(String, String)>,
    /// The paths of projects and groups, and the users that are members of each.
    members: Vec<(String, u64)>,
    pub requests: Vec<MergeRequest>,
}

impl People {
    /// Adds a user.
    pub fn sign_up(&mut self, name: &str, email: &str) -> u64 {
        self.users.push((name.to_owned(), email.to_owned()));
        self.users.len() as u64 - 1
    }

    /// Makes a user a member of a project or group.
    pub fn join(&mut self, user: u64, path: &str) {
        self.members.push((path.to_owned(), user));
    }

    /// Adds a user from outside of a project who had something merged into its branch `main`.
    pub fn contributor(&mut self, name: &str, email: &str, project: &str) -> u64 {
        let author = self.sign_up(name, email);
        let (project, target) = (project.to_owned(), "main".to_owned());
        self.requests.push(MergeRequest { project, author, target, state: "merged", ..MergeRequest::default() });
        author
    }

    fn member(&self, user: &str, path: &str) -> Reply {
        let found = self.members.iter().find(|(place, id)| place == path && id.to_string() == user);
        let missing = || Response::message(404, "404 Not found");
        found.map(|(_, id)| Response::json(200, &json!({ "id": id, "access_level": 30 }))).ok_or_else(missing)
    }
}

pub fn routes() -> Vec<Route> {
    let route = |template, access, handler| Route::new("GET", template, access, handler);
    vec![
        route("/users", Access::User, users),
        route("/personal_access_tokens/self", Access::User, own_token),
        route("/projects/:id", Access::Anybody, project),
        route("/projects/:id/members/all/:user_id", Access::User, project_member),
        route("/groups/:id/members/:user_id", Access::User, group_member),
        route("/projects/:id/merge_requests", Access::User, merge_requests),
        route("/projects/:id/repository/commits/:sha/merge_requests", Access::UserOrJob, commit_merge_requests),
    ]
}

/// As for those who are no administrators: addresses are searched and not shown.
fn users(state: &mut State, ask: &Ask<'_>) -> Reply {
    let (username, search) = (ask.parameter("username"), ask.parameter("search"));
    let fits = |name: &str, email: &str| match (&username, &search) {
        (Some(username), _) => username.eq_ignore_ascii_case(name),
        (None, Some(search)) => search.eq_ignore_ascii_case(email) || name.contains(search.as_str()),
        (None, None) => true,
    };
    let users = state.people.users.iter().enumerate().filter(|(_, (name, email))| fits(name, email));
    let rows: Vec<Value> = users.map(|(id, (name, _))| json!({ "id": id, "username": name })).collect();
    paging::offset(ask, &rows)
}

fn project(state: &mut State, ask: &Ask<'_>) -> Reply {
    let project = ask.project(state)?;
    let path = project.path;
    let access = ask.role.and_then(access_level).map(|level| json!({ "access_level": level }));
    let permissions = json!({ "project_access": access, "group_access": null });
    let mut found = json!({
        "id": project.id, "path_with_namespace": path, "default_branch": "main", "permissions": permissions,
    });
    found.as_object_mut().unwrap().extend(state.requests.settings.clone());
    Ok(Response::json(200, &found))
}

/// The number of a role; administrators are no members.
fn access_level(role: Role) -> Option<u64> {
    Some(match role {
        Role::Guest => 10,
        Role::Planner => 15,
        Role::Reporter => 20,
        Role::Developer => 30,
        Role::Maintainer => 40,
        Role::Owner => 50,
        Role::Admin => return None,
    })
}

fn own_token(_: &mut State, ask: &Ask<'_>) -> Reply {
    ask.needs(Role::Guest)?;
    let reads = ask.request.header("private-token") == Some("read-token");
    Ok(Response::json(200, &json!({ "id": 1, "scopes": [if reads { "read_api" } else { "api" }], "active": true })))
}

fn project_member(state: &mut State, ask: &Ask<'_>) -> Reply {
    let project = ask.project(state)?.path;
    ask.needs(Role::Guest)?;
    state.people.member(ask.value("user_id"), &project)
}

fn group_member(state: &mut State, ask: &Ask<'_>) -> Reply {
    let group = state.projects.group(ask.value("id"))?;
    state.people.member(ask.value("user_id"), &group)
}

fn merge_requests(state: &mut State, ask: &Ask<'_>) -> Reply {
    if ask.parameter("source_branch").is_some() || ask.parameter("iids[]").is_some() {
        return requests::gitlab_list(state, ask);
    }
    let project = ask.project(state)?.path;
    let (author, target) = (ask.required("author_id")?, ask.required("target_branch")?);
    let state_wanted = ask.required("state")?;
    let fits = |request: &&MergeRequest| {
        request.project == project
            && request.author.to_string() == author
            && (request.state, request.target.as_str()) == (state_wanted.as_str(), target.as_str())
    };
    paging::offset(ask, &state.people.requests.iter().filter(fits).map(MergeRequest::json).collect::<Vec<_>>())
}

fn commit_merge_requests(state: &mut State, ask: &Ask<'_>) -> Reply {
    let project = ask.project(state)?.path;
    let commit = ask.value("sha").to_owned();
    let of_project = state.people.requests.iter().filter(|request| request.project == project);
    let having = of_project
        .filter(|request| request.commits.contains(&commit) || request.merge_commit.as_ref() == Some(&commit));
    paging::offset(ask, &having.map(MergeRequest::json).collect::<Vec<_>>())
}

impl MergeRequest {
    fn json(&self) -> Value {
        json!({
            "id": self.id,
            "iid": self.iid,
            "state": self.state,
            "target_branch": self.target,
            "merge_commit_sha": self.merge_commit,
            "squash_commit_sha": null,
            "sha": self.commits.last(),
        })
    }
}
