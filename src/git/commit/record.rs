//! A line of the journal of a commit: what happens to a file, and how that is undone.

use std::{fs, path::Path};

use anyhow::Result;
use gix::{ObjectId, bstr::ByteSlice as _};

use super::{
    file_path::FilePath,
    object,
    work_tree::{self, PendingFile},
};
use crate::git::Repo;

/// A line of the journal: what happens to a file.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) file: FilePath,
    /// The blobs before and after; `blob` is `None` if git writes it, or there is none.
    pub(super) base: Option<ObjectId>,
    pub(super) blob: Option<ObjectId>,
    /// The blob ID of the work tree file's new content; `None` if the file is deleted.
    content: Option<ObjectId>,
    /// How many directories are created above the file.
    directories: usize,
}

impl Record {
    /// Formats the line of a file.
    pub(super) fn line(repo: &Repo, file: &PendingFile) -> Result<Vec<u8>> {
        let id = |id: Option<ObjectId>| id.map_or_else(|| "-".to_owned(), |id| id.to_string());
        let content = file.after.as_ref().map(|after| object::blob_id(repo, after)).transpose()?;
        let directories = file.missing_directories(repo)?;
        let head = format!("{} {} {} {directories} ", id(file.base), id(file.blob), id(content));
        Ok([head.as_bytes(), file.file.as_bstr(), b"\0"].concat())
    }

    pub(super) fn parse(repo: &Repo, line: &[u8]) -> Option<Self> {
        let mut words = line.splitn(5, |byte| *byte == b' ');
        let mut id = || match words.next()? {
            b"-" => Some(None),
            id => ObjectId::from_hex(id).ok().map(Some),
        };
        let (base, blob, content) = (id()?, id()?, id()?);
        let directories = words.next()?.to_str().ok()?.parse().ok()?;
        let file = FilePath::parse(repo, &gix::path::from_bstr(words.next()?.as_bstr()).ok()?).ok()?;
        Some(Self { file, base, blob, content, directories })
    }

    pub(super) fn is_deletion(&self) -> bool {
        self.content.is_none()
    }

    /// Restores the old file if the new one is unchanged. Returns whether somebody else has changed the file.
    pub(super) fn undo(&self, repo: &Repo, old: &Path) -> Result<bool> {
        let before = work_tree::content(old)?;
        let content = work_tree::read_any(repo, &self.file)?;
        let path = work_tree::full_path(repo, &self.file)?;
        let Some(content) = content else {
            if self.is_deletion() && before.is_some() {
                fs::create_dir_all(path.parent().unwrap_or(&path))?;
                work_tree::move_file(old, &path)?;
            }
            return Ok(false);
        };
        if Some(object::blob_id(repo, &content)?) != self.content {
            return Ok(before != Some(content));
        }
        if before.is_some() {
            work_tree::move_file(old, &path)?;
            return Ok(false);
        }
        fs::remove_file(&path)?;
        // Directories that are not empty stay.
        let above = path.ancestors().skip(1).take(self.directories);
        let _ = above.into_iter().try_for_each(fs::remove_dir);
        Ok(false)
    }
}
