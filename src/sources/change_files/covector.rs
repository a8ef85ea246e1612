//! covector: `.changes/*.md`, with a bump and a tag for each package, such as `patch:bug`.

use indexmap::IndexMap;

use super::{
    change::{Change, Target, file_id},
    front_matter,
    kinds::{field_text, field_texts, find_field, has_extension},
    layout::{ChangeFiles, ListedDependency, PreRelease, ReleaseNote, Tool},
    new_change::NewChange,
    packages::{PackageList, ToolPackage},
};
use crate::{
    config::{Field, ForeignConfig, WorkspaceKind},
    model::{BumpLevel, Position, Problem, Source, closest},
    version_files::{FileTree, workspace::join_path},
};

static TOOL: Tool = Tool {
    is_change_file: |_, name| has_extension(name, "md") && !name.eq_ignore_ascii_case("README.md"),
    write,
    parse,
};

/// The category of changes without a tag, and its title.
const UNTAGGED: (&str, &str) = ("changes", "What's Changed");

const PRE: &str = ".changes/pre.json";

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
        let title = categories.get(&default).cloned().unwrap_or_else(|| default.clone());
        categories.insert(default.clone(), title);
        levels.insert(default, BumpLevel::Patch);
    } else {
        categories.shift_insert(0, UNTAGGED.0.to_owned(), UNTAGGED.1.to_owned());
    }
    for word in find_field(&fields, "additionalBumpTypes").map(Field::elements).transpose()?.unwrap_or_default() {
        levels.insert(word.filled()?, BumpLevel::None);
    }
    let packages = packages(&fields)?;
    let note = || ReleaseNote::PreList { path: PRE.to_owned(), key: "changes", whole_paths: true, is_ending: true };
    let pre_release = pre_release(tree)?;
    Ok(Some(ChangeFiles {
        configured_in: path.to_owned(),
        directories: vec![".changes".to_owned()],
        categories,
        levels,
        release_note: pre_release.as_ref().map_or(ReleaseNote::Nothing, |_| note()),
        pre_release,
        dependencies: Some(dependencies(&fields, &packages)?),
        packages: PackageList::Listed(packages),
        update_category: ("deps", "Dependencies"),
        ..ChangeFiles::of(&TOOL)
    }))
}

/// Reads the packages, each with its directory.
fn packages(fields: &[Field]) -> anyhow::Result<Vec<ToolPackage>> {
    let mut packages = Vec::new();
    for package in find_field(fields, "packages").map(Field::fields).transpose()?.unwrap_or_default() {
        let fields = package.fields()?;
        let Some(path) = field_text(&fields, "path")? else { continue };
        let manifest = match field_text(&fields, "manager")?.as_deref() {
            Some("rust") => Some(WorkspaceKind::Cargo),
            Some("javascript") => Some(WorkspaceKind::Npm),
            _ => None,
        };
        packages.push(ToolPackage {
            name: package.key().to_owned(),
            directory: join_path("", &path).unwrap_or_default(),
            tag_prefix: format!("{}-v", package.key()),
            manifest,
        });
    }
    Ok(packages)
}

/// Reads which packages are released with which others.
fn dependencies(fields: &[Field], packages: &[ToolPackage]) -> anyhow::Result<Vec<ListedDependency>> {
    let directory = |name: &str| packages.iter().find(|package| package.name == name).map(|found| &found.directory);
    let mut dependencies = Vec::new();
    for package in find_field(fields, "packages").map(Field::fields).transpose()?.unwrap_or_default() {
        let Some(own) = directory(package.key()) else { continue };
        let fields = package.fields()?;
        for on in find_field(&fields, "dependencies").map(Field::elements).transpose()?.unwrap_or_default() {
            let on = on.filled()?;
            if let Some(on_directory) = directory(&on).filter(|_| on != package.key()).cloned() {
                let (name, directory) = (package.key().to_owned(), own.clone());
                dependencies.push(ListedDependency { name, directory, on, on_directory });
            }
        }
    }
    Ok(dependencies)
}

/// Reads the pre-releases that go on; they end when people delete the file.
fn pre_release(tree: &dyn FileTree) -> anyhow::Result<Option<PreRelease>> {
    let Some(bytes) = tree.read(PRE)? else { return Ok(None) };
    let config = ForeignConfig::parse(&bytes, PRE)?;
    let fields = config.fields()?;
    let Some(name) = field_text(&fields, "tag")? else { return Ok(None) };
    let had = field_texts(&fields, "changes")?.iter().map(|path| file_id(path).to_owned()).collect();
    Ok(Some(PreRelease { name, is_ending: false, had, directory: None, restarts: true }))
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
    let default = files.levels.iter().find(|(_, level)| **level > BumpLevel::None).map(|(tag, _)| tag.as_str());
    let mut category = UNTAGGED.0;
    let mut bumps = Vec::new();
    for (package, value, line) in &found.pairs {
        let (word, tag) = value.split_once(':').map_or((value.as_str(), None), |(word, tag)| (word, Some(tag.trim())));
        let word = word.trim().strip_prefix("pre").filter(|word| LEVELS.contains(word)).unwrap_or(word.trim());
        let known = BumpLevel::NAMES.iter().find(|(name, _)| *name == word).map(|(_, level)| *level);
        let Some(level) = known.or_else(|| files.levels.get(word).filter(|level| **level == BumpLevel::None).copied())
        else {
            let at = Position { line: *line, column: 1 };
            let message = format!("the bump of `{package}` must be such as `patch` or `patch:TAG`, not `{value}`");
            let problem = source.problem(at, &message);
            return Err(match closest(word, LEVELS) {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem,
            });
        };
        // A file has one tag, the last one, and the tag may be any word.
        category = tag.or(default).unwrap_or(UNTAGGED.0);
        if level > BumpLevel::None {
            bumps.push((package, level));
        }
    }
    let target = |(package, level): (&String, BumpLevel)| Target {
        package: Some(package.clone()),
        category: category.to_owned(),
        level,
    };
    let targets = bumps.into_iter().map(target).collect();
    Ok(vec![Change { targets, text: found.text.to_owned(), ..Change::default() }])
}
