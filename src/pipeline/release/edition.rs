//! What a release changes in files: the section goes into the changelog file, the version into the version files.

use std::path::{Path, PathBuf};

use crate::{
    changelog::{document::Document, version_file::VersionEdits},
    git::commit::FileChange,
    model::{Section, Warning},
};

/// The files of a release, and what they become.
#[derive(Debug)]
pub(super) struct FileEdits {
    pub(super) file: PathBuf,
    /// The section to put in, or to renew; `None` where the file has it.
    pub(super) section: Option<Section>,
    /// The version, and the files it is set in.
    pub(super) version_edits: VersionEdits,
}

impl FileEdits {
    /// Every file that may change, once.
    pub(super) fn files(&self) -> Vec<&Path> {
        let mut files: Vec<&Path> = vec![&self.file];
        for path in self.version_edits.paths().map(Path::new) {
            if !files.contains(&path) {
                files.push(path);
            }
        }
        files
    }

    /// The new content of one of them.
    pub(super) fn edit(&self, path: &Path, old: &[u8]) -> anyhow::Result<Option<Vec<u8>>> {
        let mut new = old.to_vec();
        if path == self.file
            && let Some(section) = &self.section
        {
            let mut document = Document::parse(new);
            document.replace(section);
            new = document.into_bytes();
        }
        if let Some(path) = path.to_str() {
            new = self.version_edits.apply(path, &new)?;
        }
        Ok(Some(new).filter(|new| new != old))
    }

    /// Tells where the section will stand if that is not where its version belongs.
    pub(super) fn placement_warning(&self, changes: &[FileChange]) -> Option<Warning> {
        let section = self.section.as_ref()?;
        let change = changes.iter().find(|change| Path::new(&change.file) == self.file)?;
        Document::parse(change.before.as_deref()?).placement_warning(&self.file, &section.version)
    }
}
