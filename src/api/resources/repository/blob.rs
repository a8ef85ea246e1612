//! The content of files by their ids.

use super::{READERS, repository};
use crate::{
    api::{Bytes, Endpoint, Method, Path},
    model::repository::Blob,
};

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
