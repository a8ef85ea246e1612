//! Corrected messages: notes in `refs/notes/changelog` (git-notes(1)) that replace the messages of their commits.
//!
//! A note is looked up when its commit is read, as git does: a tree of notes may have any size and shape, and only the
//! directories on the way to a note are read.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap},
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::{Context as _, Result};
use gix::{ObjectId, bstr::ByteSlice as _, object::tree::EntryKind};

use super::{FetchedObjects, NOTES_REF, Repo, file, oid, trailers};
use crate::{
    bounded_read,
    model::{CommitRef, Oid, Warning},
};

/// The notes of a repository.
#[derive(Debug, Default)]
pub(crate) struct Notes(Option<Mutex<NoteLookup>>);

/// A message that replaces that of its commit.
#[derive(Debug)]
pub(crate) struct Note(pub(super) String);

/// What was looked up so far.
struct NoteLookup {
    tree: NotesTree,
    /// The commits with a note that cannot be used, and why.
    refused: BTreeMap<Oid, &'static str>,
}

/// The directories of the notes, which are read when they are needed.
pub(super) struct NotesTree {
    repo: gix::Repository,
    root: ObjectId,
    directories: HashMap<ObjectId, Arc<NotesDirectory>>,
}

/// A directory of notes. The names on the path to a note, put together, are the ID of its commit.
#[derive(Default)]
pub(super) struct NotesDirectory {
    /// The blobs by the rest of the ID.
    pub(super) notes: HashMap<String, ObjectId>,
    /// The directories by the next two digits of the ID.
    below: HashMap<String, ObjectId>,
}

impl Notes {
    /// Finds the notes; those of a repository by URL are fetched with its references.
    pub(crate) fn load(repo: &Repo) -> Result<Self> {
        let Some(tip) = tip(repo)? else { return Ok(Self::default()) };
        let unreadable = || file::file_not_found(NOTES_REF, oid(&tip));
        let fetched = repo.with_blobs(oid(&tip))?;
        let root = fetched.gix().find_commit(tip).and_then(|commit| Ok(commit.tree_id()?.detach()));
        let mut tree = NotesTree::new(fetched, root.with_context(unreadable)?);
        tree.directory(tree.root).with_context(unreadable)?;
        Ok(Self(Some(Mutex::new(NoteLookup { tree, refused: BTreeMap::new() }))))
    }

    /// Returns the note of a commit. One that is not text is left out with a warning.
    pub(crate) fn of(&self, commit: Oid) -> Option<Note> {
        let mut lookup = self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        match lookup.tree.text(commit) {
            Ok(text) => text.map(Note),
            Err(why) => {
                lookup.refused.insert(commit, why);
                None
            }
        }
    }

    /// Returns a warning for each note that was left out.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let Some(lookup) = &self.0 else { return Vec::new() };
        let lookup = lookup.lock().unwrap_or_else(PoisonError::into_inner);
        lookup
            .refused
            .iter()
            .map(|(commit, why)| {
                Warning::new(format!("the note of commit `{commit}` {why}, so the commit's own message counts"))
                    .hint(format!("run `tidings note {commit}` to write it again, or pass `--no-notes`"))
            })
            .collect()
    }
}

impl Note {
    /// Returns the commit with the note as its message.
    pub(crate) fn correct<'a>(&'a self, commit: &CommitRef<'a>) -> CommitRef<'a> {
        let message = Cow::Borrowed(self.0.as_str());
        CommitRef { message, trailers: trailers::collect(self.0.as_bytes()), ..commit.clone() }
    }
}

/// Returns the commit of the notes; `None` if there are no notes.
pub(super) fn tip(repo: &Repo) -> Result<Option<ObjectId>> {
    let found = repo.gix().try_find_reference(NOTES_REF).with_context(|| format!("cannot read `{NOTES_REF}`"))?;
    let Some(mut reference) = found else { return Ok(None) };
    Ok(Some(reference.follow_to_object().with_context(|| format!("cannot follow `{NOTES_REF}`"))?.detach()))
}

impl NotesTree {
    pub(super) fn new(objects: FetchedObjects, root: ObjectId) -> Self {
        Self { repo: objects.gix().clone(), root, directories: HashMap::new() }
    }

    /// Calls `visit` for each directory that may contain the note of a commit, with the rest of the ID there, until it
    /// returns something.
    pub(super) fn descend<T>(
        &mut self,
        commit: Oid,
        mut visit: impl FnMut(&NotesDirectory, &str) -> Option<T>,
    ) -> Result<Option<T>> {
        let digits = commit.to_string();
        let (mut id, mut rest) = (self.root, digits.as_str());
        loop {
            let directory = self.directory(id)?;
            if let Some(found) = visit(&directory, rest) {
                return Ok(Some(found));
            }
            let Some((next, below)) = rest.split_at_checked(2).filter(|(_, below)| !below.is_empty()) else {
                return Ok(None);
            };
            let Some(found) = directory.below.get(next) else { return Ok(None) };
            (id, rest) = (*found, below);
        }
    }

    /// Returns the text of a commit's note, or why it is none.
    pub(super) fn text(&mut self, commit: Oid) -> Result<Option<String>, &'static str> {
        let found = self.descend(commit, |directory, rest| directory.notes.get(rest).copied());
        let Some(id) = found.map_err(|_| "cannot be found, since a tree of notes is damaged")? else { return Ok(None) };
        let size = self.repo.find_header(id).map_err(|_| "is missing")?.size();
        bounded_read::check_size(size, NOTES_REF).map_err(|_| "is too large")?;
        let blob = self.repo.find_object(id).map_err(|_| "is missing")?.detach();
        check_text(&blob.data)?;
        String::from_utf8(blob.data).map(Some).map_err(|_| "is not UTF-8 text")
    }

    fn directory(&mut self, id: ObjectId) -> Result<Arc<NotesDirectory>> {
        if let Some(known) = self.directories.get(&id) {
            return Ok(Arc::clone(known));
        }
        bounded_read::check_size(self.repo.find_header(id)?.size(), NOTES_REF)?;
        let mut directory = NotesDirectory::default();
        for entry in self.repo.find_tree(id)?.iter() {
            let entry = entry.context("a tree of notes is malformed")?;
            // git keeps other files among notes, too.
            let Ok(name) = entry.filename().to_str().map(str::to_ascii_lowercase) else { continue };
            match entry.mode().kind() {
                EntryKind::Tree if name.len() == 2 => directory.below.insert(name, entry.object_id()),
                EntryKind::Blob | EntryKind::BlobExecutable => directory.notes.insert(name, entry.object_id()),
                _ => None,
            };
        }
        let directory = Arc::new(directory);
        self.directories.insert(id, Arc::clone(&directory));
        Ok(directory)
    }
}

/// Says why a note is not text that a section can use.
pub(super) fn check_text(note: &[u8]) -> Result<(), &'static str> {
    match std::str::from_utf8(note) {
        Err(_) => Err("is not UTF-8 text"),
        Ok(text) if text.contains('\0') => Err("is not text"),
        Ok(_) => Ok(()),
    }
}

impl fmt::Debug for NoteLookup {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("NoteLookup").field("root", &self.tree.root).finish_non_exhaustive()
    }
}
