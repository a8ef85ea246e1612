//! From commits to a document: entries, releases, templates, insertion.

pub mod authors;
pub mod base;
pub mod bump;
pub mod calendar;
pub mod check;
pub mod classification;
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
mod release;
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

pub use release::{category_titles, group_by_category};
pub use strftime::strftime;
