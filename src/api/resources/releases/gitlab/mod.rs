//! Releases of a GitLab project. A job's token is enough for all of it.

mod operations;
mod packages;
mod permissions;

use anyhow::Context as _;

pub use self::{
    operations::{
        CreateRelease, CreateReleaseLink, GetRelease, GitLabRelease, ReleaseLink, UpdateRelease, UpdateReleaseLink,
    },
    packages::{ListPackageFiles, ListPackages, PackageFile, RegistryPackage, UploadPackageFile},
    permissions::{GetOwnAccess, GetOwnToken, OwnAccess, OwnToken},
};
use super::{
    AttachedAsset, ExistingAsset, ExistingRelease, PublishOutcome, ReleaseApi, digest::Fingerprint, missing_tag,
};
use crate::{
    api::{ApiRequest, Client, Result, client::optional},
    model::{Asset, ForgeRelease},
};

/// The package that holds the files of releases, a version for each tag.
const PACKAGE: &str = "release-assets";

/// The releases of a project.
#[derive(Debug)]
pub struct GitLabReleases<'c> {
    /// The service.
    pub client: &'c Client,
    /// Id or path.
    pub project: String,
}

impl ReleaseApi for GitLabReleases<'_> {
    fn find(&self, tag: &str) -> Result<Option<ExistingRelease>> {
        let sent = self.client.send(&GetRelease { project: self.project.clone(), tag: tag.to_owned() });
        // Older services answer 403 for a release that is not there; who may really not is told so when it is made.
        let answer = optional(sent, |error| error.status() == Some(403) || error.is_resource_not_found())?;
        Ok(answer.map(|release| present(release, tag)))
    }

    fn check_permissions(&self) -> anyhow::Result<()> {
        Ok(permissions::check(self.client, &self.project)?)
    }

    fn create(&self, release: &ForgeRelease) -> anyhow::Result<ExistingRelease> {
        match self.client.send(&self.creation(release)) {
            Ok(created) => Ok(present(created, &release.tag)),
            // It would make the tag itself if it were told of which commit.
            Err(error) if error.status() == Some(422) => Err(error).context(missing_tag(&release.tag)),
            Err(error) => Err(error.into()),
        }
    }

    fn update(&self, present: &ExistingRelease, release: &ForgeRelease) -> anyhow::Result<ExistingRelease> {
        let change = UpdateRelease(self.creation(release));
        Ok(self::present(self.client.send(&change)?, &present.tag))
    }

    fn attach(&self, present: &ExistingRelease, asset: &Asset) -> anyhow::Result<AttachedAsset> {
        let upload = self.upload(&present.tag, asset);
        let there = self.registered(&upload)?;
        let fingerprint = there
            .as_ref()
            .map(|file| Fingerprint { size: file.size, sha256: file.file_sha256.as_deref() })
            .unwrap_or_default();
        let same = fingerprint.is_of(&asset.path)?;
        if !same {
            self.client.send(&upload)?;
        }
        let url = self.client.address(&ApiRequest::of(&upload));
        let linked = self.link(present, &asset.name, &url)?;
        let status = match (same, there) {
            (true, _) => linked,
            (false, Some(_)) => PublishOutcome::Updated,
            (false, None) => PublishOutcome::Created,
        };
        Ok(AttachedAsset { name: asset.name.clone(), status, url: Some(url) })
    }

    fn requests(&self, release: &ForgeRelease) -> Vec<ApiRequest> {
        let assets = release.assets.iter().flat_map(|asset| {
            let upload = ApiRequest::of(&self.upload(&release.tag, asset));
            let link = ApiRequest::of(&self.creation_of_link(&release.tag, &asset.name, &self.client.address(&upload)));
            [upload, link]
        });
        [ApiRequest::of(&self.creation(release))].into_iter().chain(assets).collect()
    }
}

impl GitLabReleases<'_> {
    fn creation(&self, release: &ForgeRelease) -> CreateRelease {
        CreateRelease {
            project: self.project.clone(),
            tag: release.tag.clone(),
            name: release.name.clone(),
            description: release.description.clone(),
        }
    }

    fn upload(&self, tag: &str, asset: &Asset) -> UploadPackageFile {
        UploadPackageFile {
            project: self.project.clone(),
            package: PACKAGE.to_owned(),
            // A version has no `/`, which tags of packages in one repository often have.
            version: tag.replace('/', "-"),
            name: asset.name.clone(),
            file: asset.path.clone(),
        }
    }

    fn creation_of_link(&self, tag: &str, name: &str, url: &str) -> CreateReleaseLink {
        let (project, tag) = (self.project.clone(), tag.to_owned());
        CreateReleaseLink { project, tag, name: name.to_owned(), url: url.to_owned() }
    }

    /// The newest file of this name that the registry has.
    fn registered(&self, upload: &UploadPackageFile) -> Result<Option<PackageFile>> {
        let (name, version) = (upload.package.clone(), upload.version.clone());
        let list = ListPackages { project: self.project.clone(), name, version };
        let packages = self.client.all(&list)?.into_iter();
        let package = packages.filter(|package| {
            (package.name.as_ref(), package.version.as_ref()) == (Some(&upload.package), Some(&upload.version))
        });
        let Some(package) = package.max_by_key(|package| package.id) else { return Ok(None) };
        let files = self.client.all(&ListPackageFiles { project: self.project.clone(), package: package.id })?;
        let files = files.into_iter().filter(|file| file.file_name.as_ref() == Some(&upload.name));
        Ok(files.max_by_key(|file| file.id))
    }

    /// Sees to it that the release shows a file under its name.
    fn link(&self, present: &ExistingRelease, name: &str, url: &str) -> Result<PublishOutcome> {
        let creation = self.creation_of_link(&present.tag, name, url);
        match present.file(name) {
            None => self.client.send(&creation).map(|_| PublishOutcome::Created),
            Some(link) if link.url.as_deref() == Some(url) => Ok(PublishOutcome::Unchanged),
            Some(link) => {
                self.client.send(&UpdateReleaseLink { link: link.id, to: creation }).map(|_| PublishOutcome::Updated)
            }
        }
    }
}

fn present(release: GitLabRelease, tag: &str) -> ExistingRelease {
    let links = release.assets.and_then(|assets| assets.links).unwrap_or_default().into_iter();
    let file = |link: ReleaseLink| ExistingAsset {
        id: link.id,
        name: link.name.unwrap_or_default(),
        url: link.url,
        size: None,
        sha256: None,
        whole: true,
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
