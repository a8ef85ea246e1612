//! Commits that GitHub makes (docs.github.com, "createCommitOnBranch" of the GraphQL API).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{CommitApi, made, refused};
use crate::{
    api::{
        ApiHost, ApiRequest, Body, Method, Path,
        resources::github::{GitHub, WRITERS},
    },
    model::{ForgeCommit, Oid, Problem},
};

const MUTATION: &str = "mutation($input: CreateCommitOnBranchInput!) \
                        { createCommitOnBranch(input: $input) { commit { oid } } }";

impl CommitApi for GitHub<'_> {
    fn commit(&self, commit: &ForgeCommit) -> anyhow::Result<Oid> {
        let document = json!({ "query": MUTATION, "variables": { "input": self.input(commit) } });
        let request = ApiRequest::new(Method::Post, Path::new("/graphql", &[])).body(Body::Json(document));
        let request = ApiRequest { site: ApiHost::GraphQl, ..request }.access(WRITERS);
        let answer = self.client.send_request(&request).map_err(|error| refused(error, commit))?.body;
        // A refusal has the status 200.
        if let Some(message) = answer["errors"][0]["message"].as_str() {
            return Err(Problem::new(format!("GitHub did not make the commit on `{}`: {message}", commit.branch))
                .hint(format!("this needs {WRITERS}"))
                .into());
        }
        made(answer["data"]["createCommitOnBranch"]["commit"]["oid"].as_str())
    }
}

impl GitHub<'_> {
    fn input(&self, commit: &ForgeCommit) -> Value {
        let Self { owner, name, .. } = self;
        let (headline, body) = commit.message.split_once('\n').unwrap_or((&commit.message, ""));
        let additions: Vec<Value> = commit
            .edits
            .iter()
            .filter_map(|edit| {
                let content = edit.content.as_ref()?;
                Some(json!({ "path": edit.path, "contents": STANDARD.encode(content) }))
            })
            .collect();
        let deleted = commit.edits.iter().filter(|edit| edit.content.is_none());
        let deletions: Vec<Value> = deleted.map(|edit| json!({ "path": edit.path })).collect();
        json!({
            "branch": { "repositoryNameWithOwner": format!("{owner}/{name}"), "branchName": commit.branch },
            "expectedHeadOid": commit.parent,
            "message": { "headline": headline, "body": body.trim() },
            "fileChanges": { "additions": additions, "deletions": deletions },
        })
    }
}
