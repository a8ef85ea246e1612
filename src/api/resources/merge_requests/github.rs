//! Pull requests of a repository on GitHub, Gitea or Forgejo.

use serde::Deserialize;
use serde_json::json;

use super::{Branches, Comment, MergeRequest, MergeRequestApi, MergeRequestState, RequestText};
use crate::{
    api::{ApiRequest, Body, Fields, Method, Result, resources::github::GitHub},
    model::{
        Thread,
        merge_text::{MergeMethod, MergeSettings, MessageTemplate, ReviewedRequest},
    },
};

/// A pull request, as the API and the events of jobs describe it.
#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct PullRequest {
    number: u64,
    state: Option<String>,
    merged_at: Option<String>,
    title: Option<String>,
    body: Option<String>,
    html_url: Option<String>,
    user: Option<User>,
    #[serde(default)]
    head: Side,
    #[serde(default)]
    base: Side,
}

#[derive(Clone, Debug, Default, Deserialize)]
struct User {
    login: Option<String>,
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

impl From<PullRequest> for ReviewedRequest {
    fn from(found: PullRequest) -> Self {
        Self {
            number: found.number,
            title: found.title.unwrap_or_default(),
            description: found.body.unwrap_or_default().replace("\r\n", "\n"),
            url: found.html_url,
            source: found.head.branch.unwrap_or_default(),
            target: found.base.branch.unwrap_or_default(),
            base: found.base.sha.filter(|base| !base.is_empty()),
            head: found.head.sha,
            squashes: None,
            author: found.user.and_then(|user| user.login),
            source_project: found.head.repo.and_then(|repo| repo.full_name),
            source_project_id: None,
        }
    }
}

/// The settings of a repository, which only those who may push can read.
#[derive(Clone, Debug, Default, Deserialize)]
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
    fn squash_template(&self) -> MessageTemplate {
        let title = match self.squash_merge_commit_title.as_deref() {
            Some("PR_TITLE") => "%{title}",
            _ => "%{subject_or_title}",
        };
        let message = match self.squash_merge_commit_message.as_deref() {
            Some("PR_BODY") => "%{description}",
            Some("BLANK") => "",
            _ => "%{bodies}",
        };
        MessageTemplate::GitLab(format!("{title} (#%{{number}})\n\n{message}"))
    }

    fn merge_template(&self) -> MessageTemplate {
        let title = match self.merge_commit_title.as_deref() {
            Some("PR_TITLE") => "%{title} (#%{number})",
            _ => "Merge pull request #%{number} from %{source_owner}/%{source_branch}",
        };
        let message = match self.merge_commit_message.as_deref() {
            Some("PR_BODY") => "%{description}",
            Some("BLANK") => "",
            _ => "%{title}",
        };
        MessageTemplate::GitLab(format!("{title}\n\n{message}"))
    }
}

impl GitHub<'_> {
    /// Returns a request about the comments of a thread; issues and pull requests are counted together.
    fn thread_comments(&self, method: Method, (Thread::Request(number) | Thread::Issue(number)): Thread) -> ApiRequest {
        self.pull(method, "/issues/:issue_number/comments", Some(number))
    }

    fn pull(&self, method: Method, below: &str, number: Option<u64>) -> ApiRequest {
        let number = number.map(|number| number.to_string());
        let writers = self.client.base().forge().api().request_writers;
        self.request(method, below, number.as_deref().as_slice()).access(writers)
    }
}

impl MergeRequestApi for GitHub<'_> {
    fn find(&self, branches: Branches, is_open: bool) -> Result<Vec<MergeRequest>> {
        let query = Fields::new().add("state", &if is_open { "open" } else { "all" });
        let query = (self.dialect.branches)(query, &self.owner, branches.source, branches.target);
        let found: Vec<PullRequest> = self.client.fetch_all(&self.pull(Method::Get, "/pulls", None).query(query))?;
        // A filter that the server does not know is left out in silence.
        let repository =
            |side: &Side| side.repo.as_ref().and_then(|repo| repo.full_name.as_ref()?.to_lowercase().into());
        Ok(found
            .into_iter()
            .filter(|one| {
                one.head.branch.as_deref() == Some(branches.source)
                    && one.base.branch.as_deref() == Some(branches.target)
                    && repository(&one.head) == repository(&one.base)
            })
            .map(MergeRequest::from)
            .collect())
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

    fn comment(&self, thread: Thread, body: &str) -> Result<()> {
        let request = self.thread_comments(Method::Post, thread);
        self.client.send_request(&request.body(Body::Json(json!({ "body": body })))).map(drop)
    }

    fn read(&self, number: u64) -> Result<ReviewedRequest> {
        let request = self.pull(Method::Get, "/pulls/:pull_number", Some(number));
        Ok(self.client.send::<PullRequest>(&request)?.into())
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
        if !self.dialect.has_merge_templates {
            return Ok(MergeSettings { methods, ..MergeSettings::default_of(self.client.base().forge()) });
        }
        let (squash_template, merge_template) = (found.squash_template(), found.merge_template());
        Ok(MergeSettings { methods, squash_template, merge_template })
    }

    fn comments(&self, thread: Thread) -> Result<Vec<Comment>> {
        let request = self.thread_comments(Method::Get, thread);
        if self.dialect.has_comment_pages { self.client.fetch_all(&request) } else { self.client.send(&request) }
    }

    fn edit_comment(&self, _: u64, comment: u64, body: &str) -> Result<()> {
        let request = self.pull(Method::Patch, "/issues/comments/:comment_id", Some(comment));
        self.client.send_request(&request.body(Body::Json(json!({ "body": body })))).map(drop)
    }
}
