//! The configuration file: parsed, checked, and with defaults. `Config::default` is used if there is no file.
//!
//! Other YAML files are parsed here too: lists of commands (`list`) and of the resources of a server
//! (`ResourceList`).

mod decode;
mod entries;
mod entry_keys;
mod entry_templates;
mod extends;
mod field;
mod foreign;
mod groups;
mod keys;
mod labels;
mod list;
mod pinned_address;
mod re2;
mod reader;
mod release_file;
mod rules;
mod source_key;
mod types;
mod version_files;
mod version_group;
mod versioning;
mod yaml;

use crate::model::Warning;

pub(crate) use entries::{EntriesPerCommit, EntryOrder, EntrySource};
pub(crate) use entry_templates::EntryTemplates;
pub(crate) use extends::ReadFile;
pub(crate) use field::Field;
pub(crate) use foreign::ForeignConfig;
pub(crate) use keys::schema;
pub(crate) use labels::{LabelRules, LabelVerdict};
pub(crate) use list::{ResourceItem, ResourceList, list};
pub(crate) use pinned_address::PinnedAddress;
pub(crate) use reader::{TRAILER_NAME, is_trailer_name};
pub(crate) use release_file::{RELEASE_FILES, take_release_file};
pub(crate) use rules::{EntryRule, LinkRule, Pattern, RuleMatch, Skip, TitleReplacement, fill_in};
pub(crate) use types::{
    AuthorRule, CHANGELOG, CHANGES, COMMON_CATEGORIES, Config, DEFAULT_TRAILER, HeadingRule, Package, ReleaseHooks,
    VersionFile, VersionLocator, WorkspaceKind,
};
pub(crate) use version_group::{GroupRule, VersionGroup};
pub(crate) use versioning::{CalendarPart, Versioning};

/// The paths of the configuration file; the first one that exists is read. The last two are the paths of GitLab and of
/// the API (`config_file`).
pub(crate) const PATHS: [&str; 4] =
    ["tidings.yml", ".tidings.yml", ".service/changelog_config.yml", ".gitlab/changelog_config.yml"];

/// Whether a path ends with one of the last two, so that GitLab's rules apply exactly.
pub(crate) fn is_gitlab_path(path: &str) -> bool {
    let path = path.replace('\\', "/");
    PATHS[2..].iter().any(|own| path.ends_with(own))
}

/// Parses a configuration; errors name it `path`.
///
/// # Errors
/// If the text is too large, not valid UTF-8 or YAML, not a mapping, or a value has the wrong type; the message has
/// path, line, column and the line itself.
pub(crate) fn parse(text: impl AsRef<[u8]>, path: &str) -> anyhow::Result<(Config, Vec<Warning>)> {
    keys::read(&extends::read_files(decode::decode_text(text.as_ref(), path)?, None)?, is_gitlab_path(path))
}

/// Parses a configuration as [`parse`] does, with the files that it extends, which `read` reads.
///
/// # Errors
/// If one of the files is refused by [`parse`] or `read`, or does not exist.
pub(crate) fn parse_with(
    text: impl AsRef<[u8]>,
    path: &str,
    read: ReadFile<'_>,
) -> anyhow::Result<(Config, Vec<Warning>)> {
    keys::read(&extends::read_files(decode::decode_text(text.as_ref(), path)?, Some(read))?, is_gitlab_path(path))
}

#[cfg(test)]
mod tests;
