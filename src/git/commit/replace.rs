//! Replacing a file of the work tree, whole or not at all, and never what somebody has just saved.

use std::{fs, io, path::Path};

use anyhow::{Context as _, Result};
use gix::ObjectId;

use super::{file_path::FilePath, worktree_check};
use crate::{git::Repo, interrupt::TemporaryFile};

/// A file that is about to change.
#[derive(Debug)]
pub(super) struct PendingFile {
    pub(super) file: FilePath,
    /// What the work tree has, as it was checked; `None` if the file does not exist.
    pub(super) before: Option<Vec<u8>>,
    pub(super) after: Vec<u8>,
    /// The blobs of a commit; the new one is `None` where git makes it.
    pub(super) base: Option<ObjectId>,
    pub(super) blob: Option<ObjectId>,
}

impl PendingFile {
    /// Writes the new content into a directory, and keeps the old file there, so that restoring it needs no room.
    pub(super) fn prepare(&self, repo: &Repo, directory: &Path, number: usize) -> Result<()> {
        let path = self.path(repo)?;
        let new = directory.join(new_name(number));
        fs::write(&new, &self.after)?;
        if self.before.is_some() {
            fs::set_permissions(&new, fs::metadata(&path)?.permissions())?;
            let old = directory.join(old_name(number));
            // The work tree may be on another disk, or on one without links.
            fs::hard_link(&path, &old).or_else(|_| fs::copy(&path, &old).map(drop))?;
        }
        Ok(())
    }

    /// Moves the new content to its place, making the directories above it; refuses what was changed since the check.
    pub(super) fn persist(&self, repo: &Repo, directory: &Path, number: usize) -> Result<()> {
        let path = self.path(repo)?;
        let failed = || format!("cannot write `{}`", path.display());
        fs::create_dir_all(parent(&path)).with_context(failed)?;
        let top = repo.work_tree().context("there is no work tree")?;
        if worktree_check::read(top, &self.file)? != self.before {
            return Err(worktree_check::edited(&self.file));
        }
        move_file(&directory.join(new_name(number)), &path).with_context(failed)
    }

    /// How many directories above the file do not exist.
    pub(super) fn missing_directories(&self, repo: &Repo) -> Result<usize> {
        Ok(parent(&self.path(repo)?).ancestors().take_while(|above| !above.exists()).count())
    }

    fn path(&self, repo: &Repo) -> Result<std::path::PathBuf> {
        worktree_check::full(repo.work_tree().context("there is no work tree")?, &self.file)
    }
}

/// The name of a file's new content in the directory of the journal.
fn new_name(number: usize) -> String {
    format!("{number}.new")
}

/// The name of the old file there.
pub(super) fn old_name(number: usize) -> String {
    format!("{number}.old")
}

/// Moves a file over another, at once as anybody else sees it, also from one disk to another.
pub(super) fn move_file(from: &Path, to: &Path) -> Result<()> {
    if fs::rename(from, to).is_ok() {
        return Ok(());
    }
    let mut beside = TemporaryFile::new_in(parent(to))?;
    io::copy(&mut fs::File::open(from)?, &mut *beside)?;
    fs::set_permissions(beside.path(), fs::metadata(from)?.permissions())?;
    beside.persist(to)?;
    Ok(fs::remove_file(from)?)
}

/// The directory of a file.
fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}
