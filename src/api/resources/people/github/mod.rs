//! People of a GitHub repository.

mod operations;

pub use self::operations::{CommitAuthor, GetCommit, GetOrganizationMember, GitHubUser, ListCommitPulls, PullRequest};
use super::{People, forge_user, is_there};
use crate::{
    api::{Client, Result, client::optional, releases::github::RepositoryName},
    model::{ForgeUser, UnresolvedAuthor},
};

/// The people of a repository.
#[derive(Debug)]
pub struct GitHubPeople<'c> {
    /// The service.
    pub client: &'c Client,
    /// Whose they are.
    pub repository: RepositoryName,
}

impl GitHubPeople<'_> {
    /// The user behind a commit.
    fn login(&self, commit: &str) -> Result<Option<String>> {
        let get = GetCommit { repository: self.repository.clone(), commit: commit.to_owned() };
        let answer = unless_unknown(self.client.send(&get))?;
        Ok(answer.and_then(|commit| commit.author).and_then(|author| author.login))
    }

    fn pulls(&self, commit: &str) -> Result<Vec<PullRequest>> {
        let list = ListCommitPulls { repository: self.repository.clone(), commit: commit.to_owned() };
        let pulls = unless_unknown(self.client.all(&list))?.unwrap_or_default();
        Ok(pulls.into_iter().filter(|pull| pull.merged_at.is_some()).collect())
    }

    fn is_in(&self, organization: &str, login: &str) -> Result<bool> {
        let get = GetOrganizationMember { organization: organization.to_owned(), login: login.to_owned() };
        is_there(self.client.send(&get), |error| matches!(error.status(), Some(403 | 404)))
    }
}

impl People for GitHubPeople<'_> {
    fn user(&self, unknown: &UnresolvedAuthor, groups: &[String]) -> Result<Option<ForgeUser>> {
        let login = match &unknown.username {
            Some(login) => Some(login.clone()),
            None => self.login(&unknown.commit)?,
        };
        let Some(login) = login else { return Ok(None) };
        let pulls = self.pulls(&unknown.commit)?;
        // Who came without a pull request could push, and is none from outside.
        let contributor = pulls.iter().any(|pull| pull.is_from_outside(&login));
        forge_user(&login, contributor, groups, |group| self.is_in(group, &login)).map(Some)
    }

    fn merge_request(&self, commit: &str) -> Result<Option<u64>> {
        let pulls = self.pulls(commit)?;
        let result = pulls.iter().find(|pull| pull.merge_commit_sha.as_deref() == Some(commit));
        Ok(result.or_else(|| pulls.iter().min_by_key(|pull| pull.number)).map(|pull| pull.number))
    }
}

/// Nothing for a commit that GitHub does not have (422): it was not pushed yet.
fn unless_unknown<T>(answer: Result<T>) -> Result<Option<T>> {
    optional(answer, |error| error.status() == Some(422))
}
