//! Releases of a GitLab project. The token of a CI job is sufficient.

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{AttachedAsset, ExistingAsset, ExistingRelease, PublishOutcome, ReleaseApi, is_same, missing_tag};
use crate::{
    api::{
        ApiRequest, Body, Client, Fields, Method, Path, Result,
        releases::{missing_project, missing_role, missing_scope},
    },
    model::{Asset, ForgeRelease, Problem, none_if, shell_quoted},
};

/// The releases of a project.
pub(in crate::api) struct GitLabReleases<'c> {
    pub(in crate::api) client: &'c Client,
    /// ID or path.
    pub(in crate::api) project: String,
}

impl ReleaseApi for GitLabReleases<'_> {
    fn find(&self, tag: &str) -> Result<Option<ExistingRelease>> {
        let sent = self.client.send(&self.request(Method::Get, RELEASE, &[tag]));
        // Older servers respond with 403 if there is no release. Without access, creating the release will fail.
        let found = none_if(sent, |error| error.status() == Some(403) || error.is_resource_not_found())?;
        Ok(found.map(|release| existing_release(release, tag)))
    }

    fn check_discussion(&self, _: &str) -> Result<(), Problem> {
        Ok(())
    }

    /// Lets a token pass if its scopes or role are unknown: GitLab does not show them to a job, to an administrator,
    /// or for groups that a project is shared with.
    fn check_permissions(&self) -> Result<(), Problem> {
        if self.client.credential().is_job_token() {
            return Ok(());
        }
        let token = self.client.credential().source().unwrap_or_default();
        self.check_scopes(token)?;
        self.check_role(token)
    }

    fn create(&self, release: &ForgeRelease) -> anyhow::Result<ExistingRelease> {
        match self.client.send(&self.creation(release)) {
            Ok(created) => Ok(existing_release(created, &release.tag)),
            // GitLab would create the tag if the request named a commit, so it does not.
            Err(error) if error.status() == Some(422) => Err(error).context(missing_tag(&release.tag)),
            Err(error) => Err(error.into()),
        }
    }

    fn update(&self, _: &ExistingRelease, release: &ForgeRelease) -> anyhow::Result<ExistingRelease> {
        let body = json!({ "name": release.name, "description": release.description });
        let request = self.request(Method::Put, RELEASE, &[&release.tag]).body(Body::Json(body)).access(DEVELOPERS);
        Ok(existing_release(self.client.send(&request)?, &release.tag))
    }

    fn attach(&self, release: &ExistingRelease, asset: &Asset) -> anyhow::Result<AttachedAsset> {
        let upload = self.upload(&release.tag, asset);
        let registered = self.find_package_file(&release.tag, &asset.name)?;
        let is_registered = |file: &PackageFile| is_same(&asset.path, file.size, file.file_sha256.as_deref());
        let is_same = registered.as_ref().map_or(Ok(false), is_registered)?;
        if !is_same {
            self.client.send_request(&upload)?;
        }
        let url = self.client.address(&upload);
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
            let upload = self.upload(&release.tag, asset);
            let url = self.client.address(&upload);
            [upload, self.set_link(&release.tag, None, &asset.name, &url)]
        });
        [self.creation(release)].into_iter().chain(assets).collect()
    }

    fn undo(&self, tag: &str) -> String {
        let path = self.request(Method::Delete, RELEASE, &[tag]).path;
        let path = shell_quoted(path.as_str().trim_start_matches('/'));
        format!("tidings api DELETE {path} --base-url {}", shell_quoted(&self.client.base().to_string()))
    }
}

/// Returns the version of the package for a tag. It has letters, digits, `_`, `+`, `.` and `-`, and no two dots in a row;
/// tags of packages often have `/` and `@`.
fn package_version(tag: &str) -> String {
    let mut version =
        tag.replace(|letter: char| !letter.is_ascii_alphanumeric() && !matches!(letter, '_' | '+' | '.' | '-'), "-");
    while version.contains("..") {
        version = version.replace("..", ".");
    }
    version
}

