//! Pull requests of a repository on GitHub, Gitea or Forgejo, as a preview reads them.

use serde::Deserialize;
use serde_json::json;

use super::{Comment, ReviewApi};
use crate::{
    api::{ApiRequest, Body, Method, Result, resources::releases::github::GitHub},
    model::{
        Forge,
        merge_text::{MergeMethod, MergeSettings, ReviewedRequest},
    },
};

#[derive(Clone, Debug, Default, Deserialize)]
struct Reviewed {
    number: u64,
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
}

/// The settings of a repository, which only those who may push can read.
#[derive(Clone, Debug, Default, Deserialize)]
#[allow(clippy::struct_field_names, reason = "the names of the API")]
struct Settings {
    allow_squash_merge: Option<bool>,
    allow_merge_commit: Option<bool>,
    allow_rebase_merge: Option<bool>,
    squash_merge_commit_title: Option<String>,
    squash_merge_commit_message: Option<String>,
    merge_commit_title: Option<String>,
    merge_commit_message: Option<String>,
    /// Gitea's and Forgejo's name for `allow_merge_commit`.
    allow_merge_commits: Option<bool>,
    /// Their name for `allow_rebase_merge`.
    allow_rebase: Option<bool>,
    /// The method that they propose.
    default_merge_style: Option<String>,
}

impl Settings {
    fn squash_template(&self) -> String {
        let title = match self.squash_merge_commit_title.as_deref() {
            Some("PR_TITLE") => "%{title}",
            _ => "%{subject_or_title}",
        };
        let message = match self.squash_merge_commit_message.as_deref() {
            Some("PR_BODY") => "%{description}",
            Some("BLANK") => "",
            _ => "%{bodies}",
        };
        format!("{title} (#%{{number}})\n\n{message}")
    }

    fn merge_template(&self) -> String {
        let title = match self.merge_commit_title.as_deref() {
            Some("PR_TITLE") => "%{title} (#%{number})",
            _ => "Merge pull request #%{number} from %{source_branch}",
        };
        let message = match self.merge_commit_message.as_deref() {
            Some("PR_BODY") => "%{description}",
            Some("BLANK") => "",
            _ => "%{title}",
        };
        format!("{title}\n\n{message}")
    }
}

impl GitHub<'_> {
    fn issue(&self, method: Method, below: &str, number: u64) -> ApiRequest {
        self.request(method, below, &[&number.to_string()]).access(self.request_writers())
    }
}

impl ReviewApi for GitHub<'_> {
    fn request(&self, number: u64) -> Result<ReviewedRequest> {
        let path = self.request(Method::Get, "/pulls/:pull_number", &[&number.to_string()]);
        let found: Reviewed = self.client.send(&path)?;
        Ok(ReviewedRequest {
            number: found.number,
            title: found.title.unwrap_or_default(),
            description: found.body.unwrap_or_default().replace("\r\n", "\n"),
            url: found.html_url,
            source: found.head.branch.unwrap_or_default(),
            target: found.base.branch.unwrap_or_default(),
            base: None,
            head: found.head.sha,
            squashes: None,
        })
    }

    fn merge_settings(&self) -> Result<MergeSettings> {
        let found: Settings = self.client.send(&self.request(Method::Get, "", &[]))?;
        let mut allowed = [
            (MergeMethod::Squash, found.allow_squash_merge),
            (MergeMethod::Merge, found.allow_merge_commit.or(found.allow_merge_commits)),
            (MergeMethod::Rebase, found.allow_rebase_merge.or(found.allow_rebase)),
        ];
        let proposed = match found.default_merge_style.as_deref() {
            Some("merge" | "rebase-merge") => Some(MergeMethod::Merge),
            Some("rebase" | "fast-forward-only") => Some(MergeMethod::Rebase),
            _ => None,
        };
        allowed.sort_by_key(|(method, _)| Some(*method) != proposed);
        let methods = allowed.into_iter().filter(|(_, is_allowed)| *is_allowed != Some(false));
        let methods = methods.map(|(method, _)| method).collect();
        if self.is_gitea() {
            return Ok(MergeSettings { methods, ..MergeSettings::default_of(Forge::Gitea) });
        }
        let (squash_template, merge_template) = (found.squash_template(), found.merge_template());
        Ok(MergeSettings { methods, squash_template, merge_template })
    }

    fn comments(&self, number: u64) -> Result<Vec<Comment>> {
        self.client.fetch_all(&self.issue(Method::Get, "/issues/:issue_number/comments", number))
    }

    fn add_comment(&self, number: u64, body: &str) -> Result<()> {
        let request = self.issue(Method::Post, "/issues/:issue_number/comments", number);
        self.client.send_request(&request.body(Body::Json(json!({ "body": body })))).map(drop)
    }

    fn edit_comment(&self, _: u64, comment: u64, body: &str) -> Result<()> {
        let request = self.issue(Method::Patch, "/issues/comments/:comment_id", comment);
        self.client.send_request(&request.body(Body::Json(json!({ "body": body })))).map(drop)
    }
}
