//! Users and pull requests of a repository on GitHub, Gitea or Forgejo.

use serde::Deserialize;

use super::{People, exists, forge_user};
use crate::{
    api::{ApiRequest, Method, Path, Result, client::optional, resources::releases::github::GitHub},
    model::{ForgeUser, UnresolvedAuthor},
};

#[derive(Clone, Debug, Default, Deserialize)]
struct GitHubUser {
    login: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct PullRequest {
    number: u64,
    merged_at: Option<String>,
    merge_commit_sha: Option<String>,
    user: Option<GitHubUser>,
    /// `OWNER`, `MEMBER`, `COLLABORATOR`, `CONTRIBUTOR` and others.
    author_association: Option<String>,
}

impl PullRequest {
    /// Whether the pull request is from this user, and the user has no permission to push.
    fn is_from_outside(&self, username: &str) -> bool {
        let own = self.user.as_ref().and_then(|user| user.login.as_deref()) == Some(username);
        own && !matches!(self.author_association.as_deref(), None | Some("OWNER" | "MEMBER" | "COLLABORATOR"))
    }
}

impl GitHub<'_> {
    /// Returns the user name of a commit's author.
    fn username(&self, commit: &str) -> Result<Option<String>> {
        let path = if self.is_gitea() { "/git/commits/:sha" } else { "/commits/:sha" };
        let request = self.request(Method::Get, path, &[commit]);
        let found = unless_missing(self.client.send_request(&request))?;
        Ok(found.and_then(|found| found.body["author"]["login"].as_str().map(str::to_owned)))
    }

    /// Returns the merged pull requests of a commit.
    fn pulls(&self, commit: &str) -> Result<Vec<PullRequest>> {
        if self.is_gitea() {
            let pull = self.client.send_request(&self.request(Method::Get, "/commits/:sha/pull", &[commit]));
            let pull = optional(pull, |error| error.status() == Some(404))?;
            let pull = pull.and_then(|pull| serde_json::from_value::<PullRequest>(pull.body).ok());
            return Ok(pull.into_iter().filter(|pull| pull.merged_at.is_some()).collect());
        }
        let request = self.request(Method::Get, "/commits/:sha/pulls", &[commit]);
        let mut pulls: Vec<PullRequest> = unless_missing(self.client.fetch_all(&request))?.unwrap_or_default();
        pulls.retain(|pull| pull.merged_at.is_some());
        Ok(pulls)
    }

    fn is_in(&self, organization: &str, username: &str) -> Result<bool> {
        let request = ApiRequest::get(Path::new("/orgs/:org/members/:username", &[organization, username]));
        exists(self.client.send::<()>(&request), |error| matches!(error.status(), Some(403 | 404)))
    }
}

impl People for GitHub<'_> {
    fn user(&self, author: &UnresolvedAuthor, groups: &[String]) -> Result<Option<ForgeUser>> {
        let username = match &author.username {
            Some(username) => Some(username.clone()),
            None => self.username(&author.commit)?,
        };
        let Some(username) = username else { return Ok(None) };
        let pulls = self.pulls(&author.commit)?;
        // An author without a pull request could push, and so is not from outside.
        let contributor = pulls.iter().any(|pull| pull.is_from_outside(&username));
        forge_user(&username, contributor, groups, |group| self.is_in(group, &username)).map(Some)
    }

    fn merge_request(&self, commit: &str) -> Result<Option<u64>> {
        let pulls = self.pulls(commit)?;
        let result = pulls.iter().find(|pull| pull.merge_commit_sha.as_deref() == Some(commit));
        Ok(result.or_else(|| pulls.iter().min_by_key(|pull| pull.number)).map(|pull| pull.number))
    }
}

/// Returns `None` for a commit that GitHub does not have (422), because it is not pushed yet.
fn unless_missing<T>(result: Result<T>) -> Result<Option<T>> {
    optional(result, |error| error.status() == Some(422))
}
