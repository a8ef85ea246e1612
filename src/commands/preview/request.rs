//! The merge or pull request at hand: the one that the options name, else that of the CI job.

use anyhow::Context as _;
use serde::Deserialize;

use crate::{
    api::merge_requests::{MergeRequestApi, PullRequest},
    bounded_read,
    commands::session::variable,
    model::{Problem, merge_text::ReviewedRequest},
};

/// The event that started a job on GitHub, Gitea or Forgejo (`GITHUB_EVENT_PATH`).
#[derive(Debug, Deserialize)]
struct Event {
    pull_request: Option<PullRequest>,
}

/// Finds the request: by its number on the server, else as the variables of the CI job describe it.
pub(super) fn find(number: Option<u64>, api: Option<&dyn MergeRequestApi>) -> anyhow::Result<ReviewedRequest> {
    match (number, api) {
        (Some(number), Some(api)) => Ok(api.read(number)?),
        (Some(_), None) => Err(Problem::usage("a request by its number is read from a server, and none is known")
            .hint("name the server with `--base-url` and the project with `--project`")
            .into()),
        (None, _) => of_gitlab().map_or_else(of_event, Ok),
    }
}

fn of_gitlab() -> Option<ReviewedRequest> {
    let text = |name: &str| variable(name).unwrap_or_default();
    Some(ReviewedRequest {
        number: variable("CI_MERGE_REQUEST_IID")?.parse().ok()?,
        title: text("CI_MERGE_REQUEST_TITLE"),
        description: text("CI_MERGE_REQUEST_DESCRIPTION"),
        url: variable("CI_MERGE_REQUEST_PROJECT_URL")
            .map(|project| format!("{project}/-/merge_requests/{}", text("CI_MERGE_REQUEST_IID"))),
        source: text("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"),
        target: text("CI_MERGE_REQUEST_TARGET_BRANCH_NAME"),
        base: variable("CI_MERGE_REQUEST_DIFF_BASE_SHA"),
        head: variable("CI_MERGE_REQUEST_SOURCE_BRANCH_SHA").or_else(|| variable("CI_COMMIT_SHA")),
        squashes: variable("CI_MERGE_REQUEST_SQUASH_ON_MERGE").map(|value| value == "true"),
        author: None,
        source_project: variable("CI_MERGE_REQUEST_SOURCE_PROJECT_PATH"),
        source_project_id: variable("CI_MERGE_REQUEST_SOURCE_PROJECT_ID").and_then(|id| id.parse().ok()),
    })
}

fn of_event() -> anyhow::Result<ReviewedRequest> {
    let none = || {
        Problem::usage("no merge or pull request found: this is not a job of one")
            .hint("name it with `--request`, such as `tidings preview --request 12`")
    };
    let path = variable("GITHUB_EVENT_PATH").ok_or_else(none)?;
    let content = bounded_read::read_regular_file(path.as_ref(), &path)?
        .with_context(|| format!("cannot read the event in `{path}`"))?;
    let event: Event =
        serde_json::from_slice(&content).with_context(|| format!("the event in `{path}` cannot be read"))?;
    Ok(event.pull_request.ok_or_else(none)?.into())
}
