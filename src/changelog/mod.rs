//! From commits to a document: entries, releases, templates, insertion.

pub(crate) mod authors;
mod bots;
pub(crate) mod bump;
pub(crate) mod check;
pub(crate) mod classified_commit;
pub mod classifier;
pub(crate) mod conventional;
pub mod document;
pub(crate) mod entries;
pub(crate) mod lookup;
pub(crate) mod merge_request_reference;
pub(crate) mod merge_requests;
pub(crate) mod migration;
pub(crate) mod references;
pub(crate) mod reverted;
mod reverts;
pub(crate) mod scaffold;
pub(crate) mod source_counts;
mod strftime;
pub(crate) mod tag_families;
pub(crate) mod tag_pattern;
pub(crate) mod tag_shapes;
pub(crate) mod template;
#[cfg(test)]
mod testing;
pub(crate) mod title;
pub(crate) mod trailer_warnings;
pub(crate) mod version_file;

pub(crate) use entries::{category_titles, group_by_category};
pub(crate) use strftime::strftime;
