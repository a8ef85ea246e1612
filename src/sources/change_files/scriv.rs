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

/// The category of what has no heading above it.
const UNSORTED: &str = "Changes";

const CATEGORIES: [&str; 6] = ["Removed", "Added", "Changed", "Deprecated", "Fixed", "Security"];

/// Reads `[tool.scriv]` of `pyproject.toml`.
pub(super) fn configure(bytes: &[u8], path: &str, _: &dyn FileTree) -> anyhow::Result<Option<ChangeFiles>> {
    let config = ForeignConfig::parse(bytes, path)?;
    let fields = config.fields()?;
    let tool = find_field(&fields, "tool").map(Field::fields).transpose()?.unwrap_or_default();
    let Some(own) = find_field(&tool, "scriv") else { return Ok(None) };
    let own = own.fields()?;
    let mut categories = None;
    if let Some(list) = find_field(&own, "categories") {
        let names = list.elements()?.iter().map(Field::title).collect::<anyhow::Result<Vec<_>>>()?;
        categories = Some(names_in(&names.into_iter().flatten().collect::<Vec<_>>().join(",")));
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
    let categories = own.shift_remove("categories").map(|list| names_in(&list));
    Ok(Some(files(path, own.shift_remove("fragment_directory"), categories, own.shift_remove("changelog"))))
}

/// Returns the names in a list with commas.
fn names_in(list: &str) -> Vec<String> {
    list.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

/// `categories`: an empty list says that fragments have no headings.
fn files(
    path: &str,
    directory: Option<String>,
    categories: Option<Vec<String>>,
    changelog: Option<String>,
) -> ChangeFiles {
    let usual = || CATEGORIES.map(str::to_owned).to_vec();
    let mut categories = categories.unwrap_or_else(usual);
    if categories.is_empty() {
        categories.push(UNSORTED.to_owned());
    }
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
    let heading = match () {
        () if kind == UNSORTED => String::new(),
        () if is_markdown => format!("### {kind}\n\n"),
        () => format!("{kind}\n{}\n\n", "-".repeat(kind.len())),
    };
    let extension = if is_markdown { "md" } else { "rst" };
    let name = format!("{}_{}.{extension}", change.timestamp().replace('-', "_"), change.slug());
    Ok((name, format!("{heading}- {}\n", change.text.trim().replace('\n', "\n  "))))
}

#[expect(clippy::unnecessary_wraps, reason = "the type is that of all tools")]
fn parse(_: &ChangeFiles, source: &Source) -> Result<Vec<Change>, Problem> {
    let text = without_comments(&source.text);
    let lines: Vec<&str> = text.lines().collect();
    let (mut category, mut changes) = (UNSORTED.to_owned(), Vec::<Change>::new());
    let mut at = 0;
    while let Some(line) = lines.get(at).copied() {
        at += 1;
        if let Some(name) = heading(line, lines.get(at).copied()) {
            at += usize::from(!line.starts_with('#'));
            name.clone_into(&mut category);
            continue;
        }
        let item = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
        let last = changes.last_mut().filter(|last| last.targets[0].category == category);
        if let (None, Some(last)) = (item, last) {
            let inner = line.strip_prefix("  ").unwrap_or(line);
            last.text = [&last.text, inner].join("\n");
        } else if let Some(text) = item.or(Some(line)).filter(|text| !text.trim().is_empty()) {
            let level: BumpLevel = level_of(&category);
            let targets = vec![Target { package: None, category: category.clone(), level }];
            changes.push(Change { targets, text: text.trim().to_owned(), ..Change::default() });
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
        let begins = line.starts_with(".. ") && !line.contains("::") || line.trim_end() == "..";
        is_comment = begins || is_comment && (line.is_empty() || line.starts_with(' '));
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

    #[test]
    fn a_fragment_may_have_no_headings() {
        let tree = BTreeMap::from([("changelog.d/scriv.ini", "[scriv]\nformat = md\ncategories =\n")]);
        let files = find(&tree).unwrap().unwrap();
        assert_eq!(files.categories.keys().collect::<Vec<_>>(), ["Changes"]);
        let changes =
            files.parse("changelog.d/a.md", b"- [Bugfix] Mend it.\n  All of it.\n- [Feature] Add it.\n").unwrap();
        let texts: Vec<_> = changes.iter().map(|change| change.text.as_str()).collect();
        assert_eq!(texts, ["[Bugfix] Mend it.\nAll of it.", "[Feature] Add it."]);
        let changes = files.parse("changelog.d/a.md", b"Some prose.\n\n### Fixed\n\nMore prose.\n").unwrap();
        let shown: Vec<_> =
            changes.iter().map(|change| format!("{}: {}", change.targets[0].category, change.text)).collect();
        assert_eq!(shown, ["Changes: Some prose.", "Fixed: More prose."]);
    }
}
