//! What a walk has to know of a commit: its date and its parents, shallow boundary and grafts taken into account.

use anyhow::Result;
use gix::ObjectId;

use super::objects::{ObjectReader, Store};
use crate::git::{
    decode,
    grafts::{Graft, Grafts},
};

/// Reads commits of a repository one by one.
pub(in crate::git) struct HeaderReader {
    reader: ObjectReader,
    grafts: Grafts,
    /// Whether a commit that is absent is out of the range, as in a repository by URL once the range was fetched.
    is_fetched: bool,
}

/// A commit of the history.
pub(in crate::git) struct CommitHeader {
    /// When it was committed, in seconds since the epoch.
    pub(in crate::git) date: u64,
    /// Its parents as the history has them.
    pub(in crate::git) parents: Vec<ObjectId>,
    /// The parents it names where a shallow clone ends here.
    pub(in crate::git) cut_off: Vec<ObjectId>,
    /// Its object.
    pub(in crate::git) object: Box<[u8]>,
}

impl HeaderReader {
    /// Reads the commits of a store with these grafts. `is_fetched` says that a commit that is absent is out of every
    /// range.
    pub(in crate::git) fn new(store: &Store, grafts: Grafts, is_fetched: bool) -> Self {
        Self { reader: store.reader(), grafts, is_fetched }
    }

    /// Whether every commit has the parents it names.
    pub(super) fn has_no_grafts(&self) -> bool {
        self.grafts.is_empty()
    }

    /// The commit of this id, which must be there.
    pub(in crate::git) fn read(&mut self, id: &ObjectId) -> Result<CommitHeader> {
        Ok(link(&self.grafts, id, self.reader.read(id)?))
    }

    /// The commit of this ID; `None` if it is absent because it is out of the range.
    pub(super) fn read_in_range(&mut self, id: &ObjectId, is_hidden: bool) -> Result<Option<CommitHeader>> {
        if is_hidden || self.is_fetched {
            return Ok(self.reader.try_read(id)?.map(|object| link(&self.grafts, id, object)));
        }
        self.read(id).map(Some)
    }
}

fn link(grafts: &Grafts, id: &ObjectId, object: &[u8]) -> CommitHeader {
    let mut own = Vec::new();
    let date = decode::lineage(object, &mut own);
    let (parents, cut_off) = match grafts.get(id) {
        None => (own, Vec::new()),
        Some(Graft::Parents(declared)) => (declared.clone(), Vec::new()),
        Some(Graft::Boundary) => (Vec::new(), own),
    };
    CommitHeader { date, parents, cut_off, object: object.into() }
}
