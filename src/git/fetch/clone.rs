//! A clone of what the server has: which of its commits the server has too.

use std::cell::OnceCell;

use anyhow::{Context as _, Result};
use gix::{ObjectId, hashtable::HashSet};

/// The clone that a remote repository completes.
pub(super) struct LocalClone {
    pub(super) repo: gix::Repository,
    /// The commits that came from a remote, as far as the clone knows.
    fetched: OnceCell<HashSet<ObjectId>>,
}

impl LocalClone {
    pub(super) fn new(repo: gix::Repository) -> Self {
        Self { repo, fetched: OnceCell::new() }
    }

    /// The commits that references other than local branches and tags point at, and those at which the clone is cut off.
    pub(super) fn fetched_tips(&self) -> Result<HashSet<ObjectId>> {
        let boundary = self.repo.shallow_commits().context("cannot read where the clone is cut off")?;
        let mut tips: HashSet<ObjectId> = boundary.iter().flat_map(|commits| commits.iter().copied()).collect();
        for reference in self.repo.references()?.all()? {
            let Ok(mut reference) = reference else { continue };
            let name = reference.name().as_bstr();
            if !["refs/heads/", "refs/tags/", "refs/notes/"].iter().any(|place| name.starts_with(place.as_bytes())) {
                tips.extend(reference.peel_to_id().ok().map(gix::Id::detach));
            }
        }
        Ok(tips)
    }

    /// These commits and all of their ancestors that are in the clone.
    pub(super) fn fetched(&self) -> Result<&HashSet<ObjectId>> {
        if self.fetched.get().is_none() {
            let mut met = self.fetched_tips()?;
            let mut pending: Vec<ObjectId> = met.iter().copied().collect();
            while let Some(id) = pending.pop() {
                pending.extend(self.parents(id).into_iter().filter(|parent| met.insert(*parent)));
            }
            let _ = self.fetched.set(met);
        }
        self.fetched.get().context("it was just found")
    }

    pub(super) fn parents(&self, id: ObjectId) -> Vec<ObjectId> {
        let commit = self.repo.find_commit(id);
        commit.map(|commit| commit.parent_ids().map(gix::Id::detach).collect()).unwrap_or_default()
    }
}
