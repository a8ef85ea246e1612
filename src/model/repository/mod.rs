//! What a repository answers beside its changelog, in the shape of the service's REST API, and what it is asked.
//!
//! Every answer keeps the fields it does not know in `extra`, so that what a newer server says passes through.

mod blob;
mod commit_record;
mod comparison;
mod contributor;
mod health;
mod not_found;
mod request;
mod response;
mod tree_entry;

pub use blob::Blob;
pub use commit_record::CommitRecord;
pub use comparison::{Comparison, FileDiff};
pub use contributor::Contributor;
pub use health::{
    Alternates, Bitmap, CommitGraph, Health, HealthObjects, HealthReferences, MultiPackIndex, RepackTime,
};
pub use not_found::NotFound;
pub use request::{
    ArchiveFormat, ArchiveRequest, CompareRequest, ContributorOrder, ContributorsRequest, KeysetPage, TreeRequest,
};
pub use response::RepositoryResponse;
pub use tree_entry::{EntryKind, TreeEntry};

/// The fields of an answer that this program does not know.
pub type Extra = serde_json::Map<String, serde_json::Value>;
