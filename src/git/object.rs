//! Finds objects, with errors that name the missing object and how to get it.

use std::{collections::HashMap, iter};

use anyhow::{Context as _, Result};
use gix::{
    Object, ObjectId, Tree,
    bstr::BStr,
    object::{
        Kind,
        tree::{Entry, EntryRef},
    },
};

pub(super) use super::known_trees::Found;
use super::{FetchedCommits, FetchedObjects, Repo, object_id, oid};
use crate::model::{Oid, Problem};

pub(super) fn root(objects: FetchedObjects<'_>, commit: Oid) -> Result<Tree<'_>> {
    tree(objects, root_id(objects, commit)?)
}

/// Returns the ID of the tree of a commit.
pub(super) fn root_id(objects: FetchedObjects, commit: Oid) -> Result<ObjectId> {
    let commit =
        find(objects, object_id(commit))?.try_into_commit().with_context(|| format!("`{commit}` is not a commit"))?;
    let id = commit.tree_id().with_context(|| format!("commit `{}` has no tree", commit.id))?;
    Ok(id.detach())
}

pub(super) fn tree(objects: FetchedObjects<'_>, id: ObjectId) -> Result<Tree<'_>> {
    find(objects, id)?.try_into_tree().with_context(|| format!("`{id}` is not a tree"))
}

/// Returns the entry of a tree at a path; `None` also if the path leads into a submodule, whose files are elsewhere.
pub(super) fn entry<'repo>(tree: &Tree<'repo>, path: &str) -> Result<Option<Entry<'repo>>> {
    let found = tree.lookup_entry_by_path(path);
    if found.is_err()
        && path.match_indices('/').any(|(end, _)| {
            let above = tree.lookup_entry_by_path(&path[..end]);
            above.is_ok_and(|above| above.is_some_and(|above| above.mode().is_commit()))
        })
    {
        return Ok(None);
    }
    Ok(found?)
}

/// Returns what is at a path below a tree. The directories on the way are remembered, so that a walk into a deep tree does
/// not begin at the top for each of its directories.
pub(super) fn at_path(objects: FetchedObjects<'_>, root: ObjectId, path: &str) -> Result<Option<Found>> {
    if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        let entry = entry(&tree(objects, root)?, path)?;
        return Ok(entry.map(|entry| Found { mode: entry.mode(), id: entry.object_id() }));
    }
    let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
    let Some(parent) = directory(objects, root, parent)? else { return Ok(None) };
    child(objects, parent, name.into())
}

/// Returns the tree of a directory below a tree.
fn directory(objects: FetchedObjects<'_>, root: ObjectId, path: &str) -> Result<Option<ObjectId>> {
    if path.is_empty() {
        return Ok(Some(root));
    }
    let mut all = objects.directories().borrow_mut();
    let known = all.entry(root).or_default();
    let mut above = iter::once(path.len()).chain(path.rmatch_indices('/').map(|(end, _)| end));
    let nearest = above.find_map(|end| Some((end + 1, *known.get(&path[..end])?)));
    let (mut start, mut id) = nearest.unwrap_or((0, root));
    while start < path.len() {
        let end = path[start..].find('/').map_or(path.len(), |length| start + length);
        match child(objects, id, path[start..end].into())? {
            Some(found) if found.mode.is_tree() => id = found.id,
            _ => return Ok(None),
        }
        known.insert(path[..end].to_owned(), id);
        start = end + 1;
    }
    Ok(Some(id))
}

/// Returns what is below a tree at the end of a path, which is given in parts.
pub(super) fn below<'p>(
    objects: FetchedObjects<'_>,
    root: ObjectId,
    parts: impl Iterator<Item = &'p [u8]>,
) -> Result<Option<Found>> {
    let (mut directory, mut last) = (Some(root), None);
    for part in parts {
        let Some(at) = directory else { return Ok(None) };
        last = child(objects, at, part.into())?;
        directory = last.filter(|found| found.mode.is_tree()).map(|found| found.id);
    }
    Ok(last)
}

/// The bytes of a tree up to which its entries are read again for each lookup.
const SMALL_TREE: usize = 4 << 10;

/// The number of larger trees whose entries are kept.
const KEPT_TREES: usize = 4;

