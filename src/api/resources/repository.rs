//! Endpoints of a project's repository; `project` is an ID or a path. Public projects need no token.

use serde::{Deserialize, Serialize};

use crate::{
    api::{ApiRequest, Body, Endpoint, Fields, Method, Path},
    model::repository::{
        ArchiveFormat, ArchiveRequest, Blob, CommitRecord, CompareRequest, Comparison, Contributor, ContributorOrder,
        ContributorsRequest, Health, TreeEntry, TreeRequest,
    },
};

const READERS: &str = "the role Reporter if the project is private";

fn repository(project: &str) -> Path {
    Path::root("projects").arg("id", project).lit("repository")
}

fn get<T: From<ApiRequest>>(path: Path, query: Fields) -> T {
    ApiRequest::get(path).query(query).access(READERS).into()
}

/// `GET /projects/:id/repository/tree`, whose pages are named by tokens.
pub(crate) fn tree(project: &str, request: &TreeRequest) -> Endpoint<Vec<TreeEntry>> {
    let query = Fields::new()
        .add("ref", &request.reference)
        .add("path", Some(&request.path).filter(|path| !path.is_empty()))
        .add("recursive", request.recursive.then_some(true))
        .add("pagination", "keyset")
        .add("per_page", request.per_page.map(|rows| rows as u64))
        .add("page_token", &request.page_token);
    get(repository(project).lit("tree"), query)
}

/// `GET /projects/:id/repository/blobs/:sha`
pub(crate) fn blob(project: &str, sha: &str) -> Endpoint<Blob> {
    get(repository(project).lit("blobs").arg("sha", sha), Fields::new())
}

/// `GET /projects/:id/repository/blobs/:sha/raw`
pub(crate) fn raw_blob(project: &str, sha: &str) -> ApiRequest {
    get(repository(project).lit("blobs").arg("sha", sha).lit("raw"), Fields::new())
}

/// `GET /projects/:id/repository/archive[.format]`. The response begins before GitLab knows whether it can complete it,
/// so only the archive itself shows whether it is complete.
pub(crate) fn archive(project: &str, request: &ArchiveRequest) -> ApiRequest {
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
    get(path, query)
}

/// `GET /projects/:id/repository/compare`. GitLab's limits cannot be lifted.
pub(crate) fn compare(project: &str, request: &CompareRequest) -> Endpoint<Comparison> {
    let query = Fields::new()
        .add("from", &request.from)
        .add("to", &request.to)
        .add("from_project_id", request.from_project_id)
        .add("straight", request.straight.then_some(true))
        .add("unidiff", request.unidiff.then_some(true));
    get(repository(project).lit("compare"), query)
}

/// `GET /projects/:id/repository/contributors`. GitLab never counts more than the newest 2000 commits.
pub(crate) fn contributors(project: &str, request: &ContributorsRequest) -> Endpoint<Vec<Contributor>> {
    let order = match request.order {
        ContributorOrder::Name => "name",
        ContributorOrder::Email => "email",
        ContributorOrder::Commits => "commits",
    };
    let sort = if request.descending { "desc" } else { "asc" };
    let query = Fields::new().add("ref", &request.reference).add("order_by", order).add("sort", sort);
    get(repository(project).lit("contributors"), query)
}

/// `GET /projects/:id/repository/merge_base` of two or more refs.
pub(crate) fn merge_base(project: &str, refs: &[String]) -> Endpoint<CommitRecord> {
    get(repository(project).lit("merge_base"), Fields::new().each("refs", refs))
}

/// `GET /projects/:id/repository/health`; `generate` creates a report if the server has none.
pub(crate) fn health(project: &str, generate: bool) -> Endpoint<Health> {
    let query = Fields::new().add("generate", generate.then_some(true));
    ApiRequest::get(repository(project).lit("health")).query(query).access("the right to push").into()
}

/// What the server generates a section from. The token of a CI job is sufficient.
#[derive(Clone, Debug, Default)]
pub(crate) struct SectionRequest {
    /// ID or path of the project.
    pub(crate) project: String,
    /// The version of the section; a leading `v` is dropped.
    pub(crate) version: String,
    /// The commit that the range starts after [default: the tag of the last stable version].
    pub(crate) from: Option<String>,
    /// The last commit of the range [default: the tip of the default branch].
    pub(crate) to: Option<String>,
    /// The date of the release, ISO 8601 [default: now].
    pub(crate) date: Option<String>,
    /// The trailer that names the category [default: `Changelog`].
    pub(crate) trailer: Option<String>,
    /// The path of the configuration file.
    pub(crate) config_file: Option<String>,
    /// The commit that the configuration file is read from.
    pub(crate) config_file_ref: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChangelogData {
    /// The section with its heading, as Markdown.
    pub(crate) notes: String,
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
    pub(crate) fn generate(&self) -> Endpoint<ChangelogData> {
        get(repository(&self.project).lit("changelog"), self.fields())
    }

    /// `POST /projects/:id/repository/changelog`: commits the section to a branch [default: the default branch]. If the
    /// changelog file has the version, nothing is done. The response says nothing.
    pub(crate) fn commit(&self, branch: Option<&str>, file: &str, message: Option<&str>) -> ApiRequest {
        let target = Fields::new().add("branch", branch).add("file", file).add("message", message);
        ApiRequest::new(Method::Post, repository(&self.project).lit("changelog"))
            .body(Body::Form(self.fields().and(target)))
            .access("the right to push to the branch")
    }
}