/// Returns the path of a file below the release's permanent address, which not every name can have.
fn asset_path(name: &str) -> Option<String> {
    (name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-'))
        && name.ends_with(|last: char| last.is_ascii_alphanumeric()))
    .then(|| format!("/{name}"))
}

const RELEASE: &str = "/releases/:tag_name";

impl GitLabReleases<'_> {
    /// Returns a request below the path of the project.
    fn request(&self, method: Method, below: &str, values: &[&str]) -> ApiRequest {
        let values = [&[self.project.as_str()], values].concat();
        ApiRequest::new(method, Path::new(&format!("/projects/:id{below}"), &values))
    }

    /// Returns the request that creates a release for an existing tag.
    fn creation(&self, release: &ForgeRelease) -> ApiRequest {
        let body = json!({ "tag_name": release.tag, "name": release.name, "description": release.description });
        self.request(Method::Post, "/releases", &[]).body(Body::Json(body)).access(DEVELOPERS)
    }

    /// Returns the request that uploads a file into the registry, which creates the package.
    fn upload(&self, tag: &str, asset: &Asset) -> ApiRequest {
        let below = "/packages/generic/:package_name/:package_version/:file_name";
        let request = self.request(Method::Put, below, &[PACKAGE, &package_version(tag), &asset.name]);
        let precondition = "allow duplicates in the settings of the package registry to upload a file again";
        ApiRequest { precondition, ..request.body(Body::File(asset.path.clone())).access(UPLOADERS) }
    }

    /// Returns the newest file of a name in the registry.
    fn find_package_file(&self, tag: &str, name: &str) -> Result<Option<PackageFile>> {
        let version = package_version(tag);
        let query = Fields::new().add("package_type", "generic").add("package_name", PACKAGE);
        let query = query.add("package_version", &version);
        let packages =
            self.client.fetch_all::<RegistryPackage>(&self.request(Method::Get, "/packages", &[]).query(query))?;
        // Older servers ignore the version.
        let package = packages.into_iter().filter(|package| {
            (package.name.as_deref(), package.version.as_deref()) == (Some(PACKAGE), Some(version.as_str()))
        });
        let Some(package) = package.max_by_key(|package| package.id) else { return Ok(None) };
        let below = "/packages/:package_id/package_files";
        let files = self.client.fetch_all(&self.request(Method::Get, below, &[&package.id.to_string()]))?;
        let files = files.into_iter().filter(|file: &PackageFile| file.file_name.as_deref() == Some(name));
        Ok(files.max_by_key(|file| file.id))
    }

    /// Adds a link to a file to the release, or corrects the one of that name.
    fn link(&self, release: &ExistingRelease, name: &str, url: &str) -> Result<PublishOutcome> {
        let set = |link| self.client.send::<ReleaseLink>(&self.set_link(&release.tag, link, name, url));
        match release.file(name) {
            None => set(None).map(|_| PublishOutcome::Created),
            Some(link) if link.url.as_deref() == Some(url) => Ok(PublishOutcome::Unchanged),
            Some(link) => set(Some(link.id)).map(|_| PublishOutcome::Updated),
        }
    }

    fn set_link(&self, tag: &str, link: Option<u64>, name: &str, url: &str) -> ApiRequest {
        let mut body = json!({ "name": name, "url": url });
        if let Some(path) = asset_path(name) {
            body["direct_asset_path"] = path.into();
        }
        let request = match link {
            None => self.request(Method::Post, "/releases/:tag_name/assets/links", &[tag]),
            Some(link) => {
                self.request(Method::Put, "/releases/:tag_name/assets/links/:link_id", &[tag, &link.to_string()])
            }
        };
        request.body(Body::Json(body)).access(DEVELOPERS)
    }

    fn check_scopes(&self, token: &str) -> Result<(), Problem> {
        let request = ApiRequest::get(Path::new("/personal_access_tokens/self", &[]));
        let own = self.client.send_request(&request).map(|response| response.body).unwrap_or_default();
        let scopes: Option<Vec<_>> =
            own["scopes"].as_array().map(|scopes| scopes.iter().filter_map(Value::as_str).collect());
        match scopes.filter(|scopes| !scopes.contains(&SCOPE)) {
            Some(scopes) => Err(missing_scope(token, &scopes.join("`, `"), SCOPE)),
            None => Ok(()),
        }
    }

    fn check_role(&self, token: &str) -> Result<(), Problem> {
        let permissions = match self.client.send_request(&self.request(Method::Get, "", &[])) {
            Ok(own) => own.body["permissions"].clone(),
            Err(error) if error.status() == Some(404) => return Err(missing_project(self.client, &self.project)),
            Err(_) => Value::Null,
        };
        let levels = ["project_access", "group_access"].map(|access| permissions[access]["access_level"].as_u64());
        match levels.into_iter().flatten().max() {
            Some(level) if level < DEVELOPER => Err(missing_role(token, &self.project, "the role Developer and up")),
            _ => Ok(()),
        }
    }
}

