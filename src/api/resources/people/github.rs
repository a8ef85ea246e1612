//! Users and pull requests of a repository on GitHub, Gitea or Forgejo.

use serde::Deserialize;

use std::collections::BTreeSet;

use super::{AT_ONCE, People, Progress, forge_user};
use crate::{
    api::{
        ApiRequest, Fields, Method, Paging, Path, Result,
        client::decode_body,
        resources::github::{GitHub, RequestsOfCommit},
    },
    model::{ForgeUser, MergedRequest, UnresolvedAuthor, none_if},
    parallel,
};

/// A page of the list costs as much as a pull request by itself, and pays if it has this many of them.
const FEW: usize = 2;

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

/// A pull request with its labels.
#[derive(Clone, Debug, Default, Deserialize)]
struct LabelledRequest {
    number: u64,
    title: String,
    #[serde(default)]
    labels: Vec<Label>,
    user: Option<GitHubUser>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Label {
    name: String,
}

impl From<LabelledRequest> for MergedRequest {
    fn from(row: LabelledRequest) -> Self {
        let labels = row.labels.into_iter().map(|label| label.name).collect();
        Self { number: row.number, title: row.title, labels, author: row.user.and_then(|user| user.login) }
    }
}

impl GitHub<'_> {
    /// Returns the user name of a commit's author.
    fn username(&self, commit: &str) -> Result<Option<String>> {
        let request = self.request(Method::Get, self.dialect.commit, &[commit]);
        let found = unless_missing(self.client.send_request(&request))?;
        Ok(found.and_then(|found| found.body["author"]["login"].as_str().map(str::to_owned)))
    }

    /// Returns the merged pull requests of a commit.
    fn pulls(&self, commit: &str) -> Result<Vec<PullRequest>> {
        let request = |path| self.request(Method::Get, path, &[commit]);
        let mut pulls: Vec<PullRequest> = match self.dialect.requests_of_commit {
            RequestsOfCommit::List(path) => unless_missing(self.client.fetch_all(&request(path)))?.unwrap_or_default(),
            RequestsOfCommit::One(path) => {
                let pull = none_if(self.client.send(&request(path)), |error| error.status() == Some(404))?;
                pull.into_iter().collect()
            }
        };
        pulls.retain(|pull| pull.merged_at.is_some());
        Ok(pulls)
    }

    fn is_in(&self, organization: &str, username: &str) -> Result<bool> {
        let request = ApiRequest::get(Path::new("/orgs/:org/members/:username", &[organization, username]));
        let sent = self.client.send::<()>(&request);
        Ok(none_if(sent, |error| matches!(error.status(), Some(403 | 404)))?.is_some())
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

    /// Reads the list of closed pull requests, the last updated first, while a page has several of them, and then each of
    /// the others by itself.
    fn merge_requests(&self, numbers: &[u64], progress: Progress) -> Result<Vec<MergedRequest>> {
        let mut missing: BTreeSet<u64> = numbers.iter().copied().collect();
        let mut found: Vec<MergedRequest> = Vec::new();
        let query = Fields::new().add("state", "closed");
        let query = self.dialect.by_update.iter().fold(query, |query, (name, value)| query.add(*name, *value));
        let request = self.request(Method::Get, "/pulls", &[]).query(query);
        let mut pages = self.client.pages(request.clone(), Paging::default());
        while missing.len() >= FEW
            && let Some(page) = pages.next()
        {
            let rows: Vec<LabelledRequest> = decode_body(&request, &page?.rows.into())?;
            let before = found.len();
            found.extend(rows.into_iter().filter(|row| missing.remove(&row.number)).map(MergedRequest::from));
            progress(found.len() as u64, numbers.len() as u64);
            if found.len() - before < FEW {
                break;
            }
        }
        let missing: Vec<u64> = missing.into_iter().collect();
        let others = parallel::map_blocking(&missing, AT_ONCE, |number| {
            let request = self.request(Method::Get, "/pulls/:pull_number", &[&number.to_string()]);
            // The number may be that of an issue.
            none_if(self.client.send::<LabelledRequest>(&request), |error| error.status() == Some(404))
        })?;
        found.extend(others.into_iter().flatten().map(MergedRequest::from));
        progress(found.len() as u64, numbers.len() as u64);
        Ok(found)
    }
}

/// Returns `None` for a commit that GitHub does not have (422), because it is not pushed yet.
fn unless_missing<T>(result: Result<T>) -> Result<Option<T>> {
    none_if(result, |error| error.status() == Some(422))
}
