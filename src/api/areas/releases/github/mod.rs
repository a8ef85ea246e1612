//! Releases of a GitHub repository.

mod assets;
mod operations;
mod rights;

use anyhow::Context as _;

pub use self::{
    assets::{DeleteReleaseAsset, ReleaseAsset, UploadReleaseAsset},
    operations::{CreateRelease, GetRelease, GetTagRef, ListReleases, Release, Repository, UpdateRelease},
    rights::{GetOwnPermissions, ListOwnRepositories, OwnPermissions},
};
use super::{Attached, File, Outcome, Present, ReleaseHost, digest::Fingerprint, missing_tag};
use crate::{
    api::{Call, Client, Paging, Result, client::optional},
    model::{Asset, ReleaseObject},
};

/// How many pages of releases a draft is looked for on; it is as new as its tag.
const PAGES: usize = 3;

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
        let sent = self.client.send(&GetRelease { repository: self.repository.clone(), tag: tag.to_owned() });
        match optional(sent, |error| error.status() == Some(404))? {
            Some(answer) => Ok(Some(present(answer.value, tag))),
            None => self.draft(tag),
        }
    }

    fn check_rights(&self) -> anyhow::Result<()> {
        Ok(rights::check(self.client, &self.repository)?)
    }

    /// A release with files is a draft until they are there, so that nobody sees it without them, and a host that allows
    /// no change of what is public takes it.
    fn create(&self, release: &ReleaseObject) -> anyhow::Result<Present> {
        self.check_tag(&release.tag)?;
        let creation = CreateRelease { draft: !release.assets.is_empty(), ..self.creation(release) };
        Ok(present(self.client.send(&creation)?.value, &release.tag))
    }

    fn update(&self, present: &Present, release: &ReleaseObject) -> anyhow::Result<Present> {
        if present.draft {
            self.check_tag(&release.tag)?;
        }
        let change = UpdateRelease { release: Some(present.id), was_draft: present.draft, to: self.creation(release) };
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
        let creation = self.creation(release);
        if release.assets.is_empty() {
            return vec![Call::of(&creation)];
        }
        let draft = Call::of(&CreateRelease { draft: true, ..creation.clone() });
        let uploads = release.assets.iter().map(|asset| Call::of(&self.upload(None, asset)));
        let publication = Call::of(&UpdateRelease { release: None, was_draft: true, to: creation });
        [draft].into_iter().chain(uploads).chain([publication]).collect()
    }
}

impl GitHubReleases<'_> {
    /// The newest draft for a tag, as far as the token sees drafts.
    fn draft(&self, tag: &str) -> Result<Option<Present>> {
        if !self.client.credential().is_some() {
            return Ok(None);
        }
        let list = ListReleases { repository: self.repository.clone() };
        for page in self.client.pages(&list, Paging::default()).take(PAGES) {
            let is_it = |one: &Release| one.draft == Some(true) && one.tag_name.as_deref() == Some(tag);
            if let Some(draft) = page?.items.into_iter().find(is_it) {
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

    fn creation(&self, release: &ReleaseObject) -> CreateRelease {
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
        draft: release.draft.unwrap_or_default(),
        url: release.html_url,
        files: release.assets.unwrap_or_default().into_iter().map(file).collect(),
    }
}
