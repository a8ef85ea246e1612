//! The branch to commit to, and whether it may be moved.

use anyhow::{Context as _, Result};
use gix::{ObjectId, bstr::ByteSlice as _, refs::FullName};

use crate::{
    git::{
        Repo,
        git_command::{GitCommand, GitOutput},
    },
    model::Problem,
};

/// How many commits others may have added to the branch in the meantime.
const MAX_DISTANCE: usize = 1000;

#[derive(Clone, Debug)]
pub(super) struct TargetBranch {
    /// The reference to move: `HEAD`, which points to the branch, if the branch is that of `HEAD`.
    pub(super) reference: FullName,
    /// The branch; `None` if `HEAD` is detached.
    pub(super) branch: Option<FullName>,
    pub(super) tip: ObjectId,
    /// Whether the branch is checked out in our work tree.
    pub(super) checked_out: bool,
}

impl TargetBranch {
    /// Resolves the named branch, or the one that `HEAD` points to.
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
        let Some(tip) = tip(repo, &reference)? else {
            return Err(branch_without_commit(repo, branch.as_ref(), is_head));
        };
        let target = Self { reference, branch, tip, checked_out: is_head && !repo.is_bare() };
        target.check_other_work_trees(repo)?;
        Ok(target)
    }

    /// Finds the commit on top of `tip` that was made since, by us or by others.
    pub(super) fn child(&self, repo: &Repo) -> Result<Option<ObjectId>> {
        tip(repo, &self.reference)?.map_or(Ok(None), |now| child_of(repo, self.tip, now))
    }

    pub(super) fn has_moved(&self, repo: &Repo) -> bool {
        tip(repo, &self.reference).is_ok_and(|tip| tip != Some(self.tip))
    }

    /// Moves a branch that is not checked out as git does, with its hook and with what its settings ask for.
    ///
    /// # Errors
    /// If the branch has moved since it was read, or git refuses.
    pub(super) fn move_by_git(&self, repo: &Repo, commit: ObjectId, message: &str) -> Result<GitOutput> {
        let reference = self.reference.as_bstr().to_os_str_lossy();
        let git = GitCommand::new(repo).args(["update-ref", "-m", &reflog_message(message)]).args([reference]);
        git.args([commit, self.tip].map(|id| id.to_string())).run("")
    }

    /// Refuses a branch that is checked out or being rebased in another work tree.
    fn check_other_work_trees(&self, repo: &Repo) -> Result<()> {
        let (Some(branch), false) = (&self.branch, self.checked_out) else { return Ok(()) };
        let all = repo.gix().worktrees_including_main().context("cannot list the work trees")?;
        // As in git, a work tree counts even if its directory is gone, since it may come back; a broken one does not.
        for other in all.flatten() {
            let Some(directory) = other.workdir() else { continue };
            let is_checked_out = other.head_name().is_ok_and(|head| head.as_ref() == Some(branch));
            if is_checked_out || is_rebased(&other, branch) {
                let (name, shown) = (short(branch), directory.display());
                let how = if is_checked_out { "is checked out" } else { "is being rebased" };
                let hint = if directory.exists() {
                    format!("run the command there with `-C {shown}`")
                } else {
                    "run `git worktree prune`, since that directory is gone".to_owned()
                };
                return Err(Problem::new(format!("branch `{name}` {how} in `{shown}`")).hint(hint).into());
            }
        }
        Ok(())
    }
}

/// Returns what the reflog says of a commit with this message.
pub(super) fn reflog_message(message: &str) -> String {
    let subject = message.lines().next().unwrap_or_default().split_ascii_whitespace();
    format!("commit: {}", subject.collect::<Vec<_>>().join(" "))
}

pub(super) fn head(repo: &Repo) -> Result<ObjectId> {
    Ok(repo.gix().head_id().context("cannot read `HEAD`")?.detach())
}

/// Finds the commit after `tip` on the chain of first parents of `head`; `None` if `tip` is not on the chain.
pub(super) fn child_of(repo: &Repo, tip: ObjectId, head: ObjectId) -> Result<Option<ObjectId>> {
    let mut at = head;
    for _ in 0..MAX_DISTANCE {
        let Some(parent) = repo.own_objects().gix().find_commit(at)?.parent_ids().next().map(gix::Id::detach) else {
            break;
        };
        if parent == tip {
            return Ok(Some(at));
        }
        at = parent;
    }
    Ok(None)
}

/// Returns the name of a branch without `refs/heads/`.
pub(super) fn short(branch: &FullName) -> String {
    branch.shorten().to_str_lossy().into_owned()
}

fn full_name(branch: &str) -> Result<FullName> {
    let name = if branch.starts_with("refs/") { branch.to_owned() } else { format!("refs/heads/{branch}") };
    match FullName::try_from(name.as_str()) {
        Ok(name) if name.as_bstr().starts_with(b"refs/heads/") => Ok(name),
        _ => Err(Problem::usage(format!("`{branch}` is not a valid branch name")).into()),
    }
}

/// Returns the commit that a reference points to; `None` if it is missing or unborn.
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

fn branch_without_commit(repo: &Repo, branch: Option<&FullName>, is_head: bool) -> anyhow::Error {
    let name = branch.map_or_else(|| "HEAD".to_owned(), short);
    if is_head {
        return Problem::new(format!("branch `{name}` has no commit yet"))
            .hint("create the first one with `git commit`")
            .into();
    }
    let remote = format!("refs/remotes/origin/{name}");
    let hint = match repo.gix().try_find_reference(remote.as_str()) {
        Ok(Some(_)) => format!("run `git branch {name} origin/{name}` to create it from the remote branch"),
        _ => "run `git branch --list` to list the branches".to_owned(),
    };
    Problem::new(format!("branch `{name}` not found")).hint(hint).into()
}

/// Whether a branch is being rebased: `HEAD` is detached then, and the branch moves at the end of the rebase.
fn is_rebased(repo: &gix::Repository, branch: &FullName) -> bool {
    ["rebase-merge/head-name", "rebase-apply/head-name"].iter().any(|file| {
        std::fs::read(repo.git_dir().join(file)).is_ok_and(|name| name.trim_ascii() == branch.as_bstr().as_bytes())
    })
}
