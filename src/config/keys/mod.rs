//! The table of the keys of a configuration. A key is spelled here and nowhere else: its row reads it, and the schema
//! for editors and the table of docs/configuration.md are printed from the rows.

mod entries;
mod releases;
mod row;
mod section;

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use self::row::{ConfigKey, words};
use super::{
    Config, EntrySource, HeadingRule, WorkspaceKind, extends::ConfigFile, field::Field, reader::ConfigReader,
    source_key::list_labelled,
};
use crate::model::Warning;

/// Returns the keys in the order of the documentation.
fn all() -> impl Iterator<Item = &'static ConfigKey> {
    [entries::KEYS, section::KEYS, releases::KEYS].into_iter().flatten()
}

/// Reads the configuration from a file, which is empty or a mapping, and those that it extends.
pub(super) fn read(files: &[ConfigFile], is_gitlab_file: bool) -> anyhow::Result<(Config, Vec<Warning>)> {
    let mut fields: Vec<Field> = Vec::new();
    let mut warnings = Vec::new();
    for ConfigFile { source, document } in files {
        let mut reader = ConfigReader { source, warnings: Vec::new() };
        let own = document.as_ref().map_or(Ok(Vec::new()), |document| reader.document(document))?;
        let known: HashSet<&str> = fields.iter().map(|field| field.key).collect();
        fields.extend(own.into_iter().filter(|field| !known.contains(field.key)));
        warnings.append(&mut reader.warnings);
    }
    let mut reader = ConfigReader { source: &files[0].source, warnings };
    let heading = if is_gitlab_file { HeadingRule::GitLabFirst } else { HeadingRule::File };
    // GitLab reads only trailers.
    let source_of_entries = if is_gitlab_file { EntrySource::Trailers } else { EntrySource::Auto };
    let mut config = Config { heading, is_gitlab_file, source: source_of_entries, ..Config::default() };
    // GitLab leaves all text of a file where it is.
    config.keeps_unreleased = is_gitlab_file;
    for field in &fields {
        reader.source = field.source;
        match all().find(|key| key.name == field.key) {
            Some(key) => (key.read)(&mut reader, &mut config, *field)?,
            None => reader.warn_unknown_key(*field, &all().map(|key| key.name).collect::<Vec<_>>()),
        }
    }
    if let Some(field) = fields.iter().find(|field| field.key == "labels") {
        list_labelled(&mut config, *field)?;
    }
    if let Some(field) = fields.iter().find(|field| field.key == "groups") {
        ConfigReader::check_groups(&config, *field)?;
    }
    Ok((config, reader.warnings))
}

/// Returns the JSON schema of a configuration, as text.
pub(crate) fn schema() -> String {
    let properties: Map<String, Value> = all().map(|key| (key.name.to_owned(), key.schema())).collect();
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Configuration of tidings",
        "type": ["object", "null"],
        "additionalProperties": false,
        "properties": properties,
        "definitions": {
            "source": { "enum": words(&EntrySource::NAMES) },
            "version_files": version_files(),
        },
    });
    format!("{schema:#}\n")
}

/// One version file, or a list of them.
fn version_files() -> Value {
    let properties = json!({
        "path": { "type": "string" },
        "key": { "type": "string" },
        "regex": { "type": "string" },
        "workspace": { "enum": words(&WorkspaceKind::NAMES) },
        "members": { "type": ["array", "string"], "items": { "type": "string" } },
    });
    let item = json!({
        "type": "object",
        "additionalProperties": false,
        "anyOf": [{ "required": ["path"] }, { "required": ["workspace"] }],
        "properties": properties.clone(),
    });
    json!({ "type": ["array", "object", "null"], "items": item, "properties": properties })
}

#[cfg(test)]
mod tests;
