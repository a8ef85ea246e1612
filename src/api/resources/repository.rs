//! Endpoints of a project's repository. Public projects need no token.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    api::{ApiRequest, Body, Bytes, Endpoint, Fields, Method, Paged, Path},
    model::repository::{
        ArchiveFormat, ArchiveRequest, Blob, CommitRecord, CompareRequest, Comparison, Contributor, ContributorOrder,
        ContributorsRequest, Health, TreeEntry, TreeRequest,
    },
};

const READERS: &str = "the role Reporter if the project is private";

fn repository(project: &str) -> Path {
    Path::root("projects").arg("id", project).lit("repository")
}

/// A `GET` below `/projects/:id/repository`. Its `project` is an ID or a path.
#[derive(Clone, Debug)]
pub struct Get<T> {
    path: Path,
    query: Fields,
    access: &'static str,
    output: PhantomData<fn() -> T>,
}

impl<T: DeserializeOwned + Default> Get<T> {
    fn new(path: Path, query: Fields) -> Self {
        Self { path, query, access: READERS, output: PhantomData }
    }
}

impl<T: DeserializeOwned + Default> Endpoint for Get<T> {
    type Output = T;
    const METHOD: Method = Method::Get;

    fn path(&self) -> Path {
        self.path.clone()
    }

    fn query(&self) -> Fields {
        self.query.clone()
    }

    fn required_access(&self) -> &'static str {
        self.access
    }
}

impl<T: DeserializeOwned> Paged for Get<Vec<T>> {
    type Item = T;
}

/// `GET /projects/:id/repository/tree`, whose pages are named by tokens.
#[must_use]
pub fn tree(project: &str, request: &TreeRequest) -> Get<Vec<TreeEntry>> {
    let query = Fields::new()
        .add("ref", &request.reference)
        .add("path", Some(&request.path).filter(|path| !path.is_empty()))
        .add("recursive", request.recursive.then_some(true))
        .add("pagination", "keyset")
        .add("per_page", request.per_page.map(|rows| rows as u64))
        .add("page_token", &request.page_token);
    Get::new(repository(project).lit("tree"), query)
}

/// `GET /projects/:id/repository/blobs/:sha`
#[must_use]
pub fn blob(project: &str, sha: &str) -> Get<Blob> {
    Get::new(repository(project).lit("blobs").arg("sha", sha), Fields::new())
}

/// `GET /projects/:id/repository/blobs/:sha/raw`
#[must_use]
pub fn raw_blob(project: &str, sha: &str) -> Get<Bytes> {
    Get::new(repository(project).lit("blobs").arg("sha", sha).lit("raw"), Fields::new())
}

/// `GET /projects/:id/repository/archive[.format]`. The response begins before GitLab knows whether it can complete it,
/// so only the archive itself shows whether it is complete.
#[must_use]
pub fn archive(project: &str, request: &ArchiveRequest) -> Get<Bytes> {
    let path = repository(project).lit("archive").format(match request.format {
        ArchiveFormat::Tar => ".tar",
        ArchiveFormat::TarGz => ".tar.gz",
        ArchiveFormat::TarBz2 => ".tar.bz2",
        ArchiveFormat::Zip => ".zip",
    });
    let exclude = (!request.exclude.is_empty()).then(|| request.exclude.join(","));
    let query = Fields::new()
        .add("sha", &request.reference)
        .add("path", Some(&request.path).filter(|path| !path.is_empty()))
        .add("exclude_paths", exclude)
        .add("include_lfs_blobs", (!request.lfs).then_some(false));
    Get::new(path, query)
}

/// `GET /projects/:id/repository/compare`. GitLab's limits cannot be lifted.
#[must_use]
pub fn compare(project: &str, request: &CompareRequest) -> Get<Comparison> {
    let query = Fields::new()
        .add("from", &request.from)
        .add("to", &request.to)
        .add("from_project_id", request.from_project_id)
        .add("straight", request.straight.then_some(true))
        .add("unidiff", request.unidiff.then_some(true));
    Get::new(repository(project).lit("compare"), query)
}

/// `GET /projects/:id/repository/contributors`. GitLab never counts more than the newest 2000 commits.
#[must_use]
pub fn contributors(project: &str, request: &ContributorsRequest) -> Get<Vec<Contributor>> {
    let order = match request.order {
        ContributorOrder::Name => "name",
        ContributorOrder::Email => "email",
        ContributorOrder::Commits => "commits",
    };
    let sort = if request.descending { "desc" } else { "asc" };
    let query = Fields::new().add("ref", &request.reference).add("order_by", order).add("sort", sort);
    Get::new(repository(project).lit("contributors"), query)
}

/// `GET /projects/:id/repository/merge_base` of two or more refs.
#[must_use]
pub fn merge_base(project: &str, refs: &[String]) -> Get<CommitRecord> {
    Get::new(repository(project).lit("merge_base"), Fields::new().each("refs", refs))
}

/// `GET /projects/:id/repository/health`; `generate` creates a report if the server has none.
#[must_use]
pub fn health(project: &str, generate: bool) -> Get<Health> {
    let query = Fields::new().add("generate", generate.then_some(true));
    Get { access: "the right to push", ..Get::new(repository(project).lit("health"), query) }
}

/// What the server generates a section from. The token of a CI job is sufficient.
#[derive(Clone, Debug, Default)]
pub struct SectionRequest {
    /// ID or path of the project.
    pub project: String,
    /// The version of the section; a leading `v` is dropped.
    pub version: String,
    /// The commit that the range starts after [default: the tag of the last stable version].
    pub from: Option<String>,
    /// The last commit of the range [default: the tip of the default branch].
    pub to: Option<String>,
    /// The date of the release, ISO 8601 [default: now].
    pub date: Option<String>,
    /// The trailer that names the category [default: `Changelog`].
    pub trailer: Option<String>,
    /// The path of the configuration file.
    pub config_file: Option<String>,
    /// The commit that the configuration file is read from.
    pub config_file_ref: Option<String>,
}

/// A section.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangelogData {
    /// The section with its heading, as Markdown.
    pub notes: String,
}

impl SectionRequest {
    fn fields(&self) -> Fields {
        Fields::new()
            .add("version", &self.version)
            .add("from", &self.from)
            .add("to", &self.to)
            .add("date", &self.date)
            .add("trailer", &self.trailer)
            .add("config_file", &self.config_file)
            .add("config_file_ref", &self.config_file_ref)
    }

    /// `GET /projects/:id/repository/changelog`
    #[must_use]
    pub fn generate(&self) -> Get<ChangelogData> {
        Get::new(repository(&self.project).lit("changelog"), self.fields())
    }

    /// `POST /projects/:id/repository/changelog`: commits the section to a branch [default: the default branch]. If the
    /// changelog file has the version, nothing is done. The response says nothing.
    #[must_use]
    pub fn commit(&self, branch: Option<&str>, file: &str, message: Option<&str>) -> ApiRequest {
        let target = Fields::new().add("branch", branch).add("file", file).add("message", message);
        let request = ApiRequest::new(Method::Post, repository(&self.project).lit("changelog"));
        let required_access = "the right to push to the branch";
        ApiRequest { required_access, ..request.body(Body::Form(self.fields().and(target))) }
    }
}
