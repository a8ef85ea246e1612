//! The branch a commit goes to, and whether it may.

use std::path::Path;

use anyhow::{Context as _, Result};
use gix::{ObjectId, bstr::ByteSlice as _, refs::FullName};

use crate::{git::Repo, model::Problem};

/// How many commits others may have added in the meantime.
const FAR: usize = 1000;

/// Where a commit goes.
#[derive(Clone, Debug)]
pub(super) struct TargetBranch {
    /// The reference to move: `HEAD`, which is followed, where it is what `HEAD` points at.
    pub(super) reference: FullName,
    /// The branch; `None` where `HEAD` is detached.
    pub(super) branch: Option<FullName>,
    /// The commit the reference is at.
    pub(super) tip: ObjectId,
    /// Whether its files lie in our work tree.
    pub(super) checked_out: bool,
}

impl TargetBranch {
    /// The named branch, or what `HEAD` points at.
    pub(super) fn resolve(repo: &Repo, branch: Option<&str>) -> Result<Self> {
        repo.check_owner()?;
        let head = repo.gix().head_name().context("cannot read `HEAD`")?;
        let wanted = branch.map(full_name).transpose()?;
        let is_head = wanted.is_none() || wanted == head;
        let branch = wanted.or(head);
        let reference = match &branch {
            Some(branch) if !is_head => branch.clone(),
            _ => "HEAD".try_into().context("cannot read `HEAD`")?,
        };
        let Some(tip) = tip(repo, &reference)? else { return Err(without_commit(repo, branch.as_ref(), is_head)) };
        let target = Self { reference, branch, tip, checked_out: is_head && !repo.is_bare() };
        target.check_other_work_trees(repo)?;
        Ok(target)
    }

    /// The commit that was made on top of the one that was found, whoever made it.
    pub(super) fn child(&self, repo: &Repo) -> Result<Option<ObjectId>> {
        tip(repo, &self.reference)?.map_or(Ok(None), |now| child_of(repo, self.tip, now))
    }

    /// Whether the reference has left the commit that was found.
    pub(super) fn has_moved(&self, repo: &Repo) -> bool {
        tip(repo, &self.reference).is_ok_and(|tip| tip != Some(self.tip))
    }

    /// Refuses to pull a branch away under another work tree, or under a rebase.
    fn check_other_work_trees(&self, repo: &Repo) -> Result<()> {
        let (Some(branch), false) = (&self.branch, self.checked_out) else { return Ok(()) };
        let all = repo.gix().worktrees_including_main().context("cannot list the work trees")?;
        // A broken work tree holds nothing; one whose folder is gone still does, as in git, for it may come back.
        for other in all.flatten() {
            let Some(folder) = other.workdir() else { continue };
            let is_there = other.head_name().is_ok_and(|head| head.as_ref() == Some(branch));
            if is_there || is_rebased(&other, branch) {
                let (name, folder) = (short(branch), folder.display());
                let how = if is_there { "is checked out" } else { "is being rebased" };
                let way_out = if other.workdir().is_some_and(Path::exists) {
                    format!("run the command there: `-C {folder}`")
                } else {
                    "that folder is gone: `git worktree prune` forgets it".to_owned()
                };
                return Err(Problem::new(format!("branch `{name}` {how} in `{folder}`")).hint(way_out).into());
            }
        }
        Ok(())
    }
}

/// The commit that `HEAD` is at.
pub(super) fn head(repo: &Repo) -> Result<ObjectId> {
    Ok(repo.gix().head_id().context("cannot read `HEAD`")?.detach())
}

/// The commit after `tip` on the line of first parents that ends at `head`; `None` if that line does not lead to it.
pub(super) fn child_of(repo: &Repo, tip: ObjectId, head: ObjectId) -> Result<Option<ObjectId>> {
    let mut at = head;
    for _ in 0..FAR {
        let Some(parent) = repo.gix().find_commit(at)?.parent_ids().next().map(gix::Id::detach) else { break };
        if parent == tip {
            return Ok(Some(at));
        }
        at = parent;
    }
    Ok(None)
}

/// The name of a branch without `refs/heads/`.
pub(super) fn short(branch: &FullName) -> String {
    branch.shorten().to_str_lossy().into_owned()
}

fn full_name(branch: &str) -> Result<FullName> {
    let name = if branch.starts_with("refs/") { branch.to_owned() } else { format!("refs/heads/{branch}") };
    match FullName::try_from(name.as_str()) {
        Ok(name) if name.as_bstr().starts_with(b"refs/heads/") => Ok(name),
        _ => Err(Problem::usage(format!("`{branch}` is no name of a branch")).into()),
    }
}

/// The commit a reference leads to; `None` where it is missing or unborn.
fn tip(repo: &Repo, reference: &FullName) -> Result<Option<ObjectId>> {
    let broken = || format!("cannot follow `{}`", reference.as_bstr());
    let followed = match repo.gix().try_find_reference(reference.as_ref()).with_context(broken)? {
        None => return Ok(None),
        Some(mut found) => found.follow_to_object(),
    };
    match followed {
        Ok(id) => Ok(Some(id.detach())),
        Err(_) if reference.as_bstr() == "HEAD" && repo.gix().head().is_ok_and(|head| head.is_unborn()) => Ok(None),
        Err(error) => Err(anyhow::Error::from(error).context(broken())),
    }
}

fn without_commit(repo: &Repo, branch: Option<&FullName>, is_head: bool) -> anyhow::Error {
    let name = branch.map_or_else(|| "HEAD".to_owned(), short);
    if is_head {
        return Problem::new(format!("branch `{name}` has no commit yet")).hint("make the first one with git").into();
    }
    let remote = format!("refs/remotes/origin/{name}");
    let hint = match repo.gix().try_find_reference(remote.as_str()) {
        Ok(Some(_)) => format!("the remote has one: `git branch {name} origin/{name}` makes it a local branch"),
        _ => "`git branch --list` shows the branches there are".to_owned(),
    };
    Problem::new(format!("there is no branch `{name}`")).hint(hint).into()
}

/// A rebase detaches `HEAD` and moves its branch at the end.
fn is_rebased(repo: &gix::Repository, branch: &FullName) -> bool {
    ["rebase-merge/head-name", "rebase-apply/head-name"].iter().any(|file| {
        std::fs::read(repo.git_dir().join(file)).is_ok_and(|name| name.trim_ascii() == branch.as_bstr().as_bytes())
    })
}
