//! Reads the key `source`, and what other keys say about the source of entries.

use super::{Config, EntrySource, Field};

/// Lists merge requests, which labels are about, unless the configuration names another source.
pub(super) fn list_labelled(config: &mut Config, field: Field) -> anyhow::Result<()> {
    match config.source {
        EntrySource::Auto if !config.labels.is_empty() => config.source = EntrySource::MergeRequests,
        EntrySource::MergeRequests | EntrySource::Auto => {}
        source => {
            let message = format!("is about merge requests, and `source` is `{}`", source.name());
            return Err(field.refusal(&message).hint("write `source: merge-requests`, or remove `labels`").into());
        }
    }
    Ok(())
}

/// Reads one source of entries, or `files` and another one.
pub(super) fn set_source(config: &mut Config, field: Field) -> anyhow::Result<()> {
    let mut others = Vec::new();
    for element in field.elements()? {
        match element.one_of(&EntrySource::NAMES, config.source)? {
            EntrySource::Files if field.is_list() => config.adds_change_files = true,
            source => others.push(source),
        }
    }
    match (others.as_slice(), config.adds_change_files) {
        ([source], _) => config.source = *source,
        ([], true) => (config.source, config.adds_change_files) = (EntrySource::Files, false),
        _ => return Err(field.refusal("must be one source, or a list of `files` and another one").into()),
    }
    Ok(())
}
