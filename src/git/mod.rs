//! Reads and writes git repositories, in process: the only module that knows gix.
//!
//! It ignores git settings that would change the meaning of a history (replace refs, namespaces), so that the same
//! commits give the same changelog on every machine.

pub(crate) mod archive;
pub(crate) mod cherry_picks;
pub(crate) mod commit;
pub(crate) mod commit_record;
pub(crate) mod compare;
mod decode;
mod directory_trees;
pub(crate) mod editor;
mod encoding;
pub(crate) mod fetch;
pub(crate) mod file;
pub(crate) mod file_history;
mod git_command;
pub(crate) mod health;
pub(crate) mod hooks;
mod known_trees;
pub(crate) mod lineage;
pub(crate) mod merge;
pub(crate) mod merge_base;
pub(crate) mod note_edit;
pub(crate) mod notes;
mod object;
mod open;
pub(crate) mod paths;
pub(crate) mod people;
#[cfg(any(test, fuzzing))]
pub(crate) mod properties;
pub(crate) mod remote;
mod repo;
pub(crate) mod revision;
pub(crate) mod signing;
mod ssh_host;
pub(crate) mod submodules;
mod tag_targets;
pub(crate) mod tags;
pub(crate) mod trailers;
pub(crate) mod tree;
mod tree_bytes;
mod tree_objects;
mod walk;

pub(crate) use open::object_formats;
pub(crate) use repo::{Download, HistoryCache, Repo};
pub(in crate::git) use repo::{FetchedCommits, FetchedObjects, RemoteSource};
#[cfg(any(test, fuzzing))]
pub(crate) use walk::walk;
pub(crate) use walk::{MapCommit, RangeReader, WalkOptions, WalkResult, commit_date, newest, oldest, walk_with};

use crate::{interrupt::Cleanup, model::Oid};

/// The ref of the notes that replace commit messages.
pub(crate) const NOTES_REF: &str = "refs/notes/changelog";

pub(crate) fn oid(id: &gix::oid) -> Oid {
    Oid::from_bytes(id.as_bytes()).expect("an object ID of gix has 20 or 32 bytes")
}

pub(crate) fn object_id(id: Oid) -> gix::ObjectId {
    gix::ObjectId::try_from(id.as_bytes()).expect("an object ID has 20 or 32 bytes")
}

/// Makes an interrupt remove the temporary files of gix, including its locks, until the result is dropped.
pub(crate) fn clean_up_on_interrupt() -> anyhow::Result<Cleanup> {
    let remove = || {
        gix::tempfile::registry::cleanup_tempfiles();
        true
    };
    Ok(Cleanup::new(|| Ok(((), remove)))?.1)
}

#[cfg(test)]
mod tests;
