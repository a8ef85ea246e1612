//! Replacing a file of the work tree, whole or not at all, with its old content back unless all goes well.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use super::{file_change::PlannedFile, file_path::FilePath, index, worktree_check};
use crate::{git::Repo, interrupt::TemporaryFile, model::none_if_missing};

/// A file that waits, already written, for its place.
#[derive(Debug)]
pub(super) struct PendingFile {
    undo: RestoreGuard,
    waiting: TemporaryFile,
    content: Vec<u8>,
}

impl PendingFile {
    /// Stages every file of a commit as the work tree will hold it.
    pub(super) fn stage_all(repo: &Repo, top: &Path, parts: &[PlannedFile]) -> Result<Vec<Self>> {
        let index = index::load(repo)?;
        parts.iter().map(|part| Self::prepare(repo, top, &part.file, part.content(repo, &index)?)).collect()
    }

    /// Writes the content where nobody looks: in the repository's folder, from where it moves into its place.
    pub(super) fn prepare(repo: &Repo, top: &Path, file: &FilePath, content: Vec<u8>) -> Result<Self> {
        let path = worktree_check::full(top, file)?;
        let undo = RestoreGuard::of(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
        let waiting = write_temporary(repo.git_dir(), &content, undo.permissions())
            .with_context(|| format!("cannot write to `{}`", repo.git_dir().display()))?;
        Ok(Self { undo, waiting, content })
    }

    /// Moves the file into its place, making the folders above it; it is taken back when the answer is dropped.
    pub(super) fn persist(self) -> Result<RestoreGuard> {
        let Self { undo, waiting, content } = self;
        let problem = || format!("cannot write `{}`", undo.path().display());
        let folder = parent(undo.path());
        fs::create_dir_all(folder).with_context(problem)?;
        if waiting.persist(undo.path()).is_err() {
            // The repository's folder may lie on another disk.
            let beside = write_temporary(folder, &content, undo.permissions()).with_context(problem)?;
            beside.persist(undo.path()).with_context(problem)?;
        }
        Ok(undo)
    }
}

/// What a file was, to be restored when this is dropped, unless the new is kept.
#[derive(Debug)]
pub(super) struct RestoreGuard {
    path: PathBuf,
    before: Option<(Vec<u8>, fs::Permissions)>,
    /// The folders above it that were missing, innermost first.
    missing: Vec<PathBuf>,
    kept: bool,
}

impl RestoreGuard {
    /// Remembers a file as it is, or that there is none.
    pub(super) fn of(path: &Path) -> Result<Self> {
        let found = none_if_missing(fs::metadata(path))?;
        let before = found.map(|found| anyhow::Ok((fs::read(path)?, found.permissions()))).transpose()?;
        let missing = parent(path).ancestors().take_while(|above| !above.exists()).map(Path::to_owned).collect();
        Ok(Self { path: path.to_owned(), before, missing, kept: false })
    }

    /// The file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Who may do what with the file.
    pub(super) fn permissions(&self) -> Option<&fs::Permissions> {
        self.before.as_ref().map(|(_, permissions)| permissions)
    }

    /// Leaves the file as it has become.
    pub(super) fn disarm(mut self) {
        self.kept = true;
    }

    fn restore(&self) -> Result<()> {
        if let Some((content, permissions)) = &self.before {
            write_temporary(parent(&self.path), content, Some(permissions))?.persist(&self.path)?;
        } else if self.path.exists() {
            fs::remove_file(&self.path)?;
        }
        Ok(self.missing.iter().filter(|folder| folder.exists()).try_for_each(fs::remove_dir)?)
    }
}

impl Drop for RestoreGuard {
    fn drop(&mut self) {
        if !self.kept {
            // The failure that brings us here is what the user has to hear of.
            let _ = self.restore();
        }
    }
}

/// The folder of a file.
pub(super) fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

/// Writes a file that is gone again unless it is moved to its place.
pub(super) fn write_temporary(
    folder: &Path,
    content: &[u8],
    permissions: Option<&fs::Permissions>,
) -> Result<TemporaryFile> {
    let mut file = TemporaryFile::new_in(folder)?;
    file.write_all(content)?;
    if let Some(permissions) = permissions {
        fs::set_permissions(file.path(), permissions.clone())?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_kept_is_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("a/b/new"));
        fs::write(&old, "before").unwrap();
        let undo = [RestoreGuard::of(&old).unwrap(), RestoreGuard::of(&new).unwrap()];
        fs::write(&old, "after").unwrap();
        fs::create_dir_all(parent(&new)).unwrap();
        fs::write(&new, "after").unwrap();
        drop(undo);
        assert_eq!(fs::read(&old).unwrap(), b"before");
        assert!(!folder.path().join("a").exists());
        let panicked = std::panic::catch_unwind(|| {
            let _guard = RestoreGuard::of(&old).unwrap();
            fs::write(&old, "after").unwrap();
            panic!("while it is armed");
        });
        assert!(panicked.is_err() && fs::read(&old).unwrap() == b"before");
        let undo = RestoreGuard::of(&old).unwrap();
        fs::write(&old, "after").unwrap();
        undo.disarm();
        assert_eq!(fs::read(&old).unwrap(), b"after");
    }
}
