//! The steps that make a changelog, a file each, in the order in which a section is made:
//!
//! 1. `scope`: the repository, what is asked for (`request`) and under which configuration (`loaded_config`), and for
//!    which file (`changelog_file`).
//! 2. `tags`, `unread_tags`: the version tags of the line; `base_tag`, `last_release`, `numbers_went_back`: the one to start
//!    after; `range_start`, `range_end`: where the range starts and ends.
//! 3. `history`, `range_commits`, `shared_range`: the commits of the range, walked once for all packages.
//! 4. `entry_source`, `change_files`, `listed_changes`: which source lists the entries; `released`: what another line has
//!    released already.
//! 5. `changelog`, `submodules`, `contributors`: the release that is made of them; `section_inputs`: its section; `consumed_files`: what
//!    becomes of the change files that it lists; `unreleased_section`: that of no version yet, and what it was before.
//! 6. `next`, `unreleased`, `version_counter`, `estimate`, `maintenance_releases`: the next version; `packages`,
//!    `dependents`: the same for each package; `workspace_warnings`: what its members lack; `groups`: those that move
//!    together; `tool_packages`: those that a tool with change files knows.
//! 7. `releases`: the sections of all versions; `release`: the release of one; `preview`: what a merge would add.

mod base_tag;
mod change_files;
mod changelog;
mod changelog_file;
mod consumed_files;
mod contributors;
mod dependents;
pub(crate) mod entry_source;
mod estimate;
mod groups;
mod history;
mod last_release;
mod listed_changes;
mod loaded_config;
mod maintenance_releases;
mod next;
mod numbers_went_back;
mod packages;
mod parsed_changes;
pub(crate) mod preview;
mod range_commits;
mod range_end;
mod range_start;
pub(crate) mod release;
mod released;
mod releases;
mod request;
mod scope;
mod section_inputs;
mod shared_range;
mod submodules;
mod tags;
mod tool_packages;
mod unread_tags;
mod unreleased;
mod unreleased_section;
mod version_counter;
mod whole_commits;
mod workspace_warnings;

pub(crate) use base_tag::BaseTag;
pub(crate) use changelog::{Changelog, UNRELEASED};
pub(crate) use changelog_file::files_beside;
pub(crate) use dependents::PackageDependencies;
pub(crate) use estimate::Estimate;
pub(crate) use history::History;
pub(crate) use listed_changes::{adds_change_file, change_file, change_files_at, write_change};
pub(crate) use loaded_config::{CommitFiles, LoadedConfig};
pub(crate) use next::{NextVersion, RUN_NEXT, next_version, nothing_to_release};
pub(crate) use packages::{ConfiguredPackages, detected_packages, quoted_names};
pub(crate) use range_start::{RangeStart, base};
pub(crate) use releases::releases;
pub(crate) use request::{ChangelogRequest, ConfigSource, MAX_COMMITS, RangeSpec};
pub(crate) use scope::Scope;
pub(crate) use section_inputs::SectionInputs;
pub(crate) use unreleased_section::{UnreleasedSection, update_message};
pub(crate) use version_counter::BumpOptions;
pub(crate) use workspace_warnings::workspace_warnings;

pub(crate) use crate::sources::lookup::ForgeLookup;

#[cfg(test)]
mod tests;
