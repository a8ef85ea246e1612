//! Files and directories that are removed when they are dropped, and when the program is interrupted.

use std::{
    fs,
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
};

use anyhow::Result;
use tempfile::{Builder, NamedTempFile, PersistError};

use super::Cleanup;
use crate::model::none_if_missing;

/// A file that is removed unless it is persisted.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    file: NamedTempFile,
    _cleanup: Cleanup,
}

impl TemporaryFile {
    /// Makes a file that others may read as far as the user's mask allows it.
    pub(crate) fn new_in(directory: &Path) -> Result<Self> {
        Self::with(&mut builder(0o666), directory)
    }

    /// Makes a file as git does for objects: read-only, with a name that `git gc` knows.
    pub(crate) fn object_in(directory: &Path) -> Result<Self> {
        Self::with(builder(0o444).prefix("tmp_obj_"), directory)
    }

    fn with(builder: &mut Builder, directory: &Path) -> Result<Self> {
        let (file, cleanup) = Cleanup::of(|| {
            let file = builder.tempfile_in(directory)?;
            let path = file.path().to_owned();
            Ok((file, move || none_if_missing(fs::remove_file(&path)).is_ok()))
        })?;
        Ok(Self { file, _cleanup: cleanup })
    }

    /// Moves the file to a path, over an existing file.
    pub(crate) fn persist(self, path: &Path) -> Result<(), PersistError> {
        self.file.persist(path).map(drop)
    }
}

impl Deref for TemporaryFile {
    type Target = NamedTempFile;

    fn deref(&self) -> &NamedTempFile {
        &self.file
    }
}

impl DerefMut for TemporaryFile {
    fn deref_mut(&mut self) -> &mut NamedTempFile {
        &mut self.file
    }
}

#[cfg(unix)]
fn builder(mode: u32) -> Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut builder = Builder::new();
    builder.permissions(fs::Permissions::from_mode(mode));
    builder
}

#[cfg(not(unix))]
fn builder(_: u32) -> Builder<'static, 'static> {
    Builder::new()
}

/// A directory that is removed with all that is in it.
#[derive(Debug)]
pub(crate) struct TemporaryDirectory {
    path: PathBuf,
    _cleanup: Cleanup,
}

impl TemporaryDirectory {
    /// Makes a directory in the system's temporary directory.
    pub(crate) fn new() -> Result<Self> {
        let (path, cleanup) = Cleanup::of(|| {
            // From here on tempfile does not remove it.
            let path = Builder::new().prefix("tidings-").tempdir()?.keep();
            let known = path.clone();
            Ok((path, move || none_if_missing(fs::remove_dir_all(&known)).is_ok()))
        })?;
        Ok(Self { path, _cleanup: cleanup })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        // What cannot be removed is left to the system, which cleans up its temporary directory.
        let _ = fs::remove_dir_all(&self.path);
    }
}
