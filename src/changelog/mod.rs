//! From commits to a document: entries, releases, templates, insertion.

pub mod authors;
pub mod bump;
pub mod check;
pub mod classified_commit;
pub mod classifier;
pub mod conventional;
pub mod document;
pub mod entries;
pub mod lookup;
pub mod merge_request_reference;
pub mod merge_requests;
pub mod migration;
pub mod references;
pub mod reverted;
mod reverts;
pub mod scaffold;
mod strftime;
pub mod tag_pattern;
pub mod template;
#[cfg(test)]
mod testing;
pub mod title;
pub mod trailer_warnings;
pub mod version_file;

pub use self::strftime::strftime;
pub use entries::{category_titles, group_by_category};
