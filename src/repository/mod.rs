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

pub(crate) use hosted::HostedRepository;
pub(crate) use local::LocalRepository;

/// Read access to a repository.
pub(crate) trait Repository {
    /// The entries of a directory.
    fn tree(&self, request: &TreeRequest) -> Result<RepositoryResponse<KeysetPage<TreeEntry>>>;

    /// A blob by its ID, encoded for JSON.
    fn blob(&self, sha: &str) -> Result<RepositoryResponse<Blob>>;

    /// Writes the content of a blob by its ID.
    fn raw_blob(&self, sha: &str, out: &mut dyn Write) -> Result<()>;

    /// Writes an archive of the files of a commit.
    fn archive(&self, request: &ArchiveRequest, out: &mut dyn Write) -> Result<()>;

    /// The commits and diffs between two refs.
    fn compare(&self, request: &CompareRequest) -> Result<RepositoryResponse<Comparison>>;

    /// The authors of the newest commits.
    fn contributors(&self, request: &ContributorsRequest) -> Result<RepositoryResponse<Vec<Contributor>>>;

    /// The best common ancestor of the first ref and a hypothetical merge of the others.
    fn merge_base(&self, refs: &[String]) -> Result<RepositoryResponse<CommitRecord>>;

    /// The health report of the storage; with `generate`, a server makes a new one if it has none.
    fn health(&self, generate: bool) -> Result<RepositoryResponse<Health>>;
}
