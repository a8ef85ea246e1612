//! Files and their sizes. What vanishes while it is counted is not counted: git may be at work meanwhile.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context as _, Result};

use crate::model::none_if_missing;

/// A file of a folder.
#[derive(Debug)]
pub(super) struct FileInfo {
    pub(super) path: PathBuf,
    /// Its name; a repository's own files have names in ASCII.
    pub(super) name: String,
    pub(super) size: u64,
    pub(super) modified: SystemTime,
}

impl FileInfo {
    /// What stands behind the last dot of its name.
    pub(super) fn suffix(&self) -> Option<&str> {
        self.name.rsplit_once('.').map(|(_, suffix)| suffix)
    }
}

/// The files of a folder; none where there is no such folder.
pub(super) fn list(folder: &Path) -> Result<Vec<FileInfo>> {
    let mut files = entries(folder)?.0;
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// The files of a folder and of all folders in it.
pub(super) fn list_deep(folder: &Path) -> Result<Vec<FileInfo>> {
    let (mut files, mut waiting) = entries(folder)?;
    while let Some(folder) = waiting.pop() {
        let (found, folders) = entries(&folder)?;
        files.extend(found);
        waiting.extend(folders);
    }
    Ok(files)
}

/// The bytes in a folder and in all folders in it.
pub(super) fn size(folder: &Path) -> Result<u64> {
    Ok(list_deep(folder)?.iter().map(|file| file.size).sum())
}

/// The content of a file; `None` where there is no such file.
pub(super) fn read(file: &Path) -> Result<Option<Vec<u8>>> {
    none_if_missing(fs::read(file)).with_context(|| format!("cannot read `{}`", file.display()))
}

/// The first bytes of a file, fewer where it is shorter; `None` where there is no such file.
pub(super) fn read_head(file: &Path, length: u64) -> Result<Option<Vec<u8>>> {
    let read = |file| {
        let mut head = Vec::new();
        fs::File::open(file)?.take(length).read_to_end(&mut head)?;
        Ok(head)
    };
    none_if_missing(read(file)).with_context(|| format!("cannot read `{}`", file.display()))
}

fn entries(folder: &Path) -> Result<(Vec<FileInfo>, Vec<PathBuf>)> {
    let context = || format!("cannot read `{}`", folder.display());
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in none_if_missing(fs::read_dir(folder)).with_context(context)?.into_iter().flatten() {
        let entry = entry.with_context(context)?;
        let Some(data) = none_if_missing(entry.metadata()).with_context(context)? else { continue };
        if data.is_dir() {
            folders.push(entry.path());
        } else {
            let name = entry.file_name().to_string_lossy().into_owned();
            let modified = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            files.push(FileInfo { path: entry.path(), name, size: data.len(), modified });
        }
    }
    Ok((files, folders))
}
