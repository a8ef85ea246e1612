//! The place of a value in TOML.

use anyhow::Context as _;
use toml_edit::{Document, Item, Value};

use super::span::{VersionSpan, between_quotes, missing, unlike};
use crate::model::Problem;

/// The text that these keys lead to.
pub(super) fn find(text: &str, keys: &[String]) -> anyhow::Result<VersionSpan> {
    let document = Document::parse(text).context("the file is not valid TOML")?;
    let mut item = document.as_item();
    for key in keys {
        let inner = match key.parse::<usize>() {
            Ok(index) if !item.is_table_like() => item.get(index),
            _ => item.get(key.as_str()),
        };
        item = inner.ok_or_else(|| missing(key))?;
    }
    match item {
        Item::Value(Value::String(value)) => {
            between_quotes(text, value.span().context("it has no place in the text")?, value.value())
        }
        other if other.get("workspace").and_then(Item::as_bool) == Some(true) => {
            Err(Problem::new("its value is that of the workspace")
                .hint("set `workspace.package.version` of the `Cargo.toml` at the root, or use `{ workspace: cargo }`")
                .into())
        }
        other => Err(unlike(&format!("of the type {}", other.type_name()))),
    }
}
