//! Which commits change certain paths. Trees are compared on all cores, and of each only what can matter is read.

mod scope;
mod trees;

use anyhow::Result;
use rayon::prelude::*;

use self::{scope::Scope, trees::Trees};
use super::Repo;
use crate::model::{Commit, Problem};

/// How many commits a thread takes at a time: neighbours share most of their trees.
const CHUNK: usize = 256;

/// Tells of each commit whether it changes a path that these pathspecs (gitglossary(7)) match; `!` excludes as `:!` does.
///
/// A commit is compared with its first parent: of an ordinary one that is what `git log --full-history -- PATHS` shows,
/// of a merge what it brought into the line it was merged into (`--diff-merges=first-parent` in git-log(1)).
///
/// # Errors
/// Where a pathspec is invalid, or a tree is missing, as in a clone without trees and behind a URL.
pub fn changed(repo: &Repo, commits: &[Commit], paths: &[String]) -> Result<Vec<bool>> {
    if repo.server().is_some() {
        let problem = Problem::new("`paths` need the folders of every commit, which are not fetched from a URL");
        return Err(problem.hint("`git clone --filter=blob:none URL` brings them over: run it in there").into());
    }
    let (scope, grafts) = (Scope::parse(paths)?, repo.grafts()?);
    let trees = Trees::of(repo);
    let in_chunk = |chunk: &[Commit]| {
        let (mut trees, mut scope) = (trees.reader(), scope.clone());
        chunk.iter().map(|commit| trees.changes(commit, &grafts, &mut scope)).collect()
    };
    let chunks: Result<Vec<Vec<bool>>> = commits.par_chunks(CHUNK).map(in_chunk).collect();
    Ok(chunks?.concat())
}
