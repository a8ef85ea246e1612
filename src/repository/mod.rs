//! One trait over local and hosted repositories: who asks does not know which it is, and gets the same answers.

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

/// A repository that answers questions about its content.
pub trait Repository {
    /// The entries of a folder.
    ///
    /// # Errors
    ///
    /// Where the ref, the folder or the page is unknown.
    fn tree(&self, request: &TreeRequest) -> Result<RepositoryResponse<KeysetPage<TreeEntry>>>;

    /// A file's content by its id, wrapped for JSON.
    ///
    /// # Errors
    ///
    /// Where there is no such blob.
    fn blob(&self, sha: &str) -> Result<RepositoryResponse<Blob>>;

    /// A file's content by its id, as it is.
    ///
    /// # Errors
    ///
    /// Where there is no such blob, or `out` cannot be written.
    fn raw_blob(&self, sha: &str, out: &mut dyn Write) -> Result<()>;

    /// An archive of the files of a commit.
    ///
    /// # Errors
    ///
    /// Where the ref or a path is unknown, or `out` cannot be written.
    fn archive(&self, request: &ArchiveRequest, out: &mut dyn Write) -> Result<()>;

    /// The commits and file differences between two refs.
    ///
    /// # Errors
    ///
    /// Where a ref is unknown.
    fn compare(&self, request: &CompareRequest) -> Result<RepositoryResponse<Comparison>>;

    /// Who wrote the newest commits.
    ///
    /// # Errors
    ///
    /// Where the ref is unknown.
    fn contributors(&self, request: &ContributorsRequest) -> Result<RepositoryResponse<Vec<Contributor>>>;

    /// The best common ancestor of the first ref and a hypothetical merge of the others.
    ///
    /// # Errors
    ///
    /// Where a ref is unknown, or there is no common ancestor.
    fn merge_base(&self, refs: &[String]) -> Result<RepositoryResponse<CommitRecord>>;

    /// The state of the storage; `generate` asks a server for a new report where it has none.
    ///
    /// # Errors
    ///
    /// Where there is no report, or the files cannot be read.
    fn health(&self, generate: bool) -> Result<RepositoryResponse<Health>>;
}
