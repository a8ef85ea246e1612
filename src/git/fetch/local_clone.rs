//! A clone of the server's repository, and which of its commits the server has too.

use std::cell::OnceCell;

use anyhow::{Context as _, Result};
use gix::{ObjectId, hashtable::HashSet};

/// The clone for which a remote repository supplies what is missing.
pub(super) struct LocalClone {
    pub(super) repo: gix::Repository,
    /// The commits that came from a remote, as far as the clone knows.
    fetched: OnceCell<HashSet<ObjectId>>,
}

/// The history of a commit, divided by who has it.
#[derive(Default)]
pub(super) struct PublishedHistory {
    /// The newest commits of the history that the server has.
    pub(super) tips: Vec<ObjectId>,
    /// The commits that only the clone has.
    pub(super) own: Vec<ObjectId>,
}

impl LocalClone {
    pub(super) fn new(repo: gix::Repository) -> Self {
        Self { repo, fetched: OnceCell::new() }
    }

    /// Whether a commit came from a remote.
    pub(super) fn is_fetched(&self, commit: ObjectId) -> Result<bool> {
        // This avoids the walk for a tip.
        Ok(self.fetched_tips()?.contains(&commit) || self.fetched_commits()?.contains(&commit))
    }

    /// Divides the history of a commit into commits that came from a remote and those that did not.
    pub(super) fn divide(&self, commit: ObjectId) -> Result<PublishedHistory> {
        let (mut found, mut met, mut pending) = (PublishedHistory::default(), HashSet::default(), vec![commit]);
        while let Some(id) = pending.pop() {
            // What the clone lacks came from the server: a merge that was made here may have it as a parent.
            if self.fetched_commits()?.contains(&id) || !self.repo.has_object(id) {
                found.tips.push(id);
            } else {
                found.own.push(id);
                pending.extend(self.parents(id).into_iter().filter(|parent| met.insert(*parent)));
            }
        }
        Ok(found)
    }

    /// Returns the shallow boundary, and the commits that references other than branches, tags and notes point at.
    fn fetched_tips(&self) -> Result<HashSet<ObjectId>> {
        let boundary = self.repo.shallow_commits().context("cannot read where the clone is cut off")?;
        let mut tips: HashSet<ObjectId> = boundary.iter().flat_map(|commits| commits.iter().copied()).collect();
        for reference in self.repo.references()?.all()? {
            let Ok(mut reference) = reference else { continue };
            let name = reference.name().as_bstr();
            if !["refs/heads/", "refs/tags/", "refs/notes/"].iter().any(|prefix| name.starts_with(prefix.as_bytes())) {
                tips.extend(reference.peel_to_id().ok().map(gix::Id::detach));
            }
        }
        Ok(tips)
    }

    /// Returns the fetched tips and all their ancestors in the clone.
    fn fetched_commits(&self) -> Result<&HashSet<ObjectId>> {
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

    fn parents(&self, id: ObjectId) -> Vec<ObjectId> {
        let commit = self.repo.find_commit(id);
        commit.map(|commit| commit.parent_ids().map(gix::Id::detach).collect()).unwrap_or_default()
    }
}
