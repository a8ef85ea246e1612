//! Endpoints of the releases of a GitLab project, of their links, and of the package registry that holds the files.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    api::{ApiRequest, Body, Endpoint, Fields, Method, Path},
    model::{Asset, ForgeRelease},
};

/// The package that holds the files of releases, with a version for each tag.
pub(super) const PACKAGE: &str = "release-assets";

const DEVELOPERS: &str = "the role Developer and up in the project, and the right to the tag if it is protected";
const UPLOADERS: &str = "the role Developer and up in the project, with its package registry enabled";

/// A release in the response of GitLab.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct GitLabRelease {
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) assets: Option<ReleaseAssets>,
    #[serde(rename = "_links")]
    pub(super) pages: Option<ReleasePages>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct ReleaseAssets {
    /// All assets except the archives of the source.
    pub(super) links: Option<Vec<ReleaseLink>>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct ReleasePages {
    #[serde(rename = "self")]
    pub(super) own: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct ReleaseLink {
    pub(super) id: u64,
    /// The name, which is unique in a release.
    pub(super) name: Option<String>,
    pub(super) url: Option<String>,
}

/// A package of the registry.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct RegistryPackage {
    pub(super) id: u64,
    pub(super) name: Option<String>,
    pub(super) version: Option<String>,
}

/// A file of a package; of several with the same name, the newest counts.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct PackageFile {
    /// The ID; a higher one is newer.
    pub(super) id: u64,
    pub(super) file_name: Option<String>,
    pub(super) size: Option<u64>,
    pub(super) file_sha256: Option<String>,
}

fn project(id: &str) -> Path {
    Path::root("projects").arg("id", id)
}

fn release_path(project_id: &str, tag: &str) -> Path {
    project(project_id).lit("releases").arg("tag_name", tag)
}

/// `GET /projects/:id/releases/:tag_name`
pub(super) fn get_release(project: &str, tag: &str) -> Endpoint<GitLabRelease> {
    ApiRequest::get(release_path(project, tag)).into()
}

/// `POST /projects/:id/releases`, for a tag that exists
pub(super) fn create_release(project_id: &str, release: &ForgeRelease) -> Endpoint<GitLabRelease> {
    let body = json!({ "tag_name": release.tag, "name": release.name, "description": release.description });
    let path = project(project_id).lit("releases");
    ApiRequest::new(Method::Post, path).body(Body::Json(body)).access(DEVELOPERS).into()
}

/// `PUT /projects/:id/releases/:tag_name`
pub(super) fn update_release(project: &str, release: &ForgeRelease) -> Endpoint<GitLabRelease> {
    let body = json!({ "name": release.name, "description": release.description });
    let path = release_path(project, &release.tag);
    ApiRequest::new(Method::Put, path).body(Body::Json(body)).access(DEVELOPERS).into()
}

/// `POST /projects/:id/releases/:tag_name/assets/links`, or `PUT` for an existing link
pub(super) fn set_link(project: &str, tag: &str, link: Option<u64>, name: &str, url: &str) -> Endpoint<ReleaseLink> {
    let body = json!({ "name": name, "url": url, "direct_asset_path": format!("/{name}") });
    let links = release_path(project, tag).lit("assets").lit("links");
    let request = match link {
        None => ApiRequest::new(Method::Post, links),
        Some(link) => ApiRequest::new(Method::Put, links.arg("link_id", link.to_string())),
    };
    request.body(Body::Json(body)).access(DEVELOPERS).into()
}

/// `GET /projects/:id/packages`; older servers ignore the version
pub(super) fn list_packages(project_id: &str, version: &str) -> Endpoint<Vec<RegistryPackage>> {
    let query = Fields::new().add("package_type", "generic").add("package_name", PACKAGE);
    ApiRequest::get(project(project_id).lit("packages")).query(query.add("package_version", version)).into()
}

/// `GET /projects/:id/packages/:package_id/package_files`
pub(super) fn list_package_files(project_id: &str, package: u64) -> Endpoint<Vec<PackageFile>> {
    let path = project(project_id).lit("packages").arg("package_id", package.to_string()).lit("package_files");
    ApiRequest::get(path).into()
}

/// `PUT /projects/:id/packages/generic/:package_name/:package_version/:file_name`, which creates the package
pub(super) fn upload(project_id: &str, version: &str, asset: &Asset) -> Endpoint<Value> {
    let package = project(project_id).lit("packages").lit("generic").arg("package_name", PACKAGE);
    let path = package.arg("package_version", version).arg("file_name", &asset.name);
    let request = ApiRequest::new(Method::Put, path).body(Body::File(asset.path.clone())).access(UPLOADERS);
    let precondition = "allow duplicates in the settings of the package registry to upload a file again";
    ApiRequest { precondition, ..request }.into()
}
