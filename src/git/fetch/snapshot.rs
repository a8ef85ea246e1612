//! Brings what a commit holds, without its history.

use anyhow::Result;
use gix::ObjectId;

use super::{
    FetchPhase, LazyRemote,
    request::{FetchRequest, ObjectFilter},
};
use crate::{
    git::{Repo, object_id},
    model::{Oid, Problem},
};

impl LazyRemote {
    /// The repository of the files, once it holds every folder of a commit.
    pub(in crate::git) fn with_trees(&self, commit: Oid) -> Result<&Repo> {
        self.bring_snapshots(&[object_id(commit)], ObjectFilter::NoBlobs)
    }

    /// The repository of the files, once it holds every folder of all these commits.
    pub(in crate::git) fn with_folders_of(&self, mut commits: Vec<ObjectId>) -> Result<&Repo> {
        if !self.server.borrow().can_send_any_object() {
            let problem = Problem::new(format!("`{}` cannot send the folders of single commits", self.url));
            return Err(problem.hint("clone it, and run it in the clone").into());
        }
        commits.sort_unstable();
        commits.dedup();
        self.bring_snapshots(&commits, ObjectFilter::NoBlobs)
    }

    /// The repository of the files, once it holds every folder and file of a commit.
    pub(in crate::git) fn with_blobs(&self, commit: Oid) -> Result<&Repo> {
        self.bring_snapshots(&[object_id(commit)], ObjectFilter::Unfiltered)
    }

    /// The repository of the files and what a file is called in it, by its id or as `HEAD:README.md`, once it is there.
    pub(in crate::git) fn with_blob(&self, history: &Repo, name: &str) -> Result<(&Repo, String)> {
        if let Some((revision, path)) = name.split_once(':') {
            let commit = self.resolve(history, revision)?;
            self.with_file(commit, path)?;
            return Ok((&self.files, format!("{commit}:{path}")));
        }
        if let Ok(id) = ObjectId::from_hex(name.as_bytes()) {
            self.fetch_object(id)?;
        }
        Ok((&self.files, name.to_owned()))
    }

    /// A commit that is here already may have come for one of its files, so it is fetched all the same.
    pub(super) fn bring_snapshots(&self, ids: &[ObjectId], depth: ObjectFilter) -> Result<&Repo> {
        if !ids.is_empty() {
            self.fetch_files(FetchPhase::Files, FetchRequest { ids, haves: &[], depth, generations: 1 })?;
        }
        Ok(&self.files)
    }
}
