//! The place of a value in JSON.

use anyhow::Context as _;
use indexmap::IndexMap;
use serde_json::value::RawValue;

use super::span::{VersionSpan, between_quotes, missing, unlike};

/// The text that these keys lead to.
pub(super) fn find(text: &str, keys: &[String]) -> anyhow::Result<VersionSpan> {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let invalid = "the file is not valid JSON";
    let mut raw: &RawValue = serde_json::from_str(&text[start..]).context(invalid)?;
    for key in keys {
        raw = member(raw.get(), key).context(invalid)?.ok_or_else(|| missing(key))?;
    }
    let written = raw.get();
    let Ok(value) = serde_json::from_str::<String>(written) else { return Err(unlike(kind(written))) };
    let at = written.as_ptr() as usize - text.as_ptr() as usize;
    between_quotes(text, at..at + written.len(), &value)
}

/// The value of a key in an object, or of an index in an array.
fn member<'a>(written: &'a str, key: &str) -> serde_json::Result<Option<&'a RawValue>> {
    match (written.as_bytes().first(), key.parse::<usize>()) {
        (Some(b'{'), _) => Ok(serde_json::from_str::<IndexMap<String, &RawValue>>(written)?.swap_remove(key)),
        (Some(b'['), Ok(index)) => Ok(serde_json::from_str::<Vec<&RawValue>>(written)?.into_iter().nth(index)),
        _ => Ok(None),
    }
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
