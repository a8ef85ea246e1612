//! The commits of a range, read once for a section or for all packages.

pub(super) mod range_commits;
pub(super) mod shared_range;
