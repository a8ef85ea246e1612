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
    /// Servers that do not send single objects send all files of the commit.
    pub(in crate::git) fn with_file(&self, commit: Oid, path: &str) -> Result<&gix::Repository> {
        let files = self.files.gix();
        let mut tree = self.bring_root(object_id(commit))?;
        for part in path.split('/') {
            let entries = files.find_tree(tree)?;
            let Some(entry) = entries.find_entry(part) else { break };
            // Sub-modules are commits of another repository.
            if !entry.mode().is_commit() {
                self.fetch_object(entry.object_id())?;
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
        let depth =
            if self.server.borrow().can_send_any_object() { ObjectFilter::Roots } else { ObjectFilter::Unfiltered };
        let tree = self.fetch_commit(commit, depth)?;
        self.fetch_object(tree)?;
        Ok(tree)
    }

    /// Brings a commit without its ancestors, and tells the id of its root tree.
    pub(super) fn fetch_commit(&self, commit: ObjectId, depth: ObjectFilter) -> Result<ObjectId> {
        let files = self.files.gix();
        if !files.has_object(commit) {
            let part = if depth == ObjectFilter::NoTrees { FetchPhase::Commits } else { FetchPhase::Files };
            self.fetch_files(part, FetchRequest { ids: &[commit], haves: &[], depth, only_tips: true })?;
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
