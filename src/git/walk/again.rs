//! Commits of a range that was walked, read once more.

use anyhow::Result;

use super::{
    decode_pool::{DecodePool, MapCommit},
    node::SelectedCommit,
};
use crate::{
    git::{FetchedCommits, Repo, object_id},
    model::{Oid, Range},
};

/// A reader of the commits of a range that was walked.
pub(crate) struct RangeReader<'r>(FetchedCommits<'r>);

impl<'r> RangeReader<'r> {
    /// Finds the repository that the range was read from: the remote of a shallow clone if it lacks any of the commits.
    ///
    /// # Errors
    /// If what was fetched of the range is not there any more and cannot be fetched again.
    pub(crate) fn new(repo: &'r Repo, range: Range, commits: impl Iterator<Item = Oid>) -> Result<Self> {
        repo.origin_of_missing(commits).unwrap_or(repo).with_range(range).map(Self)
    }

    /// Maps each of some commits to a value.
    ///
    /// # Errors
    /// If one is missing.
    pub(crate) fn read<T: Send + 'static>(&self, ids: &[Oid], reading: &MapCommit<T>) -> Result<Vec<T>> {
        let mut pool = DecodePool::new(self.0.store(), reading);
        for id in ids {
            pool.push(SelectedCommit { number: 0, id: object_id(*id), object: None });
        }
        Ok(pool.finish()?.read)
    }
}
