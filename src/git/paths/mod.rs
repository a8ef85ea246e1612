//! Which commits change certain paths. Trees are compared on all cores, and only those that can matter are read.

mod filters;
mod moves;
mod pathspec;
mod trees;

use anyhow::Result;
use rayon::prelude::*;

pub(crate) use self::moves::MovedDirectory;
use self::{
    filters::ChangedPathFilters,
    pathspec::{PathspecMatcher, ScopeMatcher},
    trees::Trees,
};
use super::{Repo, object, object_id, revision};
use crate::model::Oid;

/// How many commits a thread takes at a time: neighbours share most of their trees.
const CHUNK: usize = 256;

/// Finds whether each commit changes a path that these pathspecs (gitglossary(7)) match; `!` excludes as `:!` does.
///
/// Each commit is given with its first parent and compared with it: for an ordinary commit this finds what `git log
/// --full-history -- PATHS` shows, for a merge what it brought into the branch that it was merged into
/// (`--diff-merges=first-parent` in git-log(1)).
///
/// # Errors
/// If a pathspec is invalid, or a tree is missing, as in a clone without trees.
pub(crate) fn find_changes(
    repo: &Repo,
    commits: impl IntoIterator<Item = (Oid, Option<Oid>)>,
    paths: &[String],
) -> Result<Vec<bool>> {
    let commits: Vec<_> = commits.into_iter().collect();
    let scopes = filtered_scopes(repo, &commits, &[paths], paths)?;
    Ok(scopes.into_iter().map(|scopes| !scopes.is_empty()).collect())
}

/// Finds the scopes that each commit changes, as [`changed_scopes`] does; all are lists of literal paths.
fn changed_literal_scopes(repo: &Repo, commits: &[(Oid, Option<Oid>)], scopes: &[&[String]]) -> Result<Vec<Vec<u32>>> {
    filtered_scopes(repo, commits, scopes, &scopes.concat())
}

/// Finds the scopes that each commit changes. No tree is read of commits that change none of `paths`, all that any of the
/// scopes names, as far as the commit-graph proves it.
fn filtered_scopes(
    repo: &Repo,
    commits: &[(Oid, Option<Oid>)],
    scopes: &[&[String]],
    paths: &[String],
) -> Result<Vec<Vec<u32>>> {
    let mut filters = ChangedPathFilters::load(repo, commits.len(), paths);
    let is_open: Vec<bool> = commits
        .iter()
        .map(|(id, _)| filters.as_mut().is_none_or(|filters| !filters.exclude(&object_id(*id))))
        .collect();
    let open = commits.iter().zip(&is_open).filter(|(_, is_open)| **is_open).map(|(commit, _)| *commit);
    let mut found = changed_scopes(repo, open, scopes.iter().copied())?.into_iter();
    let found = is_open.into_iter().map(|is_open| if is_open { found.next() } else { None }.unwrap_or_default());
    Ok(found.collect())
}

/// Whether pathspecs match a file, link or submodule; an empty list matches everything.
///
/// # Errors
/// If a pathspec is invalid.
pub(crate) fn matches(paths: &[String], path: &str) -> Result<bool> {
    Ok(paths.is_empty() || PathspecMatcher::parse(paths)?.file(path.into()))
}

/// Whether the trees of a commit and its first parent can be read and compared, unlike in a clone that has only
/// commits.
///
/// # Errors
/// If they cannot be read in a clone that has them.
pub(crate) fn can_compare(repo: &Repo, commit: Oid) -> Result<bool> {
    let compared = revision::first_parent(repo, commit).and_then(|parent| find_changes(repo, [(commit, parent)], &[]));
    match compared {
        Err(_) if repo.asks_server() || object::is_partial(repo) => Ok(false),
        compared => compared.map(|_| true),
    }
}

/// Finds the scopes that each commit changes, as indices of `scopes`, each of which is a list of pathspecs. The trees
/// of a commit are compared once for all scopes.
///
/// # Errors
/// If a pathspec is invalid, or a tree is missing, as in a clone without trees.
pub(crate) fn changed_scopes<'a>(
    repo: &Repo,
    commits: impl IntoIterator<Item = (Oid, Option<Oid>)>,
    scopes: impl IntoIterator<Item = &'a [String]>,
) -> Result<Vec<Vec<u32>>> {
    let scopes = ScopeMatcher::new(scopes)?;
    let commits: Vec<_> = commits.into_iter().map(|(id, parent)| (object_id(id), parent.map(object_id))).collect();
    let ids = commits.iter().flat_map(|(commit, parent)| parent.iter().chain([commit]).copied());
    let trees = Trees::new(repo.with_trees(ids.collect())?);
    let chunks: Result<Vec<Vec<_>>> = commits
        .par_chunks(CHUNK)
        .map(|chunk| {
            let (mut trees, mut scopes) = (trees.reader(), scopes.clone());
            chunk.iter().map(|(commit, parent)| trees.changed_scopes(*commit, *parent, &mut scopes)).collect()
        })
        .collect();
    Ok(chunks?.concat())
}
