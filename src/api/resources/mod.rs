//! The requests that the program itself needs. A request that only one command sends is a row of that command's table
//! under `commands/`.
//!
//! Releases and people are traits with an implementation for each forge, which is chosen here.

pub(crate) mod commits;
mod github;
pub(crate) mod merge_requests;
pub(crate) mod people;
pub(crate) mod releases;
pub(crate) mod repository;

use self::{
    commits::{CommitApi, gitlab::GitLabCommits},
    github::GitHub,
    merge_requests::{MergeRequestApi, gitlab::GitLabRequests},
    people::{GitLabPeople, People},
    releases::{ReleaseApi, gitlab::GitLabReleases},
};
use crate::{
    api::Client,
    model::{Forge, Problem},
};

/// Returns the releases of a project on the client's server; the project is a path, or an ID if the forge has one.
///
/// # Errors
/// If the forge has no project of such a path.
pub(crate) fn releases_of<'c>(client: &'c Client, project: &str) -> Result<Box<dyn ReleaseApi + 'c>, Problem> {
    Ok(match client.base().forge() {
        Forge::GitHub | Forge::Gitea => Box::new(GitHub::new(client, project)?),
        _ => Box::new(GitLabReleases { client, project: project.to_owned() }),
    })
}

/// Returns the users and merge requests of a project, which is named as for [`releases_of`].
pub(crate) fn people_of<'c>(client: &'c Client, project: &str) -> Result<Box<dyn People + 'c>, Problem> {
    Ok(match client.base().forge() {
        Forge::GitHub | Forge::Gitea => Box::new(GitHub::new(client, project)?),
        _ => Box::new(GitLabPeople::new(client, project)),
    })
}

/// Returns the merge requests of a project, which is named as for [`releases_of`].
pub(crate) fn merge_requests_of<'c>(
    client: &'c Client,
    project: &str,
) -> Result<Box<dyn MergeRequestApi + 'c>, Problem> {
    Ok(match client.base().forge() {
        Forge::GitHub | Forge::Gitea => Box::new(GitHub::new(client, project)?),
        _ => Box::new(GitLabRequests { client, project: project.to_owned() }),
    })
}

/// Returns what makes the commits of a project, which is named as for [`releases_of`].
pub(crate) fn commits_of<'c>(client: &'c Client, project: &str) -> Result<Box<dyn CommitApi + 'c>, Problem> {
    Ok(match client.base().forge() {
        Forge::GitHub => Box::new(GitHub::new(client, project)?),
        Forge::GitLab => Box::new(GitLabCommits { client, project: project.to_owned() }),
        other => {
            let problem = Problem::usage(format!("{} makes no commits that it signs", other.profile().name));
            return Err(problem.hint("leave out `--commit-through-api` and the key `commit_through_api`"));
        }
    })
}
