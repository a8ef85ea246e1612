//! What a walk has to know of a commit: its date and its parents, shallow boundary and grafts taken into account.

use anyhow::Result;
use gix::ObjectId;

use super::objects::{Reader, Store};
use crate::git::{
    Repo,
    decode::Raw,
    grafts::{Graft, Grafts},
};

/// Reads commits of a repository one by one.
pub(in crate::git) struct Links {
    reader: Reader,
    grafts: Grafts,
}

/// A commit of the history.
pub(in crate::git) struct Link {
    /// When it was committed, in seconds since the epoch.
    pub(in crate::git) date: u64,
    /// Its parents as the history has them.
    pub(in crate::git) parents: Vec<ObjectId>,
    /// Its object.
    pub(in crate::git) object: Box<[u8]>,
}

impl Links {
    pub(in crate::git) fn of(repo: &Repo) -> Result<Self> {
        Ok(Self { reader: Store::of(repo).reader(), grafts: repo.grafts()? })
    }

    /// The commit of this id, which must be there.
    pub(in crate::git) fn read(&mut self, id: &ObjectId) -> Result<Link> {
        let object = self.reader.read(id)?;
        let commit = Raw::parse(object);
        let parents = match self.grafts.get(id) {
            None => commit.parents().collect(),
            Some(Graft::Parents(declared)) => declared.clone(),
            Some(Graft::Boundary) => Vec::new(),
        };
        Ok(Link { date: commit.commit_time(), parents, object: object.into() })
    }
}
