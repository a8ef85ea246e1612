//! Endpoints of a project's repository; `project` is an ID or a path. Public projects need no token.

use serde::Deserialize;

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

#[derive(Default, Deserialize)]
pub(crate) struct ChangelogData {
    /// The section with its heading, as Markdown.
    pub(crate) notes: String,
}

/// `GET /projects/:id/repository/changelog`: the section that the server generates. The token of a CI job is sufficient.
pub(crate) fn section(project: &str, fields: Fields) -> Endpoint<ChangelogData> {
    get(repository(project).lit("changelog"), fields)
}

/// `POST /projects/:id/repository/changelog`: commits the section to a branch [default: the default branch]. If the
/// changelog file has the version, nothing is done. The response says nothing.
pub(crate) fn commit_section(project: &str, fields: Fields) -> ApiRequest {
    ApiRequest::new(Method::Post, repository(project).lit("changelog"))
        .body(Body::Form(fields))
        .access("the right to push to the branch")
}
