//! Commits that a forge makes in place of this program: what they change, and how the branch here follows.

use anyhow::{Context as _, Result};
use gix::object::tree::EntryKind;

use super::{CommitRequest, clean_message, target_branch::TargetBranch};
use crate::{
    git::{
        FetchedObjects, Repo,
        compare::tree_change::{self, TreeChange},
        git_command::GitCommand,
        object, object_id, revision,
    },
    model::{ForgeEdit, Oid, Problem},
};

/// Returns what a commit changes in the tree of its first parent.
///
/// # Errors
/// If no forge can be asked for it: a new mode, a link, a submodule, or a path that is not UTF-8.
pub(crate) fn edits_of(repo: &Repo, commit: Oid) -> Result<Vec<ForgeEdit>> {
    let parent = revision::resolve(repo, &format!("{commit}^"))?;
    let objects = repo.own_objects();
    let [old, new] = [parent, commit].map(|commit| object::root(objects, commit).map(|tree| tree.id));
    tree_change::changes(objects, Some(old?), Some(new?))?.into_iter().map(|change| edit(objects, change)).collect()
}

fn edit(objects: FetchedObjects, TreeChange { old, new }: TreeChange) -> Result<ForgeEdit> {
    let member = new.as_ref().or(old.as_ref()).context("a change has no side")?;
    let path = String::from_utf8_lossy(&member.path).into_owned();
    let (before, after) = (old.as_ref().map(|old| old.mode), new.as_ref().map(|new| new.mode));
    let is_plain = match (before, after) {
        (Some(_), None) => true,
        (None, mode) => mode == Some(EntryKind::Blob),
        (before, after) => before == after,
    };
    if !is_plain || new.is_some() && !member.is_regular() || std::str::from_utf8(&member.path).is_err() {
        return Err(Problem::new(format!("the forge cannot be asked to change `{path}` as planned"))
            .hint("only the contents of regular files can be changed there: leave out `--commit-through-api`")
            .into());
    }
    let content = new.map(|new| anyhow::Ok(object::find(objects, new.id)?.detach().data)).transpose()?;
    Ok(ForgeEdit { path, content, is_new: old.is_none() })
}

/// Moves the branch of a request to a commit on top of it, with the files and the index if it is checked out. Git does it, and keeps
/// all other edits.
pub(crate) fn follow(repo: &Repo, request: &CommitRequest, commit: Oid) -> Result<()> {
    let target = TargetBranch::resolve(repo, request.branch)?;
    let id = object_id(commit);
    let moved = if target.checked_out {
        let merge = ["merge", "--ff-only", "--quiet", "--no-verify-signatures", &id.to_string()];
        GitCommand::new(repo).args(merge).run("")
    } else {
        target.move_by_git(repo, id, &clean_message(request.message))
    };
    moved
        .with_context(|| {
            Problem::new(format!("the forge made the commit {}, and the branch here cannot follow it", commit.short()))
                .hint("nothing else was changed: fix the cause and run the same command again")
        })
        .map(drop)
}
