//! Where a version is in a file, and what is wrong with a key that leads to none.

use std::ops::Range;

use anyhow::{Context as _, anyhow};

/// A value, and its byte range without the quotes around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VersionSpan {
    pub(super) span: Range<usize>,
    pub(super) value: String,
}

/// Returns the span of a quoted or plain scalar, without its quotes.
pub(super) fn strip_quotes(text: &str, span: Range<usize>, value: &str) -> anyhow::Result<VersionSpan> {
    let written = text.get(span.clone()).context("its position in the file is unknown")?;
    let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| written.starts_with(quotes));
    let width = quotes.map_or(0, str::len);
    if written.len() < 2 * width || written.contains('\n') {
        return Err(anyhow!("its value has several lines"));
    }
    Ok(VersionSpan { span: span.start + width..span.end - width, value: value.to_owned() })
}

pub(super) fn missing_key(key: &str) -> anyhow::Error {
    anyhow!("`{key}` not found")
}

pub(super) fn not_a_string(kind: &str) -> anyhow::Error {
    anyhow!("its value is {kind}, not a string")
}
