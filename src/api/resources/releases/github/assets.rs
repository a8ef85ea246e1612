//! The operations on files of a release of a GitHub repository.

use std::path::PathBuf;

use serde::Deserialize;

use super::operations::{RepositoryName, WRITERS};
use crate::api::{ApiHost, Body, Endpoint, Fields, Method, Path};

/// A file of a release.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ReleaseAsset {
    /// Its number.
    pub id: u64,
    /// Its name, once in a release.
    pub name: Option<String>,
    /// `uploaded`; anything else is left of an upload that broke off.
    pub state: Option<String>,
    /// In bytes.
    pub size: Option<u64>,
    /// `sha256:` and hexadecimal digits; older hosts tell none.
    pub digest: Option<String>,
    /// Where people download it.
    pub browser_download_url: Option<String>,
}

/// `POST /repos/:owner/:repo/releases/:release_id/assets`, on the host that takes files.
#[derive(Clone, Debug, Default)]
pub struct UploadReleaseAsset {
    /// Whose release.
    pub repository: RepositoryName,
    /// The release; `None` only to show the request before there is one.
    pub release: Option<u64>,
    /// What the file shall be called.
    pub name: String,
    /// Where it lies.
    pub file: PathBuf,
}

impl Endpoint for UploadReleaseAsset {
    type Output = ReleaseAsset;
    const METHOD: Method = Method::Post;
    const HOST: ApiHost = ApiHost::Uploads;
    const REQUIRED_ACCESS: &'static str = WRITERS;

    fn path(&self) -> Path {
        self.repository.release(self.release).lit("assets")
    }

    fn query(&self) -> Fields {
        Fields::new().add("name", &self.name)
    }

    fn body(&self) -> Body {
        Body::File(self.file.clone())
    }
}

/// `DELETE /repos/:owner/:repo/releases/assets/:asset_id`
#[derive(Clone, Debug, Default)]
pub struct DeleteReleaseAsset {
    /// Whose release.
    pub repository: RepositoryName,
    /// The file.
    pub asset: u64,
}

impl Endpoint for DeleteReleaseAsset {
    type Output = ();
    const METHOD: Method = Method::Delete;
    const REQUIRED_ACCESS: &'static str = WRITERS;

    fn path(&self) -> Path {
        self.repository.path().lit("releases").lit("assets").arg("asset_id", self.asset.to_string())
    }
}
