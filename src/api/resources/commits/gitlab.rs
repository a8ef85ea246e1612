//! Commits that GitLab makes (docs.gitlab.com, "Commits API").

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{CommitApi, made, refused};
use crate::{
    api::{ApiRequest, Body, Client, Method, Path},
    model::{ForgeCommit, ForgeEdit, Oid},
};

/// The commits of a project, named by ID or path.
pub(in crate::api) struct GitLabCommits<'c> {
    pub(in crate::api) client: &'c Client,
    pub(in crate::api) project: String,
}

impl CommitApi for GitLabCommits<'_> {
    fn commit(&self, commit: &ForgeCommit) -> anyhow::Result<Oid> {
        let actions: Vec<Value> = commit.edits.iter().map(action).collect();
        let document = json!({ "branch": commit.branch, "commit_message": commit.message, "actions": actions });
        let path = Path::new("/projects/:id/repository/commits", &[&self.project]);
        let request = ApiRequest::new(Method::Post, path).body(Body::Json(document)).access(WRITERS);
        let answer = self.client.send_request(&request).map_err(|error| refused(error, commit))?.body;
        made(answer["id"].as_str())
    }
}

fn action(edit: &ForgeEdit) -> Value {
    match &edit.content {
        None => json!({ "action": "delete", "file_path": edit.path }),
        Some(content) => {
            let action = if edit.is_new { "create" } else { "update" };
            let content = STANDARD.encode(content);
            json!({ "action": action, "file_path": edit.path, "encoding": "base64", "content": content })
        }
    }
}

const WRITERS: &str = "an access token with the scope `api` of somebody with the role Developer and up; the token of a job \
                       makes no commits";
