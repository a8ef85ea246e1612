//! Brings single files of a commit.

use anyhow::{Context as _, Result};
use gix::ObjectId;

use super::{
    Fetched, Part, folder,
    request::{Depth, Wanted},
    server::Received,
};
use crate::{git::object_id, model::Oid};

impl Fetched {
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
                self.bring(entry.object_id())?;
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
        let depth = if self.server.borrow().can_send_any_object() { Depth::Roots } else { Depth::Whole };
        let tree = self.bring_commit(commit, depth)?;
        self.bring(tree)?;
        Ok(tree)
    }

    /// Brings a commit without its ancestors, and tells the id of its root tree.
    pub(super) fn bring_commit(&self, commit: ObjectId, depth: Depth) -> Result<ObjectId> {
        let files = self.files.gix();
        if !files.has_object(commit) {
            let part = if depth == Depth::Commits { Part::Commits } else { Part::Files };
            self.fetch_files(part, Wanted { ids: &[commit], haves: &[], depth, only_tips: true })?;
        }
        let tree = files.find_commit(commit).and_then(|commit| Ok(commit.tree_id()?.detach()));
        tree.with_context(|| format!("`{commit}` is no commit"))
    }

    /// Brings a single object.
    pub(super) fn bring(&self, id: ObjectId) -> Result<()> {
        if self.files.gix().has_object(id) {
            return Ok(());
        }
        self.fetch_files(Part::Files, Wanted { ids: &[id], depth: Depth::Roots, ..Wanted::default() }).map(drop)
    }

    /// Fetches what is no part of the history.
    pub(super) fn fetch_files(&self, part: Part, wanted: Wanted) -> Result<Received> {
        self.server.borrow_mut().fetch(part, wanted, &folder::pack_folder(self.files.git_dir()))
    }
}
