//! The place of a version by a pattern, for texts of any kind.

use anyhow::{Context as _, anyhow};
use regex::RegexBuilder;

use super::span::VersionSpan;

/// How large a compiled pattern may grow, in bytes.
const SIZE_LIMIT: usize = 1 << 20;

/// What the one group has in every match; `^` and `$` are the ends of lines, and `.` matches neither LF nor CR.
pub(super) fn find(text: &str, regex: &str) -> anyhow::Result<Vec<VersionSpan>> {
    let compiled =
        RegexBuilder::new(regex).multi_line(true).crlf(true).size_limit(SIZE_LIMIT).build().context("it is invalid")?;
    let groups = compiled.captures_len() - 1;
    if groups != 1 {
        return Err(anyhow!("it has {groups} groups: write one, round the version; `(?:...)` is none"));
    }
    let found: Vec<_> = compiled
        .captures_iter(text)
        .filter_map(|captures| captures.get(1))
        .map(|group| VersionSpan { span: group.range(), value: group.as_str().to_owned() })
        .collect();
    if found.is_empty() { Err(anyhow!("it matches nothing")) } else { Ok(found) }
}
