//! People of a GitLab project.

mod operations;

use std::sync::{Mutex, PoisonError};

pub use self::operations::{
    FindUsers, GetGroupMember, GetProject, GetProjectMember, ListCommitMergeRequests, ListMergedRequests, Member,
    MergeRequest, Project, User,
};
use super::{People, forge_user, is_there};
use crate::{
    api::{Client, Error, Result, client::optional},
    model::{ForgeUser, UnresolvedAuthor},
};

/// The people of a project.
#[derive(Debug)]
pub struct GitLabPeople<'c> {
    client: &'c Client,
    project: String,
    /// Asked for once, and only where somebody is no member.
    default_branch: Mutex<Option<String>>,
}

impl<'c> GitLabPeople<'c> {
    /// Those of a project, given by id or path.
    #[must_use]
    pub fn new(client: &'c Client, project: impl Into<String>) -> Self {
        Self { client, project: project.into(), default_branch: Mutex::default() }
    }

    fn user(&self, unknown: &UnresolvedAuthor) -> Result<Option<User>> {
        let by_email = unknown.username.is_none().then(|| unknown.email.clone());
        let find = FindUsers { username: unknown.username.clone(), search: by_email };
        Ok(find.pick(self.client.send(&find)?))
    }

    fn is_member(&self, user: u64) -> Result<bool> {
        // A project that is not there is a failure.
        let get = GetProjectMember { project: self.project.clone(), user };
        is_there(self.client.send(&get), Error::is_resource_not_found)
    }

    fn is_in(&self, group: &str, user: u64) -> Result<bool> {
        let get = GetGroupMember { group: group.to_owned(), user };
        // A group that is not there, or that may not be seen, credits nobody.
        is_there(self.client.send(&get), |error| matches!(error.status(), Some(403 | 404)))
    }

    /// Whether something of theirs was merged into the default branch.
    fn has_merged(&self, user: u64) -> Result<bool> {
        let list = ListMergedRequests { project: self.project.clone(), author: user, target: self.default_branch()? };
        Ok(!self.client.send(&list)?.is_empty())
    }

    fn default_branch(&self) -> Result<String> {
        let mut known = self.default_branch.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(branch) = &*known {
            return Ok(branch.clone());
        }
        let project = self.client.send(&GetProject { project: self.project.clone() })?;
        Ok(known.insert(project.default_branch.unwrap_or_default()).clone())
    }
}

impl People for GitLabPeople<'_> {
    fn user(&self, unknown: &UnresolvedAuthor, groups: &[String]) -> Result<Option<ForgeUser>> {
        let Some(user) = self.user(unknown)? else { return Ok(None) };
        let contributor = !self.is_member(user.id)? && self.has_merged(user.id)?;
        forge_user(&user.username, contributor, groups, |group| self.is_in(group, user.id)).map(Some)
    }

    fn merge_request(&self, commit: &str) -> Result<Option<u64>> {
        let list = ListCommitMergeRequests { project: self.project.clone(), commit: commit.to_owned() };
        // A commit that was not pushed yet is not there.
        let requests = optional(self.client.all(&list), Error::is_resource_not_found)?;
        Ok(requests.and_then(|requests| pick(&requests, commit)))
    }
}

/// The merge request that a commit came with: the one it is the result of, else the oldest of those that have it.
fn pick(requests: &[MergeRequest], commit: &str) -> Option<u64> {
    let merged = || requests.iter().filter(|request| request.state.as_deref() == Some("merged"));
    let result = merged().filter(|request| request.results().any(|result| result == commit)).min_by_key(|one| one.id);
    result.or_else(|| merged().min_by_key(|request| request.id)).map(|request| request.iid)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: u64, state: &str, merge: Option<&str>) -> MergeRequest {
        let (state, merge_commit_sha) = (Some(state.to_owned()), merge.map(str::to_owned));
        MergeRequest { id, iid: id * 10, state, merge_commit_sha, ..MergeRequest::default() }
    }

    #[test]
    fn the_result_of_a_merge_goes_before_the_oldest_request_that_has_the_commit() {
        let requests = [request(3, "merged", Some("x")), request(1, "closed", None), request(2, "merged", None)];
        assert_eq!(pick(&requests, "x"), Some(30));
        assert_eq!(pick(&requests, "y"), Some(20));
        assert_eq!(pick(&requests[1..2], "y"), None);
    }
}
