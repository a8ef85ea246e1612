//! Commits come in, changes go out: which commits are listed, under which categories, by whom, for which request.

pub(crate) mod authors;
mod bots;
pub(crate) mod classified_commit;
pub mod classifier;
pub(crate) mod conventional;
pub(crate) mod entries;
pub(crate) mod folds;
pub(crate) mod lookup;
pub(crate) mod merge_request_reference;
pub(crate) mod merge_requests;
pub(crate) mod references;
pub(crate) mod reverted;
mod reverts;
pub(crate) mod source_counts;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod title;
pub(crate) mod trailer_warnings;
