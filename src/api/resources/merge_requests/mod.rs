//! Merge and pull requests on a forge, as far as the program opens and renews them, and comments on them.

pub(super) mod github;
pub(super) mod gitlab;

use serde::Serialize;

use crate::api::{ApiRequest, Result};

/// Who may open, change and comment on requests on GitHub.
pub(super) const WRITERS_ON_GITHUB: &str = "`permissions: pull-requests: write` in a workflow, and the setting \"Allow \
                                            GitHub Actions to create and approve pull requests\" of the repository";

/// Who may do so on Gitea and Forgejo.
pub(super) const WRITERS_ON_GITEA: &str = "a token with the scopes `write:repository` and `write:issue`, or the \
                                           permissions `contents`, `pull-requests` and `issues` in a workflow";

/// Who may do so on GitLab.
pub(super) const WRITERS_ON_GITLAB: &str = "an access token with the scope `api` of somebody with the role Developer and \
                                            up; the token of a job may read merge requests, and not write them";

/// The state of a merge request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MergeRequestState {
    Open,
    /// Closed and not merged.
    Closed,
    Merged,
}

/// A merge request of one branch of a project into another.
#[derive(Clone, Debug)]
pub(crate) struct MergeRequest {
    pub(crate) number: u64,
    pub(crate) state: MergeRequestState,
    pub(crate) title: String,
    pub(crate) description: String,
    /// The last commit of the source branch, as far as the forge knows.
    pub(crate) head: String,
    pub(crate) url: Option<String>,
}

/// The title and the description of a merge request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RequestText {
    pub(crate) title: String,
    pub(crate) description: String,
}

/// The two branches of a merge request, by their short names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branches<'a> {
    pub(crate) source: &'a str,
    pub(crate) target: &'a str,
}

/// The merge requests of a project.
pub(crate) trait MergeRequestApi {
    /// Returns the requests between two branches of the project itself in a state, the newest first.
    fn find(&self, branches: Branches, is_open: bool) -> Result<Vec<MergeRequest>>;

    /// Returns the request that opens one.
    fn creation(&self, branches: Branches, text: &RequestText) -> ApiRequest;

    fn create(&self, branches: Branches, text: &RequestText) -> Result<MergeRequest>;

    /// Changes title and description.
    fn update(&self, number: u64, text: &RequestText) -> Result<MergeRequest>;

    fn close(&self, number: u64) -> Result<()>;

    fn comment(&self, number: u64, body: &str) -> Result<()>;
}
