//! From commits to a document: entries, releases, templates, insertion.

pub mod advice;
pub mod base;
pub mod bump;
pub mod check;
pub mod conventional;
pub mod document;
pub mod entries;
mod graph;
pub mod inquiry;
pub mod judged;
pub mod merge_requests;
pub mod people;
pub mod references;
mod release;
pub mod request_reference;
mod reverts;
pub mod starter;
mod strftime;
pub mod tag_pattern;
pub mod template;
#[cfg(test)]
mod testing;
pub mod title;
pub mod verdict;
pub mod version_file;

pub use release::categories;
pub use strftime::strftime;
