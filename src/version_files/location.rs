//! The location of a version in a file: by keys of TOML, JSON or YAML, or by a pattern.

use std::{
    cell::{OnceCell, RefCell},
    collections::{HashMap, hash_map::Entry},
    path::Path,
};

use anyhow::{Context as _, anyhow};
use indexmap::IndexMap;
use regex::RegexBuilder;
use serde_json::value::RawValue;
use toml_edit::{Document, Item, Value};

use super::{
    span::{VersionSpan, missing_key, not_a_string, strip_quotes},
    yaml_tree::YamlTree,
};
use crate::{
    config::{VersionFile, VersionLocator},
    model::Problem,
};

/// The text of a file in which several values may be looked up.
pub(super) struct ParsedFile<'a> {
    text: &'a str,
    toml: OnceCell<Result<Document<&'a str>, String>>,
    json: OnceCell<Result<&'a RawValue, String>>,
    /// The members of JSON objects and arrays, by the address of their text. Those of arrays are named by their index.
    json_members: RefCell<JsonMembers<'a>>,
    yaml: OnceCell<Result<YamlTree, String>>,
}

type JsonMembers<'a> = HashMap<usize, IndexMap<String, &'a RawValue>>;

impl<'a> ParsedFile<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            toml: OnceCell::new(),
            json: OnceCell::new(),
            json_members: RefCell::default(),
            yaml: OnceCell::new(),
        }
    }

    /// Finds the values that the locator of a version file leads to.
    pub(super) fn find(&self, file: &VersionFile) -> anyhow::Result<Vec<VersionSpan>> {
        let at = || format!("cannot set the version in `{}` at {}", file.path, describe(file));
        match &file.locator {
            VersionLocator::Regex(regex) => locate_pattern(self.text, regex).with_context(at),
            VersionLocator::Key(dotted) => locate_key(self, file, dotted).with_context(at).map(|found| vec![found]),
            VersionLocator::Workspace { .. } => Err(anyhow!("a workspace has no single location of its version")),
        }
    }

    fn toml(&self) -> anyhow::Result<&Document<&'a str>> {
        let parsed = self.toml.get_or_init(|| Document::parse(self.text).map_err(|error| error.to_string()));
        parsed.as_ref().map_err(|error| anyhow!("{error}")).context("the file is not valid TOML")
    }

    fn yaml(&self) -> anyhow::Result<&YamlTree> {
        let parsed = self.yaml.get_or_init(|| YamlTree::parse(self.text).map_err(|error| error.to_string()));
        parsed.as_ref().map_err(|error| anyhow!("{error}"))
    }

    fn json(&self) -> anyhow::Result<&'a RawValue> {
        let text = self.text.trim_start_matches('\u{feff}');
        let parsed = self.json.get_or_init(|| serde_json::from_str(text).map_err(|error| error.to_string()));
        parsed.clone().map_err(|error| anyhow!("{error}")).context("the file is not valid JSON")
    }

    /// Returns the value of a key in an object, or of an index in an array.
    fn member(&self, written: &'a str, key: &str) -> serde_json::Result<Option<&'a RawValue>> {
        let mut known = self.json_members.borrow_mut();
        let members = match known.entry(written.as_ptr() as usize) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(json_members(written)?),
        };
        Ok(members.get(key).copied())
    }
}

fn json_members(written: &str) -> serde_json::Result<IndexMap<String, &RawValue>> {
    match written.as_bytes().first() {
        Some(b'{') => serde_json::from_str(written),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(written)?;
            Ok(items.into_iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect())
        }
        _ => Ok(IndexMap::new()),
    }
}

fn locate_key(parsed: &ParsedFile<'_>, file: &VersionFile, dotted: &str) -> anyhow::Result<VersionSpan> {
    let keys = parse_key(dotted)?;
    let extension = Path::new(&file.path).extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "toml" => in_toml(parsed, &keys),
        "json" => in_json(parsed, &keys),
        "yml" | "yaml" => parsed.yaml()?.find(parsed.text, &keys),
        _ => Err(Problem::new("keys are supported in files that end in `.toml`, `.json`, `.yml` and `.yaml`")
            .hint("use `regex:` instead of `key:`, with one group around the version")
            .into()),
    }
}

