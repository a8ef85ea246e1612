//! The draft of a release request: the commits of its branch, and its text.

use std::path::Path;

use super::{
    super::{
        ReleaseContext, ReleasePlan, ReleaseRequest,
        edits::{self as file_edits, FileEdits},
        merged::{CHOSEN_TRAILER, RELEASE_TRAILER},
        plan::{commit_request, joint_message},
    },
    branch::ReleaseBranch,
    edits::{self, MergedEdits},
    mark::Mark,
    text::{RequestPage, describe, without_notice},
};
use crate::{
    api::merge_requests::RequestText,
    document::merge::{merge, merge_line},
    git::{
        self, commit, merge_base,
        remote::{self, Upstream},
        revision,
    },
    model::{Oid, Problem, ProblemKind, Version},
};

/// What the branch and its request will be: plain data.
#[derive(Debug)]
pub(crate) struct RequestDraft {
    /// The branch of the release, and the one it is merged into.
    pub upstream: Upstream,
    pub target: String,
    /// The commit that the branch will point to; `None` if there are conflicts.
    pub head: Option<Oid>,
    /// Whether that has to be pushed.
    pub is_new: bool,
    /// The commit that the branch points to on the remote.
    pub old: Option<Oid>,
    pub has_edits: bool,
    /// What people edited and what is generated differently now.
    pub conflicts: Vec<String>,
    pub text: RequestText,
    /// The text as it was last written, if the branch tells.
    pub last_text: Option<RequestText>,
    /// The first version, before and after, for a title that people edited.
    pub versions: (String, String),
}

impl RequestDraft {
    /// Makes the commits of the plans, which nothing blocks, and the text of the request; `limit` is the longest
    /// description.
    pub(crate) fn make(
        context: &ReleaseContext,
        plans: &[&ReleasePlan],
        branch: &ReleaseBranch,
        limit: usize,
    ) -> anyhow::Result<Self> {
        let written = branch.written.as_ref();
        let generated = match written.filter(|written| written.parent == context.scope.to && written.is_of(plans)) {
            // Nothing is new, and a new date would be no reason to push.
            Some(written) => written.generated,
            None => generate(context, plans, branch)?,
        };
        let edited = written.filter(|written| written.is_edited);
        let merged = match edited {
            Some(written) if written.generated == generated => MergedEdits::unchanged(written.head),
            Some(written) => edits::merge_edits(context, plans, written, generated)?,
            None => MergedEdits::unchanged(generated),
        };
        let (head, page) = (merged.commit, RequestPage { branch: branch.upstream.short(), limit });
        let text = describe(context, plans, head.or(written.map(|written| written.head)), page)?;
        let last_text = written.map(|written| written.last_text(context, plans, page)).transpose()?;
        let first = plans.first().map(|plan| plan.version.to_string()).unwrap_or_default();
        let before = written.and_then(|written| written.releases.first());
        Ok(Self {
            upstream: branch.upstream.clone(),
            target: branch.target.clone(),
            is_new: head.is_some() && head != branch.head,
            head,
            old: branch.head,
            has_edits: edited.is_some(),
            conflicts: merged.conflicts,
            text,
            last_text,
            versions: (before.map(|(_, version)| version.to_string()).unwrap_or_default(), first),
        })
    }

    /// Returns the text of the request: that which was made, or what people made of the present one, with what is new.
    ///
    /// A mark in the description tells which text was written last: a run may have broken off between the push and
    /// that.
    pub(crate) fn merged_text(&self, present: Option<&RequestText>) -> RequestText {
        let mark = Mark::of(&self.text);
        let Some(present) = present else { return mark.write(self.text.clone()) };
        let (theirs, written) = Mark::take(without_notice(&present.description).replace("\r\n", "\n"));
        let theirs = RequestText { title: present.title.clone(), description: theirs };
        let last = self.last_text.as_ref().filter(|last| written.as_ref().is_none_or(|mark| *mark == Mark::of(last)));
        let now = Mark::of(&theirs);
        let is_generated = |part: fn(&Mark) -> &str| written.as_ref().is_some_and(|mark| part(mark) == part(&now));
        let (before, version) = (self.versions.0.as_str(), self.versions.1.as_str());
        let title = match last {
            _ if is_generated(|mark| &mark.title) => self.text.title.clone(),
            Some(last) => merge_line(&last.title, &theirs.title, &self.text.title, [before, version]).text,
            None => theirs.title,
        };
        let description = if is_generated(|mark| &mark.description) {
            self.text.description.clone()
        } else {
            let base = last.map(|last| last.description.as_str()).unwrap_or_default();
            merge(base, &theirs.description, &self.text.description).text
        };
        mark.write(RequestText { title, description })
    }
}

