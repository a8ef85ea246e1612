//! One trait for local and hosted repositories, with the same results.

mod hosted;
mod local;
mod verify;

use std::io::Write;

use anyhow::Result;

use crate::model::repository::{
    ArchiveRequest, Blob, CommitRecord, CompareRequest, Comparison, Contributor, ContributorsRequest, Health,
    KeysetPage, RepositoryResponse, TreeEntry, TreeRequest,
};

pub use hosted::HostedRepository;
pub use local::LocalRepository;

/// Read access to a repository.
pub trait Repository {
    /// The entries of a directory.
    ///
    /// # Errors
    /// If the ref, the directory or the page is unknown.
    fn tree(&self, request: &TreeRequest) -> Result<RepositoryResponse<KeysetPage<TreeEntry>>>;

    /// A blob by its ID, encoded for JSON.
    ///
    /// # Errors
    /// If there is no such blob.
    fn blob(&self, sha: &str) -> Result<RepositoryResponse<Blob>>;

    /// Writes the content of a blob by its ID.
    ///
    /// # Errors
    /// If there is no such blob, or `out` cannot be written.
    fn raw_blob(&self, sha: &str, out: &mut dyn Write) -> Result<()>;

    /// Writes an archive of the files of a commit.
    ///
    /// # Errors
    /// If the ref or a path is unknown, or `out` cannot be written.
    fn archive(&self, request: &ArchiveRequest, out: &mut dyn Write) -> Result<()>;

    /// The commits and diffs between two refs.
    ///
    /// # Errors
    /// If a ref is unknown.
    fn compare(&self, request: &CompareRequest) -> Result<RepositoryResponse<Comparison>>;

    /// The authors of the newest commits.
    ///
    /// # Errors
    /// If the ref is unknown.
    fn contributors(&self, request: &ContributorsRequest) -> Result<RepositoryResponse<Vec<Contributor>>>;

    /// The best common ancestor of the first ref and a hypothetical merge of the others.
    ///
    /// # Errors
    /// If a ref is unknown, or there is no common ancestor.
    fn merge_base(&self, refs: &[String]) -> Result<RepositoryResponse<CommitRecord>>;

    /// The health report of the storage; with `generate`, a server makes a new one if it has none.
    ///
    /// # Errors
    /// If there is no report, or the files cannot be read.
    fn health(&self, generate: bool) -> Result<RepositoryResponse<Health>>;
}
