//! One file of a commit: what it is at the branch, and what it becomes.

use std::path::Path;

use anyhow::Result;
use gix::{
    ObjectId,
    index::State,
    objs::{self, tree::EntryKind},
};

use super::{
    convert,
    file_path::FilePath,
    object::{self, FileAtCommit},
    replace::PendingFile,
    target_branch::TargetBranch,
    worktree_check,
};
use crate::{
    git::{Repo, compare::patch, quote::quote},
    model::Problem,
};

/// Returns the new content of a file for its old one, which is empty if there is no file; `None` if nothing changes. The
/// path is that of the request. It is called again if the branch has moved.
pub type EditFn<'a> = dyn FnMut(&Path, &[u8]) -> Result<Option<Vec<u8>>> + 'a;

/// A file before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Where it lies, from the top of the repository.
    pub file: String,
    /// Its old content; `None` where it is new.
    pub before: Option<Vec<u8>>,
    /// Its new content.
    pub after: Vec<u8>,
}

impl FileChange {
    /// The change as a unified diff that `git apply` takes.
    #[must_use]
    pub fn diff(&self) -> Vec<u8> {
        let name = |side: &str| quote(format!("{side}/{}", self.file).as_bytes());
        let old = if self.before.is_some() { name("a") } else { "/dev/null".to_owned() };
        let mut text = format!("--- {old}\n+++ {}\n", name("b")).into_bytes();
        text.extend(patch::hunks(self.before.as_deref().unwrap_or_default(), &self.after));
        text
    }
}

/// A file that changes.
#[derive(Debug)]
pub(super) struct PlannedFile {
    pub(super) file: FilePath,
    pub(super) base: Option<FileAtCommit>,
    pub(super) change: FileChange,
    /// The new blob; `None` if git makes it.
    pub(super) blob: Option<ObjectId>,
    /// Git alone knows how the file's content and the blob belong together.
    pub(super) has_driver: bool,
}

impl PlannedFile {
    /// Reads and edits a file; `None` where the edit changes nothing. `index` is that of the work tree the branch is
    /// checked out in.
    pub(super) fn make(
        repo: &Repo,
        (target, index): (&TargetBranch, Option<&State>),
        given: &Path,
        edit: &mut EditFn,
    ) -> Result<Option<Self>> {
        let file = FilePath::parse(repo, given)?;
        let base = object::find(repo, target.tip, &file)?;
        let driver = match index {
            Some(index) => convert::driver(repo, index, &file)?,
            None => convert::driver_on_branch(repo, target, &file)?,
        };
        check_driver(driver, index.is_some(), &file)?;
        let has_driver = driver.is_some();
        let before = if has_driver {
            worktree_check::read_clean(repo, &file)?
        } else {
            base.as_ref().map(|base| base.bytes.clone())
        };
        convert::check_text(&file, before.as_deref())?;
        let old = before.as_deref().unwrap_or_default();
        let Some(after) = edit(given, old)?.filter(|after| before.is_none() || after != old) else { return Ok(None) };
        let change = FileChange { file: file.to_string(), before, after };
        let blob = objs::compute_hash(repo.gix().object_hash(), objs::Kind::Blob, &change.after)?;
        let blob = (!has_driver).then_some(blob);
        Ok(Some(Self { file, base, change, blob, has_driver }))
    }

    /// Refuses where the work tree's file or the index has something else; returns the file's content.
    pub(super) fn check(&self, repo: &Repo, index: &State) -> Result<Option<Vec<u8>>> {
        if self.has_driver {
            return Ok(self.change.before.clone());
        }
        worktree_check::check(repo, index, &self.file, self.base.as_ref(), &self.change.after)
    }

    /// The change of the work tree's file, once it is checked.
    pub(super) fn pending(&self, repo: &Repo, index: &State) -> Result<PendingFile> {
        let before = self.check(repo, index)?;
        let after = if self.has_driver {
            self.change.after.clone()
        } else {
            convert::Conversion::new(repo, index, &self.file)?.smudge(&self.change.after)?
        };
        let base = self.base.as_ref().map(|base| base.id);
        Ok(PendingFile { file: self.file.clone(), before, after, base, blob: self.blob })
    }

    /// What kind of file it is.
    pub(super) fn kind(&self) -> EntryKind {
        self.base.as_ref().map_or(EntryKind::Blob, |base| base.kind)
    }
}

/// Refuses what cannot be committed: what wants a work tree without one, and encodings.
fn check_driver(driver: Option<&str>, is_checked_out: bool, file: &FilePath) -> Result<()> {
    match driver {
        Some(convert::ENCODING) => Err(convert::refused_encoding(file)),
        Some(driver) if !is_checked_out => {
            Err(Problem::new(format!("`{file}` has the attribute `{driver}`, which wants a work tree"))
                .hint("check the branch out, and run the command there")
                .into())
        }
        _ => Ok(()),
    }
}