/// Returns what a tree has under a name.
pub(super) fn child(objects: FetchedObjects<'_>, directory: ObjectId, name: &BStr) -> Result<Option<Found>> {
    let mut known = objects.known_trees().borrow_mut();
    if let Some(at) = known.iter().position(|(id, _)| *id == directory) {
        known.swap(0, at);
        return Ok(known[0].1.get(name).copied());
    }
    let tree = tree(objects, directory)?;
    let mut entries = tree.iter().filter_map(Result::ok);
    let found = |entry: &EntryRef<'_, '_>| Found { mode: entry.mode(), id: entry.object_id() };
    if tree.data.len() <= SMALL_TREE {
        return Ok(entries.find(|entry| entry.filename() == name).map(|entry| found(&entry)));
    }
    let mut all = HashMap::new();
    for entry in entries {
        all.entry(entry.filename().to_owned()).or_insert_with(|| found(&entry));
    }
    let here = all.get(name).copied();
    known.push_front((directory, all));
    known.truncate(KEPT_TREES);
    Ok(here)
}

/// Finds an object by its ID. Objects that a partial clone omits are missing.
pub(super) fn find(objects: FetchedObjects<'_>, id: ObjectId) -> Result<Object<'_>> {
    objects.gix().find_object(id).with_context(|| missing_object(&objects, oid(&id)))
}

/// Finds the object of a commit.
pub(super) fn commit<'c>(commits: &'c FetchedCommits<'_>, id: Oid) -> Result<Object<'c>> {
    commits.gix().find_object(object_id(id)).with_context(|| missing_object(commits, id))
}

/// Checks that an object is present, as far as its header shows.
pub(super) fn check(objects: FetchedObjects, id: ObjectId) -> Result<()> {
    objects.gix().find_header(id).map(drop).with_context(|| missing_object(&objects, oid(&id)))
}

/// Returns the object that an annotated tag leads to, or the object itself if it is not a tag.
pub(super) fn peel_tags(objects: FetchedObjects<'_>, id: ObjectId) -> Result<Object<'_>> {
    match peel_as_far(objects, id)? {
        (_, Some(object)) => Ok(object),
        (missing, None) => find(objects, missing),
    }
}

/// Returns the same as [`peel_tags`]; `None` if an object on the way is missing.
pub(super) fn try_peel_tags(objects: FetchedObjects<'_>, id: ObjectId) -> Result<Option<Object<'_>>> {
    Ok(peel_as_far(objects, id)?.1)
}

/// Follows annotated tags. Returns the last ID, and its object unless that is missing.
fn peel_as_far(objects: FetchedObjects<'_>, mut id: ObjectId) -> Result<(ObjectId, Option<Object<'_>>)> {
    loop {
        let found = objects.gix().try_find_object(id).with_context(|| missing_object(&objects, oid(&id)))?;
        match found {
            Some(tag) if tag.kind == Kind::Tag => {
                let target = tag.to_tag_ref_iter().target_id();
                id = target.with_context(|| format!("the tag object `{id}` is malformed"))?;
            }
            other => return Ok((id, other)),
        }
    }
}

/// Finds the object of this kind that an object leads to: tags lead to their target, commits to their tree.
pub(super) fn peel_to(objects: FetchedObjects, id: ObjectId, kind: Kind) -> Result<Option<ObjectId>> {
    if find(objects, id)?.kind == kind {
        return Ok(Some(id));
    }
    let peeled = peel_tags(objects, id)?;
    if (peeled.kind, kind) == (Kind::Commit, Kind::Tree) {
        return Ok(Some(root(objects, oid(&peeled.id))?.id));
    }
    Ok((peeled.kind == kind).then_some(peeled.id))
}

/// Whether this is a partial clone (`remote.<name>.promisor` in git-config(1)).
pub(super) fn is_partial(repo: &Repo) -> bool {
    let config = repo.gix().config_snapshot();
    let mut remotes = config.plumbing().sections_by_name("remote").into_iter().flatten();
    remotes.any(|remote| remote.value("promisor").is_some_and(|value| value.as_slice() != b"false"))
}

fn missing_object(repo: &Repo, id: Oid) -> Problem {
    let problem = Problem::new(format!("cannot read object `{id}`"));
    if is_partial(repo) {
        problem.hint(format!("run `git cat-file -e {id}`, which fetches the object of this partial clone"))
    } else {
        problem.hint("run `git fsck` to find the damage")
    }
}

pub(super) fn is_empty(repo: &Repo) -> bool {
    repo.gix().head().is_ok_and(|head| head.is_unborn())
}

pub(super) fn size(objects: FetchedObjects, id: ObjectId) -> Result<u64> {
    Ok(objects.gix().find_header(id).with_context(|| missing_object(&objects, oid(&id)))?.size())
}