/// Makes the commit with the generated text; no branch points to it yet.
fn generate(context: &ReleaseContext, plans: &[&ReleasePlan], branch: &ReleaseBranch) -> anyhow::Result<Oid> {
    let releases: Vec<&FileEdits> = plans.iter().map(|plan| &plan.edits).collect();
    let files = file_edits::files(&releases);
    let message = message_with_trailers(&joint_message(plans), &trailers(plans, branch));
    let request = commit_request(plans, &files, &message);
    let mut edit = |path: &Path, old: &[u8]| file_edits::edit(&releases, path, old);
    commit::build(context.scope.repo, &request, &mut edit)?
        .ok_or_else(|| Problem::new("the release changes no file").kind(ProblemKind::NothingToDo).into())
}

fn trailers(plans: &[&ReleasePlan], branch: &ReleaseBranch) -> Vec<String> {
    let released = plans.iter().map(|plan| format!("{RELEASE_TRAILER}: {}", plan.name()));
    let chosen = plans.iter().filter(|plan| branch.chosen(plan.package.as_deref()).as_ref() == Some(&plan.version));
    released.chain(chosen.map(|plan| format!("{CHOSEN_TRAILER}: {}", plan.name()))).collect()
}

/// Adds trailers to a message, to those that it has.
fn message_with_trailers(message: &str, trailers: &[String]) -> String {
    let message = message.trim_end();
    let has_trailers = message.contains("\n\n") && !git::trailers::parse(message.as_bytes()).is_empty();
    let gap = if has_trailers { "\n" } else { "\n\n" };
    format!("{message}{gap}{}\n", trailers.join("\n"))
}

impl ReleaseRequest {
    /// Narrows the request to the version that people chose for a package on the branch of the release, if that is not
    /// below the next one.
    pub(crate) fn with_chosen(&self, branch: &ReleaseBranch, next: &Version) -> Option<Self> {
        let chosen = branch.chosen(self.changelog.config_source.package.as_deref())?;
        let is_above = self.version.is_none() && chosen.semver() > next.semver();
        is_above.then(|| Self { version: Some(chosen), ..self.clone() })
    }
}

impl ReleaseContext<'_> {
    /// Refuses a request from a branch that is not as on the remote.
    pub(crate) fn check_pushed(&self, request: &ReleaseRequest) -> anyhow::Result<()> {
        let Some(remote) = self.remote(request)? else { return Ok(()) };
        let (name, theirs) = (remote.upstream.display_name(), remote.upstream.short());
        if remote.branch() == Some(self.scope.to) {
            return Ok(());
        }
        let is_ahead = remote.branch().is_some_and(|theirs| {
            revision::resolve(self.scope.repo, &theirs.to_string()).is_ok()
                && merge_base::is_ancestor(self.scope.repo, theirs, self.scope.to).unwrap_or_default()
        });
        let problem = Problem::new(format!("`{}` is not the same as `{theirs}` on `{name}`", self.branch));
        Err(if is_ahead || remote.branch().is_none() {
            problem.hint(format!("run `git push {name} {}` first: the request is made from what is there", self.branch))
        } else {
            problem.hint(format!("run `git pull --rebase {name} {theirs}` to get what is new there, then try again"))
        }
        .into())
    }
}

/// Pushes the branch of a draft, unless somebody else moved it meanwhile.
pub(crate) fn push(context: &ReleaseContext, draft: &RequestDraft) -> anyhow::Result<String> {
    let upstream = &draft.upstream;
    remote::push_with_lease(context.scope.repo, &upstream.remote, &upstream.branch, draft.head, draft.old)
}

/// Deletes the branch of a release, unless somebody else moved it meanwhile.
pub(crate) fn delete(context: &ReleaseContext, branch: &ReleaseBranch) -> anyhow::Result<String> {
    let upstream = &branch.upstream;
    remote::push_with_lease(context.scope.repo, &upstream.remote, &upstream.branch, None, branch.head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailers_join_those_that_the_message_has() {
        let trailers = ["Tidings-Release: 1.1.0".to_owned(), "Tidings-Chosen: 1.1.0".to_owned()];
        let (joined, added) = ("Tidings-Release: 1.1.0\nTidings-Chosen: 1.1.0\n", message_with_trailers);
        assert_eq!(added("Release 1.1.0\n", &trailers), format!("Release 1.1.0\n\n{joined}"));
        assert_eq!(added("Release: 1.1.0", &trailers), format!("Release: 1.1.0\n\n{joined}"));
        assert_eq!(added("Release 1.1.0\n\nFor all.\n", &trailers), format!("Release 1.1.0\n\nFor all.\n\n{joined}"));
        let signed = "Release 1.1.0\n\nSigned-off-by: Ida <ida@harbor.example>";
        assert_eq!(added(signed, &trailers), format!("{signed}\n{joined}"));
    }
}
