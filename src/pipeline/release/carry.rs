//! Carrying a plan out, a step at a time.

use std::path::Path;

use super::ReleasePlan;
use crate::{
    git::{
        self, Repo,
        commit::{self, CommitRequest, CommitResult},
        tag::{self, NewTag},
    },
    model::StepState,
};

impl ReleasePlan {
    /// Makes the commit, where it is planned.
    ///
    /// # Errors
    ///
    /// As [`commit::commit`].
    pub fn commit(&mut self, repo: &Repo) -> anyhow::Result<Option<CommitResult>> {
        if !self.commit_state.is_planned() {
            return Ok(None);
        }
        let files = self.edition.files();
        let mut edit = |path: &Path, old: &[u8]| self.edition.edit(path, old);
        let committed = commit::commit(repo, &self.commit_request(&files), &mut edit)?;
        if let Some(committed) = &committed {
            self.commit = committed.id;
        }
        self.commit_state = StepState::Done;
        Ok(committed)
    }

    /// What the commit is to be.
    pub(super) fn commit_request<'a>(&'a self, files: &'a [&'a Path]) -> CommitRequest<'a> {
        CommitRequest { branch: Some(&self.branch), files, message: &self.message, sign: self.sign }
    }

    /// Makes the tag, where it is planned, and tells whether.
    ///
    /// # Errors
    ///
    /// As [`tag::create`].
    pub fn tag(&mut self, repo: &Repo) -> anyhow::Result<bool> {
        if !self.tag_state.is_planned() {
            return Ok(false);
        }
        let message = self.notes.message();
        tag::create(repo, &NewTag { name: &self.tag, commit: self.commit, message: &message, sign: self.sign })?;
        self.tag_state = StepState::Done;
        Ok(true)
    }

    /// Pushes branch and tag, where that is planned, and gives what git and the remote said.
    ///
    /// # Errors
    ///
    /// As [`git::push::push`].
    pub fn push(&mut self, repo: &Repo) -> anyhow::Result<Option<String>> {
        let Some(upstream) = self.push.upstream.as_ref().filter(|_| self.push.state.is_planned()) else {
            return Ok(None);
        };
        let said = git::push::push(repo, &upstream.remote, &self.refs())?;
        self.push.state = StepState::Done;
        Ok(Some(said))
    }
}
