//! Endpoints of a project's repository; `project` is an ID or a path. Public projects need no token.

use serde::Deserialize;

use crate::{
    api::{ApiRequest, Body, Fields, Method, Path},
    model::repository::{ArchiveRequest, CompareRequest, ContributorsRequest, TreeRequest},
};

const READERS: &str = "the role Reporter if the project is private";

fn get(path: Path, query: Fields) -> ApiRequest {
    ApiRequest::get(path).query(query).access(READERS)
}

/// Returns the request for a list of `TreeEntry`, whose pages are named by tokens.
pub(crate) fn tree(project: &str, request: &TreeRequest) -> ApiRequest {
    let query = Fields::new()
        .add_given("ref", request.reference.as_ref())
        .add_given("path", Some(&request.path).filter(|path| !path.is_empty()))
        .add_given("recursive", request.recursive.then_some(true))
        .add("pagination", "keyset")
        .add_given("per_page", request.per_page)
        .add_given("page_token", request.page_token.as_ref());
    get(Path::new("/projects/:id/repository/tree", &[project]), query)
}

pub(crate) fn blob(project: &str, sha: &str) -> ApiRequest {
    get(Path::new("/projects/:id/repository/blobs/:sha", &[project, sha]), Fields::new())
}

pub(crate) fn raw_blob(project: &str, sha: &str) -> ApiRequest {
    get(Path::new("/projects/:id/repository/blobs/:sha/raw", &[project, sha]), Fields::new())
}

/// Returns the request for an archive. GitLab begins the response before it knows whether it can complete the archive,
/// so only the archive itself shows whether it is complete.
pub(crate) fn archive(project: &str, request: &ArchiveRequest) -> ApiRequest {
    let path = Path::new("/projects/:id/repository/archive[.format]", &[project]).format(request.format.name());
    let exclude = (!request.exclude.is_empty()).then(|| request.exclude.join(","));
    let query = Fields::new()
        .add_given("sha", request.reference.as_ref())
        .add_given("path", Some(&request.path).filter(|path| !path.is_empty()))
        .add_given("exclude_paths", exclude)
        .add_given("include_lfs_blobs", (!request.lfs).then_some(false));
    get(path, query)
}

/// Returns the request for a `Comparison`. GitLab's limits cannot be lifted.
pub(crate) fn compare(project: &str, request: &CompareRequest) -> ApiRequest {
    let query = Fields::new()
        .add("from", &request.from)
        .add("to", &request.to)
        .add_given("from_project_id", request.from_project_id)
        .add_given("straight", request.straight.then_some(true))
        .add_given("unidiff", request.unidiff.then_some(true));
    get(Path::new("/projects/:id/repository/compare", &[project]), query)
}

/// Returns the request for a list of `Contributor`. GitLab never counts more than the newest 2000 commits.
pub(crate) fn contributors(project: &str, request: &ContributorsRequest) -> ApiRequest {
    let order = request.order.name();
    let sort = if request.descending { "desc" } else { "asc" };
    let query = Fields::new().add_given("ref", request.reference.as_ref()).add("order_by", order).add("sort", sort);
    get(Path::new("/projects/:id/repository/contributors", &[project]), query)
}

/// Returns the request for the `CommitRecord` of the merge base of two or more refs.
pub(crate) fn merge_base(project: &str, refs: &[String]) -> ApiRequest {
    get(Path::new("/projects/:id/repository/merge_base", &[project]), Fields::new().add_each("refs", refs))
}

/// Returns the request for the `Health` of a repository; `generate` creates a report if the server has none.
pub(crate) fn health(project: &str, generate: bool) -> ApiRequest {
    let query = Fields::new().add_given("generate", generate.then_some(true));
    get(Path::new("/projects/:id/repository/health", &[project]), query).access("the right to push")
}

#[derive(Default, Deserialize)]
pub(crate) struct ChangelogData {
    /// The section with its heading, as Markdown.
    pub(crate) notes: String,
}

/// Returns the request for the `ChangelogData` that GitLab generates. The token of a CI job is sufficient.
pub(crate) fn section(project: &str, fields: Fields) -> ApiRequest {
    get(Path::new("/projects/:id/repository/changelog", &[project]), fields)
}

/// Returns the request that commits the section to a branch [default: the default branch]. If the changelog file has
/// the version, GitLab does nothing. The response has no information.
pub(crate) fn commit_section(project: &str, fields: Fields) -> ApiRequest {
    ApiRequest::new(Method::Post, Path::new("/projects/:id/repository/changelog", &[project]))
        .body(Body::Form(fields))
        .access("the right to push to the branch")
}
