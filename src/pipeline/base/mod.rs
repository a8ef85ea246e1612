//! The releases that there were: the version tags of a line, which of them a section starts after, and what the last of
//! them raised.

pub(super) mod base_tag;
pub(super) mod estimate;
pub(super) mod last_release;
pub(super) mod maintenance_releases;
pub(super) mod numbers_went_back;
pub(super) mod tags;
pub(super) mod unread_tags;
mod version_after;
