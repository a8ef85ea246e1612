//! GitLab's own change files until 2021: `changelogs/unreleased/*.yml`.

use super::{
    change::{Change, Target},
    kinds::{field_text, find_field, has_extension, level_of, unknown_kind},
    layout::{ChangeFiles, Tool},
    new_change::NewChange,
};
use crate::{
    config::{COMMON_CATEGORIES, Field, ForeignConfig},
    model::{Problem, Source},
};

pub(super) const DIRECTORY: &str = "changelogs/unreleased";

static TOOL: Tool = Tool { is_change_file: |_, name| has_extension(name, "yml"), write, parse };

pub(super) fn files() -> ChangeFiles {
    let order = ["security", "removed", "deprecated", "fixed", "changed", "performance", "added", "other"];
    ChangeFiles {
        configured_in: DIRECTORY.to_owned(),
        directories: vec![DIRECTORY.to_owned()],
        categories: order.map(|name| (name.to_owned(), name[..1].to_uppercase() + &name[1..])).into(),
        levels: indexmap::IndexMap::new(),
        ..ChangeFiles::of(&TOOL)
    }
}

fn write(files: &ChangeFiles, change: &NewChange) -> Result<(String, String), Problem> {
    change.without_packages()?;
    let title = serde_json::Value::String(change.text.trim().to_owned());
    let (kind, request) = (change.kind(&files.categories)?, change.issue.as_deref().unwrap_or_default());
    let content = format!("---\ntitle: {title}\nmerge_request: {request}\nauthor:\ntype: {kind}\n");
    Ok((format!("{}.yml", change.slug()), content))
}

fn parse(_: &ChangeFiles, source: &Source) -> Result<Vec<Change>, Problem> {
    let change = read(source).unwrap_or_else(|error| Err(Problem::new(error.to_string())))?;
    Ok(vec![change])
}

fn read(source: &Source) -> anyhow::Result<Result<Change, Problem>> {
    let config = ForeignConfig::parse(source.text.as_bytes(), &source.name)?;
    let fields = config.fields()?;
    let kind = field_text(&fields, "type")?.unwrap_or_else(|| "other".to_owned());
    if !COMMON_CATEGORIES.contains(&kind.as_str()) {
        let line = find_field(&fields, "type").map_or(1, Field::line);
        return Ok(Err(unknown_kind(source, line, &kind, COMMON_CATEGORIES.into_iter())));
    }
    let request = field_text(&fields, "merge_request")?.and_then(|number| number.trim_start_matches('!').parse().ok());
    let targets = vec![Target { package: None, level: level_of(&kind), category: kind }];
    let order = format!("{:020}", request.unwrap_or(u64::MAX));
    Ok(Ok(Change {
        targets,
        text: field_text(&fields, "title")?.unwrap_or_default(),
        request,
        order,
        ..Change::default()
    }))
}
