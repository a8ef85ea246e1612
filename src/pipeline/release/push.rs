//! The step that pushes: what the remote has, and what it lacks.

use std::collections::HashMap;

use crate::{
    git::{
        Repo, merge_base,
        remote::{self, Upstream},
        revision,
        tags::Tag,
    },
    model::{Oid, Problem, Version, pluralize},
    pipeline::tags::Tags,
};

/// The remote that a branch is pushed to, and its branches and tags.
#[derive(Debug)]
pub(super) struct RemoteState {
    pub(super) upstream: Upstream,
    refs: HashMap<String, Oid>,
}

impl RemoteState {
    pub(super) fn fetch(repo: &Repo, branch: &str, given: Option<&str>) -> anyhow::Result<Self> {
        let upstream = remote::upstream(repo, branch, given)?;
        let refs = remote::ls_remote(repo, &upstream.remote)?;
        Ok(Self { upstream, refs })
    }

    pub(super) fn branch(&self) -> Option<Oid> {
        self.refs.get(&self.upstream.branch).copied()
    }

    pub(super) fn tag(&self, name: &str) -> Option<Oid> {
        self.refs.get(&format!("refs/tags/{name}")).copied()
    }

    /// The version tags that the remote has and the repository does not. Tags such as `v1` beside `v1.2.3` move, and are
    /// not versions.
    fn missing_tags(&self, tags: &Tags) -> Vec<(Version, &str)> {
        let theirs = || self.refs.keys().filter_map(|name| name.strip_prefix("refs/tags/"));
        let is_here = |name: &str| tags.names.binary_search_by(|ours| ours.as_str().cmp(name)).is_ok();
        let is_moving =
            |name: &str| theirs().any(|other| other.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')));
        let missing = theirs().filter(|name| !is_here(name)).filter_map(|name| Some((tags.version(name)?, name)));
        missing.filter(|(_, name)| !is_moving(name)).collect()
    }
}

/// What goes to the remote.
#[derive(Clone, Debug, Default)]
pub(crate) struct PushPlan {
    /// Where to; `None` if nothing is pushed.
    pub upstream: Option<Upstream>,
    pub branch: bool,
    pub tag: bool,
    /// Whether the remote has the tag already.
    pub has_tag: bool,
}

/// What the repository has of a release.
#[derive(Clone, Copy)]
pub(super) struct LocalState<'a> {
    /// The released commit, or the tip that it will be made on.
    pub(super) commit: Oid,
    /// Whether the commit is still to be made.
    pub(super) will_commit: bool,
    /// Whether the released commit has the section.
    pub(super) has_section: bool,
    pub(super) tag: &'a str,
    pub(super) existing: Option<Tag>,
    pub(super) tagged: bool,
    /// The tags that count for the release.
    pub(super) tags: &'a Tags,
}

/// Compares what a branch of the repository has with what the remote has.
pub(super) fn plan_push(
    (repo, branch): (&Repo, &str),
    remote: &RemoteState,
    local: LocalState,
) -> anyhow::Result<PushPlan> {
    let upstream = &remote.upstream;
    let has_tag = match (local.existing, remote.tag(local.tag)) {
        (_, None) => false,
        (None, Some(_)) => return Err(tag_only_on_remote(local.tag, upstream).into()),
        (Some(ours), Some(theirs)) if ours.object != theirs => {
            return Err(tag_differs_on_remote(local.tag, (ours.object, theirs), upstream).into());
        }
        (Some(_), Some(_)) => true,
    };
    let pushes_branch = local.will_commit || !contains(repo, remote.branch(), local.commit)?;
    // A tag that the remote has was pushed with its branch, whatever became of that since.
    let pushes_branch = pushes_branch && !has_tag;
    let is_new = pushes_branch || local.existing.is_none();
    if is_new
        && let Some(theirs) = remote.branch()
        && !contains(repo, Some(local.commit), theirs)?
    {
        return Err(branch_is_behind(branch, &local, upstream).into());
    }
    if pushes_branch || !has_tag {
        refuse_missing_tags(repo, remote, local.tags)?;
    }
    Ok(PushPlan { upstream: Some(upstream.clone()), branch: pushes_branch, tag: local.tagged && !has_tag, has_tag })
}

/// Whether a commit is reachable from a tip; it is not if the tip is unknown here.
fn contains(repo: &Repo, tip: Option<Oid>, commit: Oid) -> anyhow::Result<bool> {
    let is_here = |id: &Oid| revision::resolve(repo, &id.to_string()).is_ok();
    match tip.filter(is_here) {
        Some(tip) if is_here(&commit) => merge_base::is_ancestor(repo, commit, tip),
        _ => Ok(false),
    }
}

/// A branch that lacks what its upstream has. What was made of the release has to be made again on top of that.
fn branch_is_behind(branch: &str, local: &LocalState, upstream: &Upstream) -> Problem {
    let (remote, theirs) = (upstream.shown(), upstream.short());
    let problem = Problem::new(format!("`{theirs}` on `{remote}` has commits that are not in `{branch}`"));
    let pull = format!("`git pull --rebase {remote} {theirs}` brings them in");
    if local.will_commit || !local.has_section {
        return problem.hint(format!("{pull}; then release again"));
    }
    let tag = local.existing.map(|_| format!("`git tag -d {}` takes the tag back, which was not pushed", local.tag));
    tag.into_iter()
        .fold(problem, Problem::hint)
        .hint(format!("{pull}; then release again with `--replace`, so that the section has them"))
}

/// A tag of the name that the remote has, and we do not.
fn tag_only_on_remote(tag: &str, upstream: &Upstream) -> Problem {
    let remote = upstream.shown();
    Problem::new(format!("`{remote}` already has a tag `{tag}`, which is not here"))
        .hint(format!("`git fetch {remote} tag {tag}` fetches it; then the same command shows what is left to do"))
}

/// Refuses if the remote has version tags that are not here: the version, its base and its section were chosen without.
fn refuse_missing_tags(repo: &Repo, remote: &RemoteState, tags: &Tags) -> anyhow::Result<()> {
    let missing = remote.missing_tags(tags);
    let Some((_, highest)) = missing.iter().max_by(|one, other| one.0.semver().cmp(other.0.semver())) else {
        return Ok(());
    };
    let shown = remote.upstream.shown();
    let count = pluralize(missing.len(), "version tag");
    let fetch = if repo.is_shallow() {
        repo.unshallow_hint().to_owned()
    } else {
        format!("run `git fetch {shown} --tags`, then release again")
    };
    Err(Problem::new(format!("`{shown}` has {count} missing here, the highest is `{highest}`")).hint(fetch).into())
}

fn tag_differs_on_remote(tag: &str, (ours, theirs): (Oid, Oid), upstream: &Upstream) -> Problem {
    let remote = upstream.shown();
    let (ours, theirs) = (ours.short(), theirs.short());
    Problem::new(format!("the tag `{tag}` is {theirs} on `{remote}`, and {ours} here"))
        .hint(format!("release another version; or take over theirs: `git fetch --force {remote} tag {tag}`"))
}
