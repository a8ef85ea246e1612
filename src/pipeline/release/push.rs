//! The step that pushes: what the remote has, and what it lacks.

use super::{ReleaseRequest, obstacle};
use crate::{
    git::{
        self, Repo, merge_base,
        tag::Tag,
        upstream::{self, Upstream},
    },
    model::{Oid, StepState},
};

/// What goes to the remote.
#[derive(Clone, Debug)]
pub struct PushStep {
    /// Whether something has to.
    pub state: StepState,
    /// Where to; `None` where nothing is pushed.
    pub upstream: Option<Upstream>,
    /// Whether the branch is pushed.
    pub branch: bool,
    /// Whether the tag is pushed.
    pub tag: bool,
    /// Whether the remote has the tag already.
    pub has_tag: bool,
}

impl PushStep {
    pub(super) const SKIPPED: Self =
        Self { state: StepState::Skipped, upstream: None, branch: false, tag: false, has_tag: false };

    /// What `git push` is told, `commit` being the released one.
    pub(super) fn refspecs(&self, commit: &str, tag: &str) -> Vec<String> {
        let branch = self.upstream.iter().filter(|_| self.branch).map(|to| format!("{commit}:{}", to.branch));
        branch.chain(self.tag.then(|| format!("refs/tags/{tag}"))).collect()
    }
}

/// What is known here about what is released.
#[derive(Clone, Copy)]
pub(super) struct LocalState<'a> {
    pub(super) branch: &'a str,
    /// The released commit, or the tip that it will be made on.
    pub(super) commit: Oid,
    /// Whether it is still to be made.
    pub(super) will_commit: bool,
    /// Whether it has the section.
    pub(super) has_section: bool,
    pub(super) tag: &'a str,
    pub(super) existing: Option<Tag>,
    /// Whether there will be a tag.
    pub(super) tagged: bool,
}

/// Compares what is here with what the remote has.
///
/// # Errors
///
/// Where there is no remote, it cannot be reached, or it has what is not here.
pub(super) fn plan_push(repo: &Repo, request: &ReleaseRequest, here: LocalState) -> anyhow::Result<PushStep> {
    let upstream = upstream::find(repo, here.branch, request.remote.as_deref())?;
    let tag = format!("refs/tags/{}", here.tag);
    let found = git::push::ls_remote(repo, &upstream.remote, &[&upstream.branch, &tag])?;
    let (their_tip, their_tag) = (found[0], found[1]);
    let has_tag = match (here.existing, their_tag) {
        (_, None) => false,
        (None, Some(_)) => return Err(obstacle::tag_only_on_remote(here.tag, &upstream).into()),
        (Some(ours), Some(theirs)) if ours.object != theirs => {
            return Err(obstacle::tag_differs_on_remote(here.tag, (ours.object, theirs), &upstream).into());
        }
        (Some(_), Some(_)) => true,
    };
    let branch = here.will_commit || !contains(repo, their_tip, here.commit)?;
    // A tag that the remote has was pushed with its branch, whatever became of that since.
    let branch = branch && !has_tag;
    let is_new = branch || here.existing.is_none();
    if is_new
        && let Some(theirs) = their_tip
        && !contains(repo, Some(here.commit), theirs)?
    {
        return Err(obstacle::branch_is_behind(&here, &upstream).into());
    }
    let tag = here.tagged && !has_tag;
    Ok(PushStep { state: StepState::of(!branch && !tag), upstream: Some(upstream), branch, tag, has_tag })
}

/// Whether the remote has the very tag that is here, where nothing is pushed; it has not where it cannot be reached.
pub(super) fn has_tag(repo: &Repo, request: &ReleaseRequest, (branch, name): (&str, &str), tag: Tag) -> bool {
    let found = upstream::find(repo, branch, request.remote.as_deref())
        .and_then(|upstream| git::push::ls_remote(repo, &upstream.remote, &[&format!("refs/tags/{name}")]));
    found.is_ok_and(|found| found == [Some(tag.object)])
}

/// Whether a commit is reachable from a tip; it is not where the tip is unknown here.
fn contains(repo: &Repo, tip: Option<Oid>, commit: Oid) -> anyhow::Result<bool> {
    let is_here = |id: &Oid| git::revision::resolve(repo, &id.to_string()).is_ok();
    match tip.filter(is_here) {
        Some(tip) if is_here(&commit) => merge_base::is_ancestor(repo, commit, tip),
        _ => Ok(false),
    }
}
