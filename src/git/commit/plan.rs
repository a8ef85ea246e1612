//! The plan of a commit: the old and the new content of each file, read, checked and edited, but not written yet.

use std::path::Path;

use anyhow::Result;
use gix::{ObjectId, index::State, objs::tree::EntryKind};

use super::{
    convert::{self, Conversion},
    file_path::FilePath,
    index,
    object::{self, FileAtCommit},
    target_branch::TargetBranch,
    work_tree::{self, PendingFile},
};
use crate::{
    git::{Repo, compare::patch, encoding::quote, hooks},
    model::{Oid, Problem},
};

/// The files to commit, the branch and the message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommitRequest<'a> {
    /// The branch; `None` means the one that `HEAD` points to.
    pub branch: Option<&'a str>,
    /// The files, from the top of the repository, each once.
    pub files: &'a [&'a Path],
    /// The message of the commit.
    pub message: &'a str,
    /// Whether to sign the commit even if `commit.gpgSign` does not ask for it.
    pub sign: bool,
}

/// A commit that was made.
#[derive(Clone, Debug)]
pub(crate) struct CommitResult {
    /// Its ID.
    pub id: Oid,
    /// The branch that moved; `None` if `HEAD` is detached.
    pub branch: Option<String>,
    /// The changes of the files, at least one.
    pub changes: Vec<FileChange>,
    /// What git and its hooks printed.
    pub output: String,
}

/// What happens to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileEdit {
    /// It stays as it is.
    Keep,
    /// It gets this content.
    Write(Vec<u8>),
    /// It is deleted, if it is there.
    Delete,
}

impl From<Option<Vec<u8>>> for FileEdit {
    fn from(content: Option<Vec<u8>>) -> Self {
        content.map_or(Self::Keep, Self::Write)
    }
}

/// A function from a file's path, as in the request, and old content (empty for a new file) to what happens to it. It is
/// called again if the branch has moved.
pub(crate) type EditFn<'a> = dyn FnMut(&Path, &[u8]) -> Result<FileEdit> + 'a;

/// The content of a file before and after a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileChange {
    /// Its path from the top of the repository.
    pub file: String,
    /// Its old content; `None` if it is new.
    pub before: Option<Vec<u8>>,
    /// Its new content; `None` if it is deleted.
    pub after: Option<Vec<u8>>,
}

impl FileChange {
    /// Returns the change as a unified diff for `git apply`.
    #[must_use]
    pub(crate) fn diff(&self) -> Vec<u8> {
        let name = |side: &str, content: Option<&Vec<u8>>| match content {
            Some(_) => quote(format!("{side}/{}", self.file).as_bytes()),
            None => "/dev/null".to_owned(),
        };
        let (before, after) = (self.before.as_ref(), self.after.as_ref());
        let mut text = format!("--- {}\n+++ {}\n", name("a", before), name("b", after)).into_bytes();
        let (old, new) = (before.map_or(&[][..], Vec::as_slice), after.map_or(&[][..], Vec::as_slice));
        text.extend(patch::hunks(old, new));
        text
    }
}

#[derive(Debug)]
pub(super) struct PlannedFile {
    pub(super) file: FilePath,
    pub(super) base: Option<FileAtCommit>,
    pub(super) change: FileChange,
    /// The new blob; `None` if git writes it, or there is none.
    pub(super) blob: Option<ObjectId>,
    /// Whether only git can convert between the content of the file and the blob.
    pub(super) has_driver: bool,
}

impl PlannedFile {
    /// Reads and edits a file; `None` if the edit changes nothing. `conversion` is `None` if the branch is not checked out.
    pub(super) fn make(
        repo: &Repo,
        target: &TargetBranch,
        conversion: Option<&mut Conversion>,
        given: &Path,
        edit: &mut EditFn,
    ) -> Result<Option<Self>> {
        let file = FilePath::parse(repo, given)?;
        let base = object::find(repo, target.tip, &file)?;
        let is_checked_out = conversion.is_some();
        let is_link = base.as_ref().is_some_and(|base| base.kind == EntryKind::Link);
        let driver = match conversion {
            // The target of a link is never converted.
            _ if is_link => None,
            Some(conversion) => conversion.driver(&file)?,
            None => convert::driver_on_branch(repo, target, &file)?,
        };
        check_driver(driver, is_checked_out, &file)?;
        let has_driver = driver.is_some();
        let before =
            if has_driver { work_tree::read_clean(repo, &file)? } else { base.as_ref().map(|base| base.bytes.clone()) };
        if !is_link {
            convert::check_text(&file, before.as_deref())?;
        }
        let old = before.as_deref().unwrap_or_default();
        let edited = edit(given, old);
        if is_link && !matches!(edited, Ok(FileEdit::Delete)) {
            return Err(object::link(&file.to_string()));
        }
        let after = match edited? {
            FileEdit::Write(after) if before.as_ref() != Some(&after) => Some(after),
            FileEdit::Delete if before.is_some() => None,
            _ => return Ok(None),
        };
        let change = FileChange { file: file.to_string(), before, after };
        let written = change.after.as_deref().filter(|_| !has_driver);
        let blob = written.map(|after| object::blob_id(repo, after)).transpose()?;
        Ok(Some(Self { file, base, change, blob, has_driver }))
    }

