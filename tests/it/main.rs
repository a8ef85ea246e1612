//! Every integration test, in one binary: they run the program, or use the library as another program would.

#![expect(unreachable_pub, reason = "a test binary exports nothing")]
#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

#[macro_use]
#[expect(dead_code, unused_imports, reason = "the unit tests use the rest of it")]
#[path = "../support/mod.rs"]
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
mod hosted_changelog;
mod hostile;
mod hostile_text;
mod init;
#[cfg(unix)]
mod interrupt;
mod label_command;
mod labels;
mod library;
mod manual;
mod migration;
mod next;
mod note;
mod notes;
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
mod repositories;
mod reverts;
mod role_command;
mod show;
mod skip;
mod submodules;
mod sync;
mod tag_families;
mod tagged_version;
mod version_forms;
mod vulnerability_command;
mod whole_history;
mod wiki_command;
