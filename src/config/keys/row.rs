//! A row of the table of keys, and the shapes of values that several rows have.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value, json};

use crate::{
    config::{Config, Field, reader::ConfigReader},
    model::capitalize,
};

/// A key of the configuration.
pub(super) struct ConfigKey {
    pub(super) name: &'static str,
    /// What it decides, in Markdown.
    pub(super) meaning: &'static str,
    /// What holds without it, in Markdown.
    pub(super) default: &'static str,
    /// A value that it may have, as YAML in one line.
    pub(super) example: &'static str,
    /// Returns the JSON schema of its value.
    pub(super) shape: fn() -> Value,
    /// Reads its value into the configuration.
    pub(super) read: for<'a> fn(&mut ConfigReader<'a>, &mut Config, Field<'a>) -> anyhow::Result<()>,
}

impl ConfigKey {
    pub(super) fn schema(&self) -> Value {
        let description =
            format!("{}. Default: {}.", capitalize(&without_links(self.meaning)), without_links(self.default));
        let mut schema = Map::from_iter([("description".to_owned(), description.into())]);
        if let Value::Object(shape) = (self.shape)() {
            schema.extend(shape);
        }
        if let Ok(example) = serde_yaml::from_str::<Value>(self.example) {
            schema.insert("examples".to_owned(), json!([example]));
        }
        schema.into()
    }
}

/// Returns Markdown with the texts of its links alone, which editors cannot follow.
pub(super) fn without_links(text: &str) -> String {
    static LINK: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\[([^\[\]]*)\]\([^()]*\)").expect("the pattern of links is valid"));
    LINK.replace_all(text, "$1").into_owned()
}

/// Sets a value of the configuration to what was read.
pub(super) fn set<T>(value: &mut T, read: anyhow::Result<T>) -> anyhow::Result<()> {
    *value = read?;
    Ok(())
}

pub(super) fn words<T>(names: &[(&'static str, T)]) -> Vec<&'static str> {
    names.iter().map(|(word, _)| *word).collect()
}

pub(super) fn text() -> Value {
    json!({ "type": ["string", "null"] })
}

pub(super) fn flag() -> Value {
    json!({ "type": ["boolean", "null"] })
}

pub(super) fn texts() -> Value {
    json!({ "type": ["array", "string", "number", "null"], "items": { "type": ["string", "number"] } })
}

pub(super) fn one_of(words: Vec<&'static str>) -> Value {
    let words: Vec<Option<&str>> = words.into_iter().map(Some).chain([None]).collect();
    json!({ "enum": words })
}

/// A mapping to titles.
pub(super) fn titles() -> Value {
    json!({ "type": ["object", "null"], "additionalProperties": { "type": ["string", "number", "boolean", "null"] } })
}

/// A mapping to categories.
pub(super) fn categories() -> Value {
    json!({ "type": ["object", "null"], "additionalProperties": { "type": ["string", "boolean", "null"] } })
}
