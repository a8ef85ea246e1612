//! The objects of a commit: the old file it replaces, and the blob, trees and commit that are new.

use anyhow::{Context as _, Result};
use gix::{
    Object, ObjectId,
    bstr::ByteSlice as _,
    objs::{self, tree::EntryKind},
};

use super::{file_path::FilePath, identity};
use crate::{
    git::{Repo, file::absent, oid, signing},
    model::Problem,
};

/// A file as a commit has it.
#[derive(Clone, Debug)]
pub(super) struct FileAtCommit {
    pub(super) kind: EntryKind,
    pub(super) id: ObjectId,
    pub(super) bytes: Vec<u8>,
}

/// The file at a commit; `None` where there is none. Links, folders and submodules in its place are refused.
pub(super) fn find(repo: &Repo, commit: ObjectId, file: &FilePath) -> Result<Option<FileAtCommit>> {
    let unreadable = || absent(&file.to_string(), oid(&commit));
    let mut tree = repo.gix().find_commit(commit).and_then(|commit| commit.tree()).with_context(unreadable)?;
    let mut parts = file.parts().iter().peekable();
    while let Some(part) = parts.next() {
        let Some(entry) = tree.find_entry(part.as_slice()) else { return Ok(None) };
        let kind = entry.mode().kind();
        let is_last = parts.peek().is_none();
        match kind {
            EntryKind::Tree if !is_last => {
                tree = entry.object().and_then(Object::try_into_tree).with_context(unreadable)?;
            }
            EntryKind::Blob | EntryKind::BlobExecutable if is_last => {
                let blob = entry.object().with_context(unreadable)?.detach();
                return Ok(Some(FileAtCommit { kind, id: blob.id, bytes: blob.data }));
            }
            other => return Err(no_file(&part.to_str_lossy(), other)),
        }
    }
    Ok(None)
}

fn no_file(part: &str, kind: EntryKind) -> anyhow::Error {
    match kind {
        EntryKind::Link => Problem::new(format!("`{part}` is a symbolic link in the repository"))
            .hint("name the file itself with `--file`"),
        EntryKind::Commit => Problem::new(format!("`{part}` is a submodule")).hint("run the command inside of it"),
        EntryKind::Tree => Problem::new(format!("`{part}` is a folder")).hint("name a file with `--file`"),
        EntryKind::Blob | EntryKind::BlobExecutable => Problem::new(format!("`{part}` is a file, not a folder")),
    }
    .into()
}

/// Writes the tree that has these files instead of the old ones.
pub(super) fn write_tree<'a>(
    repo: &Repo,
    tip: ObjectId,
    files: impl Iterator<Item = (&'a FilePath, EntryKind, ObjectId)>,
) -> Result<ObjectId> {
    let tree = repo.gix().find_commit(tip)?.tree_id()?;
    let mut editor = repo.gix().edit_tree(tree)?;
    for (file, kind, blob) in files {
        editor.upsert(file.as_bstr(), kind, blob)?;
    }
    Ok(editor.write()?.detach())
}

/// Writes the commit, signed where that is wanted or set.
pub(super) fn write_commit(repo: &Repo, tree: ObjectId, tip: ObjectId, message: &str, sign: bool) -> Result<ObjectId> {
    let mut commit = objs::Commit {
        tree,
        parents: [tip].into_iter().collect(),
        author: identity::author(repo)?,
        committer: identity::committer(repo)?,
        encoding: None,
        message: message.into(),
        extra_headers: Vec::new(),
    };
    if sign || signing::is_enabled(repo, signing::COMMIT)? {
        commit = signing::sign(repo, commit, sign)?;
    }
    Ok(repo.gix().write_object(commit).context("cannot write the commit")?.detach())
}
