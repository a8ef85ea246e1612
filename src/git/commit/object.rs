//! The objects of a commit: the old blob, the new blob, trees and commit, and the commit's message, author, committer
//! and dates (git-commit(1), "Commit Information").

use std::{fs, io::Write as _};

use anyhow::{Context as _, Result};
use flate2::{Compression, write::ZlibEncoder};
use gix::{
    ObjectId,
    actor::{Signature, SignatureRef},
    bstr::{BStr, BString, ByteSlice as _},
    objs::{self, Kind, WriteTo as _, tree::EntryKind},
};

use super::file_path::FilePath;
use crate::{
    bounded_read,
    git::{Repo, file::file_not_found, git_command::GitCommand, object, oid, signing},
    interrupt::TemporaryFile,
    model::Problem,
};

#[derive(Clone, Debug)]
pub(super) struct FileAtCommit {
    pub(super) kind: EntryKind,
    pub(super) id: ObjectId,
    pub(super) bytes: Vec<u8>,
}

/// Finds a file, or a link whose target is the content, at a commit; `None` if it does not exist. Refuses directories,
/// submodules, and what is below a link.
pub(super) fn find(repo: &Repo, commit: ObjectId, file: &FilePath) -> Result<Option<FileAtCommit>> {
    let (objects, unreadable) = (repo.own_objects(), || file_not_found(&file.to_string(), oid(&commit)));
    let mut tree = object::root_id(objects, oid(&commit)).with_context(unreadable)?;
    let mut parts = file.parts().iter().peekable();
    while let Some(part) = parts.next() {
        let entry = object::child(objects, tree, part.as_bstr()).with_context(unreadable)?;
        let Some(object::Found { mode, id }) = entry else { return Ok(None) };
        let kind = mode.kind();
        let is_last = parts.peek().is_none();
        match kind {
            EntryKind::Tree if !is_last => tree = id,
            EntryKind::Blob | EntryKind::BlobExecutable | EntryKind::Link if is_last => {
                let size = object::size(objects, id).with_context(unreadable)?;
                bounded_read::check_size(size, &file.to_string())?;
                let blob = object::find(objects, id).with_context(unreadable)?.detach();
                return Ok(Some(FileAtCommit { kind, id: blob.id, bytes: blob.data }));
            }
            other => return Err(not_a_file(&part.to_str_lossy(), other)),
        }
    }
    Ok(None)
}

fn not_a_file(part: &str, kind: EntryKind) -> anyhow::Error {
    match kind {
        EntryKind::Link => return link(part),
        EntryKind::Commit => Problem::new(format!("`{part}` is a submodule")).hint("run the command inside of it"),
        EntryKind::Tree => Problem::new(format!("`{part}` is a directory")).hint("name a file with `--file`"),
        EntryKind::Blob | EntryKind::BlobExecutable => Problem::new(format!("`{part}` is a file, not a directory")),
    }
    .into()
}

/// Returns the refusal of a link that would get a content.
pub(super) fn link(name: &str) -> anyhow::Error {
    Problem::new(format!("`{name}` is a symbolic link in the repository"))
        .hint("name the file that it points to")
        .into()
}

/// Writes the tree of `tip` with these files replaced or added, or removed if they have no blob.
pub(super) fn write_tree<'a>(
    repo: &Repo,
    tip: ObjectId,
    files: impl Iterator<Item = (&'a FilePath, EntryKind, Option<ObjectId>)>,
) -> Result<ObjectId> {
    let root = repo.own_objects().gix().find_commit(tip)?.tree()?.decode()?.into();
    let mut editor = objs::tree::Editor::new(root, &repo.own_objects().gix().objects, repo.gix().object_hash());
    for (file, kind, blob) in files {
        match blob {
            Some(blob) => editor.upsert(file.parts(), kind, blob)?,
            None => editor.remove(file.parts())?,
        };
    }
    editor.write(|tree| {
        let mut bytes = Vec::new();
        tree.write_to(&mut bytes)?;
        write(repo, Kind::Tree, &bytes)
    })
}

pub(super) fn blob_id(repo: &Repo, content: &[u8]) -> Result<ObjectId> {
    Ok(objs::compute_hash(repo.gix().object_hash(), Kind::Blob, content)?)
}

/// Whether git has to write all files of the repository, since its settings ask for permissions of new files, or for
/// syncing them to disk.
pub(super) fn are_written_by_git(repo: &Repo) -> bool {
    let config = repo.gix().config_snapshot();
    ["core.sharedRepository", "core.fsync", "core.fsyncObjectFiles"].into_iter().any(|key| {
        let off = [&b"umask"[..], b"false", b"0", b"none", b"no"];
        config.string(key).is_some_and(|value| !off.contains(&value.as_slice()))
    })
}

