//! Merge and pull requests on a forge: opened and renewed for a release, and read and commented on for a preview.

pub(super) mod github;
pub(super) mod gitlab;

use serde::{Deserialize, Serialize};

pub(crate) use github::PullRequest;

use crate::{
    api::{ApiRequest, Result},
    model::{
        Thread,
        merge_text::{MergeSettings, ReviewedRequest},
    },
};

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

/// A comment on a merge request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Comment {
    pub(crate) id: u64,
    #[serde(default)]
    pub(crate) body: String,
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

    /// Returns the request of a number.
    fn read(&self, number: u64) -> Result<ReviewedRequest>;

    /// Returns how the project merges. What only some may read has the forge's default for others.
    fn merge_settings(&self) -> Result<MergeSettings>;

    /// Returns the comments of people and programs, the oldest first.
    fn comments(&self, thread: Thread) -> Result<Vec<Comment>>;

    fn comment(&self, thread: Thread, body: &str) -> Result<()>;

    fn edit_comment(&self, number: u64, comment: u64, body: &str) -> Result<()>;
}
