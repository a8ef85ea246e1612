//! What the program does with the API of a forge, and which forges it does it with.

use super::{
    people::{GitHubPeople, GitLabPeople, People},
    releases::{
        ReleaseApi,
        github::{GitHubReleases, RepositoryName},
        gitlab::GitLabReleases,
    },
};
use crate::{
    api::Client,
    model::{Forge, Problem},
};

/// The API of a forge. `project` is the path of a project, or its ID if the forge has one.
pub trait ForgeApi {
    /// The releases of a project.
    ///
    /// # Errors
    /// If the project cannot be one of the forge.
    fn releases<'c>(&self, client: &'c Client, project: &str) -> Result<Box<dyn ReleaseApi + 'c>, Problem>;

    /// The users and merge requests of a project.
    ///
    /// # Errors
    /// If the project cannot be one of the forge.
    fn people<'c>(&self, client: &'c Client, project: &str) -> Result<Box<dyn People + 'c>, Problem>;
}

/// The API of the server that a client talks to.
#[must_use]
pub fn forge_api(client: &Client) -> &'static dyn ForgeApi {
    match client.base().forge() {
        Forge::GitHub => &GitHub,
        Forge::GitLab | Forge::Gitea | Forge::Bitbucket => &GitLab,
    }
}

struct GitLab;

impl ForgeApi for GitLab {
    fn releases<'c>(&self, client: &'c Client, project: &str) -> Result<Box<dyn ReleaseApi + 'c>, Problem> {
        Ok(Box::new(GitLabReleases { client, project: project.to_owned() }))
    }

    fn people<'c>(&self, client: &'c Client, project: &str) -> Result<Box<dyn People + 'c>, Problem> {
        Ok(Box::new(GitLabPeople::new(client, project)))
    }
}

struct GitHub;

impl ForgeApi for GitHub {
    fn releases<'c>(&self, client: &'c Client, project: &str) -> Result<Box<dyn ReleaseApi + 'c>, Problem> {
        Ok(Box::new(GitHubReleases { client, repository: RepositoryName::parse(project)? }))
    }

    fn people<'c>(&self, client: &'c Client, project: &str) -> Result<Box<dyn People + 'c>, Problem> {
        Ok(Box::new(GitHubPeople { client, repository: RepositoryName::parse(project)? }))
    }
}
