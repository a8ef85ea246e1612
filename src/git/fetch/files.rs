//! Brings single files of a commit.

use anyhow::{Context as _, Result};
use gix::ObjectId;

use super::{
    Fetched, Part, folder,
    request::{Depth, Wanted},
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
    pub(super) fn bring_root(&self, commit: ObjectId) -> Result<ObjectId> {
        let files = self.files.gix();
        if !files.has_object(commit) {
            let depth = if self.server.borrow().can_send_any_object() { Depth::Roots } else { Depth::Whole };
            self.fetch_files(Wanted { ids: &[commit], haves: &[], depth, only_tips: true })?;
        }
        let tree = files.find_commit(commit).and_then(|commit| Ok(commit.tree_id()?.detach()));
        tree.with_context(|| format!("`{commit}` is no commit of `{}`", self.url))
    }

    fn bring(&self, id: ObjectId) -> Result<()> {
        if self.files.gix().has_object(id) {
            return Ok(());
        }
        self.fetch_files(Wanted { ids: &[id], depth: Depth::Roots, ..Wanted::default() })
    }

    pub(super) fn fetch_files(&self, wanted: Wanted) -> Result<()> {
        self.server.borrow_mut().fetch(Part::Files, wanted, &folder::pack_folder(self.files.git_dir())).map(drop)
    }
}
