//! The operations that tell of people and pull requests of a GitHub repository.

use serde::Deserialize;

use crate::api::{Endpoint, Method, Paged, Path, releases::github::RepositoryName};

/// A commit, as far as it is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct CommitAuthor {
    /// The user behind its author's address.
    pub author: Option<GitHubUser>,
}

/// A user.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct GitHubUser {
    /// The name on the host.
    pub login: Option<String>,
}

/// `GET /repos/:owner/:repo/commits/:sha`
#[derive(Clone, Debug, Default)]
pub struct GetCommit {
    /// Whose commit.
    pub repository: RepositoryName,
    /// Its id.
    pub commit: String,
}

impl Endpoint for GetCommit {
    type Output = CommitAuthor;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        self.repository.path().lit("commits").arg("sha", &self.commit)
    }
}

/// A pull request, as far as it is asked for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct PullRequest {
    /// Its number.
    pub number: u64,
    /// When it was merged, if it was.
    pub merged_at: Option<String>,
    /// The commit it ended in.
    pub merge_commit_sha: Option<String>,
    /// Who opened it.
    pub user: Option<GitHubUser>,
    /// What they are to the repository: `OWNER`, `MEMBER`, `COLLABORATOR`, `CONTRIBUTOR` and others.
    pub author_association: Option<String>,
}

impl PullRequest {
    /// Whether a user opened it who may not push.
    pub(super) fn is_from_outside(&self, login: &str) -> bool {
        let own = self.user.as_ref().and_then(|user| user.login.as_deref()) == Some(login);
        own && !matches!(self.author_association.as_deref(), None | Some("OWNER" | "MEMBER" | "COLLABORATOR"))
    }
}

/// `GET /repos/:owner/:repo/commits/:sha/pulls`
#[derive(Clone, Debug, Default)]
pub struct ListCommitPulls {
    /// Whose commit.
    pub repository: RepositoryName,
    /// Its id.
    pub commit: String,
}

impl Endpoint for ListCommitPulls {
    type Output = Vec<PullRequest>;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        self.repository.path().lit("commits").arg("sha", &self.commit).lit("pulls")
    }
}

impl Paged for ListCommitPulls {
    type Item = PullRequest;
}

/// `GET /orgs/:org/members/:username`
#[derive(Clone, Debug, Default)]
pub struct GetOrganizationMember {
    /// The organization.
    pub organization: String,
    /// The user.
    pub login: String,
}

impl Endpoint for GetOrganizationMember {
    type Output = ();
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        Path::root("orgs").arg("org", &self.organization).lit("members").arg("username", &self.login)
    }
}
