//! Changelog sections made by the service.

use serde::{Deserialize, Serialize, de::IgnoredAny};

use super::{READERS, repository};
use crate::api::{Body, Endpoint, Fields, Method, Path};

/// `GET /projects/:id/repository/changelog`
///
/// The token of a CI job will do.
#[derive(Clone, Debug, Default)]
pub struct GenerateChangelog {
    /// Id or path.
    pub project: String,
    /// The version of the section; a leading `v` does not count.
    pub version: String,
    /// The commit the range starts after; default: the tag of the last stable version.
    pub from: Option<String>,
    /// The last commit of the range; default: the tip of the default branch.
    pub to: Option<String>,
    /// The date of the release, ISO 8601; default: now.
    pub date: Option<String>,
    /// The trailer that names the category; default: `Changelog`.
    pub trailer: Option<String>,
    /// The path of the settings file.
    pub config_file: Option<String>,
    /// The commit the settings file is read from.
    pub config_file_ref: Option<String>,
}

/// A section.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangelogData {
    /// The section with its header, as Markdown.
    pub notes: String,
}

impl Endpoint for GenerateChangelog {
    type Output = ChangelogData;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        repository(&self.project).lit("changelog")
    }

    fn query(&self) -> Fields {
        Fields::new()
            .add("version", &self.version)
            .add("from", &self.from)
            .add("to", &self.to)
            .add("date", &self.date)
            .add("trailer", &self.trailer)
            .add("config_file", &self.config_file)
            .add("config_file_ref", &self.config_file_ref)
    }
}

/// `POST /projects/:id/repository/changelog`
///
/// Commits the section into the changelog file; where the file has the version already, nothing is done.
#[derive(Clone, Debug, Default)]
pub struct AddChangelog {
    /// What the section is made of.
    pub section: GenerateChangelog,
    /// The branch to commit to; default: the default branch.
    pub branch: Option<String>,
    /// The changelog file; default: `CHANGELOG.md`.
    pub file: Option<String>,
    /// The message of the commit.
    pub message: Option<String>,
}

impl Endpoint for AddChangelog {
    /// The service answers its own status, which says nothing.
    type Output = IgnoredAny;
    const METHOD: Method = Method::Post;
    const REQUIRED_ACCESS: &'static str = "the right to push to the branch";

    fn path(&self) -> Path {
        self.section.path()
    }

    fn body(&self) -> Body {
        let own = Fields::new().add("branch", &self.branch).add("file", &self.file).add("message", &self.message);
        Body::Form(self.section.query().and(own))
    }
}
