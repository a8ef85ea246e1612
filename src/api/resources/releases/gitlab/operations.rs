//! The operations on releases of a GitLab project, and on the links they show.

use serde::Deserialize;
use serde_json::json;

use crate::api::{Body, Endpoint, Method, Path};

const DEVELOPERS: &str = "the role Developer and up in the project, and the right to the tag where it is protected";

/// A release as the service tells it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct GitLabRelease {
    /// Its title.
    pub name: Option<String>,
    /// Its notes.
    pub description: Option<String>,
    /// What is beside it.
    pub assets: Option<ReleaseAssets>,
    /// Where people see it.
    #[serde(rename = "_links")]
    pub pages: Option<ReleasePages>,
}

/// What is beside a release.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ReleaseAssets {
    /// Everything but the archives of the source.
    pub links: Option<Vec<ReleaseLink>>,
}

/// The pages of a release.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ReleasePages {
    /// The one that shows it.
    #[serde(rename = "self")]
    pub own: Option<String>,
}

/// A file that a release points to.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ReleaseLink {
    /// Its number.
    pub id: u64,
    /// What it is called, once in a release.
    pub name: Option<String>,
    /// Where it is.
    pub url: Option<String>,
}

/// `GET /projects/:id/releases/:tag_name`
#[derive(Clone, Debug, Default)]
pub struct GetRelease {
    /// Id or path.
    pub project: String,
    /// The tag.
    pub tag: String,
}

impl Endpoint for GetRelease {
    type Output = GitLabRelease;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        release(&self.project, &self.tag)
    }
}

/// `POST /projects/:id/releases`
#[derive(Clone, Debug, Default)]
pub struct CreateRelease {
    /// Id or path.
    pub project: String,
    /// The tag, which must be there.
    pub tag: String,
    /// The title.
    pub name: String,
    /// The notes, in Markdown.
    pub description: String,
}

impl Endpoint for CreateRelease {
    type Output = GitLabRelease;
    const METHOD: Method = Method::Post;
    const REQUIRED_ACCESS: &'static str = DEVELOPERS;

    fn path(&self) -> Path {
        releases(&self.project)
    }

    fn body(&self) -> Body {
        Body::Json(json!({ "tag_name": self.tag, "name": self.name, "description": self.description }))
    }
}

/// `PUT /projects/:id/releases/:tag_name`
#[derive(Clone, Debug, Default)]
pub struct UpdateRelease(pub CreateRelease);

impl Endpoint for UpdateRelease {
    type Output = GitLabRelease;
    const METHOD: Method = Method::Put;
    const REQUIRED_ACCESS: &'static str = DEVELOPERS;

    fn path(&self) -> Path {
        release(&self.0.project, &self.0.tag)
    }

    fn body(&self) -> Body {
        Body::Json(json!({ "name": self.0.name, "description": self.0.description }))
    }
}

/// `POST /projects/:id/releases/:tag_name/assets/links`
#[derive(Clone, Debug, Default)]
pub struct CreateReleaseLink {
    /// Id or path.
    pub project: String,
    /// The tag of the release.
    pub tag: String,
    /// What it is called.
    pub name: String,
    /// Where it leads.
    pub url: String,
}

impl Endpoint for CreateReleaseLink {
    type Output = ReleaseLink;
    const METHOD: Method = Method::Post;
    const REQUIRED_ACCESS: &'static str = DEVELOPERS;

    fn path(&self) -> Path {
        release(&self.project, &self.tag).lit("assets").lit("links")
    }

    fn body(&self) -> Body {
        let path = format!("/{}", self.name);
        Body::Json(json!({ "name": self.name, "url": self.url, "direct_asset_path": path }))
    }
}

/// `PUT /projects/:id/releases/:tag_name/assets/links/:link_id`
#[derive(Clone, Debug, Default)]
pub struct UpdateReleaseLink {
    /// The link.
    pub link: u64,
    /// What it shall be.
    pub to: CreateReleaseLink,
}

impl Endpoint for UpdateReleaseLink {
    type Output = ReleaseLink;
    const METHOD: Method = Method::Put;
    const REQUIRED_ACCESS: &'static str = DEVELOPERS;

    fn path(&self) -> Path {
        self.to.path().arg("link_id", self.link.to_string())
    }

    fn body(&self) -> Body {
        self.to.body()
    }
}

fn releases(project: &str) -> Path {
    Path::root("projects").arg("id", project).lit("releases")
}

fn release(project: &str, tag: &str) -> Path {
    releases(project).arg("tag_name", tag)
}
