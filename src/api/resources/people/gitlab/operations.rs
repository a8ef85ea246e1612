//! The operations that tell of people and merge requests of a GitLab project.

use serde::Deserialize;
use serde_json::Value;

use crate::api::{Endpoint, Fields, Method, Paged, Path};

const SIGNED_IN: &str = "an access token with the scope `read_api`";

/// A user.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct User {
    /// Its number.
    pub id: u64,
    /// The name on the host.
    pub username: String,
    /// The address that everybody sees.
    pub public_email: Option<String>,
    /// The address that administrators see.
    pub email: Option<String>,
}

/// `GET /users`
#[derive(Clone, Debug, Default)]
pub struct FindUsers {
    /// The one of this name.
    pub username: Option<String>,
    /// Those with this e-mail address, or with this in their name.
    pub search: Option<String>,
}

impl FindUsers {
    /// The user that was meant. The server also finds by private addresses that it does not show, so that a single user
    /// is taken even without one.
    pub(super) fn pick(&self, mut users: Vec<User>) -> Option<User> {
        let is_it = |shown: &Option<String>| {
            let pair = shown.as_deref().zip(self.search.as_deref());
            pair.is_some_and(|(shown, search)| shown.eq_ignore_ascii_case(search))
        };
        let exact = users.iter().position(|user| is_it(&user.public_email) || is_it(&user.email));
        match exact {
            Some(place) => Some(users.swap_remove(place)),
            None if users.len() == 1 => users.pop(),
            None => None,
        }
    }
}

impl Endpoint for FindUsers {
    type Output = Vec<User>;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = SIGNED_IN;

    fn path(&self) -> Path {
        Path::root("users")
    }

    fn query(&self) -> Fields {
        Fields::new().add("username", &self.username).add("search", &self.search)
    }
}

/// A project, as far as it is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Project {
    /// The branch it is about.
    pub default_branch: Option<String>,
}

/// `GET /projects/:id`
#[derive(Clone, Debug, Default)]
pub struct GetProject {
    /// Id or path.
    pub project: String,
}

impl Endpoint for GetProject {
    type Output = Project;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        project(&self.project)
    }
}

/// A member of a project or group.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Member {
    /// The user's number.
    pub id: u64,
}

/// `GET /projects/:id/members/all/:user_id`, with those of the groups above it.
#[derive(Clone, Debug, Default)]
pub struct GetProjectMember {
    /// Id or path.
    pub project: String,
    /// The user.
    pub user: u64,
}

impl Endpoint for GetProjectMember {
    type Output = Member;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = SIGNED_IN;

    fn path(&self) -> Path {
        project(&self.project).lit("members").lit("all").arg("user_id", self.user.to_string())
    }
}

/// `GET /groups/:id/members/:user_id`, without those of the groups above it.
#[derive(Clone, Debug, Default)]
pub struct GetGroupMember {
    /// Id or path.
    pub group: String,
    /// The user.
    pub user: u64,
}

impl Endpoint for GetGroupMember {
    type Output = Member;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        Path::root("groups").arg("id", &self.group).lit("members").arg("user_id", self.user.to_string())
    }
}

/// `GET /projects/:id/merge_requests`, one of those that were merged.
#[derive(Clone, Debug, Default)]
pub struct ListMergedRequests {
    /// Id or path.
    pub project: String,
    /// Who wrote it.
    pub author: u64,
    /// The branch it was merged into.
    pub target: String,
}

impl Endpoint for ListMergedRequests {
    type Output = Vec<Value>;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        project(&self.project).lit("merge_requests")
    }

    fn query(&self) -> Fields {
        let fields = Fields::new().add("state", "merged").add("scope", "all").add("author_id", self.author);
        fields.add("target_branch", &self.target).add("per_page", 1_u64)
    }
}

/// A merge request, as far as it is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct MergeRequest {
    /// Its number on the server; higher is newer.
    pub id: u64,
    /// Its number in the project.
    pub iid: u64,
    /// `opened`, `closed`, `locked` or `merged`.
    pub state: Option<String>,
    /// The merge it ended in.
    pub merge_commit_sha: Option<String>,
    /// The commit its own were squashed into.
    pub squash_commit_sha: Option<String>,
    /// Its last commit.
    pub sha: Option<String>,
}

impl MergeRequest {
    /// The commits it ended in: its own last one where there was nothing to merge.
    pub(super) fn results(&self) -> impl Iterator<Item = &str> {
        let made = [&self.squash_commit_sha, &self.merge_commit_sha];
        let forwarded = self.sha.as_ref().filter(|_| made.iter().all(|made| made.is_none()));
        made.into_iter().flatten().chain(forwarded).map(String::as_str)
    }
}

/// `GET /projects/:id/repository/commits/:sha/merge_requests`
#[derive(Clone, Debug, Default)]
pub struct ListCommitMergeRequests {
    /// Id or path.
    pub project: String,
    /// The commit.
    pub commit: String,
}

impl Endpoint for ListCommitMergeRequests {
    type Output = Vec<MergeRequest>;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        project(&self.project).lit("repository").lit("commits").arg("sha", &self.commit).lit("merge_requests")
    }
}

impl Paged for ListCommitMergeRequests {
    type Item = MergeRequest;
}

fn project(id: &str) -> Path {
    Path::root("projects").arg("id", id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_taken_for_the_address_shown_or_for_being_the_only_one() {
        let find = FindUsers { search: Some("ida@x".into()), username: None };
        let user = |id, email: Option<&str>| User { id, public_email: email.map(str::to_owned), ..User::default() };
        let picked = |users: Vec<User>| find.pick(users).map(|user| user.id);
        assert_eq!(picked(vec![user(1, None), user(2, Some("Ida@x"))]), Some(2));
        assert_eq!(picked(vec![user(1, None)]), Some(1));
        assert_eq!(picked(vec![user(1, None), user(2, Some("olaf@x"))]), None);
        assert_eq!(picked(Vec::new()), None);
    }
}
