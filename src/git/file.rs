//! One file as it was at a commit.

use anyhow::{Context as _, Result};
use gix::object::tree::EntryKind;

use super::{Repo, object_id};
use crate::model::{Oid, Problem};

/// The bytes of the file `path` (parts separated by `/`) at `commit`; `None` where there is no such file.
///
/// # Errors
/// Where an object is missing, as in a partial clone (only what lies behind a URL is fetched), or where `path` is a
/// symbolic link.
pub fn at(repo: &Repo, commit: Oid, path: &str) -> Result<Option<Vec<u8>>> {
    let tree = repo.with_file(commit, path)?.find_commit(object_id(commit)).and_then(|commit| commit.tree());
    let tree = tree.with_context(|| absent(path, commit))?;
    let Some(entry) = tree.lookup_entry_by_path(path).with_context(|| absent(path, commit))? else {
        return Ok(None);
    };
    match entry.mode().kind() {
        EntryKind::Blob | EntryKind::BlobExecutable => {
            Ok(Some(entry.object().with_context(|| absent(path, commit))?.detach().data))
        }
        EntryKind::Link => {
            Err(Problem::new(format!("`{path}` is a symbolic link at commit `{}`", commit.short())).into())
        }
        EntryKind::Tree | EntryKind::Commit => Ok(None),
    }
}

/// The refusal of a file whose objects are not here.
pub(in crate::git) fn absent(path: &str, commit: Oid) -> Problem {
    let commit = commit.short();
    Problem::new(format!("cannot read `{path}` at commit `{commit}`"))
        .hint(format!("in a partial clone, `git show {commit}:{path}` brings over what is missing"))
}
