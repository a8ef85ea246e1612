//! knope: `.changeset/*.md`, whose front matter is lines of `package: type`, and no YAML.

use indexmap::IndexMap;

use super::{
    change::{Change, Target},
    front_matter::{self, Parts},
    kinds::{field_text, find_field, has_extension},
    layout::{ChangeFiles, Tool},
    new_change::NewChange,
    packages::{PackageList, ToolPackage},
};
use crate::{
    config::{Field, ForeignConfig},
    model::{BumpLevel, Position, Problem, Source},
    version_files::FileTree,
};

static TOOL: Tool = Tool { is_change_file: |_, name| has_extension(name, "md") && name != "README.md", write, parse };

/// The name of the package of a project that has only one.
const DEFAULT: &str = "default";

pub(super) fn configure(bytes: &[u8], path: &str, tree: &dyn FileTree) -> anyhow::Result<Option<ChangeFiles>> {
    let titles = [("major", "Breaking Changes"), ("minor", "Features"), ("patch", "Fixes")];
    let mut categories: IndexMap<String, String> =
        titles.map(|(name, title)| (name.to_owned(), title.to_owned())).into();
    let config = ForeignConfig::parse(bytes, path)?;
    let fields = config.fields()?;
    if !tree.has_directory(".changeset") && !has_step(&fields, "CreateChangeFile")? {
        return Ok(None);
    }
    let one = find_field(&fields, "package").map(Field::fields).transpose()?.unwrap_or_default();
    let many = find_field(&fields, "packages").map(Field::fields).transpose()?.unwrap_or_default();
    let mut packages = vec![one];
    for package in &many {
        packages.push(package.fields()?);
    }
    for package in &packages {
        for section in
            find_field(package, "extra_changelog_sections").map(Field::elements).transpose()?.unwrap_or_default()
        {
            let section = section.fields()?;
            let Some(title) = field_text(&section, "name")? else { continue };
            for kind in find_field(&section, "types").map(Field::elements).transpose()?.unwrap_or_default() {
                categories.insert(kind.filled()?, title.clone());
            }
        }
    }
    Ok(Some(ChangeFiles {
        configured_in: path.to_owned(),
        directories: vec![".changeset".to_owned()],
        categories,
        lowers_levels: true,
        packages: PackageList::Listed(tool_packages(&many)?),
        ..ChangeFiles::of(&TOOL)
    }))
}

/// Whether a workflow has a step of this type.
fn has_step(fields: &[Field], name: &str) -> anyhow::Result<bool> {
    for workflow in find_field(fields, "workflows").map(Field::elements).transpose()?.unwrap_or_default() {
        let workflow = workflow.fields()?;
        for step in find_field(&workflow, "steps").map(Field::elements).transpose()?.unwrap_or_default() {
            if field_text(&step.fields()?, "type")?.as_deref() == Some(name) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Reads the packages, each with the directory of its first versioned file, or of its changelog.
fn tool_packages(fields: &[Field]) -> anyhow::Result<Vec<ToolPackage>> {
    let mut packages = Vec::new();
    for package in fields {
        let own = package.fields()?;
        let files = find_field(&own, "versioned_files").map(Field::elements).transpose()?.unwrap_or_default();
        let path = match files.first() {
            Some(file) if file.is_mapping() => field_text(&file.fields()?, "path")?,
            Some(file) => file.text()?,
            None => field_text(&own, "changelog")?,
        };
        let path = path.unwrap_or_default();
        packages.push(ToolPackage {
            name: package.key().to_owned(),
            directory: path.rsplit_once('/').map_or("", |(directory, _)| directory).to_owned(),
            tag_prefix: format!("{}/v", package.key()),
            manifest: None,
        });
    }
    Ok(packages)
}

/// Writes a file with a line for each package, whose name has no quotes: knope would take them for a part of it.
fn write(_: &ChangeFiles, change: &NewChange) -> Result<(String, String), Problem> {
    change.with_front_matter(|level| level.name().to_owned())?;
    let lines: Vec<String> =
        change.packages.iter().map(|(package, level)| format!("{package}: {}\n", level.name())).collect();
    Ok((format!("{}.md", change.slug()), format!("---\n{}---\n\n# {}\n", lines.concat(), change.text.trim())))
}

fn parse(_: &ChangeFiles, source: &Source) -> Result<Vec<Change>, Problem> {
    let Parts { head, lines_above, text } = front_matter::parts(source)?;
    let mut targets = Vec::new();
    for (number, line) in source.text[head].lines().enumerate() {
        let Some((package, kind)) = line.split_once(':') else {
            let at = Position { line: lines_above + number + 1, column: 1 };
            return Err(source.problem(at, "a line of the front matter must be `package: type`"));
        };
        let (package, kind) = (package.trim().trim_matches(['"', '\'']), kind.trim().trim_matches(['"', '\'']));
        let level = match kind {
            "major" => BumpLevel::Major,
            "minor" => BumpLevel::Minor,
            _ => BumpLevel::Patch,
        };
        let package = (package != DEFAULT).then(|| package.to_owned());
        targets.push(Target { package, category: kind.to_owned(), level });
    }
    if targets.is_empty() {
        let at = Position { line: lines_above, column: 1 };
        return Err(source.problem(at, "the front matter names no package"));
    }
    Ok(vec![Change { targets, text: text.trim_start_matches('#').trim_start().to_owned(), ..Change::default() }])
}
