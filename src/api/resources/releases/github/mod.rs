//! Releases of a GitHub repository.

mod operations;
mod permissions;

use anyhow::Context as _;

pub use self::operations::RepositoryName;
use self::operations::{GitHubRelease, ReleaseAsset};
use super::{
    AttachedAsset, ExistingAsset, ExistingRelease, PublishOutcome, ReleaseApi, digest::Fingerprint, missing_tag,
};
use crate::{
    api::{
        ApiRequest, Client, Paging, Result,
        client::{decode, optional},
    },
    model::{Asset, ForgeRelease, shell_quoted},
};

/// The number of pages of releases that are searched for a draft, which is as new as its tag.
const PAGES: usize = 3;

/// The releases of a repository.
#[derive(Debug)]
pub struct GitHubReleases<'c> {
    /// The client.
    pub client: &'c Client,
    /// The repository.
    pub repository: RepositoryName,
}

impl ReleaseApi for GitHubReleases<'_> {
    fn find(&self, tag: &str) -> Result<Option<ExistingRelease>> {
        let sent = self.client.send(&operations::get_release(&self.repository, tag));
        match optional(sent, |error| error.status() == Some(404))? {
            Some(release) => Ok(Some(existing(release, tag))),
            None => self.draft(tag),
        }
    }

    fn check_permissions(&self) -> anyhow::Result<()> {
        Ok(permissions::check(self.client, &self.repository)?)
    }

    /// A release with files is a draft until they are uploaded, so that nobody sees it without them, and so that it works
    /// if published releases cannot be changed.
    fn create(&self, release: &ForgeRelease) -> anyhow::Result<ExistingRelease> {
        self.check_tag(&release.tag)?;
        let endpoint = operations::create_release(&self.repository, release, !release.assets.is_empty());
        Ok(existing(self.client.send(&endpoint)?, &release.tag))
    }

    fn update(&self, present: &ExistingRelease, release: &ForgeRelease) -> anyhow::Result<ExistingRelease> {
        if present.draft {
            self.check_tag(&release.tag)?;
        }
        let endpoint = operations::update_release(&self.repository, Some(present.id), release, present.draft);
        Ok(existing(self.client.send(&endpoint)?, &present.tag))
    }

    fn attach(&self, release: &ExistingRelease, asset: &Asset) -> anyhow::Result<AttachedAsset> {
        let attached = release.file(&asset.name);
        if let Some(file) = attached.filter(|file| file.is_complete) {
            let fingerprint = Fingerprint { size: file.size, sha256: file.sha256.as_deref() };
            if fingerprint.is_of(&asset.path)? {
                let url = file.url.clone();
                return Ok(AttachedAsset { name: asset.name.clone(), status: PublishOutcome::Unchanged, url });
            }
        }
        if let Some(file) = attached {
            self.client.send(&operations::delete_asset(&self.repository, file.id))?;
        }
        let uploaded = self.client.send(&operations::upload_asset(&self.repository, Some(release.id), asset))?;
        let status = if attached.is_some() { PublishOutcome::Updated } else { PublishOutcome::Created };
        Ok(AttachedAsset { name: asset.name.clone(), status, url: uploaded.browser_download_url })
    }

    fn requests(&self, release: &ForgeRelease) -> Vec<ApiRequest> {
        let create = |draft| operations::create_release(&self.repository, release, draft).request;
        if release.assets.is_empty() {
            return vec![create(false)];
        }
        let upload = |asset| operations::upload_asset(&self.repository, None, asset).request;
        let publish = operations::update_release(&self.repository, None, release, true).request;
        [create(true)].into_iter().chain(release.assets.iter().map(upload)).chain([publish]).collect()
    }

    fn undo(&self, tag: &str) -> String {
        let RepositoryName { owner, name } = &self.repository;
        let repository = format!("{}/{owner}/{name}", self.client.base().url().host());
        format!("gh release delete {} --repo {} --yes", shell_quoted(tag), shell_quoted(&repository))
    }
}

impl GitHubReleases<'_> {
    /// Returns the newest draft for a tag, if the token has access to drafts.
    fn draft(&self, tag: &str) -> Result<Option<ExistingRelease>> {
        if !self.client.credential().is_some() {
            return Ok(None);
        }
        let request = operations::list_releases(&self.repository);
        for page in self.client.pages(request.clone(), Paging::default()).take(PAGES) {
            let releases: Vec<GitHubRelease> = decode(&request, &page?.rows.into())?;
            let is_it = |one: &GitHubRelease| one.draft == Some(true) && one.tag_name.as_deref() == Some(tag);
            if let Some(draft) = releases.into_iter().find(is_it) {
                return Ok(Some(existing(draft, tag)));
            }
        }
        Ok(None)
    }

    /// Refuses a missing tag, which GitHub would create at the tip of the default branch.
    fn check_tag(&self, tag: &str) -> anyhow::Result<()> {
        match self.client.send(&operations::get_tag_ref(&self.repository, tag)) {
            Ok(_) => Ok(()),
            Err(error) if error.status() == Some(404) => Err(error).context(missing_tag(tag)),
            Err(error) => Err(error.into()),
        }
    }
}

fn existing(release: GitHubRelease, tag: &str) -> ExistingRelease {
    let file = |asset: ReleaseAsset| ExistingAsset {
        id: asset.id,
        name: asset.name.unwrap_or_default(),
        url: asset.browser_download_url,
        size: asset.size,
        sha256: asset.digest.and_then(|digest| Some(digest.strip_prefix("sha256:")?.to_owned())),
        is_complete: asset.state.is_none_or(|state| state == "uploaded"),
    };
    ExistingRelease {
        tag: tag.to_owned(),
        id: release.id,
        name: release.name.unwrap_or_default(),
        description: release.body.unwrap_or_default(),
        prerelease: Some(release.prerelease.unwrap_or_default()),
        draft: release.draft.unwrap_or_default(),
        url: release.html_url,
        files: release.assets.unwrap_or_default().into_iter().map(file).collect(),
    }
}