fn existing_release(release: GitLabRelease, tag: &str) -> ExistingRelease {
    let links = release.assets.and_then(|assets| assets.links).unwrap_or_default().into_iter();
    ExistingRelease {
        tag: tag.to_owned(),
        id: 0,
        name: release.name.unwrap_or_default(),
        description: release.description.unwrap_or_default(),
        prerelease: None,
        draft: false,
        url: release.pages.and_then(|pages| pages.own),
        files: links
            .map(|link| ExistingAsset {
                id: link.id,
                name: link.name.unwrap_or_default(),
                url: link.url,
                size: None,
                sha256: None,
                uuid: None,
                is_complete: true,
            })
            .collect(),
    }
}

/// The package that holds the files of releases, with a version for each tag.
const PACKAGE: &str = "release-assets";

/// The scope that allows writing (docs.gitlab.com, "Token scopes").
const SCOPE: &str = "api";
/// The role Developer (docs.gitlab.com, "Members API").
const DEVELOPER: u64 = 30;

const DEVELOPERS: &str = "the role Developer and up in the project, and the right to the tag if it is protected";
const UPLOADERS: &str = "the role Developer and up in the project, with its package registry enabled";

#[derive(Clone, Debug, Default, Deserialize)]
struct GitLabRelease {
    name: Option<String>,
    description: Option<String>,
    assets: Option<ReleaseAssets>,
    #[serde(rename = "_links")]
    pages: Option<ReleasePages>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct ReleaseAssets {
    /// All assets except the archives of the source.
    links: Option<Vec<ReleaseLink>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct ReleasePages {
    #[serde(rename = "self")]
    own: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct ReleaseLink {
    id: u64,
    /// The name, which is unique in a release.
    name: Option<String>,
    url: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct RegistryPackage {
    id: u64,
    name: Option<String>,
    version: Option<String>,
}

/// A file of a package; of several with the same name, the newest counts.
#[derive(Clone, Debug, Default, Deserialize)]
struct PackageFile {
    /// The ID; a higher one is newer.
    id: u64,
    file_name: Option<String>,
    size: Option<u64>,
    file_sha256: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_packages_and_paths_of_files_are_those_that_gitlab_takes() {
        for (tag, version) in
            [("v1.0.0+b", "v1.0.0+b"), ("api/v1", "api-v1"), ("@s/p@1.0.0", "-s-p-1.0.0"), ("a@.b", "a-.b")]
        {
            assert_eq!(package_version(tag), version);
        }
        assert_eq!(asset_path("app-1.0_x.tar.gz").as_deref(), Some("/app-1.0_x.tar.gz"));
        for name in ["app+b.zip", "app_", "app-"] {
            assert_eq!(asset_path(name), None, "{name}");
        }
    }
}
