//! Commits that a forge makes, which are verified since it signs them.

pub(super) mod github;
pub(super) mod gitlab;

use crate::{
    api::Error,
    model::{ForgeCommit, Oid, Problem},
};

/// The commits of a project on a forge that makes some.
pub(crate) trait CommitApi {
    /// Makes a commit on top of a branch, and returns its ID.
    fn commit(&self, commit: &ForgeCommit) -> anyhow::Result<Oid>;
}

/// Reads the ID in an answer.
fn made(id: Option<&str>) -> anyhow::Result<Oid> {
    let id = id.and_then(|id| id.parse().ok());
    id.ok_or_else(|| Problem::new("the answer of the server does not name the commit that it made").into())
}

/// Says what was refused.
fn refused(error: Error, commit: &ForgeCommit) -> anyhow::Error {
    let problem = Problem::new(format!("the commit on `{}` was not made", commit.branch))
        .hint("run the same command again: nothing that it needs was changed");
    anyhow::Error::from(error).context(problem)
}
