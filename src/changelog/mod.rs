//! From commits to a document: entries, releases, templates, insertion.

pub mod base;
pub mod entries;
mod graph;
pub mod merge_requests;
pub mod people;
mod re2;
pub mod request_reference;
pub mod tag_pattern;
#[cfg(test)]
mod testing;
pub mod title;
pub mod verdict;
