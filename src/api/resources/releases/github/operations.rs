//! Endpoints of the releases of a GitHub repository and of the files attached to them.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    api::{ApiHost, ApiRequest, Body, Endpoint, Fields, Method, Path},
    model::{Asset, ForgeRelease, Problem},
};

const WRITERS: &str = "the permission to write contents: `permissions: contents: write` in a workflow";

/// A repository on GitHub.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepositoryName {
    /// The user or organization.
    pub owner: String,
    /// The name.
    pub name: String,
}

impl RepositoryName {
    /// Parses `owner/name`.
    ///
    /// # Errors
    /// If it is something else.
    pub fn parse(path: &str) -> Result<Self, Problem> {
        match path.split_once('/') {
            Some((owner, name)) if !owner.is_empty() && !name.is_empty() && !name.contains('/') => {
                Ok(Self { owner: owner.to_owned(), name: name.to_owned() })
            }
            _ => Err(Problem::usage(format!("`{path}` is not a repository on GitHub"))
                .hint("use `--project`, such as `--project owner/name`")),
        }
    }

    pub(in crate::api) fn path(&self) -> Path {
        Path::root("repos").arg("owner", &self.owner).arg("repo", &self.name)
    }

    fn releases(&self) -> Path {
        self.path().lit("releases")
    }

    /// The path of a release. `None` is only for a dry run, in which it does not exist yet.
    fn release(&self, id: Option<u64>) -> Path {
        match id {
            Some(id) => self.releases().arg("release_id", id.to_string()),
            None => self.releases().lit(":release_id"),
        }
    }
}

/// A release in the response of GitHub.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct GitHubRelease {
    pub(super) id: u64,
    /// The tag, which a draft may not have yet.
    pub(super) tag_name: Option<String>,
    pub(super) draft: Option<bool>,
    pub(super) name: Option<String>,
    pub(super) body: Option<String>,
    pub(super) prerelease: Option<bool>,
    pub(super) html_url: Option<String>,
    pub(super) assets: Option<Vec<ReleaseAsset>>,
}

/// A file of a release.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct ReleaseAsset {
    pub(super) id: u64,
    /// The name, which is unique in a release.
    pub(super) name: Option<String>,
    /// `uploaded`; anything else is left over from an interrupted upload.
    pub(super) state: Option<String>,
    pub(super) size: Option<u64>,
    /// `sha256:` and hexadecimal digits; older servers do not send it.
    pub(super) digest: Option<String>,
    pub(super) browser_download_url: Option<String>,
}

/// `GET /repos/:owner/:repo/releases/tags/:tag`, which never finds a draft
pub(super) fn get_release(repository: &RepositoryName, tag: &str) -> Endpoint<GitHubRelease> {
    ApiRequest::get(repository.releases().lit("tags").arg("tag", tag)).into()
}

/// `GET /repos/:owner/:repo/releases`, the newest first; drafts are included for those who may push
pub(super) fn list_releases(repository: &RepositoryName) -> ApiRequest {
    ApiRequest::get(repository.releases())
}

/// `GET /repos/:owner/:repo/git/ref/tags/:tag`
pub(super) fn get_tag_ref(repository: &RepositoryName, tag: &str) -> Endpoint<Value> {
    ApiRequest::get(repository.path().lit("git").lit("ref").lit("tags").arg("tag", tag)).into()
}

/// `POST /repos/:owner/:repo/releases`, which creates a missing tag
pub(super) fn create_release(
    repository: &RepositoryName,
    release: &ForgeRelease,
    draft: bool,
) -> Endpoint<GitHubRelease> {
    let body = Body::Json(fields(release, draft, !draft));
    ApiRequest::new(Method::Post, repository.releases()).body(body).access(WRITERS).into()
}

/// `PATCH /repos/:owner/:repo/releases/:release_id`, which publishes a draft
pub(super) fn update_release(
    repository: &RepositoryName,
    id: Option<u64>,
    release: &ForgeRelease,
    was_draft: bool,
) -> Endpoint<GitHubRelease> {
    let body = Body::Json(fields(release, false, was_draft));
    ApiRequest::new(Method::Patch, repository.release(id)).body(body).access(WRITERS).into()
}

/// The fields of a release. When it is first published, the highest version becomes the latest release rather than the
/// last one published, because there are releases of older lines.
fn fields(release: &ForgeRelease, draft: bool, is_first: bool) -> Value {
    let ForgeRelease { tag, name, description, prerelease, .. } = release;
    let mut fields =
        json!({ "tag_name": tag, "name": name, "body": description, "prerelease": prerelease, "draft": draft });
    if is_first {
        fields["make_latest"] = "legacy".into();
    }
    fields
}

/// `POST /repos/:owner/:repo/releases/:release_id/assets`, on the host for uploads
pub(super) fn upload_asset(repository: &RepositoryName, id: Option<u64>, asset: &Asset) -> Endpoint<ReleaseAsset> {
    let request = ApiRequest::new(Method::Post, repository.release(id).lit("assets"))
        .query(Fields::new().add("name", &asset.name))
        .body(Body::File(asset.path.clone()))
        .access(WRITERS);
    ApiRequest { site: ApiHost::Uploads, ..request }.into()
}

/// `DELETE /repos/:owner/:repo/releases/assets/:asset_id`
pub(super) fn delete_asset(repository: &RepositoryName, asset: u64) -> Endpoint<()> {
    let path = repository.releases().lit("assets").arg("asset_id", asset.to_string());
    ApiRequest::new(Method::Delete, path).access(WRITERS).into()
}
