//! The section that is made of the changes: its release, its contributors, what its submodules changed, and the sections
//! of all versions.

pub(super) mod changelog;
pub(super) mod consumed_files;
pub(super) mod contributors;
pub(super) mod inputs;
pub(super) mod releases;
pub(super) mod submodules;
pub(super) mod unreleased;