/// Returns the locator of a version file in words.
pub(super) fn describe(file: &VersionFile) -> String {
    match &file.locator {
        VersionLocator::Key(key) => format!("the key `{key}`"),
        VersionLocator::Regex(regex) => format!("the regex `{regex}`"),
        VersionLocator::Workspace { .. } => "its members".to_owned(),
    }
}

/// Parses keys, the outermost first; a key in double quotes may have dots, or be empty.
fn parse_key(dotted: &str) -> anyhow::Result<Vec<String>> {
    let mut keys = vec![String::new()];
    let (mut quoted, mut after_quote) = (false, false);
    for letter in dotted.chars() {
        let key = keys.last_mut().expect("there is always a key");
        match letter {
            '"' if quoted => (quoted, after_quote) = (false, true),
            '"' if key.is_empty() && !after_quote => quoted = true,
            '.' if !quoted => {
                keys.push(String::new());
                after_quote = false;
            }
            _ if after_quote => return Err(anyhow!("a dot is missing after the quotes")),
            letter => key.push(letter),
        }
    }
    if quoted || dotted.is_empty() {
        return Err(anyhow!("it is not a key: write keys separated by dots, such as `package.version`"));
    }
    Ok(keys)
}

fn in_toml(parsed: &ParsedFile<'_>, keys: &[String]) -> anyhow::Result<VersionSpan> {
    let text = parsed.text;
    let mut item = parsed.toml()?.as_item();
    for key in keys {
        let inner = match key.parse::<usize>() {
            Ok(index) if !item.is_table_like() => item.get(index),
            _ => item.get(key.as_str()),
        };
        item = inner.ok_or_else(|| missing_key(key))?;
    }
    match item {
        Item::Value(Value::String(value)) => {
            strip_quotes(text, value.span().context("its position in the file is unknown")?, value.value())
        }
        other if other.get("workspace").and_then(Item::as_bool) == Some(true) => {
            Err(Problem::new("its value is that of the workspace")
                .hint("set `workspace.package.version` of the `Cargo.toml` at the root, or use `{ workspace: cargo }`")
                .into())
        }
        other => Err(not_a_string(&format!("of the type {}", other.type_name()))),
    }
}

fn in_json(parsed: &ParsedFile<'_>, keys: &[String]) -> anyhow::Result<VersionSpan> {
    let (text, mut raw) = (parsed.text, parsed.json()?);
    for key in keys {
        raw = parsed.member(raw.get(), key).context("the file is not valid JSON")?.ok_or_else(|| missing_key(key))?;
    }
    let written = raw.get();
    let Ok(value) = serde_json::from_str::<String>(written) else { return Err(not_a_string(kind(written))) };
    let at = written.as_ptr() as usize - text.as_ptr() as usize;
    strip_quotes(text, at..at + written.len(), &value)
}

fn kind(written: &str) -> &'static str {
    match written.as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "an array",
        Some(b'n') => "null",
        Some(b't' | b'f') => "a boolean",
        _ => "a number",
    }
}

/// Returns what the one group has in every match; `^` and `$` are the ends of lines, and `.` matches neither LF nor CR.
fn locate_pattern(text: &str, regex: &str) -> anyhow::Result<Vec<VersionSpan>> {
    /// The maximum size of a compiled pattern, in bytes.
    const SIZE_LIMIT: usize = 1 << 20;
    let compiled =
        RegexBuilder::new(regex).multi_line(true).crlf(true).size_limit(SIZE_LIMIT).build().context("it is invalid")?;
    let groups = compiled.captures_len() - 1;
    if groups != 1 {
        return Err(anyhow!("it has {groups} groups: write exactly one, around the version; `(?:...)` is not counted"));
    }
    let found: Vec<_> = compiled
        .captures_iter(text)
        .filter_map(|captures| captures.get(1))
        .map(|group| VersionSpan { span: group.range(), value: group.as_str().to_owned() })
        .collect();
    if found.is_empty() { Err(anyhow!("it matches nothing")) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_part_keys_and_quotes_keep_them_together() {
        assert_eq!(parse_key("package.version").unwrap(), ["package", "version"]);
        assert_eq!(parse_key(r#"packages."".version"#).unwrap(), ["packages", "", "version"]);
        assert_eq!(parse_key(r#""a.b".c"#).unwrap(), ["a.b", "c"]);
        for wrong in ["", r#""a"#, r#""a"b.c"#] {
            assert!(parse_key(wrong).is_err(), "{wrong}");
        }
    }
}
