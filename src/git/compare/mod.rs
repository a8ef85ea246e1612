//! The comparison of two commits, in the format and within the limits of GitLab.

pub(in crate::git) mod patch;
pub(in crate::git) mod rename;
pub(in crate::git) mod tree_change;

use anyhow::Result;
use gix::{bstr::ByteSlice as _, object::tree::EntryKind};

use super::{
    FetchedObjects, Repo, commit_record, encoding::quote, file::is_binary, merge_base::merge_base, object, revision,
    tree::TreeMember, walk,
};
use crate::model::{
    Oid, Problem, Project, Range,
    repository::{CommitRecord, CompareRequest, Comparison, FileDiff},
};
use tree_change::TreeChange;

/// The limits beyond which the list of files ends.
const HARD_LIMIT: Volume = Volume { files: 1000, lines: 50_000, bytes: 5_120_000 };
/// The limits beyond which files are listed without their hunks.
const SAFE_LIMIT: Volume = Volume { files: 100, lines: 5_000, bytes: 512_000 };
/// The number of bytes from which the hunks of a file are never shown.
const TOO_LARGE: usize = 204_800;
/// The number of bytes from which the hunks of a file are only shown if there is no other file.
const LARGE: usize = 20_480;

/// Compares two refs: the commits of `git rev-list FROM..TO` and the diffs of `git diff --find-renames=30%`, with
/// links to the pages of `project`.
///
/// # Errors
/// If a ref is unknown, an object cannot be read, or another project is requested.
pub(crate) fn compare(repo: &Repo, request: &CompareRequest, project: &Project) -> Result<Comparison> {
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

fn commits(repo: &Repo, range: Range, project: &Project) -> Result<Vec<CommitRecord>> {
    let fetched = repo.with_range(range)?;
    let ids = walk::ids(&fetched, range)?;
    ids.into_iter().rev().map(|id| commit_record::read(&fetched, id, project)).collect()
}

/// Returns the files that differ, and whether the limits left some out.
fn diffs(repo: &Repo, start: Option<Oid>, to: Oid, request: &CompareRequest) -> Result<(Vec<FileDiff>, bool)> {
    let old = start.map(|start| object::root(repo.with_blobs(start)?, start)).transpose()?.map(|tree| tree.id);
    let objects = repo.with_blobs(to)?;
    let new = object::root(objects, to)?.id;
    let changes = rename::join_renames(objects, &tree_change::changes(objects, old, Some(new))?)?;
    let changes: Vec<TreeChange> = changes.into_iter().flat_map(split_type_change).collect();
    let mut limits = Limits::new(changes.len(), request.unlimited);
    let mut diffs = Vec::new();
    for change in &changes {
        let Some(diff) = limits.fit(file_diff(objects, change)?) else { return Ok((diffs, true)) };
        diffs.push(if request.unidiff { with_header(diff) } else { diff });
    }
    Ok((diffs, false))
}

/// Splits a change of type, such as from a file to a link, into a deleted and a new file.
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

/// Returns a change as GitLab describes it, with its hunks.
fn file_diff(objects: FetchedObjects, change: &TreeChange) -> Result<FileDiff> {
    let path = |file: &Option<TreeMember>| file.as_ref().map(|file| file.path.to_str_lossy().into_owned());
    let (old_path, new_path) = (path(&change.old), path(&change.new));
    let renamed_file = old_path.is_some() && new_path.is_some() && old_path != new_path;
    Ok(FileDiff {
        diff: text(objects, change)?,
        new_path: new_path.clone().or(old_path.clone()).unwrap_or_default(),
        old_path: old_path.or(new_path).unwrap_or_default(),
        a_mode: Some(mode(change.old.as_ref())),
        b_mode: Some(mode(change.new.as_ref())),
        new_file: change.old.is_none(),
        renamed_file,
        deleted_file: change.new.is_none(),
        generated_file: None,
        collapsed: false,
        too_large: false,
    })
}

/// Inserts the two header lines of a unified diff before the hunks, if there are any.
fn with_header(mut diff: FileDiff) -> FileDiff {
    if diff.diff.starts_with("@@") {
        let old = if diff.new_file { "/dev/null".to_owned() } else { format!("a/{}", diff.old_path) };
        let new = if diff.deleted_file { "/dev/null".to_owned() } else { format!("b/{}", diff.new_path) };
        diff.diff.insert_str(0, &format!("--- {old}\n+++ {new}\n"));
    }
    diff
}

fn mode(file: Option<&TreeMember>) -> String {
    file.map_or_else(|| "0".to_owned(), |file| format!("{:o}", file.mode as u32))
}

/// Returns the hunks of a change, or git's message about binary files.
fn text(objects: FetchedObjects, change: &TreeChange) -> Result<String> {
    let (old, new) = (content(objects, change.old.as_ref())?, content(objects, change.new.as_ref())?);
    let text = if old == new {
        Vec::new()
    } else if is_binary(&old) || is_binary(&new) {
        let (old, new) = (label("a/", change.old.as_ref()), label("b/", change.new.as_ref()));
        format!("Binary files {old} and {new} differ\n").into_bytes()
    } else {
        patch::hunks(&old, &new)
    };
    Ok(text.to_str_lossy().into_owned())
}

/// Returns the content to compare: the bytes of a file, the target of a link, or the commit of a submodule.
fn content(objects: FetchedObjects, file: Option<&TreeMember>) -> Result<Vec<u8>> {
    match file {
        None => Ok(Vec::new()),
        Some(file) if file.mode == EntryKind::Commit => Ok(format!("Subproject commit {}\n", file.id).into_bytes()),
        Some(file) => Ok(object::find(objects, file.id)?.detach().data),
    }
}

fn label(side: &str, file: Option<&TreeMember>) -> String {
    file.map_or_else(|| "/dev/null".to_owned(), |file| quote(&[side.as_bytes(), &file.path].concat()))
}

#[derive(Clone, Copy, Debug, Default)]
struct Volume {
    files: usize,
    lines: usize,
    bytes: usize,
}

impl Volume {
    fn exceeds(self, limit: Self) -> bool {
        self.files > limit.files || self.lines > limit.lines || self.bytes > limit.bytes
    }
}

/// How much of a comparison is shown by now, and whether its limits apply.
#[derive(Debug)]
struct Limits {
    shown: Volume,
    is_only_file: bool,
    is_unlimited: bool,
}

impl Limits {
    fn new(files: usize, is_unlimited: bool) -> Self {
        Self { shown: Volume::default(), is_only_file: files == 1, is_unlimited }
    }

    /// Removes the hunks of a file if the limits require it; `None` if the list has to end before the file.
    fn fit(&mut self, mut file: FileDiff) -> Option<FileDiff> {
        if self.is_unlimited {
            return Some(file);
        }
        self.count(&file.diff);
        if self.shown.exceeds(HARD_LIMIT) {
            return None;
        }
        let size = file.diff.len();
        file.too_large = size >= TOO_LARGE;
        let is_large = size >= LARGE && !self.is_only_file;
        file.collapsed = !file.too_large && size > 0 && (is_large || self.shown.exceeds(SAFE_LIMIT));
        if file.too_large || file.collapsed {
            file.diff.clear();
        }
        Some(file)
    }

    fn count(&mut self, hunks: &str) {
        self.shown.files += 1;
        self.shown.lines += hunks.lines().filter(|line| line.starts_with([' ', '+', '-'])).count();
        self.shown.bytes += hunks.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bytes: usize) -> FileDiff {
        FileDiff { diff: "+".repeat(bytes), ..FileDiff::default() }
    }

    #[test]
    fn a_large_file_is_collapsed_unless_it_is_alone() {
        assert!(!Limits::new(1, false).fit(file(LARGE)).unwrap().collapsed);
        let collapsed = Limits::new(2, false).fit(file(LARGE)).unwrap();
        assert!(collapsed.collapsed && collapsed.diff.is_empty());
        assert!(!Limits::new(2, false).fit(file(LARGE - 1)).unwrap().collapsed);
    }

    #[test]
    fn a_huge_file_is_too_large_even_alone() {
        let huge = Limits::new(1, false).fit(file(TOO_LARGE)).unwrap();
        assert!(huge.too_large && !huge.collapsed && huge.diff.is_empty());
        assert!(!Limits::new(1, true).fit(file(TOO_LARGE)).unwrap().too_large);
    }

    #[test]
    fn after_a_hundred_files_hunks_are_left_out_and_after_a_thousand_files_the_list_ends() {
        let mut limits = Limits::new(1001, false);
        let shown: Vec<_> = (0..1001).map_while(|_| limits.fit(file(1))).collect();
        assert_eq!(shown.len(), 1000);
        assert_eq!(shown.iter().filter(|file| file.collapsed).count(), 900);
    }
}
