//! What a repository holds besides its changelog, in the shape of GitLab's REST API, and the requests for it.

mod health;
mod records;
mod request;

use std::ops::Deref;

use serde::{Serialize, Serializer};
use serde_json::Value;

pub use health::{
    Alternates, Bitmap, CommitGraph, Health, HealthObjects, HealthReferences, MultiPackIndex, RepackTime,
};
pub use records::{Blob, CommitRecord, Comparison, Contributor, EntryKind, FileDiff, TreeEntry};
pub use request::{
    ArchiveFormat, ArchiveRequest, CompareRequest, ContributorOrder, ContributorsRequest, KeysetPage, NotFound,
    TreeRequest,
};

/// A value, and the JSON it was read from if a server sent it. It serializes to that JSON, unknown fields included.
#[derive(Clone, Debug, PartialEq)]
pub struct RepositoryResponse<T> {
    value: T,
    body: Option<Value>,
}

impl<T> RepositoryResponse<T> {
    /// A value that a server sent.
    pub fn new(value: T, body: Value) -> Self {
        Self { value, body: Some(body) }
    }

    /// The body, if a server sent it.
    #[must_use]
    pub fn body(&self) -> Option<&Value> {
        self.body.as_ref()
    }
}

impl<T> From<T> for RepositoryResponse<T> {
    fn from(value: T) -> Self {
        Self { value, body: None }
    }
}

impl<T> Deref for RepositoryResponse<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Serialize> Serialize for RepositoryResponse<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.body {
            Some(body) => body.serialize(serializer),
            None => self.value.serialize(serializer),
        }
    }
}
