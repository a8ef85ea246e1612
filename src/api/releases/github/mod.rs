//! Releases of a GitHub repository.

mod operations;

use anyhow::Context as _;

pub use self::operations::{
    CreateRelease, DeleteReleaseAsset, GetRelease, GetTagRef, Release, ReleaseAsset, Repository, UpdateRelease,
    UploadReleaseAsset,
};
use super::{Attached, File, Outcome, Present, ReleaseHost, digest::Fingerprint, missing_tag};
use crate::{
    api::{Call, Client, Result},
    model::{Asset, ReleaseObject},
};

/// The releases of a repository.
#[derive(Debug)]
pub struct GitHubReleases<'c> {
    /// The service.
    pub client: &'c Client,
    /// Whose they are.
    pub repository: Repository,
}

impl ReleaseHost for GitHubReleases<'_> {
    fn find(&self, tag: &str) -> Result<Option<Present>> {
        match self.client.send(&GetRelease { repository: self.repository.clone(), tag: tag.to_owned() }) {
            Ok(answer) => Ok(Some(present(answer.value, tag))),
            Err(error) if error.status() == Some(404) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// It tells a job's token nothing that holds.
    fn check_rights(&self) -> anyhow::Result<()> {
        Ok(())
    }

    fn create(&self, release: &ReleaseObject) -> anyhow::Result<Present> {
        // A tag that is missing would be made, on whatever the default branch is at.
        match self.client.send(&GetTagRef { repository: self.repository.clone(), tag: release.tag.clone() }) {
            Err(error) if error.status() == Some(404) => Err(error).context(missing_tag(&release.tag)),
            Err(error) => Err(error.into()),
            Ok(_) => Ok(present(self.client.send(&self.creation(release))?.value, &release.tag)),
        }
    }

    fn update(&self, present: &Present, release: &ReleaseObject) -> Result<Present> {
        let change = UpdateRelease { release: present.id, to: self.creation(release) };
        Ok(self::present(self.client.send(&change)?.value, &present.tag))
    }

    fn attach(&self, present: &Present, asset: &Asset) -> anyhow::Result<Attached> {
        let there = present.file(&asset.name);
        if let Some(file) = there.filter(|file| file.whole) {
            let fingerprint = Fingerprint { size: file.size, sha256: file.sha256.as_deref() };
            if fingerprint.is_of(&asset.path)? {
                let url = file.url.clone();
                return Ok(Attached { name: asset.name.clone(), status: Outcome::Unchanged, url });
            }
        }
        if let Some(file) = there {
            self.client.send(&DeleteReleaseAsset { repository: self.repository.clone(), asset: file.id })?;
        }
        let uploaded = self.client.send(&self.upload(Some(present.id), asset))?.value;
        let status = if there.is_some() { Outcome::Updated } else { Outcome::Created };
        Ok(Attached { name: asset.name.clone(), status, url: uploaded.browser_download_url })
    }

    fn calls(&self, release: &ReleaseObject) -> Vec<Call> {
        let uploads = release.assets.iter().map(|asset| Call::of(&self.upload(None, asset)));
        [Call::of(&self.creation(release))].into_iter().chain(uploads).collect()
    }
}

impl GitHubReleases<'_> {
    fn creation(&self, release: &ReleaseObject) -> CreateRelease {
        CreateRelease {
            repository: self.repository.clone(),
            tag: release.tag.clone(),
            name: release.name.clone(),
            body: release.description.clone(),
            prerelease: release.prerelease,
        }
    }

    fn upload(&self, release: Option<u64>, asset: &Asset) -> UploadReleaseAsset {
        let (name, file) = (asset.name.clone(), asset.path.clone());
        UploadReleaseAsset { repository: self.repository.clone(), release, name, file }
    }
}

fn present(release: Release, tag: &str) -> Present {
    let file = |asset: ReleaseAsset| File {
        id: asset.id,
        name: asset.name.unwrap_or_default(),
        url: asset.browser_download_url,
        size: asset.size,
        sha256: asset.digest.and_then(|digest| Some(digest.strip_prefix("sha256:")?.to_owned())),
        whole: asset.state.is_none_or(|state| state == "uploaded"),
    };
    Present {
        tag: tag.to_owned(),
        id: release.id,
        name: release.name.unwrap_or_default(),
        description: release.body.unwrap_or_default(),
        prerelease: Some(release.prerelease.unwrap_or_default()),
        url: release.html_url,
        files: release.assets.unwrap_or_default().into_iter().map(file).collect(),
    }
}
