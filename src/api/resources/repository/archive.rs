//! Archives.

use super::{READERS, repository};
use crate::{
    api::{Bytes, Endpoint, Fields, Method, Path},
    model::repository::{ArchiveFormat, ArchiveRequest},
};

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
