//! Releases of a GitHub repository.

mod operations;
mod permissions;

use anyhow::Context as _;

pub use self::{
    operations::{
        CreateRelease, DeleteReleaseAsset, GetRelease, GetTagRef, GitHubRelease, ListReleases, ReleaseAsset,
        RepositoryName, UpdateRelease, UploadReleaseAsset,
    },
    permissions::{GetOwnPermissions, ListOwnRepositories, OwnPermissions},
};
use super::{
    AttachedAsset, ExistingAsset, ExistingRelease, PublishOutcome, ReleaseApi, digest::Fingerprint, missing_tag,
};
use crate::{
    api::{
        ApiRequest, Client, Paging, Result,
        client::{decode, optional},
    },
    model::{Asset, ForgeRelease},
};

/// How many pages of releases a draft is looked for on; it is as new as its tag.
const PAGES: usize = 3;

/// The releases of a repository.
#[derive(Debug)]
pub struct GitHubReleases<'c> {
    /// The service.
    pub client: &'c Client,
    /// Whose they are.
    pub repository: RepositoryName,
}

impl ReleaseApi for GitHubReleases<'_> {
    fn find(&self, tag: &str) -> Result<Option<ExistingRelease>> {
        let sent = self.client.send(&GetRelease { repository: self.repository.clone(), tag: tag.to_owned() });
        match optional(sent, |error| error.status() == Some(404))? {
            Some(release) => Ok(Some(present(release, tag))),
            None => self.draft(tag),
        }
    }

    fn check_permissions(&self) -> anyhow::Result<()> {
        Ok(permissions::check(self.client, &self.repository)?)
    }

    /// A release with files is a draft until they are there, so that nobody sees it without them, and a host that allows
    /// no change of what is public takes it.
    fn create(&self, release: &ForgeRelease) -> anyhow::Result<ExistingRelease> {
        self.check_tag(&release.tag)?;
        let creation = CreateRelease { draft: !release.assets.is_empty(), ..self.creation(release) };
        Ok(present(self.client.send(&creation)?, &release.tag))
    }

    fn update(&self, present: &ExistingRelease, release: &ForgeRelease) -> anyhow::Result<ExistingRelease> {
        if present.draft {
            self.check_tag(&release.tag)?;
        }
        let change = UpdateRelease { release: Some(present.id), was_draft: present.draft, to: self.creation(release) };
        Ok(self::present(self.client.send(&change)?, &present.tag))
    }

    fn attach(&self, present: &ExistingRelease, asset: &Asset) -> anyhow::Result<AttachedAsset> {
        let there = present.file(&asset.name);
        if let Some(file) = there.filter(|file| file.whole) {
            let fingerprint = Fingerprint { size: file.size, sha256: file.sha256.as_deref() };
            if fingerprint.is_of(&asset.path)? {
                let url = file.url.clone();
                return Ok(AttachedAsset { name: asset.name.clone(), status: PublishOutcome::Unchanged, url });
            }
        }
        if let Some(file) = there {
            self.client.send(&DeleteReleaseAsset { repository: self.repository.clone(), asset: file.id })?;
        }
        let uploaded = self.client.send(&self.upload(Some(present.id), asset))?;
        let status = if there.is_some() { PublishOutcome::Updated } else { PublishOutcome::Created };
        Ok(AttachedAsset { name: asset.name.clone(), status, url: uploaded.browser_download_url })
    }

    fn requests(&self, release: &ForgeRelease) -> Vec<ApiRequest> {
        let creation = self.creation(release);
        if release.assets.is_empty() {
            return vec![ApiRequest::of(&creation)];
        }
        let draft = ApiRequest::of(&CreateRelease { draft: true, ..creation.clone() });
        let uploads = release.assets.iter().map(|asset| ApiRequest::of(&self.upload(None, asset)));
        let publication = ApiRequest::of(&UpdateRelease { release: None, was_draft: true, to: creation });
        [draft].into_iter().chain(uploads).chain([publication]).collect()
    }
}

impl GitHubReleases<'_> {
    /// The newest draft for a tag, as far as the token sees drafts.
    fn draft(&self, tag: &str) -> Result<Option<ExistingRelease>> {
        if !self.client.credential().is_some() {
            return Ok(None);
        }
        let list = ListReleases { repository: self.repository.clone() };
        let request = ApiRequest::of(&list);
        for page in self.client.pages(request.clone(), Paging::default()).take(PAGES) {
            let releases: Vec<GitHubRelease> = decode(&request, &page?.rows.into())?;
            let is_it = |one: &GitHubRelease| one.draft == Some(true) && one.tag_name.as_deref() == Some(tag);
            if let Some(draft) = releases.into_iter().find(is_it) {
                return Ok(Some(present(draft, tag)));
            }
        }
        Ok(None)
    }

    /// Refuses a tag that is missing: it would be made, on whatever the default branch is at.
    fn check_tag(&self, tag: &str) -> anyhow::Result<()> {
        match self.client.send(&GetTagRef { repository: self.repository.clone(), tag: tag.to_owned() }) {
            Ok(_) => Ok(()),
            Err(error) if error.status() == Some(404) => Err(error).context(missing_tag(tag)),
            Err(error) => Err(error.into()),
        }
    }

    fn creation(&self, release: &ForgeRelease) -> CreateRelease {
        CreateRelease {
            repository: self.repository.clone(),
            tag: release.tag.clone(),
            name: release.name.clone(),
            body: release.description.clone(),
            prerelease: release.prerelease,
            draft: false,
        }
    }

    fn upload(&self, release: Option<u64>, asset: &Asset) -> UploadReleaseAsset {
        let (name, file) = (asset.name.clone(), asset.path.clone());
        UploadReleaseAsset { repository: self.repository.clone(), release, name, file }
    }
}

fn present(release: GitHubRelease, tag: &str) -> ExistingRelease {
    let file = |asset: ReleaseAsset| ExistingAsset {
        id: asset.id,
        name: asset.name.unwrap_or_default(),
        url: asset.browser_download_url,
        size: asset.size,
        sha256: asset.digest.and_then(|digest| Some(digest.strip_prefix("sha256:")?.to_owned())),
        whole: asset.state.is_none_or(|state| state == "uploaded"),
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
