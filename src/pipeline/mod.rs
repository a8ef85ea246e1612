//! From a repository to a section, a next version and a release.
//!
//! # The layers
//!
//! A step uses those of lower layers, never one beside or above it. Read from below, they are what happens when a section
//! is made.
//!
//! | layer | module | what it does |
//! |---|---|---|
//! | 10 | `preview` | what the merge of a request would add |
//! | 9 | `release` | a release: commit, tag, push and publish |
//! | 8 | `section` | the section that is made of the changes, and the sections of all versions |
//! | 7 | `next` | the next version, and those of packages that move together |
//! | 6 | `packages` | the packages of a monorepo, and what depends on what |
//! | 5 | `changes` | what changed in the range, under the source that lists the entries |
//! | 4 | `range` | where the range starts and ends |
//! | 3 | `base` | the version tags of the line, and the one that a section starts after |
//! | 2 | `scope` | the repository, what is asked for, under which configuration and for which file |
//! | 1 | `commits` | the commits of a range, walked once for all packages |

mod base;
mod changes;
mod commits;
mod next;
mod packages;
pub(crate) mod preview;
mod range;
pub(crate) mod release;
mod scope;
mod section;

pub(crate) use base::{base_tag::BaseTag, estimate::Estimate};
pub(crate) use changes::{
    entry_source,
    history::History,
    listed_changes::{adds_change_file, change_file, change_files_at, write_change},
};
pub(crate) use next::{
    next_version::{NextVersion, RUN_NEXT, next_version, nothing_to_release},
    version_counter::BumpOptions,
};
pub(crate) use packages::{
    configured::{ConfiguredPackages, base, detected_packages, quoted_names},
    dependents::PackageDependencies,
    workspace_warnings::workspace_warnings,
};
pub(crate) use range::range_start::RangeStart;
pub(crate) use scope::{
    Scope,
    changelog_file::files_beside,
    loaded_config::{CommitFiles, LoadedConfig},
    request::{ChangelogRequest, ConfigSource, MAX_COMMITS, RangeSpec},
};
pub(crate) use section::{
    changelog::{Changelog, UNRELEASED},
    inputs::SectionInputs,
    releases::releases,
    unreleased::{UnreleasedSection, update_message},
};

pub(crate) use crate::sources::lookup::ForgeLookup;

#[cfg(test)]
mod tests;
