//! Checks files of the work tree, so that no change of the user is lost or committed, and replaces them atomically.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    bstr::ByteSlice as _,
    index::{State, entry},
    objs::tree::EntryKind,
    state::InProgress,
};

use super::{
    convert::Conversion,
    file_path::FilePath,
    object::{self, FileAtCommit},
};
use crate::{
    bounded_read,
    git::{Repo, git_command::GitCommand},
    interrupt::TemporaryFile,
    model::{Problem, none_if_missing},
};

/// Refuses if a merge, rebase or the like is in progress, or a file has conflicts.
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

/// Refuses a file whose content, staged or not, differs from the commit's. It may already have the new content, if a
/// run was killed. Returns the content of the file.
pub(super) fn check(
    repo: &Repo,
    conversion: &mut Conversion,
    file: &FilePath,
    base: Option<&FileAtCommit>,
    after: Option<&[u8]>,
) -> Result<Option<Vec<u8>>> {
    check_staged(repo, conversion.index, file, base, after)?;
    let content = if after.is_none() { read_any(repo, file)? } else { read(repo, file)? };
    match (base, &content) {
        (None, None) => Ok(content),
        (Some(_), None) if after.is_none() => Ok(content),
        (Some(base), Some(found)) if base.kind == EntryKind::Link => {
            if base.bytes == *found {
                Ok(content)
            } else {
                Err(uncommitted_changes(file))
            }
        }
        (Some(base), Some(found)) if conversion.clean(file, found)? == base.bytes => Ok(content),
        (_, Some(found))
            if after.is_some_and(|after| conversion.smudge(file, after).is_ok_and(|new| new == *found)) =>
        {
            Ok(content)
        }
        (Some(base), Some(found)) if conversion.smudge(file, &base.bytes)? == *found => Ok(content),
        (Some(_), Some(_)) => Err(uncommitted_changes(file)),
        (Some(_), None) => Err(Problem::new(format!("`{file}` is missing in the work tree"))
            .hint(format!("run `git restore {file}` to restore it"))
            .into()),
        (None, Some(_)) => Err(Problem::new(format!("`{file}` exists, but is not committed"))
            .hint("commit it first, or move it away")
            .into()),
    }
}

pub(super) fn uncommitted_changes(file: &FilePath) -> anyhow::Error {
    Problem::new(format!("`{file}` has changes that are not committed"))
        .hint(format!("commit them, or put them aside with `git stash push {file}`"))
        .into()
}

/// Reads a file that only git can compare with its commit; refuses a file that the user has changed.
pub(super) fn read_clean(repo: &Repo, file: &FilePath) -> Result<Option<Vec<u8>>> {
    let arguments = ["--no-optional-locks", "status", "--porcelain", "--ignored", "--untracked-files=all", "--"];
    let failed = || format!("git cannot compare `{file}` with its commit");
    if git_on_files(repo, &arguments, &[file]).run("").with_context(failed)?.all().is_empty() {
        return read(repo, file);
    }
    Err(uncommitted_changes(file))
}

/// Returns a git command with these files as its last arguments.
pub(super) fn git_on_files(repo: &Repo, arguments: &[&str], files: &[&FilePath]) -> GitCommand {
    let command = GitCommand::new(repo).env_remove("GIT_LITERAL_PATHSPECS");
    command.args(arguments).args(files.iter().map(|file| literal(file)))
}

/// Returns a file as a pathspec without wildcards.
fn literal(file: &FilePath) -> OsString {
    let mut spec = OsString::from(":(top,literal)");
    spec.push(file.as_bstr().to_os_str_lossy());
    spec
}

