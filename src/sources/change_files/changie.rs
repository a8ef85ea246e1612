//! Changie: `.changes/unreleased/*.yaml`, each with a kind and a body; `.changie.yaml` names the kinds.

use chrono::{DateTime, SecondsFormat};
use indexmap::IndexMap;

use super::{
    change::{Change, Target},
    kinds::{field_text, field_texts, find_field, has_extension, level_of, unknown_kind},
    layout::{ChangeFiles, ReleaseNote, Tool},
    new_change::NewChange,
    packages::{PackageList, ToolPackage},
};
use crate::{
    config::{Field, ForeignConfig},
    model::{BumpLevel, Problem, Source, is_digits},
    version_files::FileTree,
};

static TOOL: Tool = Tool { is_change_file: |_, name| has_extension(name, "yaml"), write, parse };

/// The category of changes without a kind, if no kinds are configured.
const NO_KIND: &str = "changes";

pub(super) fn configure(bytes: &[u8], path: &str, _: &dyn FileTree) -> anyhow::Result<Option<ChangeFiles>> {
    let config = ForeignConfig::parse(bytes, path)?;
    let fields = config.fields()?;
    let (mut categories, mut levels) = (IndexMap::new(), IndexMap::new());
    for kind in find_field(&fields, "kinds").map(Field::elements).transpose()?.unwrap_or_default() {
        // Before 0.6.0, kinds had only names.
        let Ok(kind) = kind.fields() else {
            let label = kind.filled()?;
            levels.insert(label.clone(), level_of(&label));
            categories.insert(label.clone(), label);
            continue;
        };
        let Some(label) = field_text(&kind, "label")? else { continue };
        let key = field_text(&kind, "key")?.unwrap_or_else(|| label.clone());
        let auto = field_text(&kind, "auto")?;
        let known = BumpLevel::NAMES.iter().find(|(name, _)| Some(*name) == auto.as_deref());
        levels.insert(key.clone(), known.map_or_else(|| level_of(&label), |(_, level)| *level));
        categories.insert(key, label);
    }
    let base = field_text(&fields, "changesDir")?.unwrap_or_else(|| ".changes".to_owned());
    let unreleased = field_text(&fields, "unreleasedDir")?.unwrap_or_else(|| "unreleased".to_owned());
    Ok(Some(ChangeFiles {
        configured_in: path.to_owned(),
        directories: vec![format!("{}/{}", base.trim_end_matches('/'), unreleased.trim_matches('/'))],
        categories,
        levels,
        changelog: field_text(&fields, "changelogPath")?,
        components: field_texts(&fields, "components")?,
        packages: PackageList::Listed(projects(&fields)?),
        release_note: ReleaseNote::VersionFiles {
            directory: base.trim_end_matches('/').to_owned(),
            extension: field_text(&fields, "versionExt")?.unwrap_or_else(|| "md".to_owned()),
        },
        ..ChangeFiles::of(&TOOL)
    }))
}

/// Reads the projects, each with the directory of its changelog.
fn projects(fields: &[Field]) -> anyhow::Result<Vec<ToolPackage>> {
    let separator = field_text(fields, "projectsVersionSeparator")?.unwrap_or_default();
    let mut projects = Vec::new();
    for project in find_field(fields, "projects").map(Field::elements).transpose()?.unwrap_or_default() {
        let own = project.fields()?;
        let Some(name) = field_text(&own, "key")?.or(field_text(&own, "label")?) else { continue };
        let changelog = field_text(&own, "changelog")?.unwrap_or_default();
        projects.push(ToolPackage {
            directory: changelog.rsplit_once('/').map_or("", |(directory, _)| directory).to_owned(),
            tag_prefix: format!("{name}{separator}v"),
            manifest: None,
            name,
        });
    }
    Ok(projects)
}

fn write(files: &ChangeFiles, change: &NewChange) -> Result<(String, String), Problem> {
    change.without_packages()?;
    let kind = change.kind(&files.categories)?;
    let quoted = |text: &str| serde_json::Value::String(text.to_owned()).to_string();
    let time = change.date.parts().to_rfc3339();
    let issue = change.issue.as_deref().map(|issue| format!("custom:\n    Issue: {}\n", quoted(issue)));
    let content = format!(
        "kind: {}\nbody: {}\ntime: {time}\n{}",
        quoted(kind),
        quoted(change.text.trim()),
        issue.unwrap_or_default()
    );
    Ok((format!("{kind}-{}.yaml", change.timestamp()), content))
}

fn parse(files: &ChangeFiles, source: &Source) -> Result<Vec<Change>, Problem> {
    let change = read(files, source).unwrap_or_else(|error| Err(Problem::new(error.to_string())))?;
    Ok(vec![change])
}

fn read(files: &ChangeFiles, source: &Source) -> anyhow::Result<Result<Change, Problem>> {
    let config = ForeignConfig::parse(source.text.as_bytes(), &source.name)?;
    let fields = config.fields()?;
    let kind = field_text(&fields, "kind")?.unwrap_or_else(|| NO_KIND.to_owned());
    let known =
        files.categories.iter().find(|(key, title)| **key == kind || **title == kind).map(|(key, _)| key.clone());
    if known.is_none() && !files.categories.is_empty() {
        let line = find_field(&fields, "kind").map_or(1, Field::line);
        return Ok(Err(unknown_kind(source, line, &kind, files.categories.keys().map(String::as_str))));
    }
    let category = known.unwrap_or(kind);
    let level = files.levels.get(&category).copied().unwrap_or(BumpLevel::Patch);
    let mut issues = Vec::new();
    for custom in find_field(&fields, "custom").map(Field::fields).transpose()?.unwrap_or_default() {
        let names_issue = ["issue", "pr", "ticket"].contains(&custom.key().to_lowercase().as_str());
        let value = custom.title()?.unwrap_or_default();
        issues.extend(
            value
                .split(',')
                .map(str::trim)
                .filter(|value| names_issue && is_digits(value))
                .map(|value| format!("#{value}")),
        );
    }
    let targets = vec![Target { package: field_text(&fields, "project")?, category, level }];
    let time = field_text(&fields, "time")?.and_then(|time| DateTime::parse_from_rfc3339(&time).ok());
    let order = time.map(|time| time.to_utc().to_rfc3339_opts(SecondsFormat::Nanos, true)).unwrap_or_default();
    let (text, component) = (field_text(&fields, "body")?.unwrap_or_default(), field_text(&fields, "component")?);
    let place = files.components.iter().position(|known| Some(known) == component.as_ref());
    let order = format!("{:05}{order}", place.unwrap_or(files.components.len()));
    Ok(Ok(Change { targets, component, text, issues, order, ..Change::default() }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn kinds_may_be_names_alone() {
        let tree = BTreeMap::from([(
            ".changie.yaml",
            "changesDir: .changes\nkinds:\n- Added\n- label: Fixed\n  auto: minor\n",
        )]);
        let files = crate::sources::change_files::find(&tree).unwrap().unwrap();
        let levels: Vec<_> = files.levels.iter().map(|(kind, level)| (kind.as_str(), *level)).collect();
        assert_eq!(levels, [("Added", BumpLevel::Minor), ("Fixed", BumpLevel::Minor)]);
        let changes = files.parse(".changes/unreleased/a.yaml", b"kind: Added\nbody: Add sail\n").unwrap();
        assert_eq!(changes[0].targets[0].category, "Added");
    }
}
