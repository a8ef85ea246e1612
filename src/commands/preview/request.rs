//! The merge or pull request at hand: the one that the options name, else that of the CI job.

use anyhow::Context as _;
use serde::Deserialize;

use crate::{
    api::merge_requests::{MergeRequestApi, PullRequest},
    bounded_read,
    commands::{Session, session::variable},
    model::{Problem, Warning, merge_text::ReviewedRequest},
};

/// The event that started a job on GitHub, Gitea or Forgejo (`GITHUB_EVENT_PATH`).
#[derive(Debug, Deserialize)]
struct Event {
    pull_request: Option<PullRequest>,
}

/// Finds the request: by its number on the server, else as the variables of the CI job describe it.
pub(super) fn find(
    number: Option<u64>,
    api: Option<&dyn MergeRequestApi>,
    session: &Session,
) -> anyhow::Result<ReviewedRequest> {
    match (number, api) {
        (Some(number), Some(api)) => Ok(api.read(number)?),
        (Some(_), None) => Err(Problem::usage("a request by its number is read from a server, and none is known")
            .hint("name the server with `--base-url` and the project with `--project`")
            .into()),
        (None, api) => match of_gitlab() {
            Some(request) if is_cut() => with_whole_description(request, api, session),
            Some(request) => Ok(request),
            None => of_event(),
        },
    }
}

/// Whether GitLab gives the job only the beginning of the description, or none of it.
fn is_cut() -> bool {
    variable("CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED")
        .map_or_else(|| variable("CI_MERGE_REQUEST_DESCRIPTION").is_none(), |is_cut| is_cut == "true")
}

/// Reads the description from the server: its end has the trailers.
fn with_whole_description(
    request: ReviewedRequest,
    api: Option<&dyn MergeRequestApi>,
    session: &Session,
) -> anyhow::Result<ReviewedRequest> {
    let Some(api) = api else { return Ok(request) };
    match api.read(request.number) {
        Ok(whole) => Ok(ReviewedRequest { description: whole.description, author: whole.author, ..request }),
        Err(error) => {
            let warning = format!("the job has not all of the request's description: {}", error.reason());
            session.warn(&[Warning::new(warning).hint("set `TIDINGS_TOKEN` to a token that may read the project")])?;
            Ok(request)
        }
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
