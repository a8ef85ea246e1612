//! scriv: `changelog.d/*.md` or `*.rst`, small documents with a heading for each category and items below it.

use indexmap::IndexMap;

use super::{
    change::{Change, Target},
    kinds::{field_text, find_field, has_extension, level_of},
    layout::{ChangeFiles, Tool},
    new_change::NewChange,
};
use crate::{
    config::{Field, ForeignConfig},
    model::{BumpLevel, Problem, Source},
    version_files::FileTree,
};

static TOOL: Tool = Tool { is_change_file, write, parse };

const CATEGORIES: [&str; 6] = ["Removed", "Added", "Changed", "Deprecated", "Fixed", "Security"];

/// Reads `[tool.scriv]` of `pyproject.toml`.
pub(super) fn configure(bytes: &[u8], path: &str, _: &dyn FileTree) -> anyhow::Result<Option<ChangeFiles>> {
    let config = ForeignConfig::parse(bytes, path)?;
    let fields = config.fields()?;
    let tool = find_field(&fields, "tool").map(Field::fields).transpose()?.unwrap_or_default();
    let Some(own) = find_field(&tool, "scriv") else { return Ok(None) };
    let own = own.fields()?;
    let mut categories = Vec::new();
    for category in find_field(&own, "categories").map(Field::elements).transpose()?.unwrap_or_default() {
        categories.extend(category.filled()?.split(',').map(|name| name.trim().to_owned()));
    }
    Ok(Some(files(path, field_text(&own, "fragment_directory")?, categories, field_text(&own, "changelog")?)))
}

/// Reads the `[scriv]` of an INI file: `setup.cfg`, `tox.ini`, `changelog.d/scriv.ini`.
#[expect(clippy::unnecessary_wraps, reason = "the type is that of all tools")]
pub(super) fn configure_ini(bytes: &[u8], path: &str, _: &dyn FileTree) -> anyhow::Result<Option<ChangeFiles>> {
    let text = String::from_utf8_lossy(bytes);
    let mut own: Option<IndexMap<String, String>> = None;
    let mut is_own = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            is_own = ["[scriv]", "[tool:scriv]", "[tool.scriv]"].contains(&line);
            if is_own {
                own.get_or_insert_default();
            }
        } else if let Some((key, value)) = line.split_once('=').filter(|_| is_own) {
            own.get_or_insert_default().insert(key.trim().to_owned(), value.trim().to_owned());
        }
    }
    let Some(mut own) = own else { return Ok(None) };
    let categories = own.shift_remove("categories").unwrap_or_default();
    let categories = categories.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
    Ok(Some(files(path, own.shift_remove("fragment_directory"), categories, own.shift_remove("changelog"))))
}

fn files(path: &str, directory: Option<String>, categories: Vec<String>, changelog: Option<String>) -> ChangeFiles {
    let categories: Vec<String> =
        if categories.is_empty() { CATEGORIES.iter().map(|name| (*name).to_owned()).collect() } else { categories };
    let directory = directory.unwrap_or_else(|| "changelog.d".to_owned());
    ChangeFiles {
        configured_in: path.to_owned(),
        directories: vec![directory.trim_matches('/').to_owned()],
        categories: categories.into_iter().map(|name| (name.clone(), name)).collect(),
        changelog: changelog.filter(|name| !name.contains(':')),
        ..ChangeFiles::of(&TOOL)
    }
}

fn is_change_file(_: &ChangeFiles, name: &str) -> bool {
    (has_extension(name, "md") || has_extension(name, "rst")) && !name.starts_with("README.")
}

fn write(files: &ChangeFiles, change: &NewChange) -> Result<(String, String), Problem> {
    change.without_packages()?;
    let kind = change.kind(&files.categories)?;
    let is_markdown = files.changelog.as_deref().is_some_and(|changelog| has_extension(changelog, "md"));
    let heading = if is_markdown { format!("### {kind}") } else { format!("{kind}\n{}", "-".repeat(kind.len())) };
    let extension = if is_markdown { "md" } else { "rst" };
    let name = format!("{}_{}.{extension}", change.timestamp().replace('-', "_"), change.slug());
    Ok((name, format!("{heading}\n\n- {}\n", change.text.trim().replace('\n', "\n  "))))
}

