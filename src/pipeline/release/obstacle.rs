//! What stands in the way of a release, in words that say how to clear it away.

use super::push::LocalState;
use crate::{
    git::upstream::Upstream,
    model::{Oid, Problem},
};

pub(super) fn detached() -> Problem {
    let is_set = |variable: &str| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    let branch = match () {
        () if is_set("GITLAB_CI") => "\"$CI_COMMIT_BRANCH\"",
        () if is_set("GITHUB_ACTIONS") => "\"$GITHUB_REF_NAME\"",
        () => "BRANCH",
    };
    Problem::new("`HEAD` is detached, so there is no branch to release from")
        .hint(format!("`git switch -C {branch}` gives this commit its branch back; or name one with `--branch`"))
}

/// A tag that was made for something else.
pub(super) fn tag_is_taken(tag: &str, commit: &str, why: &str) -> Problem {
    Problem::new(format!("the tag `{tag}` is already there, on {commit}, {why}"))
        .hint(format!("release another version; or, where the tag is a mistake, remove it: `git tag -d {tag}`"))
}

/// A branch that lacks what its upstream has. What was made of the release has to be made again on top of that.
pub(super) fn branch_is_behind(here: &LocalState, upstream: &Upstream) -> Problem {
    let (remote, theirs) = (upstream.shown(), upstream.short());
    let problem = Problem::new(format!("`{theirs}` on `{remote}` has commits that are not in `{}`", here.branch));
    let pull = format!("`git pull --rebase {remote} {theirs}` brings them in");
    if here.will_commit || !here.has_section {
        return problem.hint(format!("{pull}; then release again"));
    }
    let tag = here.existing.map(|_| format!("`git tag -d {}` takes the tag back, which was not pushed", here.tag));
    tag.into_iter()
        .fold(problem, Problem::hint)
        .hint(format!("{pull}; then release again with `--replace`, so that the section has them"))
}

/// A tag of the name that the remote has, and we do not.
pub(super) fn tag_only_on_remote(tag: &str, upstream: &Upstream) -> Problem {
    let remote = upstream.shown();
    Problem::new(format!("`{remote}` already has a tag `{tag}`, which is not here"))
        .hint(format!("`git fetch {remote} tag {tag}` brings it; then the same command tells what is left to do"))
}

pub(super) fn tag_differs_on_remote(tag: &str, (ours, theirs): (Oid, Oid), upstream: &Upstream) -> Problem {
    let remote = upstream.shown();
    let (ours, theirs) = (ours.short(), theirs.short());
    Problem::new(format!("the tag `{tag}` is {theirs} on `{remote}`, and {ours} here"))
        .hint(format!("release another version; or take over theirs: `git fetch --force {remote} tag {tag}`"))
}