/// Writes an object unless it exists, with git if its settings ask for it. After a kill, `git gc` removes the temporary
/// file because of its name.
pub(in crate::git) fn write(repo: &Repo, kind: Kind, content: &[u8]) -> Result<ObjectId> {
    let id = objs::compute_hash(repo.gix().object_hash(), kind, content)?;
    if repo.gix().has_object(id) {
        return Ok(id);
    }
    if are_written_by_git(repo) {
        let git = GitCommand::new(repo).args(["hash-object", "-w", "--stdin", "-t", &kind.to_string()]);
        return git.run(content).map(|_| id);
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

/// Refuses a commit that `git replace` replaces by another one, since files and index then belong to that other one.
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
        author: author(repo)?,
        committer: committer(repo)?,
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

/// Cleans a message as `git commit --cleanup=whitespace` does: drops white space at the ends of lines, empty lines
/// around the text, and all but one between paragraphs.
pub(in crate::git) fn clean_message(message: &str) -> String {
    let mut text = String::new();
    let mut empty_above = false;
    for line in message.lines().map(|line| line.trim_end_matches(|char: char| char.is_ascii_whitespace())) {
        if !line.is_empty() {
            let gap = if empty_above && !text.is_empty() { "\n" } else { "" };
            text.extend([gap, line, "\n"]);
        }
        empty_above = line.is_empty();
    }
    text
}

/// Refuses if git would not know the author or the committer, as [`super::commit`] does.
pub(crate) fn check_identity(repo: &Repo) -> Result<()> {
    author(repo)?;
    committer(repo)?;
    ["GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"].into_iter().try_for_each(check_date)
}

pub(in crate::git) fn author(repo: &Repo) -> Result<Signature> {
    signature(repo.gix().author(), "author")
}

pub(in crate::git) fn committer(repo: &Repo) -> Result<Signature> {
    signature(repo.gix().committer(), "committer")
}

fn signature(person: Option<gix::Result<SignatureRef>>, role: &str) -> Result<Signature> {
    let person = person
        .map(|person| {
            person.and_then(|person| {
                let (name, email) = (strip_crud(person.name), strip_crud(person.email));
                Ok(Signature { name, email, time: person.time()? })
            })
        })
        .transpose();
    person
        .with_context(|| format!("cannot read who the {role} is"))?
        .filter(|person| !person.name.is_empty())
        .ok_or_else(|| {
            Problem::new(format!("git does not know the {role}: no name or no e-mail address is set"))
                .hint("set them with `git config user.name \"...\"` and `git config user.email \"...\"`")
                .into()
        })
}

/// Cleans a name or address as git does: drops the characters that would end it in a commit, and white space and
/// punctuation at its ends.
fn strip_crud(text: &BStr) -> BString {
    let is_crud = |byte: &u8| *byte <= b' ' || b",:;<>\"\\'".contains(byte);
    let start = text.iter().position(|byte| !is_crud(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_crud(byte)).map_or(start, |last| last + 1);
    text[start..end].iter().copied().filter(|byte| !b"\n<>".contains(byte)).collect::<Vec<_>>().into()
}

/// Refuses a date that gix cannot parse, for which it would use the current time.
fn check_date(variable: &str) -> Result<()> {
    let Some(date) = std::env::var_os(variable).filter(|date| !date.is_empty()) else { return Ok(()) };
    let date = date.to_string_lossy();
    match gix::date::parse(&date, Some(gix::date::Zoned::now())) {
        Ok(_) => Ok(()),
        Err(_) => Err(Problem::new(format!("`{variable}` is `{date}`, which is not a date"))
            .hint("write it as `2024-01-31T12:00:00+01:00`, or as `1706698800 +0100`")
            .into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_tidied_as_git_does() {
        assert_eq!(clean_message("\n  \nTitle \t\r\n\n\n# kept\n  body\n\n"), "Title\n\n# kept\n  body\n");
        assert_eq!(clean_message(" \n\t\n"), "");
    }

    #[test]
    fn names_are_written_as_git_writes_them() {
        for (given, written) in [
            ("Ida Holm", "Ida Holm"),
            (" Ida <x>, Inc. ", "Ida x, Inc."),
            ("Ida \"q\"", "Ida \"q"),
            ("<ida@harbor.example>", "ida@harbor.example"),
            ("I\nda;", "Ida"),
            ("<>,", ""),
            ("", ""),
        ] {
            assert_eq!(strip_crud(given.into()), written);
        }
    }
}