fn check_staged(
    repo: &Repo,
    index: &State,
    file: &FilePath,
    base: Option<&FileAtCommit>,
    after: Option<&[u8]>,
) -> Result<()> {
    let entry = index.entry_by_path(file.as_bstr());
    let is_sparse =
        entry.map_or(base.is_some() && index.is_sparse(), |entry| entry.flags.contains(entry::Flags::SKIP_WORKTREE));
    if is_sparse {
        return Err(Problem::new(format!("`{file}` is outside of the sparse checkout"))
            .hint("add its directory with `git sparse-checkout add`")
            .into());
    }
    let after = after.map(|after| object::blob_id(repo, after)).transpose()?;
    let is_unchanged = match (entry, base) {
        (None, None) => true,
        (Some(entry), None) => Some(entry.id) == after || entry.flags.contains(entry::Flags::INTENT_TO_ADD),
        (Some(entry), Some(base)) => (entry.id == base.id || Some(entry.id) == after) && entry.mode == mode(base.kind),
        (None, Some(_)) => after.is_none(),
    };
    if is_unchanged {
        return Ok(());
    }
    Err(Problem::new(format!("`{file}` has staged changes"))
        .hint(format!("commit them, or unstage them with `git restore --staged {file}`"))
        .into())
}

pub(super) fn mode(kind: EntryKind) -> entry::Mode {
    match kind {
        EntryKind::BlobExecutable => entry::Mode::FILE_EXECUTABLE,
        EntryKind::Link => entry::Mode::SYMLINK,
        _ => entry::Mode::FILE,
    }
}

/// Reads a file of the work tree; `None` if it does not exist. Refuses links and directories.
pub(super) fn read(repo: &Repo, file: &FilePath) -> Result<Option<Vec<u8>>> {
    if fs::symlink_metadata(full_path(repo, file)?).is_ok_and(|found| found.is_symlink()) {
        return Err(link(&file.to_string()));
    }
    read_any(repo, file)
}

/// Reads a file as [`read`] does, or a link, of which the content is the target.
pub(super) fn read_any(repo: &Repo, file: &FilePath) -> Result<Option<Vec<u8>>> {
    for directory in file.directories() {
        check_directory(&top(repo)?.join(gix::path::from_bstr(directory)?), &directory.to_string())?;
    }
    let path = full_path(repo, file)?;
    let found =
        none_if_missing(fs::symlink_metadata(&path)).with_context(|| format!("cannot read `{}`", path.display()))?;
    let Some(found) = found else { return Ok(None) };
    if !found.is_file() && !found.is_symlink() {
        return Err(Problem::new(format!("`{file}` is not a file")).hint("name one with `--file`").into());
    }
    bounded_read::check_size(found.len(), &file.to_string())?;
    content(&path).with_context(|| format!("cannot read `{}`", path.display()))
}

/// Returns the content of a file, or the target of a link; `None` if there is neither.
pub(super) fn content(path: &Path) -> io::Result<Option<Vec<u8>>> {
    let found = none_if_missing(fs::symlink_metadata(path))?;
    if found.is_some_and(|found| found.is_symlink()) {
        let target = fs::read_link(path)?;
        return Ok(Some(gix::path::into_bstr(target).map_err(io::Error::other)?.into_owned().into()));
    }
    none_if_missing(fs::read(path))
}

/// Copies a file, or a link itself.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(from)?.is_symlink() {
        return fs::copy(from, to).map(drop);
    }
    let target = fs::read_link(from)?;
    #[cfg(unix)]
    return std::os::unix::fs::symlink(target, to);
    #[cfg(windows)]
    return std::os::windows::fs::symlink_file(target, to);
}

pub(super) fn full_path(repo: &Repo, file: &FilePath) -> Result<PathBuf> {
    Ok(top(repo)?.join(gix::path::from_bstr(file.as_bstr())?))
}

fn top(repo: &Repo) -> Result<&Path> {
    repo.work_tree().context("the repository has no work tree")
}

