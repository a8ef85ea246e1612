//! Writing notes: each change is a commit on top of the notes that it was made from, and the reference moves by
//! compare-and-swap, so that several runs at once lose nothing.

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    objs::{self, Kind, Tree, WriteTo as _, tree, tree::EntryKind},
};

use super::{
    NOTES_REF, Repo, commit,
    decode::RawCommit,
    editor,
    encoding::decode_text,
    git_command::GitCommand,
    notes::{self, Notes, NotesTree},
    object,
};
use crate::model::{Oid, Problem};

/// How often a change is tried again while the notes stay as they are, because their reference is locked.
const ATTEMPTS: usize = 20;
/// The number of notes from which a directory gets directories below it, as in git.
const MANY: usize = 256;

/// Writes the note of a commit, with the user's name.
///
/// # Errors
/// If the text is empty or not text, or the notes cannot be written.
pub(crate) fn write(repo: &Repo, commit: Oid, note: &str) -> Result<()> {
    let note = commit::clean_message(note);
    if note.is_empty() {
        return Err(Problem::usage("the message is empty").hint("remove a note with `--remove`").into());
    }
    if let Err(why) = notes::check_text(note.as_bytes()) {
        return Err(Problem::usage(format!("the message {why}")).hint("remove its NUL characters").into());
    }
    let blob = commit::write_object(repo, Kind::Blob, note.as_bytes()).context("cannot write the note")?;
    change(repo, commit, Some(blob))
}

/// Opens the note of a commit in the user's editor; a new note begins with the commit's message.
///
/// # Errors
/// If the editor fails, or the note cannot be written.
pub(crate) fn edit(repo: &Repo, commit: Oid) -> Result<()> {
    write(repo, commit, &editor::edit(repo, &current_text(repo, commit)?)?)
}

/// Removes the note of a commit.
///
/// # Errors
/// If there is none, or the notes cannot be written.
pub(crate) fn remove(repo: &Repo, commit: Oid) -> Result<()> {
    change(repo, commit, None)
}

/// Returns the note of a commit, or else its message.
fn current_text(repo: &Repo, commit: Oid) -> Result<String> {
    if let Some(note) = Notes::load(repo)?.of(commit) {
        return Ok(note.0);
    }
    let commits = repo.with_commit(commit)?;
    let found = object::commit(&commits, commit)?;
    Ok(decode_text(RawCommit::parse(&found.data).message()).into_owned())
}

/// Sets or removes the note of a commit, again from the beginning if the notes have changed in the meantime.
fn change(repo: &Repo, commit: Oid, blob: Option<ObjectId>) -> Result<()> {
    let mut left = ATTEMPTS;
    loop {
        let tip = notes::tip(repo)?;
        let new = write_commit(repo, tip, commit, blob)?;
        let old = tip.unwrap_or_else(|| repo.gix().object_hash().null());
        let verb = if blob.is_some() { "write" } else { "remove" };
        let line = format!("notes: {verb} that of {}", commit.short());
        let git = GitCommand::new(repo).args(["update-ref", "--create-reflog", "-m", &line, NOTES_REF]);
        let Err(error) = git.args([new.to_string(), old.to_string()]).run("") else { return Ok(()) };
        if notes::tip(repo)? == tip {
            left -= 1;
        }
        if left == 0 {
            return Err(error.context(Problem::new(format!("cannot {verb} the note of `{commit}`"))));
        }
    }
}

/// Writes the commit of the notes after a change.
fn write_commit(repo: &Repo, tip: Option<ObjectId>, commit: Oid, blob: Option<ObjectId>) -> Result<ObjectId> {
    let root = tip
        .map(|tip| Ok::<_, anyhow::Error>(repo.own_objects().gix().find_commit(tip)?.tree_id()?.detach()))
        .transpose()?;
    let tree = write_tree(repo, root, commit, blob)?;
    let verb = if blob.is_some() { "added" } else { "removed" };
    let notes = objs::Commit {
        tree,
        parents: tip.into_iter().collect(),
        author: commit::author(repo)?,
        committer: commit::committer(repo)?,
        encoding: None,
        message: format!("Notes {verb} by 'tidings note'\n").into(),
        extra_headers: Vec::new(),
    };
    let mut bytes = Vec::new();
    notes.write_to(&mut bytes)?;
    commit::write_object(repo, Kind::Commit, &bytes).context("cannot write the commit of the notes")
}

fn write_tree(repo: &Repo, root: Option<ObjectId>, commit: Oid, blob: Option<ObjectId>) -> Result<ObjectId> {
    let digits = commit.to_string();
    let (mut present, mut place) = (Vec::new(), digits.len());
    if let Some(root) = root {
        let mut is_full = false;
        NotesTree::new(repo.own_objects(), root).descend(commit, |directory, rest| {
            if directory.notes.contains_key(rest) {
                present.push(path(&digits, rest.len()));
            }
            (place, is_full) = (rest.len(), directory.notes.len() >= MANY);
            None::<()>
        })?;
        if is_full && place > 2 {
            place -= 2;
        }
    }
    if blob.is_none() && present.is_empty() {
        return Err(Problem::new(format!("commit `{}` has no note", commit.short())).into());
    }
    let tree: Tree = match root {
        Some(root) => repo.own_objects().gix().find_tree(root)?.decode()?.into(),
        None => Tree::empty(),
    };
    let mut editor = tree::Editor::new(tree, &repo.own_objects().gix().objects, repo.gix().object_hash());
    for path in &present {
        editor.remove(path.iter().map(String::as_str))?;
    }
    if let Some(blob) = blob {
        editor.upsert(path(&digits, place).iter().map(String::as_str), EntryKind::Blob, blob)?;
    }
    editor.write(|tree| {
        let mut bytes = Vec::new();
        tree.write_to(&mut bytes)?;
        commit::write_object(repo, Kind::Tree, &bytes)
    })
}

/// Returns the path of a note whose name has this many digits; those before it name directories, two each.
fn path(digits: &str, length: usize) -> Vec<String> {
    let (above, name) = digits.split_at(digits.len() - length);
    let directories = above.as_bytes().chunks(2).map(|pair| String::from_utf8_lossy(pair).into_owned());
    directories.chain([name.to_owned()]).collect()
}
