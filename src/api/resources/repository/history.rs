//! Endpoints that read the history, and the state of its storage.

use serde::{Deserialize, Serialize, de::IgnoredAny};

use super::{READERS, repository};
use crate::{
    api::{Body, Endpoint, Fields, Method, Paged, Path},
    model::repository::{
        CommitRecord, CompareRequest, Comparison, Contributor, ContributorOrder, ContributorsRequest, Health,
    },
};

/// `GET /projects/:id/repository/compare`
#[derive(Clone, Debug, Default)]
pub struct Compare {
    /// Id or path.
    pub project: String,
    /// What to compare. The service's limits cannot be lifted.
    pub request: CompareRequest,
}

impl Endpoint for Compare {
    type Output = Comparison;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        repository(&self.project).lit("compare")
    }

    fn query(&self) -> Fields {
        Fields::new()
            .add("from", &self.request.from)
            .add("to", &self.request.to)
            .add("from_project_id", self.request.from_project_id)
            .add("straight", self.request.straight.then_some(true))
            .add("unidiff", self.request.unidiff.then_some(true))
    }
}

/// `GET /projects/:id/repository/contributors`
#[derive(Clone, Debug, Default)]
pub struct ListContributors {
    /// Id or path.
    pub project: String,
    /// Whose commits to count. The service never counts more than the newest 2000.
    pub request: ContributorsRequest,
}

impl Endpoint for ListContributors {
    type Output = Vec<Contributor>;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        repository(&self.project).lit("contributors")
    }

    fn query(&self) -> Fields {
        let order = match self.request.order {
            ContributorOrder::Name => "name",
            ContributorOrder::Email => "email",
            ContributorOrder::Commits => "commits",
        };
        let sort = if self.request.descending { "desc" } else { "asc" };
        Fields::new().add("ref", &self.request.reference).add("order_by", order).add("sort", sort)
    }
}

impl Paged for ListContributors {
    type Item = Contributor;
}

/// `GET /projects/:id/repository/merge_base`
#[derive(Clone, Debug, Default)]
pub struct GetMergeBase {
    /// Id or path.
    pub project: String,
    /// Two or more refs.
    pub refs: Vec<String>,
}

impl Endpoint for GetMergeBase {
    type Output = CommitRecord;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = READERS;

    fn path(&self) -> Path {
        repository(&self.project).lit("merge_base")
    }

    fn query(&self) -> Fields {
        Fields::new().each("refs", &self.refs)
    }
}

/// `GET /projects/:id/repository/health`
#[derive(Clone, Debug, Default)]
pub struct GetHealth {
    /// Id or path.
    pub project: String,
    /// Whether to make a report where there is none.
    pub generate: bool,
}

impl Endpoint for GetHealth {
    type Output = Health;
    const METHOD: Method = Method::Get;
    const REQUIRED_ACCESS: &'static str = "the right to push";

    fn path(&self) -> Path {
        repository(&self.project).lit("health")
    }

    fn query(&self) -> Fields {
        Fields::new().add("generate", self.generate.then_some(true))
    }
}

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
