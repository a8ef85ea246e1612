//! The three-way merge of trees and of lines, in a temporary index and temporary files (git-read-tree(1),
//! git-merge-file(1)). No branch, no index and no file of the work tree changes.

use std::{collections::BTreeMap, fs};

use anyhow::{Context as _, Result};

use super::{
    FetchedObjects, Repo, commit::write_object, commit_record, git_command::GitCommand, merge_base, object, object_id,
    oid,
};
use crate::{
    interrupt::TemporaryDirectory,
    model::{Oid, Problem, Project},
};

/// The three sides of a file that both sides changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sides<'a> {
    pub path: &'a str,
    pub base: &'a [u8],
    pub ours: &'a [u8],
    pub theirs: &'a [u8],
}

/// The merge of a file that both sides changed; `None` if it is a conflict.
pub(crate) type MergeFile<'a> = dyn FnMut(Sides) -> Result<Option<Vec<u8>>> + 'a;

/// A merged tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MergedTree {
    /// The tree; only if there is no conflict.
    pub tree: Option<Oid>,
    /// The paths that both sides changed and that could not be merged.
    pub conflicts: Vec<String>,
}

/// Returns the tree of a commit.
pub(crate) fn tree_of(repo: &Repo, commit: Oid) -> Result<Oid> {
    Ok(oid(&object::root(repo.with_trees(vec![object_id(commit)])?, commit)?.id))
}

/// Merges the trees of commits: a base, ours and theirs, which both began as that. What one side changed is taken; files
/// that both changed are given to `merge_file`.
pub(crate) fn merge_trees(repo: &Repo, commits: [Oid; 3], merge_file: &mut MergeFile) -> Result<MergedTree> {
    let directory = TemporaryDirectory::new()?;
    let trees = repo.with_trees(commits.map(object_id).to_vec())?;
    let git = || git_with(repo, trees).env("GIT_INDEX_FILE", directory.path().join("index"));
    let [base, ours, theirs] = commits.map(|commit| commit.to_string());
    git().args(["read-tree", "-i", "-m", "--aggressive", &base, &ours, &theirs]).run("")?;
    let listed = git().args(["ls-files", "--unmerged", "-z"]).run("")?.stdout;
    let mut unmerged: BTreeMap<&str, [Option<(&str, &str)>; 3]> = BTreeMap::new();
    for line in listed.split('\0').filter(|line| !line.is_empty()) {
        let (fields, path) = line.split_once('\t').context("cannot read the list of unmerged files")?;
        let mut fields = fields.split(' ');
        let (mode, id, stage) = (fields.next(), fields.next(), fields.next());
        let stage: usize = stage.and_then(|stage| stage.parse().ok()).context("a file has no stage")?;
        let entry = unmerged.entry(path).or_default().get_mut(stage.wrapping_sub(1));
        *entry.context("a stage is not known")? = mode.zip(id);
    }
    let mut conflicts = Vec::new();
    for (path, stages) in unmerged {
        let merged = match stages {
            [Some(base), Some(ours), Some(theirs)]
                if [ours.0, theirs.0] == [base.0; 2] && base.0.starts_with("100") =>
            {
                let read = |id: &str| read_blob(repo, id.parse()?);
                let [base, ours, theirs] = [read(base.1)?, read(ours.1)?, read(theirs.1)?];
                merge_file(Sides { path, base: &base, ours: &ours, theirs: &theirs })?
            }
            _ => None,
        };
        let Some((merged, (mode, _))) = merged.zip(stages[1]) else {
            conflicts.push(path.to_owned());
            continue;
        };
        let blob = write_object(repo, gix::objs::Kind::Blob, &merged)?;
        let absent = "0".repeat(blob.to_string().len());
        let entry = format!("0 {absent}\t{path}\0{mode} {blob}\t{path}\0");
        git().args(["update-index", "-z", "--index-info"]).run(entry)?;
    }
    if !conflicts.is_empty() {
        return Ok(MergedTree { tree: None, conflicts });
    }
    // Files that nobody changed need not be here.
    let tree = git().args(["write-tree", "--missing-ok"]).run("")?.stdout;
    Ok(MergedTree { tree: Some(tree.trim().parse()?), conflicts })
}

/// Makes a git command that also reads what was fetched of a clone that lacks it.
fn git_with(repo: &Repo, trees: FetchedObjects) -> GitCommand {
    let git = GitCommand::new(repo);
    if trees.are_of(repo) { git } else { git.objects_of(&trees) }
}

/// Reads a file by its ID; one that a shallow clone lacks is fetched.
fn read_blob(repo: &Repo, id: Oid) -> Result<Vec<u8>> {
    let repo = repo.origin_of_missing([id].into_iter()).unwrap_or(repo);
    let (objects, _) = repo.with_blob(&id.to_string())?;
    Ok(object::find(objects, object_id(id))?.detach().data)
}

/// Merges files line by line; `None` if both sides changed the same lines.
pub(crate) fn merge_lines(repo: &Repo, sides: Sides) -> Result<Option<Vec<u8>>> {
    if sides.ours == sides.theirs || sides.base == sides.theirs {
        return Ok(Some(sides.ours.to_vec()));
    }
    if sides.base == sides.ours {
        return Ok(Some(sides.theirs.to_vec()));
    }
    let directory = TemporaryDirectory::new()?;
    let paths = ["ours", "base", "theirs"].map(|name| directory.path().join(name));
    for (path, content) in paths.iter().zip([sides.ours, sides.base, sides.theirs]) {
        fs::write(path, content).context("cannot write a temporary file")?;
    }
    let merged = GitCommand::new(repo).args(["merge-file", "--quiet"]).args(&paths).run("");
    match merged {
        Ok(_) => Ok(Some(fs::read(&paths[0]).context("cannot read a merged file")?)),
        Err(error) if error.downcast_ref::<Problem>().is_some() => Err(error),
        Err(_) => Ok(None),
    }
}

/// A merge as a forge would make it, in a commit that no branch leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SimulatedMerge {
    pub commit: Oid,
    /// Whether the trees merge without a conflict; if not, the tree of the merged commit stands for the result.
    pub is_clean: bool,
}

/// Merges `head` into `target`, as one commit without its history if `squashes`. The author is that of `head`.
pub(crate) fn simulate(repo: &Repo, target: Oid, head: Oid, message: &str, squashes: bool) -> Result<SimulatedMerge> {
    // What a shallow clone has does not show the base.
    let history = if repo.is_shallow() { repo.origin().unwrap_or(repo) } else { repo };
    let base = merge_base::merge_base(history, target, &[head])?;
    let trees = repo.with_trees(vec![object_id(target), object_id(head)])?;
    let merged = base.map(|base| merge_trees(repo, [base, target, head], &mut |sides| merge_lines(repo, sides)));
    let tree = merged.transpose()?.and_then(|merged| merged.tree);
    let author = commit_record::load(&trees, head, &Project::default())?;
    let mut git =
        git_with(repo, trees).arg("commit-tree").arg(tree.map_or_else(|| tree_of(&trees, head), Ok)?.to_string());
    for parent in [Some(target), (!squashes).then_some(head)].into_iter().flatten() {
        git = git.args(["-p", &parent.to_string()]);
    }
    for role in ["AUTHOR", "COMMITTER"] {
        git = git.env(&format!("GIT_{role}_NAME"), &author.author_name);
        git = git.env(&format!("GIT_{role}_EMAIL"), &author.author_email);
    }
    let commit = git.run(message)?.stdout.trim().parse()?;
    Ok(SimulatedMerge { commit, is_clean: tree.is_some() })
}
