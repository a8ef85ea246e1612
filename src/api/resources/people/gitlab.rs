//! Users and merge requests of a GitLab project.

use std::sync::{Mutex, PoisonError};

use serde::Deserialize;
use serde_json::Value;

use super::{People, Progress, forge_user};
use crate::{
    api::{ApiRequest, Client, Error, Fields, Path, Result},
    model::{ForgeUser, MergedRequest, UnresolvedAuthor, none_if},
};

/// The number of merge requests in a request for several; more make its address too long for some proxies.
const BATCH: usize = 50;

const SIGNED_IN: &str = "an access token with the scope `read_api`";

/// The users and merge requests of a project.
pub(in crate::api) struct GitLabPeople<'c> {
    client: &'c Client,
    project: String,
    /// Fetched once, and only if an author is not a member.
    default_branch: Mutex<Option<String>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct User {
    id: u64,
    username: String,
    public_email: Option<String>,
    /// The address that only administrators see.
    email: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct MergeRequest {
    /// The ID on the server; a higher one is newer.
    id: u64,
    /// The number in the project.
    iid: u64,
    state: Option<String>,
    merge_commit_sha: Option<String>,
    squash_commit_sha: Option<String>,
    /// The last commit of the source branch.
    sha: Option<String>,
}

/// A merge request with its labels.
#[derive(Clone, Debug, Default, Deserialize)]
struct LabelledRequest {
    iid: u64,
    title: String,
    #[serde(default)]
    labels: Vec<String>,
    author: Option<RequestAuthor>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct RequestAuthor {
    username: String,
}

impl From<LabelledRequest> for MergedRequest {
    fn from(row: LabelledRequest) -> Self {
        let author = row.author.map(|author| author.username);
        Self { number: row.iid, title: row.title, labels: row.labels, author }
    }
}

impl<'c> GitLabPeople<'c> {
    /// Creates the value for a project, named by ID or path.
    pub(in crate::api) fn new(client: &'c Client, project: impl Into<String>) -> Self {
        Self { client, project: project.into(), default_branch: Mutex::default() }
    }

    fn user(&self, author: &UnresolvedAuthor) -> Result<Option<User>> {
        let email = author.username.is_none().then_some(author.email.as_str());
        let query = Fields::new().add_given("username", author.username.as_ref()).add_given("search", email);
        let request = ApiRequest::get(Path::new("/users", &[])).query(query).access(SIGNED_IN);
        Ok(pick_user(email, self.client.send(&request)?))
    }

    /// Whether a user is a member of the project or of an ancestor group. A missing project is an error.
    fn is_member(&self, user: u64) -> Result<bool> {
        let path = Path::new("/projects/:id/members/all/:user_id", &[&self.project, &user.to_string()]);
        let sent = self.client.send_request(&ApiRequest::get(path).access(SIGNED_IN));
        Ok(none_if(sent, Error::is_resource_not_found)?.is_some())
    }

    /// Whether a user is a member of a group itself. If the group is missing or not visible, nobody is credited.
    fn is_in(&self, group: &str, user: u64) -> Result<bool> {
        let path = Path::new("/groups/:id/members/:user_id", &[group, &user.to_string()]);
        let sent = self.client.send_request(&ApiRequest::get(path));
        Ok(none_if(sent, |error| matches!(error.status(), Some(403 | 404)))?.is_some())
    }

    /// Whether a merge request of the user was merged into the default branch.
    fn has_merged(&self, user: u64) -> Result<bool> {
        let query = Fields::new().add("state", "merged").add("scope", "all").add("author_id", &user);
        let query = query.add("target_branch", &self.default_branch()?).add("per_page", &1);
        let request = ApiRequest::get(Path::new("/projects/:id/merge_requests", &[&self.project])).query(query);
        Ok(!self.client.send::<Vec<Value>>(&request)?.is_empty())
    }

    fn default_branch(&self) -> Result<String> {
        let mut known = self.default_branch.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(branch) = &*known {
            return Ok(branch.clone());
        }
        let request = ApiRequest::get(Path::new("/projects/:id", &[&self.project]));
        let project = self.client.send_request(&request)?.body;
        Ok(known.insert(project["default_branch"].as_str().unwrap_or_default().to_owned()).clone())
    }
}

impl People for GitLabPeople<'_> {
    fn user(&self, author: &UnresolvedAuthor, groups: &[String]) -> Result<Option<ForgeUser>> {
        let Some(user) = self.user(author)? else { return Ok(None) };
        let contributor = !self.is_member(user.id)? && self.has_merged(user.id)?;
        forge_user(&user.username, contributor, groups, |group| self.is_in(group, user.id)).map(Some)
    }

    fn merge_request(&self, commit: &str) -> Result<Option<u64>> {
        let path = Path::new("/projects/:id/repository/commits/:sha/merge_requests", &[&self.project, commit]);
        // A commit that is not pushed yet is not found.
        let requests = none_if(self.client.fetch_all(&ApiRequest::get(path)), Error::is_resource_not_found)?;
        Ok(requests.and_then(|requests| pick_request(&requests, commit)))
    }

    fn merge_requests(&self, numbers: &[u64], progress: Progress) -> Result<Vec<MergedRequest>> {
        let mut found = Vec::with_capacity(numbers.len());
        for batch in numbers.chunks(BATCH) {
            let path = Path::new("/projects/:id/merge_requests", &[&self.project]);
            let query =
                batch.iter().fold(Fields::new().add("state", "all"), |query, number| query.add("iids[]", number));
            let rows: Vec<LabelledRequest> = self.client.fetch_all(&ApiRequest::get(path).query(query))?;
            found.extend(rows.into_iter().map(MergedRequest::from));
            progress(found.len() as u64, numbers.len() as u64);
        }
        Ok(found)
    }
}

/// Returns the user with the address. GitLab also finds users by private addresses, which it does not show; so a
/// single user that it found is taken even if the address is not shown.
fn pick_user(email: Option<&str>, mut users: Vec<User>) -> Option<User> {
    let is_it = |shown: &Option<String>| {
        shown.as_deref().zip(email).is_some_and(|(shown, email)| shown.eq_ignore_ascii_case(email))
    };
    let exact = users.iter().position(|user| is_it(&user.public_email) || is_it(&user.email));
    match exact {
        Some(index) => Some(users.swap_remove(index)),
        None if users.len() == 1 => users.pop(),
        None => None,
    }
}

/// Returns the merge request of a commit: the one that it is the result of, else the oldest of those that contain it.
fn pick_request(requests: &[MergeRequest], commit: &str) -> Option<u64> {
    let merged = || requests.iter().filter(|request| request.state.as_deref() == Some("merged"));
    let result = merged().filter(|request| request.results().any(|result| result == commit)).min_by_key(|one| one.id);
    result.or_else(|| merged().min_by_key(|request| request.id)).map(|request| request.iid)
}

impl MergeRequest {
    /// Returns the commits that the merge request resulted in: its own last one if it was merged by fast-forward.
    fn results(&self) -> impl Iterator<Item = &str> {
        let created = [&self.squash_commit_sha, &self.merge_commit_sha];
        let forwarded = self.sha.as_ref().filter(|_| created.iter().all(|commit| commit.is_none()));
        created.into_iter().flatten().chain(forwarded).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_picked_by_the_shown_address_or_as_the_only_one() {
        let user = |id, email: Option<&str>| User { id, public_email: email.map(str::to_owned), ..User::default() };
        let picked = |users: Vec<User>| pick_user(Some("ida@x"), users).map(|user| user.id);
        assert_eq!(picked(vec![user(1, None), user(2, Some("Ida@x"))]), Some(2));
        assert_eq!(picked(vec![user(1, None)]), Some(1));
        assert_eq!(picked(vec![user(1, None), user(2, Some("olaf@x"))]), None);
        assert_eq!(picked(Vec::new()), None);
    }
}
