//! Corrected messages: notes in `refs/notes/changelog` (git-notes(1)) that replace the messages of their commits.

use std::{borrow::Cow, collections::HashMap};

use anyhow::{Context as _, Result};
use gix::object::tree::EntryKind;

use super::{NOTES_REF, Repo, decode::RawCommit, encoding::text, file, git_command::GitCommand, object, oid, trailers};
use crate::{
    bounded_read,
    model::{CommitRef, Oid, Problem},
};

/// The notes of a repository.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes(HashMap<Oid, String>);

impl Notes {
    /// Loads all notes; those of a repository by URL are fetched with its references.
    pub(crate) fn load(repo: &Repo) -> Result<Self> {
        let found = repo.gix().try_find_reference(NOTES_REF).with_context(|| format!("cannot read `{NOTES_REF}`"))?;
        let Some(mut reference) = found else { return Ok(Self::default()) };
        let tip = oid(&reference.follow_to_object().with_context(|| format!("cannot follow `{NOTES_REF}`"))?);
        let repo = repo.with_blobs(tip)?;
        let tree = repo.gix().find_commit(super::object_id(tip)).and_then(|commit| commit.tree());
        let mut notes = HashMap::new();
        collect(&tree.with_context(|| file::file_not_found(NOTES_REF, tip))?, "", &mut notes)?;
        Ok(Self(notes))
    }

    /// Returns the commit with its note as the message; `None` if it has no note.
    pub(crate) fn correct<'a>(&'a self, commit: &CommitRef<'a>) -> Option<CommitRef<'a>> {
        let note = self.0.get(&commit.id)?;
        let message = Cow::Borrowed(note.as_str());
        Some(CommitRef { message, trailers: trailers::collect(note.as_bytes()), ..commit.clone() })
    }
}

/// Collects the notes below a tree. The names on the path to a note, put together, are the ID of its commit.
fn collect(tree: &gix::Tree<'_>, above: &str, notes: &mut HashMap<Oid, String>) -> Result<()> {
    for entry in tree.iter() {
        let entry = entry.context("a tree of notes is malformed")?;
        let name = format!("{above}{}", entry.filename());
        match entry.mode().kind() {
            EntryKind::Tree if name.len() < 64 => {
                collect(&entry.object().context("a tree of notes is missing")?.into_tree(), &name, notes)?;
            }
            EntryKind::Blob | EntryKind::BlobExecutable => {
                // git keeps other files among notes, too.
                let Ok(commit) = name.parse::<Oid>() else { continue };
                let refusal = |why: &str| {
                    Problem::new(format!("the note of commit `{commit}` {why}"))
                        .hint(format!("run `tidings note {commit}` to write it again, or pass `--no-notes`"))
                };
                let blob = entry.object().with_context(|| refusal("is missing"))?;
                bounded_read::check_size(blob.data.len() as u64, NOTES_REF)?;
                let text = String::from_utf8(blob.detach().data).map_err(|_| refusal("is not UTF-8 text"))?;
                if text.contains('\0') {
                    return Err(refusal("is not text").into());
                }
                notes.insert(commit, text);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the note of a commit, or else its message: the text with which an editor begins.
pub(crate) fn current_text(repo: &Repo, commit: Oid) -> Result<String> {
    if let Some(note) = Notes::load(repo)?.0.remove(&commit) {
        return Ok(note);
    }
    let found = object::find(repo, super::object_id(commit))?;
    Ok(text(RawCommit::parse(&found.data).message()).into_owned())
}

/// Has git write the note of a commit, with the user's name.
pub(crate) fn write(repo: &Repo, commit: Oid, text: &str) -> Result<()> {
    let git = git_notes(repo, &["add", "--force", "--file=-"], commit);
    git.run(text).map(drop).with_context(|| Problem::new(format!("git did not write the note of `{commit}`")))
}

/// Opens the note of a commit in the user's editor; a new note begins with this text.
pub(crate) fn edit(repo: &Repo, commit: Oid, text: &str) -> Result<()> {
    let blob = GitCommand::new(repo).args(["hash-object", "-w", "--stdin"]).run(text)?.stdout;
    let git = git_notes(repo, &["add", "--force", "-c", blob.trim()], commit);
    git.run_attached().with_context(|| Problem::new(format!("git did not write the note of `{commit}`")))
}

/// Removes the note of a commit.
pub(crate) fn remove(repo: &Repo, commit: Oid) -> Result<()> {
    let git = git_notes(repo, &["remove"], commit);
    git.run("").map(drop).with_context(|| Problem::new(format!("git did not remove the note of `{commit}`")))
}

fn git_notes(repo: &Repo, arguments: &[&str], commit: Oid) -> GitCommand {
    GitCommand::new(repo).args(["notes", "--ref", NOTES_REF]).args(arguments).args([commit.to_string()])
}
