//! A commit as the service's REST API shows it.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::Extra;
use crate::model::Trailers;

/// Everything the service tells about a commit. Moments are ISO 8601 with milliseconds and the commit's own offset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CommitRecord {
    /// The full id.
    pub id: String,
    /// The first eight digits of the id.
    pub short_id: String,
    /// The same moment as `committed_date`.
    pub created_at: String,
    /// The full ids of the parents.
    pub parent_ids: Vec<String>,
    /// The first line of the message, not shortened.
    pub title: String,
    /// The whole message.
    pub message: String,
    /// Who wrote it.
    pub author_name: String,
    /// The author's address.
    pub author_email: String,
    /// When it was written.
    pub authored_date: String,
    /// Who committed it.
    pub committer_name: String,
    /// The committer's address.
    pub committer_email: String,
    /// When it was committed.
    pub committed_date: String,
    /// The trailers; of a repeated name the last value.
    pub trailers: Trailers,
    /// The trailers with every value.
    pub extended_trailers: IndexMap<String, Vec<String>>,
    /// The commit's page on the host; absent where the host is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}
