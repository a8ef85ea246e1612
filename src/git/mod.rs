//! Reading and writing git repositories, in process: the only room that knows gix.
//!
//! Settings of the user that would change what a history means (replace refs, namespaces) are not honoured, so that
//! the same commits give the same changelog on every machine.

pub mod archive;
pub mod blob;
pub mod commit;
pub mod commit_record;
pub mod compare;
mod content;
pub mod contributors;
mod decode;
mod encoding;
pub mod fetch;
pub mod file;
mod git_command;
mod grafts;
pub mod health;
pub mod hooks;
pub mod lineage;
pub mod mailmap;
pub mod merge_base;
mod object;
mod ownership;
pub mod paths;
#[cfg(any(test, fuzzing))]
pub mod properties;
pub mod push;
mod quarantine;
mod quote;
pub mod remote;
mod repo;
mod repo_format;
pub mod revision;
pub mod shallow;
pub mod signing;
pub mod tag;
pub mod tags;
mod temporary;
pub mod trailers;
pub mod tree;
pub mod upstream;
mod walk;

pub use repo::Repo;
pub use walk::{MapCommit, NewestMessage, WalkOptions, WalkResult, newest_messages, oldest, walk, walk_with};

use crate::model::Oid;

/// The plain id of gix's.
pub(crate) fn oid(id: &gix::oid) -> Oid {
    Oid::from_bytes(id.as_bytes()).expect("gix knows ids of 20 and of 32 bytes only")
}

/// gix's id of the plain one.
pub(crate) fn object_id(id: Oid) -> gix::ObjectId {
    gix::ObjectId::try_from(id.as_bytes()).expect("an id has 20 or 32 bytes")
}
