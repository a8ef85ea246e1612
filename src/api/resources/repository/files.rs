//! Endpoints that read files: trees, blobs and archives.

use super::{READERS, repository};
use crate::{
    api::{Bytes, Endpoint, Fields, Method, Paged, Path},
    model::repository::{ArchiveFormat, ArchiveRequest, Blob, TreeEntry, TreeRequest},
};

/// `GET /projects/:id/repository/tree`
///
/// Its pages are named by tokens.
#[derive(Clone, Debug, Default)]
pub struct ListTree {
    /// Id or path.
    pub project: String,
    /// What to list.
    pub request: TreeRequest,
}

impl Endpoint for ListTree {
    type Output = Vec<TreeEntry>;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        repository(&self.project).lit("tree")
    }

    fn query(&self) -> Fields {
        let path = Some(&self.request.path).filter(|path| !path.is_empty());
        let per_page = self.request.per_page.map(|rows| rows as u64);
        Fields::new()
            .add("ref", &self.request.reference)
            .add("path", path)
            .add("recursive", self.request.recursive.then_some(true))
            .add("pagination", "keyset")
            .add("per_page", per_page)
            .add("page_token", &self.request.page_token)
    }
}

impl Paged for ListTree {
    type Item = TreeEntry;
}

/// `GET /projects/:id/repository/blobs/:sha`
#[derive(Clone, Debug, Default)]
pub struct GetBlob {
    /// Id or path.
    pub project: String,
    /// The blob's id.
    pub sha: String,
}

impl Endpoint for GetBlob {
    type Output = Blob;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        repository(&self.project).lit("blobs").arg("sha", &self.sha)
    }
}

/// `GET /projects/:id/repository/blobs/:sha/raw`
#[derive(Clone, Debug, Default)]
pub struct GetRawBlob {
    /// Id or path.
    pub project: String,
    /// The blob's id.
    pub sha: String,
}

impl Endpoint for GetRawBlob {
    type Output = Bytes;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        repository(&self.project).lit("blobs").arg("sha", &self.sha).lit("raw")
    }
}

/// `GET /projects/:id/repository/archive[.format]`
///
/// The answer begins before the service knows whether it can end it, so the archive itself tells whether it is whole.
#[derive(Clone, Debug, Default)]
pub struct GetArchive {
    /// Id or path.
    pub project: String,
    /// What to archive.
    pub request: ArchiveRequest,
}

impl Endpoint for GetArchive {
    type Output = Bytes;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        repository(&self.project).lit("archive").format(match self.request.format {
            ArchiveFormat::Tar => ".tar",
            ArchiveFormat::TarGz => ".tar.gz",
            ArchiveFormat::TarBz2 => ".tar.bz2",
            ArchiveFormat::Zip => ".zip",
        })
    }

    fn query(&self) -> Fields {
        let ArchiveRequest { reference, path, exclude, lfs, .. } = &self.request;
        let exclude = (!exclude.is_empty()).then(|| exclude.join(","));
        Fields::new()
            .add("sha", reference)
            .add("path", Some(path).filter(|path| !path.is_empty()))
            .add("exclude_paths", exclude)
            .add("include_lfs_blobs", (!lfs).then_some(false))
    }
}
