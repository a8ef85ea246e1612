//! Pull requests of a repository on GitHub, Gitea or Forgejo.

use serde::Deserialize;
use serde_json::json;

use super::{
    Branches, MergeRequest, MergeRequestApi, MergeRequestState, RequestText, WRITERS_ON_GITEA, WRITERS_ON_GITHUB,
};
use crate::api::{ApiRequest, Body, Fields, Method, Result, resources::releases::github::GitHub};

#[derive(Clone, Debug, Default, Deserialize)]
struct PullRequest {
    number: u64,
    state: Option<String>,
    merged_at: Option<String>,
    title: Option<String>,
    body: Option<String>,
    html_url: Option<String>,
    #[serde(default)]
    head: Side,
    #[serde(default)]
    base: Side,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Side {
    #[serde(rename = "ref")]
    branch: Option<String>,
    sha: Option<String>,
    repo: Option<Repository>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Repository {
    full_name: Option<String>,
}

impl From<PullRequest> for MergeRequest {
    fn from(found: PullRequest) -> Self {
        let state = match (found.state.as_deref(), &found.merged_at) {
            (_, Some(_)) => MergeRequestState::Merged,
            (Some("closed"), None) => MergeRequestState::Closed,
            _ => MergeRequestState::Open,
        };
        Self {
            number: found.number,
            state,
            title: found.title.unwrap_or_default(),
            description: found.body.unwrap_or_default(),
            head: found.head.sha.unwrap_or_default(),
            url: found.html_url,
        }
    }
}

impl GitHub<'_> {
    /// Returns who may open, change and comment on pull requests.
    pub(in crate::api::resources) fn request_writers(&self) -> &'static str {
        if self.is_gitea() { WRITERS_ON_GITEA } else { WRITERS_ON_GITHUB }
    }

    fn pull(&self, method: Method, below: &str, number: Option<u64>) -> ApiRequest {
        let number = number.map(|number| number.to_string());
        self.request(method, below, number.as_deref().as_slice()).access(self.request_writers())
    }
}

impl MergeRequestApi for GitHub<'_> {
    fn find(&self, branches: Branches, is_open: bool) -> Result<Vec<MergeRequest>> {
        let (owner, _) = self.full_name();
        let query = Fields::new()
            .add("state", &if is_open { "open" } else { "all" })
            .add("head", &format!("{owner}:{}", branches.source))
            .add("base", &branches.target);
        // Gitea's name for the same from 1.27 on.
        let query = if self.is_gitea() { query.add("base_branch", &branches.target) } else { query };
        let found: Vec<PullRequest> = self.client.fetch_all(&self.pull(Method::Get, "/pulls", None).query(query))?;
        // A filter that the server does not know is left out in silence: Gitea does not know `head`.
        let repository =
            |side: &Side| side.repo.as_ref().and_then(|repo| repo.full_name.as_ref()?.to_lowercase().into());
        let is_own = |one: &PullRequest| {
            one.head.branch.as_deref() == Some(branches.source)
                && one.base.branch.as_deref() == Some(branches.target)
                && repository(&one.head) == repository(&one.base)
        };
        Ok(found.into_iter().filter(is_own).map(MergeRequest::from).collect())
    }

    fn creation(&self, branches: Branches, text: &RequestText) -> ApiRequest {
        self.pull(Method::Post, "/pulls", None).body(Body::Json(json!({
            "head": branches.source,
            "base": branches.target,
            "title": text.title,
            "body": text.description,
        })))
    }

    fn create(&self, branches: Branches, text: &RequestText) -> Result<MergeRequest> {
        Ok(self.client.send::<PullRequest>(&self.creation(branches, text))?.into())
    }

    fn update(&self, number: u64, text: &RequestText) -> Result<MergeRequest> {
        let fields = json!({ "title": text.title, "body": text.description });
        let request = self.pull(Method::Patch, "/pulls/:pull_number", Some(number)).body(Body::Json(fields));
        Ok(self.client.send::<PullRequest>(&request)?.into())
    }

    fn close(&self, number: u64) -> Result<()> {
        let request = self.pull(Method::Patch, "/pulls/:pull_number", Some(number));
        self.client.send::<PullRequest>(&request.body(Body::Json(json!({ "state": "closed" })))).map(drop)
    }

    fn comment(&self, number: u64, body: &str) -> Result<()> {
        let request = self.pull(Method::Post, "/issues/:issue_number/comments", Some(number));
        self.client.send_request(&request.body(Body::Json(json!({ "body": body })))).map(drop)
    }
}
