//! A folder that goes away with the program.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use crate::interrupt::{Cleanup, is_gone};

/// A folder that is removed when this is dropped, and when the program is interrupted.
#[derive(Debug)]
pub(super) struct Transient {
    path: PathBuf,
    _cleanup: Cleanup,
}

impl Transient {
    /// Makes a folder in the system's place for such.
    pub(super) fn new() -> Result<Self> {
        let (path, cleanup) = Cleanup::of(|| {
            let folder = tempfile::Builder::new().prefix("tidings-").tempdir();
            // From here on the folder is ours to remove.
            let path = folder.context("cannot make a temporary folder")?.keep();
            let known = path.clone();
            Ok((path, move || is_gone(&fs::remove_dir_all(&known))))
        })?;
        Ok(Self { path, _cleanup: cleanup })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Transient {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own tidying.
        let _ = fs::remove_dir_all(&self.path);
    }
}
