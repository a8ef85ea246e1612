//! The configuration file: parsed, checked, and with defaults. `Config::default` is used if there is no file.
//!
//! Other YAML files are parsed here too: lists of commands (`list`) and of the resources of a server
//! (`ResourceList`).

mod entries;
mod entry_keys;
mod entry_templates;
mod field;
mod foreign;
mod groups;
mod keys;
mod labels;
mod list;
mod re2;
mod release_file;
mod release_keys;
mod rules;
mod source_key;
mod types;
mod version_files;
mod version_group;
mod versioning;
mod yaml;

use crate::model::{Position, Problem, Source, Warning};

pub(crate) use entries::{EntriesPerCommit, EntryOrder, EntrySource};
pub(crate) use entry_templates::EntryTemplates;
pub(crate) use field::Field;
pub(crate) use foreign::ForeignConfig;
pub(crate) use labels::{LabelRules, LabelVerdict};
pub(crate) use list::{ResourceItem, ResourceList, list};
pub(crate) use release_file::{RELEASE_FILES, take_release_file};
pub(crate) use rules::{EntryRule, LinkRule, Pattern, RuleMatch, Skip, TitleReplacement};
pub use types::HeadingRule;
pub(crate) use types::{
    AuthorRule, CHANGELOG, CHANGES, COMMON_CATEGORIES, Config, Package, ReleaseHooks, VersionFile, VersionLocator,
    WorkspaceKind,
};
pub use version_group::{GroupRule, VersionGroup};
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

pub(crate) const SCHEMA: &str = include_str!("schema.json");

/// The maximum size of the file, in bytes: room for thousands of packages.
pub(crate) const MAX_BYTES: usize = 1 << 20;

/// Parses a configuration; errors name it `path`.
///
/// # Errors
/// If the text is too large, not valid UTF-8 or YAML, not a mapping, or a value has the wrong type; the message has
/// path, line, column and the line itself.
pub fn parse(text: impl AsRef<[u8]>, path: &str) -> anyhow::Result<(Config, Vec<Warning>)> {
    let bytes = text.as_ref();
    if bytes.len() > MAX_BYTES {
        let message = format!("`{path}` has {} bytes, more than the limit of {MAX_BYTES}", bytes.len());
        return Err(Problem::new(message)
            .hint("move a long template to another file and set `template_file: PATH`")
            .into());
    }
    keys::read(&decode(bytes, path)?, is_gitlab_path(path))
}

/// Decodes UTF-8, without a byte order mark.
fn decode(bytes: &[u8], name: &str) -> Result<Source, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let text = String::from_utf8_lossy(bytes);
        Source::new(name, &*text).problem(Position::from_offset(&text, error.valid_up_to()), "invalid UTF-8")
    })?;
    Ok(Source::new(name, text.trim_start_matches('\u{feff}')))
}

#[cfg(test)]
mod tests;
