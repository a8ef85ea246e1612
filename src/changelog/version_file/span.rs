//! The place of a value in a file.

use std::ops::Range;

use anyhow::{Context as _, anyhow};

/// A value, and its place without the quotes around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VersionSpan {
    pub(super) span: Range<usize>,
    pub(super) value: String,
}

/// The place of a quoted or plain scalar, cut to what is between the quotes.
pub(super) fn between_quotes(text: &str, span: Range<usize>, value: &str) -> anyhow::Result<VersionSpan> {
    let written = text.get(span.clone()).context("it has no place in the text")?;
    let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| written.starts_with(quotes));
    let width = quotes.map_or(0, str::len);
    if written.len() < 2 * width || written.contains('\n') {
        return Err(anyhow!("its value has several lines"));
    }
    Ok(VersionSpan { span: span.start + width..span.end - width, value: value.to_owned() })
}

/// The error for a key that does not exist.
pub(super) fn missing(key: &str) -> anyhow::Error {
    anyhow!("there is no `{key}`")
}

/// The error for a value that is not a string.
pub(super) fn unlike(kind: &str) -> anyhow::Error {
    anyhow!("its value is {kind}, not a string")
}
