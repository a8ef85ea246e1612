//! Brings what a commit holds, without its history.

use anyhow::Result;
use gix::ObjectId;

use super::{
    Fetched, Part,
    request::{Depth, Wanted},
};
use crate::{
    git::{Repo, object_id},
    model::Oid,
};

impl Fetched {
    /// The repository of the files, once it holds every folder of a commit.
    pub(in crate::git) fn with_folders(&self, commit: Oid) -> Result<&Repo> {
        self.bring_snapshot(commit, Depth::Folders)
    }

    /// The repository of the files, once it holds every folder and file of a commit.
    pub(in crate::git) fn with_contents(&self, commit: Oid) -> Result<&Repo> {
        self.bring_snapshot(commit, Depth::Whole)
    }

    /// The repository of the files and what a file is called in it, by its id or as `HEAD:README.md`, once it is there.
    pub(in crate::git) fn with_named(&self, history: &gix::Repository, name: &str) -> Result<(&Repo, String)> {
        if let Some((revision, path)) = name.split_once(':') {
            let commit = self.resolve(history, revision)?;
            self.with_file(commit, path)?;
            return Ok((&self.files, format!("{commit}:{path}")));
        }
        if let Ok(id) = ObjectId::from_hex(name.as_bytes()) {
            self.bring(id)?;
        }
        Ok((&self.files, name.to_owned()))
    }

    /// A commit that is here already may have come for one of its files, so it is fetched all the same.
    fn bring_snapshot(&self, commit: Oid, depth: Depth) -> Result<&Repo> {
        let ids = [object_id(commit)];
        self.fetch_files(Part::Files, Wanted { ids: &ids, haves: &[], depth, only_tips: true })?;
        Ok(&self.files)
    }
}
