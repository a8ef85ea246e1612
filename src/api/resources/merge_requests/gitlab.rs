//! Merge requests of a GitLab project.

use serde::Deserialize;
use serde_json::json;

use super::{Branches, MergeRequest, MergeRequestApi, MergeRequestState, RequestText, WRITERS_ON_GITLAB};
use crate::api::{ApiRequest, Body, Client, Fields, Method, Path, Result};

/// The merge requests of a project, named by ID or path.
pub(in crate::api) struct GitLabRequests<'c> {
    pub(in crate::api) client: &'c Client,
    pub(in crate::api) project: String,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct GitLabRequest {
    iid: u64,
    state: Option<String>,
    title: Option<String>,
    description: Option<String>,
    sha: Option<String>,
    web_url: Option<String>,
    source_branch: Option<String>,
    target_branch: Option<String>,
    source_project_id: Option<u64>,
    target_project_id: Option<u64>,
}

impl From<GitLabRequest> for MergeRequest {
    fn from(found: GitLabRequest) -> Self {
        Self {
            number: found.iid,
            state: match found.state.as_deref() {
                Some("merged") => MergeRequestState::Merged,
                Some("closed") => MergeRequestState::Closed,
                _ => MergeRequestState::Open,
            },
            title: found.title.unwrap_or_default(),
            description: found.description.unwrap_or_default(),
            head: found.sha.unwrap_or_default(),
            url: found.web_url,
        }
    }
}

impl GitLabRequests<'_> {
    fn request(&self, method: Method, below: &str, number: Option<u64>) -> ApiRequest {
        let number = number.map(|number| number.to_string());
        let values: Vec<&str> = [self.project.as_str()].into_iter().chain(number.as_deref()).collect();
        ApiRequest::new(method, Path::new(&format!("/projects/:id/merge_requests{below}"), &values))
            .access(WRITERS_ON_GITLAB)
    }

    fn change(&self, number: u64, fields: serde_json::Value) -> ApiRequest {
        self.request(Method::Put, "/:merge_request_iid", Some(number)).body(Body::Json(fields))
    }
}

impl MergeRequestApi for GitLabRequests<'_> {
    fn find(&self, branches: Branches, is_open: bool) -> Result<Vec<MergeRequest>> {
        let query = Fields::new()
            .add("state", &if is_open { "opened" } else { "all" })
            .add("source_branch", &branches.source)
            .add("target_branch", &branches.target)
            .add("scope", &"all");
        let found: Vec<GitLabRequest> = self.client.fetch_all(&self.request(Method::Get, "", None).query(query))?;
        let is_own = |one: &GitLabRequest| {
            one.source_project_id == one.target_project_id
                && one.source_branch.as_deref() == Some(branches.source)
                && one.target_branch.as_deref() == Some(branches.target)
        };
        Ok(found.into_iter().filter(is_own).map(MergeRequest::from).collect())
    }

    fn creation(&self, branches: Branches, text: &RequestText) -> ApiRequest {
        self.request(Method::Post, "", None).body(Body::Json(json!({
            "source_branch": branches.source,
            "target_branch": branches.target,
            "title": text.title,
            "description": text.description,
            "remove_source_branch": true,
        })))
    }

    fn create(&self, branches: Branches, text: &RequestText) -> Result<MergeRequest> {
        Ok(self.client.send::<GitLabRequest>(&self.creation(branches, text))?.into())
    }

    fn update(&self, number: u64, text: &RequestText) -> Result<MergeRequest> {
        let fields = json!({ "title": text.title, "description": text.description });
        Ok(self.client.send::<GitLabRequest>(&self.change(number, fields))?.into())
    }

    fn close(&self, number: u64) -> Result<()> {
        self.client.send::<GitLabRequest>(&self.change(number, json!({ "state_event": "close" }))).map(drop)
    }

    fn comment(&self, number: u64, body: &str) -> Result<()> {
        let request = self.request(Method::Post, "/:merge_request_iid/notes", Some(number));
        self.client.send_request(&request.body(Body::Json(json!({ "body": body })))).map(drop)
    }
}
