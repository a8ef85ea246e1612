//! The commits of a range, read once for whoever asks for them: a section, or all packages.

pub(super) mod range_commits;
pub(super) mod shared_range;
