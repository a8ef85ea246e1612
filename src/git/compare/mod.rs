//! The comparison of two commits, in the format and within the limits of GitLab.

mod file_diff;
pub(in crate::git) mod patch;
pub(in crate::git) mod rename;
mod similarity;
mod tree_change;

use anyhow::Result;

use super::{Repo, commit_record, merge_base::merge_base, object, revision, walk};
use crate::model::{
    Oid, Problem, Project, Range,
    repository::{CommitRecord, CompareRequest, Comparison, FileDiff},
};
use file_diff::Limits;
use tree_change::TreeChange;

/// Compares two refs: the commits of `git rev-list FROM..TO` and the diffs of `git diff --find-renames=30%`, with links to
/// the pages of `project`.
///
/// # Errors
/// If a ref is unknown, an object cannot be read, or another project is requested.
pub fn compare(repo: &Repo, request: &CompareRequest, project: &Project) -> Result<Comparison> {
    if request.from_project_id.is_some() {
        let problem = Problem::usage("only a server can compare with another project");
        return Err(problem.hint("add `--project`, or fetch the other project into this repository").into());
    }
    let from = revision::resolve(repo, &request.from)?;
    let to = revision::resolve(repo, &request.to)?;
    let start = if request.straight { Some(from) } else { merge_base(repo, from, &[to])? };
    let commits = commits(repo, Range { from: Some(from), to }, project)?;
    let (diffs, compare_timeout) = diffs(repo, start, to, request)?;
    Ok(Comparison {
        commit: commits.last().cloned(),
        commits,
        diffs,
        compare_timeout,
        compare_same_ref: from == to,
        web_url: link(project, start.unwrap_or(from), to, request.straight),
    })
}

/// The commits of a range, oldest first.
fn commits(repo: &Repo, range: Range, project: &Project) -> Result<Vec<CommitRecord>> {
    let ids = walk::ids(repo, range)?;
    ids.into_iter().rev().map(|id| commit_record::load(repo, id, project)).collect()
}

/// The files that differ, and whether there are more of them than the limits allow.
fn diffs(repo: &Repo, start: Option<Oid>, to: Oid, request: &CompareRequest) -> Result<(Vec<FileDiff>, bool)> {
    let old = start.map(|start| object::root(repo.with_blobs(start)?, start)).transpose()?.map(|tree| tree.id);
    let repo = repo.with_blobs(to)?;
    let new = object::root(repo, to)?.id;
    let changes = rename::join_renames(repo, &tree_change::changes(repo, old, Some(new))?)?;
    let changes: Vec<TreeChange> = changes.into_iter().flat_map(split_type_change).collect();
    let mut limits = Limits::new(changes.len(), request.unlimited);
    let mut diffs = Vec::new();
    for change in &changes {
        let Some(diff) = limits.fit(file_diff::file_diff(repo, change)?) else { return Ok((diffs, true)) };
        diffs.push(if request.unidiff { file_diff::with_header(diff) } else { diff });
    }
    Ok((diffs, false))
}

/// Splits the change of a file into a link, or the like, into a deleted and a new file.
fn split_type_change(change: TreeChange) -> Vec<TreeChange> {
    if change.is_type_change() {
        vec![TreeChange { old: change.old, new: None }, TreeChange { old: None, new: change.new }]
    } else {
        vec![change]
    }
}

fn link(project: &Project, start: Oid, to: Oid, straight: bool) -> Option<String> {
    let (start, to) = (start.to_string(), to.to_string());
    if straight { project.straight_compare_url(&start, &to) } else { project.compare_url(&start, &to) }
}