#[expect(clippy::unnecessary_wraps, reason = "the type is that of all tools")]
fn parse(_: &ChangeFiles, source: &Source) -> Result<Vec<Change>, Problem> {
    let text = without_comments(&source.text);
    let lines: Vec<&str> = text.lines().collect();
    let (mut category, mut changes): (Option<String>, Vec<Change>) = (None, Vec::new());
    let mut at = 0;
    while let Some(line) = lines.get(at).copied() {
        at += 1;
        if let Some(name) = heading(line, lines.get(at).copied()) {
            at += usize::from(!line.starts_with('#'));
            category = Some(name.to_owned());
            continue;
        }
        let Some(category) = &category else { continue };
        let begins = line.starts_with("- ") || line.starts_with("* ");
        if begins {
            let level: BumpLevel = level_of(category);
            let targets = vec![Target { package: None, category: category.clone(), level }];
            changes.push(Change { targets, text: line[2..].trim().to_owned(), ..Change::default() });
        } else if let Some(last) = changes.last_mut().filter(|last| last.targets[0].category == *category) {
            let inner = line.strip_prefix("  ").unwrap_or(line);
            last.text = [&last.text, inner].join("\n");
        }
    }
    for change in &mut changes {
        change.text = change.text.trim().to_owned();
    }
    Ok(changes)
}

/// Returns the category that a line is the heading of, in Markdown or underlined as in reStructuredText.
fn heading<'t>(line: &'t str, next: Option<&str>) -> Option<&'t str> {
    if line.starts_with('#') {
        return Some(line.trim_start_matches('#').trim()).filter(|name| !name.is_empty());
    }
    let next = next?.trim_end();
    let is_underline = next.len() >= 3 && ["-", "=", "."].iter().any(|sign| next.replace(sign, "").is_empty());
    Some(line.trim()).filter(|line| is_underline && !line.is_empty())
}

/// Drops comments of HTML and of reStructuredText.
fn without_comments(text: &str) -> String {
    let mut rest = String::new();
    let mut parts = text.split("<!--");
    rest.push_str(parts.next().unwrap_or_default());
    for part in parts {
        rest.push_str(part.split_once("-->").map_or("", |(_, after)| after));
    }
    let mut is_comment = false;
    let mut kept = Vec::new();
    for line in rest.lines() {
        is_comment =
            line.starts_with(".. ") && !line.contains("::") || is_comment && (line.is_empty() || line.starts_with(' '));
        if !is_comment {
            kept.push(line);
        }
    }
    kept.join("\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::sources::change_files::find;

    #[test]
    fn one_file_has_several_entries() {
        let files = find(&BTreeMap::from([("changelog.d/scriv.ini", "[scriv]\nformat = md\n")])).unwrap().unwrap();
        let text =
            "<!--\n### Removed\n\n- x\n-->\n\n### Fixed\n\n- Mend it\n  well.\n- Mend more\n\n### Added\n\n- Add it\n";
        let changes = files.parse("changelog.d/a.md", text.as_bytes()).unwrap();
        let shown: Vec<_> =
            changes.iter().map(|change| format!("{}: {}", change.targets[0].category, change.text)).collect();
        assert_eq!(shown, ["Fixed: Mend it\nwell.", "Fixed: Mend more", "Added: Add it"]);
        let rst = ".. A comment\n..\n\nFixed\n-----\n\n- Mend it\n";
        let changes = files.parse("changelog.d/a.rst", rst.as_bytes()).unwrap();
        assert_eq!((changes.len(), changes[0].text.as_str()), (1, "Mend it"));
    }
}
