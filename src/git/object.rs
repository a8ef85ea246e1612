//! Finding objects, with an error that says what is missing and how to get it.

use anyhow::{Context as _, Result};
use gix::{Object, ObjectId, Tree, object::Kind};

use super::{Repo, object_id, oid, revision};
use crate::model::{Oid, Problem, repository::NotFound};

/// The commit that `reference` names; without one, that of `HEAD`.
pub(in crate::git) fn commit(repo: &Repo, reference: Option<&str>) -> Result<Oid> {
    match reference {
        Some(reference) => revision::resolve(repo, reference),
        None if is_empty(repo) => Err(Problem::from(NotFound::Commits).into()),
        None => revision::resolve(repo, "HEAD"),
    }
}

/// The root tree of a commit.
pub(in crate::git) fn root(repo: &Repo, commit: Oid) -> Result<Tree<'_>> {
    let commit =
        find(repo, object_id(commit))?.try_into_commit().with_context(|| format!("`{commit}` is no commit"))?;
    let id = commit.tree_id().with_context(|| format!("commit `{}` names no tree", commit.id))?;
    tree(repo, id.detach())
}

/// The tree of this id.
pub(in crate::git) fn tree(repo: &Repo, id: ObjectId) -> Result<Tree<'_>> {
    find(repo, id)?.try_into_tree().with_context(|| format!("`{id}` is no tree"))
}

/// The object of this id. Nothing is ever fetched: what a partial clone left out is missing.
pub(in crate::git) fn find(repo: &Repo, id: ObjectId) -> Result<Object<'_>> {
    repo.gix().find_object(id).with_context(|| missing(repo, oid(&id)))
}

/// The object that is left once all annotated tags are peeled off.
pub(in crate::git) fn peel_tags(repo: &Repo, mut id: ObjectId) -> Result<Object<'_>> {
    loop {
        let object = find(repo, id)?;
        if object.kind != Kind::Tag {
            return Ok(object);
        }
        id = object.to_tag_ref_iter().target_id().with_context(|| format!("the tag object `{id}` is malformed"))?;
    }
}

/// The object of this kind that an object leads to, if any: tags lead to what they mark, commits to their tree.
pub(in crate::git) fn peel_to(repo: &Repo, id: ObjectId, kind: Kind) -> Result<Option<ObjectId>> {
    if find(repo, id)?.kind == kind {
        return Ok(Some(id));
    }
    let peeled = peel_tags(repo, id)?;
    if (peeled.kind, kind) == (Kind::Commit, Kind::Tree) {
        return Ok(Some(root(repo, oid(&peeled.id))?.id));
    }
    Ok((peeled.kind == kind).then_some(peeled.id))
}

/// Whether a clone left objects on the server (`remote.<name>.promisor` in git-config(1)).
pub(in crate::git) fn is_partial(repo: &Repo) -> bool {
    let config = repo.gix().config_snapshot();
    let mut remotes = config.plumbing().sections_by_name("remote").into_iter().flatten();
    remotes.any(|remote| remote.value("promisor").is_some_and(|value| value.as_slice() != b"false"))
}

fn missing(repo: &Repo, id: Oid) -> Problem {
    let problem = Problem::new(format!("cannot read object `{id}`"));
    if is_partial(repo) {
        problem.hint(format!("this clone is partial: `git cat-file -e {id}` fetches the object"))
    } else {
        problem.hint("run `git fsck` to find the damage")
    }
}

/// Whether `HEAD` is a branch that has no commit yet.
pub(in crate::git) fn is_empty(repo: &Repo) -> bool {
    repo.gix().head().is_ok_and(|head| head.is_unborn())
}

/// The size of an object in bytes.
pub(in crate::git) fn size(repo: &Repo, id: ObjectId) -> Result<u64> {
    Ok(repo.gix().find_header(id).with_context(|| missing(repo, oid(&id)))?.size())
}

/// The beginning of an id that no other object shares, as long as git shows it.
pub(in crate::git) fn short(repo: &Repo, id: ObjectId) -> String {
    gix::prelude::ObjectIdExt::attach(id, repo.gix()).shorten_or_id().to_string()
}
