//! Merge requests of a GitLab project.

use serde::Deserialize;
use serde_json::json;

use super::{Branches, Comment, MergeRequest, MergeRequestApi, MergeRequestState, RequestText};
use crate::{
    api::{ApiRequest, Body, Client, Fields, Method, Path, Result},
    model::{
        Forge, Thread,
        merge_text::{MergeMethod, MergeSettings, MessageTemplate, ReviewedRequest},
    },
};

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
    author: Option<Author>,
    squash: Option<bool>,
    /// Whether it will be squashed, if the project decides and not the request.
    squash_on_merge: Option<bool>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Author {
    name: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Settings {
    merge_method: Option<String>,
    squash_option: Option<String>,
    squash_commit_template: Option<String>,
    merge_commit_template: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct Note {
    #[serde(flatten)]
    comment: Comment,
    #[serde(default)]
    system: bool,
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

impl From<GitLabRequest> for ReviewedRequest {
    fn from(found: GitLabRequest) -> Self {
        Self {
            number: found.iid,
            title: found.title.unwrap_or_default(),
            description: found.description.unwrap_or_default(),
            url: found.web_url,
            source: found.source_branch.unwrap_or_default(),
            target: found.target_branch.unwrap_or_default(),
            base: None,
            head: found.sha,
            squashes: found.squash_on_merge.or(found.squash),
            author: found.author.and_then(|author| author.name),
            source_project: None,
            source_project_id: found.source_project_id,
        }
    }
}

impl GitLabRequests<'_> {
    /// Returns a request below the path of merge requests; the numbers are of the merge request and of a note.
    fn request(&self, method: Method, below: &str, numbers: &[u64]) -> ApiRequest {
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        let values: Vec<&str> = [self.project.as_str()].into_iter().chain(numbers.iter().map(String::as_str)).collect();
        let path = Path::new(&format!("/projects/:id/merge_requests{below}"), &values);
        ApiRequest::new(method, path).access(Forge::GitLab.api().request_writers)
    }

    fn notes(&self, method: Method, thread: Thread) -> ApiRequest {
        match thread {
            Thread::Request(number) => self.request(method, "/:merge_request_iid/notes", &[number]),
            Thread::Issue(number) => {
                let path = Path::new("/projects/:id/issues/:issue_iid/notes", &[&self.project, &number.to_string()]);
                ApiRequest::new(method, path).access(Forge::GitLab.api().request_writers)
            }
        }
    }

    fn change(&self, number: u64, fields: serde_json::Value) -> ApiRequest {
        self.request(Method::Put, "/:merge_request_iid", &[number]).body(Body::Json(fields))
    }
}

impl MergeRequestApi for GitLabRequests<'_> {
    fn find(&self, branches: Branches, is_open: bool) -> Result<Vec<MergeRequest>> {
        let query = Fields::new()
            .add("state", &if is_open { "opened" } else { "all" })
            .add("source_branch", &branches.source)
            .add("target_branch", &branches.target)
            .add("scope", &"all");
        let found: Vec<GitLabRequest> = self.client.fetch_all(&self.request(Method::Get, "", &[]).query(query))?;
        Ok(found
            .into_iter()
            .filter(|one| {
                one.source_project_id == one.target_project_id
                    && one.source_branch.as_deref() == Some(branches.source)
                    && one.target_branch.as_deref() == Some(branches.target)
            })
            .map(MergeRequest::from)
            .collect())
    }

    fn creation(&self, branches: Branches, text: &RequestText) -> ApiRequest {
        self.request(Method::Post, "", &[]).body(Body::Json(json!({
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

    fn comment(&self, thread: Thread, body: &str) -> Result<()> {
        let request = self.notes(Method::Post, thread);
        self.client.send_request(&request.body(Body::Json(json!({ "body": body })))).map(drop)
    }

    fn read(&self, number: u64) -> Result<ReviewedRequest> {
        let request = self.request(Method::Get, "/:merge_request_iid", &[number]);
        Ok(self.client.send::<GitLabRequest>(&request)?.into())
    }

    fn merge_settings(&self) -> Result<MergeSettings> {
        let path = Path::new("/projects/:id", &[&self.project]);
        let found: Settings = self.client.send(&ApiRequest::new(Method::Get, path))?;
        let method = match found.merge_method.as_deref() {
            Some("ff" | "rebase_merge") => MergeMethod::Rebase,
            _ => MergeMethod::Merge,
        };
        let methods = match found.squash_option.as_deref() {
            Some("always") => vec![MergeMethod::Squash],
            Some("never") => vec![method],
            Some("default_on") => vec![MergeMethod::Squash, method],
            _ => vec![method, MergeMethod::Squash],
        };
        let default = MergeSettings::default_of(Forge::GitLab);
        let filled = |template: Option<String>| {
            template.filter(|template| !template.trim().is_empty()).map(MessageTemplate::GitLab)
        };
        let squash_template = filled(found.squash_commit_template).unwrap_or(default.squash_template);
        let merge_template = filled(found.merge_commit_template).unwrap_or(default.merge_template);
        Ok(MergeSettings { methods, squash_template, merge_template })
    }

    fn comments(&self, thread: Thread) -> Result<Vec<Comment>> {
        let query = Fields::new().add("sort", &"asc").add("order_by", &"created_at");
        let request = self.notes(Method::Get, thread).query(query);
        let found: Vec<Note> = self.client.fetch_all(&request)?;
        Ok(found.into_iter().filter(|note| !note.system).map(|note| note.comment).collect())
    }

    fn edit_comment(&self, number: u64, comment: u64, body: &str) -> Result<()> {
        let request = self.request(Method::Put, "/:merge_request_iid/notes/:note_id", &[number, comment]);
        self.client.send_request(&request.body(Body::Json(json!({ "body": body })))).map(drop)
    }
}
