//! What a preview needs of a merge or pull request: the request, how it will be merged, and its comments.

pub(super) mod github;
pub(super) mod gitlab;

use serde::Deserialize;

use crate::{
    api::Result,
    model::merge_text::{MergeSettings, ReviewedRequest},
};

/// A comment on a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Comment {
    pub(crate) id: u64,
    #[serde(default)]
    pub(crate) body: String,
}

/// The requests of a project, as somebody who reviews them reads them.
pub(crate) trait ReviewApi {
    fn request(&self, number: u64) -> Result<ReviewedRequest>;

    /// Returns how the project merges. What only some may read has the forge's default for others.
    fn merge_settings(&self) -> Result<MergeSettings>;

    /// Returns the comments of people and programs, the oldest first.
    fn comments(&self, number: u64) -> Result<Vec<Comment>>;

    fn add_comment(&self, number: u64, body: &str) -> Result<()>;

    fn edit_comment(&self, number: u64, comment: u64, body: &str) -> Result<()>;
}
