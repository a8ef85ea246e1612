//! GitHub, as far as it is spoken to: the API below `/api/v3`, uploads below `/api/uploads`.
//!
//! The one repository is `harbor/app`. Tokens are those of [`super::access`], sent as `Bearer`;
//! `app-token` is that of an app, as a workflow's is.

mod people;
mod releases;
mod rights;

use std::path::PathBuf;

use serde_json::json;

pub use self::{
    people::Pull,
    releases::{Asset, Release},
};
use super::{
    access::Role,
    projects::has_tag,
    response::Response,
    router::{Ask, Route},
};

/// What GitHub remembers.
#[derive(Debug, Default)]
pub struct GitHub {
    pub tags: Vec<String>,
    /// Where further tags are.
    pub repository: Option<PathBuf>,
    pub releases: Vec<Release>,
    pub last_id: u64,
    /// The categories of discussions.
    pub discussion_categories: Vec<String>,
    /// Commits, and the users who wrote them.
    pub authors: Vec<(String, String)>,
    pub pulls: Vec<Pull>,
    /// Organizations, and their members.
    pub members: Vec<(String, String)>,
    /// The URL for uploads in responses; empty for its own.
    pub uploads: Option<String>,
}

impl GitHub {
    fn has_tag(&self, tag: &str) -> bool {
        let pushed = self.repository.as_deref().is_some_and(|repository| has_tag(repository, tag));
        pushed || self.tags.iter().any(|present| present == tag)
    }

    /// As GitHub does it: a tag that is missing is made once a release is public.
    fn bring_tag(&mut self, release: &Release) {
        if !release.draft && !self.has_tag(&release.tag) {
            self.tags.push(release.tag.clone());
        }
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }
}

pub fn routes() -> Vec<Route> {
    [releases::routes(), rights::routes(), people::routes()].into_iter().flatten().collect()
}

/// A refusal in GitHub's form.
pub fn refusal(status: u16, message: &str) -> Response {
    let url = "https://docs.github.com/rest";
    Response::json(status, &json!({ "message": message, "documentation_url": url, "status": status.to_string() }))
}

/// The URL of the repository in the API, as GitHub's or Gitea's.
pub fn place(ask: &Ask<'_>) -> String {
    let root = if ask.request.path.starts_with("/api/v1/") { "v1" } else { "v3" };
    format!("http://{}/api/{root}/repos/harbor/app", ask.request.header("host").unwrap_or_default())
}

/// 401 where a token is unknown, 404 for another repository.
fn enter(ask: &Ask<'_>) -> Result<(), Response> {
    if ask.request.header("authorization").is_some() && ask.role.is_none() {
        return Err(refusal(401, "Bad credentials"));
    }
    let agent = ask.request.header("user-agent").unwrap_or_default();
    assert!(!agent.is_empty(), "GitHub refuses requests without a user agent");
    let here = (ask.value("owner"), ask.value("repo")) == ("harbor", "app");
    if here { Ok(()) } else { Err(refusal(404, "Not Found")) }
}

/// Who may write.
fn write(ask: &Ask<'_>) -> Result<(), Response> {
    enter(ask)?;
    match ask.role {
        None => Err(refusal(401, "Requires authentication")),
        role if role < Some(Role::Developer) => Err(refusal(403, "Resource not accessible by integration")),
        _ => Ok(()),
    }
}
