//! Which commits change certain paths. Trees are compared on all cores, and of each only what can matter is read.

mod filters;
mod moves;
mod pathspec;
mod trees;

use anyhow::Result;
use rayon::prelude::*;

pub use self::moves::MovedDirectory;
use self::{
    filters::ChangedPathFilters,
    pathspec::{PathspecMatcher, ScopeMatcher},
    trees::{CommitPair, PathFilter, Trees},
};
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
/// If a pathspec is invalid, or a tree is missing, as in a clone without trees.
pub fn changed(
    repo: &Repo,
    commits: impl IntoIterator<Item = (Oid, Option<Oid>)>,
    paths: &[String],
) -> Result<Vec<bool>> {
    let scope = PathspecMatcher::parse(paths)?;
    let commits: Vec<_> = commits.into_iter().collect();
    let Some(mut filters) = ChangedPathFilters::load(repo, commits.len(), paths) else {
        return compare(repo, commits, &scope, |is_changed, _| is_changed);
    };
    let is_open: Vec<bool> = commits.iter().map(|(id, _)| !filters.exclude(&object_id(*id))).collect();
    let open = commits.into_iter().zip(&is_open).filter(|(_, is_open)| **is_open).map(|(commit, _)| commit);
    let mut compared = compare(repo, open, &scope, |is_changed, _| is_changed)?.into_iter();
    Ok(is_open.into_iter().map(|is_open| is_open && compared.next().unwrap_or_default()).collect())
}

/// Whether the trees of a commit and of its first parent are there to be compared, as they are not in a clone of commits
/// alone.
pub(crate) fn can_compare(repo: &Repo, commit: Oid) -> bool {
    let parent = super::revision::resolve(repo, &format!("{commit}^")).ok();
    changed(repo, [(commit, parent)], &[]).is_ok()
}

/// Finds the scopes, each a list of pathspecs, that each commit changes, by their numbers; the trees of a commit are
/// compared once for all of them.
///
/// # Errors
/// As [`changed`].
pub fn changed_scopes<'a>(
    repo: &Repo,
    commits: impl IntoIterator<Item = (Oid, Option<Oid>)>,
    scopes: impl IntoIterator<Item = &'a [String]>,
) -> Result<Vec<Vec<u32>>> {
    let scopes = ScopeMatcher::new(scopes)?;
    compare(repo, commits, &scopes, |_, scopes| scopes.take())
}

/// Compares each commit with its first parent, on all cores; the answer is made of whether the filter found one, and of
/// the filter.
fn compare<F: PathFilter + Clone + Send + Sync, T: Clone + Send>(
    repo: &Repo,
    commits: impl IntoIterator<Item = (Oid, Option<Oid>)>,
    filter: &F,
    answer: impl Fn(bool, &mut F) -> T + Sync,
) -> Result<Vec<T>> {
    let child = |(id, parent): (Oid, Option<Oid>)| CommitPair { commit: object_id(id), parent: parent.map(object_id) };
    let children: Vec<CommitPair> = commits.into_iter().map(child).collect();
    let ids = children.iter().flat_map(|child| child.parent.into_iter().chain([child.commit]));
    let trees = Trees::of(repo.with_trees(ids.collect())?);
    let in_chunk = |chunk: &[CommitPair]| {
        let (mut trees, mut filter) = (trees.reader(), filter.clone());
        let mut compare = |child: &CommitPair| {
            let found = trees.differ(*child, &mut filter)?;
            Ok(answer(found, &mut filter))
        };
        chunk.iter().map(&mut compare).collect()
    };
    let chunks: Result<Vec<Vec<T>>> = children.par_chunks(CHUNK).map(in_chunk).collect();
    Ok(chunks?.concat())
}
