//! One file of a commit: what it is at the branch, and what it becomes.

use std::path::Path;

use anyhow::Result;
use gix::{index::State, objs::tree::EntryKind};

use super::{
    Change, Edit, by_git, clean, convert,
    file_path::FilePath,
    object::{self, Base},
    target::Target,
};
use crate::{git::Repo, model::Problem};

/// A file that changes.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) file: FilePath,
    pub(super) base: Option<Base>,
    pub(super) change: Change,
    /// Git alone knows how the file's content and the blob belong together.
    pub(super) driven: bool,
}

impl Part {
    /// Reads and edits a file; `None` where the edit changes nothing. `index` is that of the work tree the branch is
    /// checked out in.
    pub(super) fn make(
        repo: &Repo,
        (target, index): (&Target, Option<&State>),
        given: &Path,
        edit: &mut Edit,
    ) -> Result<Option<Self>> {
        let file = FilePath::parse(repo, given)?;
        let base = object::find(repo, target.tip, &file)?;
        let driven = match index {
            Some(index) => convert::driver(repo, index, &file)?.is_some(),
            None => refuse_driver(repo, target, &file)?,
        };
        let before =
            if driven { by_git::read_clean(repo, &file)? } else { base.as_ref().map(|base| base.bytes.clone()) };
        let old = before.as_deref().unwrap_or_default();
        let Some(after) = edit(given, old)?.filter(|after| before.is_none() || after != old) else { return Ok(None) };
        let change = Change { file: file.to_string(), before, after };
        Ok(Some(Self { file, base, change, driven }))
    }

    /// Refuses where the work tree's file or the index has something else.
    pub(super) fn check(&self, repo: &Repo, index: &State) -> Result<()> {
        if self.driven {
            return Ok(());
        }
        clean::check(repo, index, &self.file, self.base.as_ref(), &self.change.after)
    }

    /// What the work tree's file will hold.
    pub(super) fn content(&self, repo: &Repo, index: &State) -> Result<Vec<u8>> {
        if self.driven {
            return Ok(self.change.after.clone());
        }
        convert::Conversion::new(repo, index, &self.file)?.smudge(&self.change.after)
    }

    /// What kind of file it is.
    pub(super) fn kind(&self) -> EntryKind {
        self.base.as_ref().map_or(EntryKind::Blob, |base| base.kind)
    }
}

/// What wants a work tree cannot be committed without one.
fn refuse_driver(repo: &Repo, target: &Target, file: &FilePath) -> Result<bool> {
    let Some(driver) = convert::driver_on_branch(repo, target, file)? else { return Ok(false) };
    Err(Problem::new(format!("`{file}` has the attribute `{driver}`, which wants a work tree"))
        .hint("check the branch out, and run the command there")
        .into())
}
