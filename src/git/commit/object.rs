//! The objects of a commit: the old blob, and the new blob, trees and commit.

use std::{fs, io::Write as _};

use anyhow::{Context as _, Result};
use flate2::{Compression, write::ZlibEncoder};
use gix::{
    Object, ObjectId,
    bstr::ByteSlice as _,
    objs::{self, Kind, WriteTo as _, tree::EntryKind},
};

use super::{file_path::FilePath, metadata};
use crate::{
    git::{Repo, file::absent, oid, signing},
    interrupt::TemporaryFile,
    model::Problem,
};

/// A file as a commit has it.
#[derive(Clone, Debug)]
pub(super) struct FileAtCommit {
    pub(super) kind: EntryKind,
    pub(super) id: ObjectId,
    pub(super) bytes: Vec<u8>,
}

/// Finds a file at a commit; `None` if it does not exist. Refuses links, directories and submodules.
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
            other => return Err(not_a_file(&part.to_str_lossy(), other)),
        }
    }
    Ok(None)
}

fn not_a_file(part: &str, kind: EntryKind) -> anyhow::Error {
    match kind {
        EntryKind::Link => Problem::new(format!("`{part}` is a symbolic link in the repository"))
            .hint("name the file that it points to"),
        EntryKind::Commit => Problem::new(format!("`{part}` is a submodule")).hint("run the command inside of it"),
        EntryKind::Tree => Problem::new(format!("`{part}` is a directory")).hint("name a file with `--file`"),
        EntryKind::Blob | EntryKind::BlobExecutable => Problem::new(format!("`{part}` is a file, not a directory")),
    }
    .into()
}

/// Writes the tree that has these files instead of the old ones.
pub(super) fn write_tree<'a>(
    repo: &Repo,
    tip: ObjectId,
    files: impl Iterator<Item = (&'a FilePath, EntryKind, ObjectId)>,
) -> Result<ObjectId> {
    let root = repo.gix().find_commit(tip)?.tree()?.decode()?.into();
    let mut editor = objs::tree::Editor::new(root, &repo.gix().objects, repo.gix().object_hash());
    for (file, kind, blob) in files {
        editor.upsert(file.parts(), kind, blob)?;
    }
    editor.write(|tree| {
        let mut bytes = Vec::new();
        tree.write_to(&mut bytes)?;
        write(repo, Kind::Tree, &bytes)
    })
}

/// Writes an object unless it exists. After a kill, `git gc` removes the temporary file by its name.
pub(super) fn write(repo: &Repo, kind: Kind, content: &[u8]) -> Result<ObjectId> {
    let id = objs::compute_hash(repo.gix().object_hash(), kind, content)?;
    if repo.gix().has_object(id) {
        return Ok(id);
    }
    let (first, rest) = (id.to_hex_with_len(2).to_string(), id.to_string().split_off(2));
    let directory = repo.gix().objects.store_ref().path().join(first);
    fs::create_dir_all(&directory)?;
    let mut file = TemporaryFile::object_in(&directory)?;
    let mut out = ZlibEncoder::new(&mut *file, Compression::fast());
    out.write_all(&objs::encode::loose_header(kind, content.len() as u64))?;
    out.write_all(content)?;
    out.finish()?;
    file.persist(&directory.join(rest))?;
    Ok(id)
}

/// Refuses a commit that `git replace` replaces by another one: files and index are those of the other one.
pub(super) fn check_not_replaced(repo: &Repo, tip: ObjectId) -> Result<()> {
    match repo.gix().try_find_reference(&format!("refs/replace/{tip}"))? {
        None => Ok(()),
        Some(_) => Err(Problem::new(format!("commit `{}` is replaced by another one", oid(&tip).short()))
            .hint(format!("run `git replace -d {tip}` to commit on top of it"))
            .into()),
    }
}

/// Writes the commit, signed if `sign` or `commit.gpgSign` asks for it.
pub(super) fn write_commit(repo: &Repo, tree: ObjectId, tip: ObjectId, message: &str, sign: bool) -> Result<ObjectId> {
    let mut commit = objs::Commit {
        tree,
        parents: [tip].into_iter().collect(),
        author: metadata::author(repo)?,
        committer: metadata::committer(repo)?,
        encoding: None,
        message: message.into(),
        extra_headers: Vec::new(),
    };
    if sign || signing::is_enabled(repo, signing::COMMIT)? {
        commit = signing::sign(repo, commit, sign)?;
    }
    let mut bytes = Vec::new();
    commit.write_to(&mut bytes)?;
    write(repo, Kind::Commit, &bytes).context("cannot write the commit")
}
