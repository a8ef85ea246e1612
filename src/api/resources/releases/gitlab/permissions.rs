//! What a token may do, as far as the service tells before anything is tried.

use serde::Deserialize;

use crate::{
    api::{
        Client, Endpoint, Method, Path,
        releases::{missing_role, missing_scope},
    },
    model::Problem,
};

/// The scope that writes (docs.gitlab.com, "Token scopes").
const SCOPE: &str = "api";
/// The role Developer (docs.gitlab.com, "Members API").
const DEVELOPER: u64 = 30;

/// `GET /personal_access_tokens/self`
#[derive(Clone, Copy, Debug, Default)]
pub struct GetOwnToken;

/// A token as the service tells it to whoever shows it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct OwnToken {
    /// What it may be used for.
    pub scopes: Option<Vec<String>>,
}

impl Endpoint for GetOwnToken {
    type Output = OwnToken;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        Path::root("personal_access_tokens").lit("self")
    }
}

/// `GET /projects/:id`
#[derive(Clone, Debug, Default)]
pub struct GetOwnAccess {
    /// Id or path.
    pub project: String,
}

/// A project as far as it tells what whoever asks may do.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct OwnAccess {
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

impl Endpoint for GetOwnAccess {
    type Output = OwnAccess;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        Path::root("projects").arg("id", &self.project)
    }
}

/// Refuses a token that cannot make releases. What the service does not tell (to a job, to an administrator, of groups a
/// project is shared with) is no reason to refuse.
///
/// # Errors
///
/// Where its scopes or the role of its owner are told and not enough.
pub(super) fn check(client: &Client, project: &str) -> Result<(), Problem> {
    if client.credential().is_job_token() {
        return Ok(());
    }
    let token = client.credential().source().unwrap_or_default();
    check_scopes(client, token)?;
    check_role(client, token, project)
}

fn check_scopes(client: &Client, token: &str) -> Result<(), Problem> {
    let scopes = client.send(&GetOwnToken).ok().and_then(|token| token.scopes);
    match scopes.filter(|scopes| !scopes.iter().any(|scope| scope == SCOPE)) {
        Some(scopes) => Err(missing_scope(token, &scopes.join("`, `"), SCOPE)),
        None => Ok(()),
    }
}

fn check_role(client: &Client, token: &str, project: &str) -> Result<(), Problem> {
    let own = client.send(&GetOwnAccess { project: project.to_owned() }).ok();
    let permissions = own.and_then(|own| own.permissions).unwrap_or_default();
    let memberships = [permissions.project_access, permissions.group_access].into_iter().flatten();
    match memberships.filter_map(|membership| membership.access_level).max() {
        Some(level) if level < DEVELOPER => Err(missing_role(token, project, "the role Developer and up")),
        _ => Ok(()),
    }
}
