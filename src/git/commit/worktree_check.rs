//! The refusals of a work tree: nothing of the user's may be lost in a commit, or slip into it.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use gix::{
    bstr::ByteSlice as _,
    index::{State, entry},
    objs::tree::EntryKind,
    state::InProgress,
};

use super::{convert::Conversion, file_path::FilePath, object::FileAtCommit};
use crate::{
    git::{Repo, git_command::GitCommand},
    model::{Problem, none_if_missing},
};

/// Refuses in the midst of a merge, rebase and the like, and where files have conflicts.
pub(super) fn check_operation(repo: &Repo, index: &State) -> Result<()> {
    if let Some(state) = repo.gix().state() {
        let (name, command) = operation(&state);
        return Err(Problem::new(format!("a {name} is in progress"))
            .hint(format!("finish it, or abort it with `git {command}`"))
            .into());
    }
    match index.entries().iter().find(|entry| entry.stage() != entry::Stage::Unconflicted) {
        None => Ok(()),
        Some(entry) => Err(Problem::new(format!("`{}` has conflicts", entry.path(index)))
            .hint("resolve them and `git add` the file")
            .into()),
    }
}

fn operation(state: &InProgress) -> (&'static str, &'static str) {
    match state {
        InProgress::Merge => ("merge", "merge --abort"),
        InProgress::Rebase | InProgress::RebaseInteractive | InProgress::ApplyMailboxRebase => {
            ("rebase", "rebase --abort")
        }
        InProgress::ApplyMailbox => ("`git am`", "am --abort"),
        InProgress::CherryPick | InProgress::CherryPickSequence => ("cherry-pick", "cherry-pick --abort"),
        InProgress::Revert | InProgress::RevertSequence => ("revert", "revert --abort"),
        InProgress::Bisect => ("bisection", "bisect reset"),
    }
}

/// Refuses a file whose content differs from the commit's, staged or not. What already is as it shall become is what a
/// run left behind that was killed, and no reason to refuse.
pub(super) fn check(
    repo: &Repo,
    index: &State,
    file: &FilePath,
    base: Option<&FileAtCommit>,
    after: &[u8],
) -> Result<Option<Vec<u8>>> {
    check_staged(repo, index, file, base, after)?;
    let top = repo.work_tree().context("there is no work tree")?;
    let content = read(top, file)?;
    let mut conversion = Conversion::new(repo, index, file)?;
    match (base, &content) {
        (None, None) => Ok(content),
        (Some(base), Some(found)) if conversion.clean(found)? == base.bytes => Ok(content),
        (_, Some(found)) if conversion.smudge(after)? == *found => Ok(content),
        (Some(base), Some(found)) if conversion.smudge(&base.bytes)? == *found => Ok(content),
        (Some(_), Some(_)) => Err(edited(file)),
        (Some(_), None) => Err(Problem::new(format!("`{file}` is missing in the work tree"))
            .hint(format!("`git restore {file}` brings it back"))
            .into()),
        (None, Some(_)) => Err(Problem::new(format!("`{file}` is there, but not committed"))
            .hint("commit it first, or move it away")
            .into()),
    }
}

/// The refusal of a file with changes of the user.
pub(super) fn edited(file: &FilePath) -> anyhow::Error {
    Problem::new(format!("`{file}` has changes that are not committed"))
        .hint(format!("commit them, or put them aside with `git stash push {file}`"))
        .into()
}

/// The content of a file that only git can compare with its commit; edits of the user are refused.
pub(super) fn read_clean(repo: &Repo, file: &FilePath) -> Result<Option<Vec<u8>>> {
    let top = repo.work_tree().context("there is no work tree")?;
    let arguments = ["--no-optional-locks", "status", "--porcelain", "--ignored", "--untracked-files=all", "--"];
    let failed = || format!("git cannot compare `{file}` with its commit");
    if git_on_files(repo, &arguments, &[file]).run("").with_context(failed)?.all().is_empty() {
        return read(top, file);
    }
    Err(edited(file))
}

/// The git command with these files as its last arguments.
pub(super) fn git_on_files(repo: &Repo, arguments: &[&str], files: &[&FilePath]) -> GitCommand {
    let command = GitCommand::of(repo).env_remove("GIT_LITERAL_PATHSPECS");
    command.args(arguments).args(files.iter().map(|file| literal(file)))
}

/// The file as a pathspec in which nothing is special.
fn literal(file: &FilePath) -> OsString {
    let mut spec = OsString::from(":(top,literal)");
    spec.push(file.as_bstr().to_os_str_lossy());
    spec
}

fn check_staged(repo: &Repo, index: &State, file: &FilePath, base: Option<&FileAtCommit>, after: &[u8]) -> Result<()> {
    let entry = index.entry_by_path(file.as_bstr());
    let is_sparse =
        entry.map_or(base.is_some() && index.is_sparse(), |entry| entry.flags.contains(entry::Flags::SKIP_WORKTREE));
    if is_sparse {
        return Err(Problem::new(format!("`{file}` lies outside of the sparse checkout"))
            .hint("`git sparse-checkout add` brings its folder in")
            .into());
    }
    let after = gix::objs::compute_hash(repo.gix().object_hash(), gix::objs::Kind::Blob, after)?;
    let as_it_was = match (entry, base) {
        (None, None) => true,
        (Some(entry), None) => entry.id == after || entry.flags.contains(entry::Flags::INTENT_TO_ADD),
        (Some(entry), Some(base)) => (entry.id == base.id || entry.id == after) && entry.mode == mode(base.kind),
        (None, Some(_)) => false,
    };
    if as_it_was {
        return Ok(());
    }
    Err(Problem::new(format!("`{file}` has staged changes"))
        .hint(format!("commit them, or unstage them with `git restore --staged {file}`"))
        .into())
}

/// The mode of a file in the index.
pub(super) fn mode(kind: EntryKind) -> entry::Mode {
    if kind == EntryKind::BlobExecutable { entry::Mode::FILE_EXECUTABLE } else { entry::Mode::FILE }
}

/// The content of the work tree's file; `None` where there is none. Links and folders are refused.
pub(super) fn read(top: &Path, file: &FilePath) -> Result<Option<Vec<u8>>> {
    for folder in file.folders() {
        check_folder(&top.join(gix::path::from_bstr(folder)?), &folder.to_string())?;
    }
    let path = full(top, file)?;
    let found =
        none_if_missing(fs::symlink_metadata(&path)).with_context(|| format!("cannot read `{}`", path.display()))?;
    let Some(found) = found else { return Ok(None) };
    if found.is_symlink() {
        return Err(link(&file.to_string()));
    }
    if !found.is_file() {
        return Err(Problem::new(format!("`{file}` is no file")).hint("name one with `--file`").into());
    }
    fs::read(&path).map(Some).with_context(|| format!("cannot read `{}`", path.display()))
}

/// Where the file lies on disk.
pub(super) fn full(top: &Path, file: &FilePath) -> Result<PathBuf> {
    Ok(top.join(gix::path::from_bstr(file.as_bstr())?))
}

fn check_folder(path: &Path, name: &str) -> Result<()> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    if found.is_symlink() {
        return Err(link(name));
    }
    if !found.is_dir() {
        return Err(Problem::new(format!("`{name}` is a file, not a folder")).into());
    }
    if path.join(".git").exists() {
        return Err(Problem::new(format!("`{name}` is a repository of its own"))
            .hint("run the command inside of it")
            .into());
    }
    Ok(())
}

fn link(name: &str) -> anyhow::Error {
    Problem::new(format!("`{name}` is a symbolic link")).hint("name the file that it leads to").into()
}
