//! What changed in a range: its commits, and the change files beside them, under the source that lists the entries.

pub(super) mod change_files;
pub(crate) mod entry_source;
pub(super) mod history;
pub(super) mod listed_changes;
pub(super) mod released;
pub(super) mod whole_commits;
