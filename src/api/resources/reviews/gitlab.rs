//! Merge requests of a GitLab project, as a preview reads them.

use serde::Deserialize;
use serde_json::json;

use super::{Comment, ReviewApi};
use crate::{
    api::{
        ApiRequest, Body, Fields, Method, Path, Result,
        resources::merge_requests::{WRITERS_ON_GITLAB, gitlab::GitLabRequests},
    },
    model::{
        Forge,
        merge_text::{MergeMethod, MergeSettings, ReviewedRequest},
    },
};

#[derive(Clone, Debug, Default, Deserialize)]
struct Reviewed {
    iid: u64,
    title: Option<String>,
    description: Option<String>,
    web_url: Option<String>,
    source_branch: Option<String>,
    target_branch: Option<String>,
    sha: Option<String>,
    squash: Option<bool>,
    /// Whether the project decides, and the request cannot.
    squash_on_merge: Option<bool>,
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

impl GitLabRequests<'_> {
    fn notes(&self, method: Method, below: &str, numbers: &[u64]) -> ApiRequest {
        let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
        let values: Vec<&str> = [self.project.as_str()].into_iter().chain(numbers.iter().map(String::as_str)).collect();
        let template = format!("/projects/:id/merge_requests/:merge_request_iid/notes{below}");
        ApiRequest::new(method, Path::new(&template, &values)).access(WRITERS_ON_GITLAB)
    }
}

impl ReviewApi for GitLabRequests<'_> {
    fn request(&self, number: u64) -> Result<ReviewedRequest> {
        let number = number.to_string();
        let path = Path::new("/projects/:id/merge_requests/:merge_request_iid", &[&self.project, &number]);
        let found: Reviewed = self.client.send(&ApiRequest::new(Method::Get, path))?;
        Ok(ReviewedRequest {
            number: found.iid,
            title: found.title.unwrap_or_default(),
            description: found.description.unwrap_or_default(),
            url: found.web_url,
            source: found.source_branch.unwrap_or_default(),
            target: found.target_branch.unwrap_or_default(),
            base: None,
            head: found.sha,
            squashes: found.squash_on_merge.or(found.squash),
        })
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
        let filled = |template: Option<String>| template.filter(|template| !template.trim().is_empty());
        let squash_template = filled(found.squash_commit_template).unwrap_or(default.squash_template);
        let merge_template = filled(found.merge_commit_template).unwrap_or(default.merge_template);
        Ok(MergeSettings { methods, squash_template, merge_template })
    }

    fn comments(&self, number: u64) -> Result<Vec<Comment>> {
        let query = Fields::new().add("sort", &"asc").add("order_by", &"created_at");
        let found: Vec<Note> = self.client.fetch_all(&self.notes(Method::Get, "", &[number]).query(query))?;
        Ok(found.into_iter().filter(|note| !note.system).map(|note| note.comment).collect())
    }

    fn add_comment(&self, number: u64, body: &str) -> Result<()> {
        let request = self.notes(Method::Post, "", &[number]).body(Body::Json(json!({ "body": body })));
        self.client.send_request(&request).map(drop)
    }

    fn edit_comment(&self, number: u64, comment: u64, body: &str) -> Result<()> {
        let request = self.notes(Method::Put, "/:note_id", &[number, comment]);
        self.client.send_request(&request.body(Body::Json(json!({ "body": body })))).map(drop)
    }
}
