//! Putting a file into the work tree, whole or not at all, and taking it back.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use tempfile::{Builder, NamedTempFile};

use super::{clean, file_path::FilePath};
use crate::git::Repo;

/// A file that waits, already written, for its place.
#[derive(Debug)]
pub(super) struct Staged {
    path: PathBuf,
    content: Vec<u8>,
    permissions: Option<fs::Permissions>,
    waiting: NamedTempFile,
}

/// A file that has been put into place and is taken back when this is dropped, unless it is kept.
#[derive(Debug)]
pub(super) struct Put {
    path: PathBuf,
    before: Option<(Vec<u8>, fs::Permissions)>,
    new_folders: Vec<PathBuf>,
    kept: bool,
}

impl Put {
    /// Writes the content where nobody looks: in the repository's folder, from where it moves into its place.
    pub(super) fn stage(repo: &Repo, top: &Path, file: &FilePath, content: &[u8]) -> Result<Staged> {
        let path = clean::full(top, file)?;
        let permissions = fs::metadata(&path).ok().map(|found| found.permissions());
        let waiting = write_temporary(repo.git_dir(), content, permissions.as_ref())
            .with_context(|| format!("cannot write to `{}`", repo.git_dir().display()))?;
        Ok(Staged { path, content: content.to_vec(), permissions, waiting })
    }

    /// Where the file lies.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves the file where it is.
    pub(super) fn keep(mut self) {
        self.kept = true;
    }

    fn take_back(&self) -> io::Result<()> {
        match &self.before {
            Some((content, permissions)) => {
                write_temporary(parent(&self.path), content, Some(permissions))?.persist(&self.path)?;
            }
            None => fs::remove_file(&self.path)?,
        }
        self.new_folders.iter().rev().try_for_each(fs::remove_dir)
    }
}

impl Drop for Put {
    fn drop(&mut self) {
        if !self.kept {
            // The failure that brings us here is what the user has to hear of.
            let _ = self.take_back();
        }
    }
}

impl Staged {
    /// Moves the file into its place, making the folders above it.
    pub(super) fn into_place(self) -> Result<Put> {
        let problem = || format!("cannot write `{}`", self.path.display());
        let before =
            self.permissions.clone().map(|permissions| Ok::<_, io::Error>((fs::read(&self.path)?, permissions)));
        let before = before.transpose().with_context(problem)?;
        let folder = parent(&self.path);
        let new_folders: Vec<PathBuf> =
            folder.ancestors().take_while(|above| !above.exists()).map(Path::to_owned).collect();
        fs::create_dir_all(folder).with_context(problem)?;
        let put =
            Put { path: self.path.clone(), before, new_folders: new_folders.into_iter().rev().collect(), kept: false };
        if self.waiting.persist(&put.path).is_err() {
            // The repository's folder may lie on another disk.
            let beside = write_temporary(folder, &self.content, self.permissions.as_ref()).with_context(problem)?;
            beside.persist(&put.path).with_context(problem)?;
        }
        Ok(put)
    }
}

fn parent(path: &Path) -> &Path {
    path.parent().unwrap_or(path)
}

fn write_temporary(folder: &Path, content: &[u8], permissions: Option<&fs::Permissions>) -> io::Result<NamedTempFile> {
    let mut file = builder().tempfile_in(folder)?;
    file.write_all(content)?;
    if let Some(permissions) = permissions {
        fs::set_permissions(file.path(), permissions.clone())?;
    }
    Ok(file)
}

/// New files get what the user's mask leaves of `rw-rw-rw-`, as any other program makes them.
#[cfg(unix)]
fn builder() -> Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut builder = Builder::new();
    builder.prefix("tidings-").permissions(fs::Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix("tidings-");
    builder
}
