//! The entries of large trees that were looked at: looking up each file of a directory does not read the whole directory for
//! each of them.

use std::collections::{HashMap, VecDeque};

use gix::{ObjectId, bstr::BString, object::tree::EntryMode};

/// A file, directory, link or submodule of a tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) mode: EntryMode,
    pub(super) id: ObjectId,
}

/// The entries of trees, by the ID of the tree, the one that was looked at last first.
pub(super) type KnownTrees = VecDeque<(ObjectId, HashMap<BString, Found>)>;
