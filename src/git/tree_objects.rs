//! Reads trees, and the commits that lead to them, on any thread; each has a handle of its own.

use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use gix::{
    ObjectId,
    objs::{Find as _, Kind},
    odb,
};

use super::{FetchedObjects, decode::RawCommit, object::is_partial};
use crate::model::Problem;

/// The trees and commits of a repository.
pub(super) struct TreeObjects {
    store: Arc<odb::Store>,
    is_partial: bool,
}

impl TreeObjects {
    pub(super) fn new(objects: FetchedObjects) -> Self {
        Self { store: objects.gix().objects.store(), is_partial: is_partial(&objects) }
    }

    /// Returns a handle for a thread, to which it adds its caches.
    pub(super) fn handle(&self) -> odb::Handle {
        self.store.to_cache()
    }

    /// Reads a tree; leaves `into` empty if `id` is `None`.
    ///
    /// # Errors
    /// If the object is missing, broken or not a tree.
    pub(super) fn tree(&self, handle: &odb::Handle, id: Option<ObjectId>, into: &mut Vec<u8>) -> Result<()> {
        self.read(handle, id, Kind::Tree, into)
    }

    /// Returns the root tree of a commit, which is read into the buffer.
    ///
    /// # Errors
    /// If the object is missing, broken or not a commit.
    pub(super) fn root(&self, handle: &odb::Handle, commit: ObjectId, buffer: &mut Vec<u8>) -> Result<ObjectId> {
        self.read(handle, Some(commit), Kind::Commit, buffer)?;
        RawCommit::parse(buffer).tree().with_context(|| format!("commit `{commit}` names no tree"))
    }

    fn read(&self, handle: &odb::Handle, id: Option<ObjectId>, kind: Kind, into: &mut Vec<u8>) -> Result<()> {
        into.clear();
        // git knows the empty tree even if a repository does not have it.
        let Some(id) = id.filter(|id| !id.is_empty_tree()) else { return Ok(()) };
        let found = handle.try_find(&id, into).with_context(|| format!("cannot read object `{id}`"))?;
        let found = found.ok_or_else(|| self.missing_object(id))?.kind;
        ensure!(found == kind, "`{id}` is a {found}, not a {kind}");
        Ok(())
    }

    fn missing_object(&self, id: ObjectId) -> Problem {
        let problem = Problem::new(format!("object `{id}` is missing from the repository"));
        if self.is_partial {
            problem.hint(
                "this partial clone has no trees, which `paths` needs: run `git fetch --refetch --filter=blob:none`",
            )
        } else {
            problem.hint("run `git fsck` to find the damage")
        }
    }
}