    /// Refuses if the work tree or the index has another content than the branch; returns that of the work tree.
    pub(super) fn check(&self, repo: &Repo, conversion: &mut Conversion) -> Result<Option<Vec<u8>>> {
        if self.has_driver {
            return Ok(self.change.before.clone());
        }
        work_tree::check(repo, conversion, &self.file, self.base.as_ref(), self.change.after.as_deref())
    }

    /// Checks the file of the work tree, and returns how it changes.
    pub(super) fn pending_file(&self, repo: &Repo, conversion: &mut Conversion) -> Result<PendingFile> {
        let before = self.check(repo, conversion)?;
        let after = match &self.change.after {
            Some(after) if !self.has_driver => Some(conversion.smudge(&self.file, after)?),
            after => after.clone(),
        };
        let base = self.base.as_ref().map(|base| base.id);
        Ok(PendingFile { file: self.file.clone(), before, after, base, blob: self.blob })
    }

    pub(super) fn kind(&self) -> EntryKind {
        self.base.as_ref().map_or(EntryKind::Blob, |base| base.kind)
    }
}

/// Refuses a file whose attribute is not supported at all, or not on a branch that is not checked out.
fn check_driver(driver: Option<&str>, is_checked_out: bool, file: &FilePath) -> Result<()> {
    match driver {
        Some(convert::ENCODING) => Err(convert::refused_encoding(file)),
        Some(driver) if !is_checked_out => {
            Err(Problem::new(format!("`{file}` has the attribute `{driver}`, which needs a work tree"))
                .hint("check the branch out, and run the command there")
                .into())
        }
        _ => Ok(()),
    }
}

#[derive(Debug)]
pub(super) struct CommitPlan {
    pub(super) target: TargetBranch,
    /// The files that change, at least one.
    pub(super) files: Vec<PlannedFile>,
    /// Whether git has to make the commit, or to move the branch if it is not checked out, because of hooks, filters or
    /// git settings.
    pub(super) needs_git: bool,
    pub(super) message: String,
    pub(super) sign: bool,
}

impl CommitPlan {
    /// Checks that the commit has the files: git may have failed to read one, and have taken it for deleted.
    pub(super) fn check_made(&self, repo: &Repo, made: ObjectId) -> Result<()> {
        for PlannedFile { file, base, change, .. } in &self.files {
            let found = object::find(repo, made, file)?.map(|found| found.id);
            if found.is_none() != change.after.is_none() || found == base.as_ref().map(|base| base.id) {
                return Err(Problem::new(format!("git made the commit `{made}` without the change of `{file}`"))
                    .hint("run `git show` to see what it did, and `git reset --soft HEAD~1` to take it back")
                    .into());
            }
        }
        Ok(())
    }

    /// Reads and edits the files; `None` if nothing changes.
    pub(super) fn make(repo: &Repo, request: &CommitRequest, edit: &mut EditFn) -> Result<Option<Self>> {
        request.files.iter().try_for_each(|file| FilePath::parse(repo, file).map(drop))?;
        let target = TargetBranch::resolve(repo, request.branch)?;
        object::check_not_replaced(repo, target.tip)?;
        let index = target.checked_out.then(|| index::load(repo)).transpose()?;
        let mut conversion = index.as_deref().map(|index| Conversion::new(repo, index)).transpose()?;
        let mut files = Vec::new();
        for file in request.files {
            files.extend(PlannedFile::make(repo, &target, conversion.as_mut(), file, edit)?);
        }
        if files.is_empty() {
            return Ok(None);
        }
        let (needs_git, message) = (needs_git(repo, &target, &files)?, object::clean_message(request.message));
        Ok(Some(Self { target, files, needs_git, message, sign: request.sign }))
    }

    /// Refuses if the work tree is not ready for the commit.
    pub(super) fn check(&self, repo: &Repo) -> Result<()> {
        if !self.target.checked_out {
            return Ok(());
        }
        index::wait_until_unlocked(repo)?;
        let index = index::load(repo)?;
        work_tree::check_operation(repo, &index)?;
        let mut conversion = Conversion::new(repo, &index)?;
        self.files.iter().try_for_each(|file| file.check(repo, &mut conversion).map(drop))
    }

    /// Checks the files of the work tree, and returns how they change.
    pub(super) fn pending_files(&self, repo: &Repo, index: &State) -> Result<Vec<PendingFile>> {
        let mut conversion = Conversion::new(repo, index)?;
        self.files.iter().map(|file| file.pending_file(repo, &mut conversion)).collect()
    }
}

fn needs_git(repo: &Repo, target: &TargetBranch, files: &[PlannedFile]) -> Result<bool> {
    let config = repo.gix().config_snapshot();
    let is_sparse = config.boolean("core.sparseCheckout").unwrap_or_default();
    let has_own = if target.checked_out {
        hooks::has_any(repo)? || files.iter().any(|file| file.has_driver || is_sparse && file.base.is_none())
    } else {
        hooks::has_hook(repo, "reference-transaction")?
    };
    Ok(has_own || object::are_written_by_git(repo))
}
