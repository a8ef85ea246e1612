//! covector: `.changes/*.md`, with a bump and a tag for each package, such as `patch:bug`.

use indexmap::IndexMap;

use super::{
    change::{Change, Target},
    front_matter,
    kinds::{field_text, find_field, has_extension, unknown_kind},
    layout::{ChangeFiles, ReleaseNote, Tool},
    new_change::NewChange,
    packages::{PackageList, ToolPackage},
};
use crate::{
    config::{Field, ForeignConfig},
    model::{BumpLevel, Position, Problem, Source, closest},
    version_files::{FileTree, workspace::join_path},
};

static TOOL: Tool = Tool { is_change_file: |_, name| has_extension(name, "md") && name != "README.md", write, parse };

pub(super) fn configure(bytes: &[u8], path: &str, tree: &dyn FileTree) -> anyhow::Result<Option<ChangeFiles>> {
    let config = ForeignConfig::parse(bytes, path)?;
    let fields = config.fields()?;
    if find_field(&fields, "pkgManagers").is_none() && find_field(&fields, "packages").is_none() {
        return Ok(None);
    }
    let mut categories = IndexMap::new();
    for tag in find_field(&fields, "changeTags").map(Field::fields).transpose()?.unwrap_or_default() {
        categories.insert(tag.key().to_owned(), tag.title()?.unwrap_or_default());
    }
    let mut levels = IndexMap::new();
    if let Some(default) = field_text(&fields, "defaultChangeTag")? {
        // The tag of changes without one comes last in the map of levels, which has no other use here.
        let title = categories.get(&default).cloned().unwrap_or_else(|| default.clone());
        categories.insert(default.clone(), title);
        levels.insert(default, BumpLevel::Patch);
    }
    Ok(Some(ChangeFiles {
        release_note: release_note(tree)?,
        packages: PackageList::Listed(packages(&fields)?),
        ..files(path, categories, levels)
    }))
}

/// Reads the packages, each with its directory.
fn packages(fields: &[Field]) -> anyhow::Result<Vec<ToolPackage>> {
    let mut packages = Vec::new();
    for package in find_field(fields, "packages").map(Field::fields).transpose()?.unwrap_or_default() {
        let Some(path) = field_text(&package.fields()?, "path")? else { continue };
        packages.push(ToolPackage {
            name: package.key().to_owned(),
            directory: join_path("", &path).unwrap_or_default(),
            tag_prefix: format!("{}-v", package.key()),
        });
    }
    Ok(packages)
}

/// Finds out whether pre-releases go on, whose files `pre.json` lists.
fn release_note(tree: &dyn FileTree) -> anyhow::Result<ReleaseNote> {
    const PRE: &str = ".changes/pre.json";
    Ok(match tree.read(PRE)? {
        Some(_) => ReleaseNote::PreList { path: PRE.to_owned(), key: "changes", whole_paths: true, is_ending: true },
        None => ReleaseNote::Nothing,
    })
}

fn files(path: &str, mut categories: IndexMap<String, String>, levels: IndexMap<String, BumpLevel>) -> ChangeFiles {
    if categories.is_empty() {
        categories.insert("changes".to_owned(), "What's Changed".to_owned());
    }
    ChangeFiles {
        configured_in: path.to_owned(),
        directories: vec![".changes".to_owned()],
        categories,
        levels,
        raises_all_dependents: true,
        update_category: ("deps", "Dependencies"),
        ..ChangeFiles::of(&TOOL)
    }
}

/// Writes a file with a line for each package; a kind is the tag.
fn write(files: &ChangeFiles, change: &NewChange) -> Result<(String, String), Problem> {
    let tag = change.kind.as_ref().map(|_| change.kind(&files.categories)).transpose()?;
    let text = change.with_front_matter(|level| {
        let value = tag.map_or_else(|| level.name().to_owned(), |tag| format!("{}:{tag}", level.name()));
        format!("{value:?}")
    })?;
    Ok((format!("{}.md", change.slug()), text))
}

fn parse(files: &ChangeFiles, source: &Source) -> Result<Vec<Change>, Problem> {
    const LEVELS: [&str; 4] = ["major", "minor", "patch", "none"];
    let found = front_matter::split(source)?;
    let default = files.levels.keys().next().or_else(|| files.categories.keys().next()).cloned().unwrap_or_default();
    let mut targets = Vec::new();
    for (package, value, line) in found.pairs {
        let (word, tag) = value.split_once(':').map_or((value.as_str(), None), |(word, tag)| (word, Some(tag.trim())));
        let word = word.trim().strip_prefix("pre").filter(|word| LEVELS.contains(word)).unwrap_or(word.trim());
        let Some((_, level)) = BumpLevel::NAMES.iter().find(|(name, _)| *name == word) else {
            let at = Position { line, column: 1 };
            let message = format!("the bump of `{package}` must be such as `patch` or `patch:TAG`, not `{value}`");
            let problem = source.problem(at, &message);
            return Err(match closest(word, LEVELS) {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem,
            });
        };
        let category = tag.unwrap_or(&default);
        if !files.categories.contains_key(category) {
            return Err(unknown_kind(source, line, category, files.categories.keys().map(String::as_str)));
        }
        if *level > BumpLevel::None {
            targets.push(Target { package: Some(package), category: category.to_owned(), level: *level });
        }
    }
    Ok(vec![Change { targets, text: found.text.to_owned(), ..Change::default() }])
}
