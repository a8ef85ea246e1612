//! Files and folders that are gone when they are dropped, and when the program is interrupted.

use std::{
    fs,
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
};

use anyhow::Result;
use tempfile::{Builder, NamedTempFile, PersistError};

use super::Cleanup;
use crate::model::none_if_missing;

/// A file that is there until it is moved to its place.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    file: NamedTempFile,
    _cleanup: Cleanup,
}

impl TemporaryFile {
    /// Makes one, for others to read as far as the user's mask lets them, as any other program does.
    pub(crate) fn new_in(folder: &Path) -> Result<Self> {
        Self::with(&mut builder(0o666), folder)
    }

    /// Makes one as git makes them for objects: read-only, and under a name that `git gc` knows.
    pub(crate) fn object_in(folder: &Path) -> Result<Self> {
        Self::with(builder(0o444).prefix("tmp_obj_"), folder)
    }

    fn with(builder: &mut Builder, folder: &Path) -> Result<Self> {
        let (file, cleanup) = Cleanup::of(|| {
            let file = builder.tempfile_in(folder)?;
            let path = file.path().to_owned();
            Ok((file, move || none_if_missing(fs::remove_file(&path)).is_ok()))
        })?;
        Ok(Self { file, _cleanup: cleanup })
    }

    /// Moves it to its place, over what is there.
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

/// A folder with all that is in it.
#[derive(Debug)]
pub(crate) struct TemporaryFolder {
    path: PathBuf,
    _cleanup: Cleanup,
}

impl TemporaryFolder {
    /// Makes one in the system's place for such.
    pub(crate) fn new() -> Result<Self> {
        let (path, cleanup) = Cleanup::of(|| {
            // From here on the folder is ours to remove.
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

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own tidying.
        let _ = fs::remove_dir_all(&self.path);
    }
}
