//! The plan of the push: what the remote has, and what it lacks.

use super::{
    ReleaseContext, ReleasePlan, StepSelection,
    context::{DETACHED, RemoteState, detached_head},
    plan::PushPlan,
};
use crate::{
    git::{Repo, merge_base, remote::Upstream, revision, tags::Tag},
    model::{Oid, Problem, pluralize},
    pipeline::base::tags::Tags,
};

impl ReleasePlan {
    /// Plans the push by comparing what the repository and the remote have of the release.
    pub(super) fn plan_push(
        &self,
        context: &ReleaseContext,
        remote: &RemoteState,
        steps: StepSelection,
        existing: Option<Tag>,
        tags: &Tags,
    ) -> anyhow::Result<PushPlan> {
        let (repo, upstream) = (context.scope.repo, &remote.upstream);
        let has_tag = match (existing, remote.tag(&self.tag)) {
            (_, None) => false,
            (None, Some(_)) => return Err(tag_only_on_remote(&self.tag, upstream).into()),
            (Some(ours), Some(theirs)) if !remote.has_tag(&self.tag, ours) => {
                return Err(tag_differs_on_remote(&self.tag, ours.object, theirs, upstream).into());
            }
            (Some(_), Some(_)) => true,
        };
        let is_new = self.states.commit.is_planned();
        // If the remote has the tag, the branch was pushed with it, whatever happened to the branch since.
        let branch = !has_tag && (is_new || !contains(repo, remote.branch(), self.commit)?);
        if branch && self.branch == DETACHED {
            return Err(detached_head().into());
        }
        // To tag a commit of the branch takes nothing of its tip.
        let needs_tip = existing.is_none() && self.commit == context.scope.to;
        if (branch || needs_tip)
            && let Some(theirs) = remote.branch()
            && !contains(repo, Some(self.commit), theirs)?
        {
            let keeps_section = steps.commit && !is_new;
            return Err(self.branch_is_behind(keeps_section, existing.is_some(), upstream).into());
        }
        if branch || !has_tag {
            refuse_missing_tags(repo, remote, tags)?;
        }
        let tag = !has_tag && (steps.tag || existing.is_some());
        Ok(PushPlan { upstream: Some(upstream.clone()), branch, tag, has_tag })
    }

    /// Returns the problem of a branch that lacks commits of its upstream. A commit and a tag that were made for the
    /// release have to be made again on top of them.
    fn branch_is_behind(&self, has_section: bool, is_tagged: bool, upstream: &Upstream) -> Problem {
        let (remote, theirs, tag) = (upstream.display_name(), upstream.short(), &self.tag);
        let problem = Problem::new(format!("`{theirs}` on `{remote}` has commits that are not in `{}`", self.branch));
        let pull = format!("run `git pull --rebase {remote} {theirs}` to get them");
        if !has_section {
            return problem.hint(format!("{pull}; then release again"));
        }
        let take_back = is_tagged.then(|| format!("run `git tag -d {tag}` to remove the tag, which was not pushed"));
        take_back
            .into_iter()
            .fold(problem, Problem::hint)
            .hint(format!("{pull}; then release again with `--replace`, so that the section has them"))
    }
}

/// Whether a commit is reachable from a tip; `false` if the repository lacks either of them.
fn contains(repo: &Repo, tip: Option<Oid>, commit: Oid) -> anyhow::Result<bool> {
    let is_here = |id: &Oid| revision::resolve(repo, &id.to_string()).is_ok();
    match tip.filter(is_here) {
        Some(tip) if is_here(&commit) => merge_base::is_ancestor(repo, commit, tip),
        _ => Ok(false),
    }
}

/// Returns the problem of a tag that the remote has and the repository lacks.
fn tag_only_on_remote(tag: &str, upstream: &Upstream) -> Problem {
    let remote = upstream.display_name();
    Problem::new(format!("`{remote}` already has a tag `{tag}`, which is not here"))
        .hint(format!("run `git fetch {remote} tag {tag}`, then repeat the command"))
}

/// Refuses to push if the remote has version tags that the repository lacks: the version, its base tag and its section
/// were chosen without them.
fn refuse_missing_tags(repo: &Repo, remote: &RemoteState, tags: &Tags) -> anyhow::Result<()> {
    let missing = remote.missing_tags(tags);
    let Some((_, highest)) = missing.iter().max_by(|one, other| one.0.semver().cmp(other.0.semver())) else {
        return Ok(());
    };
    let shown = remote.upstream.display_name();
    let count = pluralize(missing.len(), "version tag");
    let fetch = if repo.is_shallow() {
        repo.unshallow_hint().to_owned()
    } else {
        format!("run `git fetch {shown} --tags`, then release again")
    };
    Err(Problem::new(format!("`{shown}` has {count} that this clone lacks, the highest is `{highest}`"))
        .hint(fetch)
        .into())
}

fn tag_differs_on_remote(tag: &str, ours: Oid, theirs: Oid, upstream: &Upstream) -> Problem {
    let remote = upstream.display_name();
    let (ours, theirs) = (ours.short(), theirs.short());
    Problem::new(format!("the tag `{tag}` is {theirs} on `{remote}`, and {ours} here"))
        .hint(format!("release another version; or use that of the remote: `git fetch --force {remote} tag {tag}`"))
}
