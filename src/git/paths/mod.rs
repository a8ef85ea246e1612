//! Which commits change certain paths. Trees are compared on all cores, and of each only what can matter is read.

mod pathspec;
mod trees;

use anyhow::Result;
use gix::ObjectId;
use rayon::prelude::*;

use self::{pathspec::PathspecMatcher, trees::Trees};
use super::{Repo, object_id};
use crate::model::Oid;

/// How many commits a thread takes at a time: neighbours share most of their trees.
const CHUNK: usize = 256;

/// Tells of each commit whether it changes a path that these pathspecs (gitglossary(7)) match; `!` excludes as `:!` does.
///
/// A commit, given with its first parent, is compared with it: of an ordinary one that is what
/// `git log --full-history -- PATHS` shows, of a merge what it brought into the line it was merged into
/// (`--diff-merges=first-parent` in git-log(1)).
///
/// # Errors
/// Where a pathspec is invalid, or a tree is missing, as in a clone without trees.
pub fn changed(
    repo: &Repo,
    commits: impl IntoIterator<Item = (Oid, Option<Oid>)>,
    paths: &[String],
) -> Result<Vec<bool>> {
    let scope = PathspecMatcher::parse(paths)?;
    let child = |(id, parent): (Oid, Option<Oid>)| CommitPair { commit: object_id(id), parent: parent.map(object_id) };
    let children: Vec<CommitPair> = commits.into_iter().map(child).collect();
    let ids = children.iter().flat_map(|child| child.parent.into_iter().chain([child.commit]));
    let trees = Trees::of(repo.with_folders_of(ids)?);
    let in_chunk = |chunk: &[CommitPair]| {
        let (mut trees, mut scope) = (trees.reader(), scope.clone());
        chunk.iter().map(|child| trees.differ(*child, &mut scope)).collect()
    };
    let chunks: Result<Vec<Vec<bool>>> = children.par_chunks(CHUNK).map(in_chunk).collect();
    Ok(chunks?.concat())
}

/// A commit and what it is compared with.
#[derive(Clone, Copy, Debug)]
struct CommitPair {
    commit: ObjectId,
    /// Its first parent; `None` where history begins.
    parent: Option<ObjectId>,
}
