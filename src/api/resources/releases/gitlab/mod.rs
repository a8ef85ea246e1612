//! Releases of a GitLab project. The token of a CI job is sufficient.

mod operations;
mod permissions;

use anyhow::Context as _;

use self::operations::{GitLabRelease, PACKAGE, PackageFile, ReleaseLink};
use super::{
    AttachedAsset, ExistingAsset, ExistingRelease, PublishOutcome, ReleaseApi, digest::Fingerprint, missing_tag,
};
use crate::{
    api::{ApiRequest, Client, Endpoint, Result, client::optional},
    model::{Asset, ForgeRelease, shell_quoted},
};

/// The releases of a project.
#[derive(Debug)]
pub struct GitLabReleases<'c> {
    /// The client.
    pub client: &'c Client,
    /// ID or path.
    pub project: String,
}

impl ReleaseApi for GitLabReleases<'_> {
    fn find(&self, tag: &str) -> Result<Option<ExistingRelease>> {
        let sent = self.client.send(&operations::get_release(&self.project, tag));
        // Older servers respond with 403 if there is no release. Without access, creating the release will fail.
        let found = optional(sent, |error| error.status() == Some(403) || error.is_resource_not_found())?;
        Ok(found.map(|release| existing(release, tag)))
    }

    fn check_permissions(&self) -> anyhow::Result<()> {
        Ok(permissions::check(self.client, &self.project)?)
    }

    fn create(&self, release: &ForgeRelease) -> anyhow::Result<ExistingRelease> {
        match self.client.send(&operations::create_release(&self.project, release)) {
            Ok(created) => Ok(existing(created, &release.tag)),
            // GitLab would create the tag if the request named a commit.
            Err(error) if error.status() == Some(422) => Err(error).context(missing_tag(&release.tag)),
            Err(error) => Err(error.into()),
        }
    }

    fn update(&self, _: &ExistingRelease, release: &ForgeRelease) -> anyhow::Result<ExistingRelease> {
        let updated = self.client.send(&operations::update_release(&self.project, release))?;
        Ok(existing(updated, &release.tag))
    }

    fn attach(&self, release: &ExistingRelease, asset: &Asset) -> anyhow::Result<AttachedAsset> {
        let upload = self.upload(&release.tag, asset);
        let registered = self.registered(&release.tag, &asset.name)?;
        let fingerprint = registered
            .as_ref()
            .map(|file| Fingerprint { size: file.size, sha256: file.file_sha256.as_deref() })
            .unwrap_or_default();
        let is_same = fingerprint.is_of(&asset.path)?;
        if !is_same {
            self.client.send(&upload)?;
        }
        let url = self.client.address(&upload.request);
        let linked = self.link(release, &asset.name, &url)?;
        let status = match (is_same, registered) {
            (true, _) => linked,
            (false, Some(_)) => PublishOutcome::Updated,
            (false, None) => PublishOutcome::Created,
        };
        Ok(AttachedAsset { name: asset.name.clone(), status, url: Some(url) })
    }

    fn requests(&self, release: &ForgeRelease) -> Vec<ApiRequest> {
        let assets = release.assets.iter().flat_map(|asset| {
            let upload = self.upload(&release.tag, asset).request;
            let url = self.client.address(&upload);
            [upload, operations::set_link(&self.project, &release.tag, None, &asset.name, &url).request]
        });
        [operations::create_release(&self.project, release).request].into_iter().chain(assets).collect()
    }

    fn undo(&self, tag: &str) -> String {
        let path = operations::get_release(&self.project, tag).request.path;
        let path = shell_quoted(path.as_str().trim_start_matches('/'));
        format!("tidings api DELETE {path} --base-url {}", shell_quoted(&self.client.base().to_string()))
    }
}

/// The version of the package for a tag. It cannot have `/`, which tags of packages in one repository often have.
fn package_version(tag: &str) -> String {
    tag.replace('/', "-")
}

impl GitLabReleases<'_> {
    fn upload(&self, tag: &str, asset: &Asset) -> Endpoint<serde_json::Value> {
        operations::upload(&self.project, &package_version(tag), asset)
    }

    /// Returns the newest file of a name in the registry.
    fn registered(&self, tag: &str, name: &str) -> Result<Option<PackageFile>> {
        let version = package_version(tag);
        let packages = self.client.all(&operations::list_packages(&self.project, &version))?.into_iter();
        let package = packages.filter(|package| {
            (package.name.as_deref(), package.version.as_deref()) == (Some(PACKAGE), Some(version.as_str()))
        });
        let Some(package) = package.max_by_key(|package| package.id) else { return Ok(None) };
        let files = self.client.all(&operations::list_package_files(&self.project, package.id))?;
        let files = files.into_iter().filter(|file| file.file_name.as_deref() == Some(name));
        Ok(files.max_by_key(|file| file.id))
    }

    /// Makes the release link to a file.
    fn link(&self, release: &ExistingRelease, name: &str, url: &str) -> Result<PublishOutcome> {
        let set = |link| self.client.send(&operations::set_link(&self.project, &release.tag, link, name, url));
        match release.file(name) {
            None => set(None).map(|_| PublishOutcome::Created),
            Some(link) if link.url.as_deref() == Some(url) => Ok(PublishOutcome::Unchanged),
            Some(link) => set(Some(link.id)).map(|_| PublishOutcome::Updated),
        }
    }
}

fn existing(release: GitLabRelease, tag: &str) -> ExistingRelease {
    let links = release.assets.and_then(|assets| assets.links).unwrap_or_default().into_iter();
    let file = |link: ReleaseLink| ExistingAsset {
        id: link.id,
        name: link.name.unwrap_or_default(),
        url: link.url,
        size: None,
        sha256: None,
        is_complete: true,
    };
    ExistingRelease {
        tag: tag.to_owned(),
        id: 0,
        name: release.name.unwrap_or_default(),
        description: release.description.unwrap_or_default(),
        prerelease: None,
        draft: false,
        url: release.pages.and_then(|pages| pages.own),
        files: links.map(file).collect(),
    }
}