fn check_directory(path: &Path, name: &str) -> Result<()> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    if found.is_symlink() {
        return Err(link(name));
    }
    if !found.is_dir() {
        return Err(Problem::new(format!("`{name}` is a file, not a directory")).into());
    }
    if path.join(".git").exists() {
        return Err(Problem::new(format!("`{name}` is another repository"))
            .hint("run the command inside of it")
            .into());
    }
    Ok(())
}

fn link(name: &str) -> anyhow::Error {
    Problem::new(format!("`{name}` is a symbolic link")).hint("name the file that it points to").into()
}

#[derive(Debug)]
pub(super) struct PendingFile {
    pub(super) file: FilePath,
    /// The content in the work tree when it was checked; `None` if the file does not exist.
    pub(super) before: Option<Vec<u8>>,
    /// The content to come; `None` if the file is deleted.
    pub(super) after: Option<Vec<u8>>,
    /// The blobs before and after the commit; `blob` is `None` if git writes it, or there is none.
    pub(super) base: Option<ObjectId>,
    pub(super) blob: Option<ObjectId>,
}

impl PendingFile {
    /// Writes the new content into a directory, and keeps the old file there: restoring it needs no disk space.
    pub(super) fn prepare(&self, repo: &Repo, directory: &Path, number: usize) -> Result<()> {
        let path = full_path(repo, &self.file)?;
        let new = directory.join(new_name(number));
        if let Some(after) = &self.after {
            fs::write(&new, after)?;
        }
        if self.before.is_some() {
            if self.after.is_some() {
                fs::set_permissions(&new, fs::metadata(&path)?.permissions())?;
            }
            let old = directory.join(old_name(number));
            // The work tree may be on another disk, or on one without links.
            fs::hard_link(&path, &old).or_else(|_| copy(&path, &old))?;
        }
        Ok(())
    }

    /// Moves the new content over the file and creates its directories, or deletes the file with the directories that
    /// are empty then; refuses a file that changed after the check.
    pub(super) fn persist(&self, repo: &Repo, directory: &Path, number: usize) -> Result<()> {
        let path = full_path(repo, &self.file)?;
        let failed = || format!("cannot write `{}`", path.display());
        let now = if self.after.is_none() { read_any(repo, &self.file)? } else { read(repo, &self.file)? };
        if now != self.before {
            return Err(uncommitted_changes(&self.file));
        }
        if self.after.is_none() {
            return if self.before.is_some() { remove(repo, &path).with_context(failed) } else { Ok(()) };
        }
        fs::create_dir_all(parent(&path)).with_context(failed)?;
        move_file(&directory.join(new_name(number)), &path).with_context(failed)
    }

    /// Counts the directories above the file that do not exist.
    pub(super) fn missing_directories(&self, repo: &Repo) -> Result<usize> {
        Ok(parent(&full_path(repo, &self.file)?).ancestors().take_while(|above| !above.exists()).count())
    }
}

/// Removes a file, and the directories above it that are empty then.
fn remove(repo: &Repo, path: &Path) -> Result<()> {
    fs::remove_file(path)?;
    let top = top(repo)?;
    let mut above = path.ancestors().skip(1).take_while(|above| *above != top && above.starts_with(top));
    let _ = above.try_for_each(fs::remove_dir);
    Ok(())
}

fn new_name(number: usize) -> String {
    format!("{number}.new")
}

pub(super) fn old_name(number: usize) -> String {
    format!("{number}.old")
}

/// Moves a file over another one atomically, even from one disk to another.
pub(super) fn move_file(from: &Path, to: &Path) -> Result<()> {
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    if fs::symlink_metadata(from)?.is_symlink() {
        copy(from, to)?;
        return Ok(fs::remove_file(from)?);
    }
    let mut beside = TemporaryFile::new_in(parent(to))?;
    io::copy(&mut fs::File::open(from)?, &mut *beside)?;
    fs::set_permissions(beside.path(), fs::metadata(from)?.permissions())?;
    beside.persist(to)?;
    Ok(fs::remove_file(from)?)
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}
