//! What a release changes in files: the section goes into the changelog file, the version into the version files.

use std::path::{Path, PathBuf};

use crate::{changelog::document::Document, model::Section};

/// The files of a release, and what they become.
#[derive(Debug)]
pub(super) struct Edition {
    pub(super) file: PathBuf,
    /// The section to put in; `None` where the file has it.
    pub(super) section: Option<Section>,
}

impl Edition {
    /// Every file that may change, once.
    pub(super) fn files(&self) -> Vec<&Path> {
        vec![&self.file]
    }

    /// The new content of one of them.
    #[allow(clippy::unnecessary_wraps, reason = "an edit may fail")]
    pub(super) fn edit(&self, path: &Path, old: &[u8]) -> anyhow::Result<Option<Vec<u8>>> {
        let mut document = Document::parse(old);
        if path == self.file
            && let Some(section) = &self.section
        {
            document.insert(section);
        }
        Ok(Some(document.into_bytes()).filter(|new| new != old))
    }
}
