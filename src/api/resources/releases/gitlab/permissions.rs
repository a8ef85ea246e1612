//! The permissions of a token, as far as GitLab shows them in advance.

use serde::Deserialize;

use crate::{
    api::{
        ApiRequest, Client, Endpoint, Path,
        releases::{missing_role, missing_scope},
    },
    model::Problem,
};

/// The scope for writing (docs.gitlab.com, "Token scopes").
const SCOPE: &str = "api";
/// The role Developer (docs.gitlab.com, "Members API").
const DEVELOPER: u64 = 30;

#[derive(Clone, Debug, Default, Deserialize)]
struct OwnToken {
    scopes: Option<Vec<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct OwnAccess {
    permissions: Option<Permissions>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Permissions {
    project_access: Option<Membership>,
    group_access: Option<Membership>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Membership {
    access_level: Option<u64>,
}

/// Refuses a token whose scopes or whose owner's role are shown and not sufficient. GitLab does not show them to a job, to
/// an administrator, or for groups that a project is shared with.
pub(super) fn check(client: &Client, project: &str) -> Result<(), Problem> {
    if client.credential().is_job_token() {
        return Ok(());
    }
    let token = client.credential().source().unwrap_or_default();
    check_scopes(client, token)?;
    check_role(client, token, project)
}

fn check_scopes(client: &Client, token: &str) -> Result<(), Problem> {
    let endpoint: Endpoint<OwnToken> = ApiRequest::get(Path::root("personal_access_tokens").lit("self")).into();
    let scopes = client.send(&endpoint).ok().and_then(|token| token.scopes);
    match scopes.filter(|scopes| !scopes.iter().any(|scope| scope == SCOPE)) {
        Some(scopes) => Err(missing_scope(token, &scopes.join("`, `"), SCOPE)),
        None => Ok(()),
    }
}

fn check_role(client: &Client, token: &str, project: &str) -> Result<(), Problem> {
    let endpoint: Endpoint<OwnAccess> = ApiRequest::get(Path::root("projects").arg("id", project)).into();
    let permissions = client.send(&endpoint).ok().and_then(|access| access.permissions).unwrap_or_default();
    let memberships = [permissions.project_access, permissions.group_access].into_iter().flatten();
    match memberships.filter_map(|membership| membership.access_level).max() {
        Some(level) if level < DEVELOPER => Err(missing_role(token, project, "the role Developer and up")),
        _ => Ok(()),
    }
}
