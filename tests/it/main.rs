//! Every integration test, in one binary: a file per command, and git itself as the oracle.

#![expect(unreachable_pub, reason = "a test binary exports nothing")]
#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

#[macro_use]
mod support;

mod action;
mod add;
mod add_unreleased;
mod api;
mod architecture;
mod base_tag;
mod batch;
mod cases;
mod change_files;
mod check;
mod cluster_command;
mod commit;
mod component;
mod consumed_files;
mod contributors;
mod conventional;
mod doctor;
mod entries_per_commit;
mod entry_order;
mod entry_rules;
mod entry_source;
mod entry_style;
mod entry_template;
mod explain;
mod extends;
#[cfg(unix)]
mod faults;
mod feature_command;
mod folds;
mod forge_release;
mod git_agrees;
mod hosted_changelog;
mod hostile;
mod hostile_text;
mod init;
#[cfg(unix)]
mod interrupt;
mod label_command;
mod labels;
mod layouts;
mod library;
mod manual;
mod migration;
mod monorepos;
mod next;
mod note;
mod notes;
mod operations;
mod output_file;
mod overview;
mod packages;
mod pages;
mod paths;
mod people;
mod placement;
mod pre_commit;
mod pre_releases;
mod preview;
mod recipes;
mod recorded;
mod release;
mod release_lines;
mod released;
mod remote;
mod repo;
mod reverts;
mod role_command;
mod section_inputs;
mod show;
mod skip;
mod sync;
mod tag_families;
mod tagged_version;
mod version_forms;
mod vulnerability_command;
mod whole_history;
mod wiki_command;
