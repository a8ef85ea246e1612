//! What a token may do, as far as GitHub tells before anything is tried.

use serde::Deserialize;
use serde_json::Value;

use super::RepositoryName;
use crate::{
    api::{
        Client, Endpoint, Fields, Method, Path, Result,
        releases::{missing_role, missing_scope},
    },
    model::Problem,
};

/// The scopes of a classic token that write: to all repositories, and to public ones (docs.github.com, "Scopes for OAuth
/// apps").
const SCOPES: [&str; 2] = ["repo", "public_repo"];

/// `GET /repos/:owner/:repo`
#[derive(Clone, Debug, Default)]
pub struct GetOwnPermissions {
    /// Which repository.
    pub repository: RepositoryName,
}

/// A repository as far as it tells what whoever asks may do.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct OwnPermissions {
    private: Option<bool>,
    permissions: Option<Permissions>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Permissions {
    push: Option<bool>,
}

impl Endpoint for GetOwnPermissions {
    type Output = OwnPermissions;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        self.repository.path()
    }
}

/// `GET /installation/repositories`, which none but the installation of an app may ask for.
#[derive(Clone, Copy, Debug, Default)]
pub struct ListOwnRepositories;

impl Endpoint for ListOwnRepositories {
    type Output = Value;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        Path::root("installation").lit("repositories")
    }

    fn query(&self) -> Fields {
        Fields::new().add("per_page", 1_u32)
    }
}

/// Refuses a token that cannot make releases. What GitHub does not tell is no reason to refuse.
///
/// # Errors
///
/// Where the scopes of the token or the role of its owner are told and not enough.
pub(super) fn check(client: &Client, repository: &RepositoryName) -> Result<(), Problem> {
    let Ok((own, response)) = client.fetch(&GetOwnPermissions { repository: repository.clone() }) else {
        return Ok(());
    };
    let token = client.credential().source().unwrap_or_default();
    // Tokens of other kinds than the classic one have no scopes, and some services send an empty list for them.
    let scopes = response.headers.get("x-oauth-scopes").map(str::trim).filter(|scopes| !scopes.is_empty());
    let enough = if own.private == Some(false) { &SCOPES[..] } else { &SCOPES[..1] };
    if let Some(scopes) = scopes.filter(|scopes| !scopes.split(", ").any(|scope| enough.contains(&scope))) {
        return Err(missing_scope(token, scopes, SCOPES[0]));
    }
    let permissions = own.permissions.unwrap_or_default();
    if permissions.push == Some(false) && !is_installation(client) {
        let RepositoryName { owner, name } = repository;
        return Err(missing_role(token, &format!("{owner}/{name}"), "the permission to push"));
    }
    Ok(())
}

/// Whether it is the token of an app, as a workflow's is: it has no user, and so no role that could be told.
fn is_installation(client: &Client) -> bool {
    client.send(&ListOwnRepositories).map_or_else(|error| error.status() != Some(403), |_| true)
}
