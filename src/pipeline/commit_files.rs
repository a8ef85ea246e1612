//! The files of a commit, as version files are looked for in them.

use crate::{
    changelog::version_file::FileTree,
    git::{self, Repo},
    model::Oid,
};

/// The files of a commit.
#[derive(Clone, Copy, Debug)]
pub struct CommitFiles<'a> {
    /// The repository.
    pub repo: &'a Repo,
    /// The commit; a repository without one has no files.
    pub commit: Option<Oid>,
}

impl FileTree for CommitFiles<'_> {
    fn read(&self, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
        self.commit.map_or(Ok(None), |commit| git::file::at(self.repo, commit, path))
    }

    fn directories(&self, path: &str) -> anyhow::Result<Vec<String>> {
        self.commit.map_or(Ok(Vec::new()), |commit| git::tree::directories(self.repo, commit, path))
    }
}
