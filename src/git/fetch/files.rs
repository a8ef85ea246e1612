//! Brings single files of a commit.

use anyhow::{Context as _, Result};
use gix::ObjectId;

use super::{
    FetchPhase, LazyRemote,
    request::{FetchRequest, ObjectFilter},
    server::FetchSummary,
    storage,
};
use crate::{git::object_id, model::Oid};

impl LazyRemote {
    /// The repository of the files, once it holds what leads from a commit to a path, and the file if there is one.
    /// Servers that do not send single objects send all trees of the commit, and all its files if the path is one.
    pub(in crate::git) fn with_file(&self, commit: Oid, path: &str) -> Result<&gix::Repository> {
        let (commit, files) = (object_id(commit), self.files.gix());
        let mut tree = self.bring_root(commit)?;
        for part in path.split('/') {
            let entries = files.find_tree(tree)?;
            let Some(entry) = entries.find_entry(part) else { break };
            // Sub-modules are commits of another repository.
            if !entry.mode().is_commit() {
                self.bring_from(commit, entry.object_id())?;
            }
            if !entry.mode().is_tree() {
                break;
            }
            tree = entry.object_id();
        }
        Ok(files)
    }

    /// Brings a commit with its root tree, and tells the tree's id.
    fn bring_root(&self, commit: ObjectId) -> Result<ObjectId> {
        let server = self.server.borrow();
        let depth = match () {
            () if server.can_send_any_object() => ObjectFilter::Roots,
            () if server.can_leave_files_out() => ObjectFilter::NoBlobs,
            () => ObjectFilter::Unfiltered,
        };
        drop(server);
        let tree = self.fetch_commit(commit, depth)?;
        self.bring_from(commit, tree)?;
        Ok(tree)
    }

    /// Brings a single object of a commit, with all the others if it cannot be had alone.
    fn bring_from(&self, commit: ObjectId, id: ObjectId) -> Result<()> {
        if self.files.gix().has_object(id) {
            return Ok(());
        }
        if self.server.borrow().can_send_any_object() {
            return self.fetch_object(id);
        }
        self.bring_snapshots(&[commit], ObjectFilter::Unfiltered)?;
        self.server.borrow_mut().warn_of_size();
        Ok(())
    }

    /// Brings a commit without its ancestors, and tells the id of its root tree.
    pub(super) fn fetch_commit(&self, commit: ObjectId, depth: ObjectFilter) -> Result<ObjectId> {
        let files = self.files.gix();
        if !files.has_object(commit) {
            let part = if depth == ObjectFilter::NoTrees { FetchPhase::Commits } else { FetchPhase::Files };
            self.fetch_files(part, FetchRequest { ids: &[commit], haves: &[], depth, generations: 1 })?;
            if depth == ObjectFilter::Unfiltered {
                self.server.borrow_mut().warn_of_size();
            }
        }
        let tree = files.find_commit(commit).and_then(|commit| Ok(commit.tree_id()?.detach()));
        tree.with_context(|| format!("`{commit}` is no commit"))
    }

    /// Brings a single object.
    pub(super) fn fetch_object(&self, id: ObjectId) -> Result<()> {
        if self.files.gix().has_object(id) {
            return Ok(());
        }
        self.fetch_files(
            FetchPhase::Files,
            FetchRequest { ids: &[id], depth: ObjectFilter::Roots, ..FetchRequest::default() },
        )
        .map(drop)
    }

    /// Fetches what is no part of the history.
    pub(super) fn fetch_files(&self, part: FetchPhase, wanted: FetchRequest) -> Result<FetchSummary> {
        self.server.borrow_mut().fetch(part, wanted, &storage::pack_folder(self.files.git_dir()))
    }
}
