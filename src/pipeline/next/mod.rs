//! The next version, of the repository or of each package, and of those that move together.

mod existing_tags;
pub(super) mod groups;
mod leading_pre_release;
pub(super) mod next_version;
mod series_branch;
pub(super) mod unreleased;
pub(super) mod version_counter;
