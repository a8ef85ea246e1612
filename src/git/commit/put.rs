//! Putting a file into the work tree, whole or not at all.

use std::{fs, path::Path};

use anyhow::{Context as _, Result};

use super::{
    file_path::FilePath,
    index,
    part::PlannedFile,
    undo::{RestoreGuard, parent, write_temporary},
    worktree_check,
};
use crate::{git::Repo, interrupt::TemporaryFile};

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
