//! The permissions of a token, as far as GitHub shows them in advance.

use serde::Deserialize;
use serde_json::Value;

use super::RepositoryName;
use crate::{
    api::{
        ApiRequest, Client, Endpoint, Fields, Path, Result,
        releases::{missing_role, missing_scope},
    },
    model::Problem,
};

/// The scopes of a classic token for writing: to all repositories, and to public ones (docs.github.com, "Scopes for OAuth
/// apps").
const SCOPES: [&str; 2] = ["repo", "public_repo"];

#[derive(Clone, Debug, Default, Deserialize)]
struct OwnPermissions {
    private: Option<bool>,
    permissions: Option<Permissions>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Permissions {
    push: Option<bool>,
}

/// Refuses a token whose scopes or whose owner's role are shown and not sufficient.
pub(super) fn check(client: &Client, repository: &RepositoryName) -> Result<(), Problem> {
    let endpoint: Endpoint<OwnPermissions> = ApiRequest::get(repository.path()).into();
    let Ok((own, response)) = client.fetch(&endpoint) else { return Ok(()) };
    let token = client.credential().source().unwrap_or_default();
    // Only classic tokens have scopes, and some servers send an empty list for others.
    let scopes = response.headers.get("x-oauth-scopes").map(str::trim).filter(|scopes| !scopes.is_empty());
    let sufficient = if own.private == Some(false) { &SCOPES[..] } else { &SCOPES[..1] };
    if let Some(scopes) = scopes.filter(|scopes| !scopes.split(", ").any(|scope| sufficient.contains(&scope))) {
        return Err(missing_scope(token, scopes, SCOPES[0]));
    }
    let permissions = own.permissions.unwrap_or_default();
    if permissions.push == Some(false) && !is_installation(client) {
        let RepositoryName { owner, name } = repository;
        return Err(missing_role(token, &format!("{owner}/{name}"), "the permission to push"));
    }
    Ok(())
}

/// Whether the token is that of an app's installation, such as a workflow's. It has no user, and so no role. Only such a
/// token may send `GET /installation/repositories`.
fn is_installation(client: &Client) -> bool {
    let path = Path::root("installation").lit("repositories");
    let endpoint: Endpoint<Value> = ApiRequest::get(path).query(Fields::new().add("per_page", 1_u32)).into();
    client.send(&endpoint).map_or_else(|error| error.status() != Some(403), |_| true)
}
