//! The endpoints of releases of a GitHub repository and of the files attached to them.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    api::{ApiHost, Body, Endpoint, Fields, Method, Paged, Path},
    model::Problem,
};

pub(super) const WRITERS: &str = "the permission to write contents: `permissions: contents: write` in a workflow";

/// A repository on GitHub.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RepositoryName {
    /// The user or organization.
    pub owner: String,
    /// Its name.
    pub name: String,
}

impl RepositoryName {
    /// Reads `owner/name`.
    ///
    /// # Errors
    ///
    /// Where it is something else.
    pub fn parse(path: &str) -> Result<Self, Problem> {
        match path.split_once('/') {
            Some((owner, name)) if !owner.is_empty() && !name.is_empty() && !name.contains('/') => {
                Ok(Self { owner: owner.to_owned(), name: name.to_owned() })
            }
            _ => Err(Problem::usage(format!("`{path}` is no repository on GitHub"))
                .hint("name it with --project, such as --project owner/name")),
        }
    }

    pub(in crate::api) fn path(&self) -> Path {
        Path::root("repos").arg("owner", &self.owner).arg("repo", &self.name)
    }

    /// The path of a release, also of one that has no number yet.
    pub(super) fn release(&self, number: Option<u64>) -> Path {
        let releases = self.path().lit("releases");
        match number {
            Some(number) => releases.arg("release_id", number.to_string()),
            None => releases.lit(":release_id"),
        }
    }
}

/// A release as GitHub tells it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct GitHubRelease {
    /// Its number.
    pub id: u64,
    /// Its tag; that of a draft may still be missing.
    pub tag_name: Option<String>,
    /// Whether it is not public yet.
    pub draft: Option<bool>,
    /// Its title.
    pub name: Option<String>,
    /// Its notes.
    pub body: Option<String>,
    /// Whether it is marked as no stable one.
    pub prerelease: Option<bool>,
    /// Its page.
    pub html_url: Option<String>,
    /// Its files.
    pub assets: Option<Vec<ReleaseAsset>>,
}

/// `GET /repos/:owner/:repo/releases/tags/:tag`; a draft is never found so.
#[derive(Clone, Debug, Default)]
pub struct GetRelease {
    /// Whose release.
    pub repository: RepositoryName,
    /// The tag.
    pub tag: String,
}

impl Endpoint for GetRelease {
    type Output = GitHubRelease;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        self.repository.path().lit("releases").lit("tags").arg("tag", &self.tag)
    }
}

/// `GET /repos/:owner/:repo/releases`, the newest first; drafts are shown to those who may push.
#[derive(Clone, Debug, Default)]
pub struct ListReleases {
    /// Whose releases.
    pub repository: RepositoryName,
}

impl Endpoint for ListReleases {
    type Output = Vec<GitHubRelease>;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        self.repository.path().lit("releases")
    }
}

impl Paged for ListReleases {
    type Item = GitHubRelease;
}

/// `GET /repos/:owner/:repo/git/ref/tags/:tag`
#[derive(Clone, Debug, Default)]
pub struct GetTagRef {
    /// Whose tag.
    pub repository: RepositoryName,
    /// The tag.
    pub tag: String,
}

impl Endpoint for GetTagRef {
    type Output = Value;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        self.repository.path().lit("git").lit("ref").lit("tags").arg("tag", &self.tag)
    }
}

/// `POST /repos/:owner/:repo/releases`
#[derive(Clone, Debug, Default)]
pub struct CreateRelease {
    /// Whose release.
    pub repository: RepositoryName,
    /// The tag; one that is missing is made.
    pub tag: String,
    /// The title.
    pub name: String,
    /// The notes, in Markdown.
    pub body: String,
    /// Whether it is marked as no stable one.
    pub prerelease: bool,
    /// Whether it is kept from the public.
    pub draft: bool,
}

impl CreateRelease {
    fn fields(&self) -> Value {
        let Self { tag, name, body, prerelease, draft, .. } = self;
        json!({ "tag_name": tag, "name": name, "body": body, "prerelease": prerelease, "draft": draft })
    }

    /// The fields of a release that nobody saw before: the highest version is the latest then, and not whichever was
    /// released last, as there are releases of older lines. A draft takes no part in that.
    fn first_fields(&self) -> Value {
        let mut fields = self.fields();
        if !self.draft {
            fields["make_latest"] = "legacy".into();
        }
        fields
    }
}

impl Endpoint for CreateRelease {
    type Output = GitHubRelease;
    const METHOD: Method = Method::Post;
    const REQUIRED_ACCESS: &'static str = WRITERS;

    fn path(&self) -> Path {
        self.repository.path().lit("releases")
    }

    fn body(&self) -> Body {
        Body::Json(self.first_fields())
    }
}

/// `PATCH /repos/:owner/:repo/releases/:release_id`
#[derive(Clone, Debug, Default)]
pub struct UpdateRelease {
    /// The release; `None` only to show the request before there is one.
    pub release: Option<u64>,
    /// Whether it was a draft.
    pub was_draft: bool,
    /// What it shall be.
    pub to: CreateRelease,
}

impl Endpoint for UpdateRelease {
    type Output = GitHubRelease;
    const METHOD: Method = Method::Patch;
    const REQUIRED_ACCESS: &'static str = WRITERS;

    fn path(&self) -> Path {
        self.to.repository.release(self.release)
    }

    fn body(&self) -> Body {
        Body::Json(if self.was_draft { self.to.first_fields() } else { self.to.fields() })
    }
}

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
