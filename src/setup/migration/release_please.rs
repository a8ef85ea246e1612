//! release-please: `release-please-config.json`, with the versions in `.release-please-manifest.json`.

use std::sync::Arc;

use super::{
    outcome::{
        Hints, Migration, NO_COMMIT, PRE_RELEASE, PRESET, ReadBeside, find_field, is_set, path_in, text_of,
        version_file, version_pattern,
    },
    tool::ForeignTool,
};
use crate::{
    config::{Field, ForeignConfig, GroupRule, VersionFile, VersionGroup},
    model::BumpLevel,
};

pub(super) const TOOL: ForeignTool = ForeignTool {
    name: "release-please",
    files: &["release-please-config.json"],
    tables: &[],
    recognizes: |name, fields| {
        name.contains("release-please")
            || ["packages", "release-type"].iter().all(|key| find_field(fields, key).is_some())
    },
    convert,
};

/// The file beside the configuration that has the versions.
const MANIFEST: &str = ".release-please-manifest.json";

const NO_PULL_REQUEST: &str = "release pull requests are not supported: `tidings release` prints the plan";
const NO_SEARCH: &str = "the whole history since the last tag is read";

/// Hints on what to do instead of these keys; if a hint is empty, nothing needs to be done.
const HINTS: &Hints = &[
    (
        "",
        "$schema release-type package-name component include-component-in-tag include-v-in-tag \
         include-v-in-release-name tag-separator component-no-space changelog-type changelog-host \
         always-link-local bump-minor-pre-major force-tag-creation skip-snapshot",
    ),
    (
        "below 1.0.0 features bump the minor version: set `bump: { added: patch }` until then",
        "bump-patch-for-minor-pre-major",
    ),
    ("`versioning` counts by the calendar, and `--level` and `--pre` say what to bump", "versioning"),
    (PRE_RELEASE, "prerelease prerelease-type"),
    ("use `tidings release VERSION`", "release-as"),
    ("use `--initial` for the first version", "initial-version"),
    ("use `tidings release --no-host-release`", "skip-github-release"),
    (NO_COMMIT, "skip-changelog"),
    ("a release is published at once", "draft"),
    ("`--people` and templates name authors", "include-commit-authors"),
    ("set `format.signOff` of git", "signoff"),
    ("set `date_format`", "date-format"),
    (
        NO_PULL_REQUEST,
        "pull-request-title-pattern pull-request-header pull-request-footer group-pull-request-title-pattern \
         separate-pull-requests draft-pull-request always-update extra-label label release-label snapshot-label",
    ),
    ("use `--from` for the first release", "bootstrap-sha"),
    ("use `--from`", "last-release-sha"),
    (NO_SEARCH, "release-search-depth commit-search-depth commit-batch-size sequential-calls"),
];

/// The sections of release types that list more than the preset.
const DOCUMENTED: [(&str, &str); 6] =
    [PRESET[0], PRESET[2], PRESET[3], ("deps", "Dependencies"), PRESET[4], ("docs", "Documentation")];
const PHP: [(&str, &str); 5] = [PRESET[0], PRESET[2], PRESET[3], PRESET[4], ("chore", "Miscellaneous Chores")];

/// The pattern of a marked line with a version, in any file.
const MARKED: &str = r"(\d+\.\d+\.\d+[\w.+-]*).*x-release-please-version";

fn convert(migration: &mut Migration, fields: &[Field], beside: ReadBeside) -> anyhow::Result<()> {
    let manifest = beside(MANIFEST)?.map(|bytes| ForeignConfig::parse(&bytes, MANIFEST)).transpose()?;
    let versions = manifest.as_ref().map_or(Ok(Vec::new()), ForeignConfig::fields)?;
    let packages = find_field(fields, "packages").map_or(Ok(Vec::new()), |packages| packages.fields())?;
    let first = packages.first().map_or(Ok(Vec::new()), Field::fields)?;
    let sections = find_field(fields, "changelog-sections").or_else(|| find_field(&first, "changelog-sections"));
    let kind = text_of(&first, "release-type")?.or(text_of(fields, "release-type")?).unwrap_or_default();
    let preset = match kind.as_str() {
        "python" | "r" | "maven" => &DOCUMENTED[..],
        "php" => &PHP,
        java if java.starts_with("java") => &DOCUMENTED,
        _ => &PRESET,
    };
    migration.sections_or_preset("changelog-sections", sections.as_ref(), preset)?;
    let lowers = |fields: &[Field]| is_set(fields, "bump-minor-pre-major", false);
    if !lowers(fields)? && !lowers(&first)? {
        migration.config.bump.insert("breaking".to_owned(), BumpLevel::Major);
    }
    for field in fields {
        match field.key() {
            // Plugins name packages, which are read first.
            "packages" | "changelog-sections" | "changelog-path" | "extra-files" | "version-file" | "exclude-paths"
            | "plugins" => {}
            key => migration.report_loss(key, field, HINTS),
        }
    }
    for package in &packages {
        take_package(migration, fields, package, packages.len() > 1)?;
    }
    if let Some(plugins) = find_field(fields, "plugins") {
        take_plugins(migration, &plugins)?;
    }
    for version in &versions {
        let known = packages.iter().any(|package| package.key() == version.key());
        if !known {
            migration.lose(&format!("{}: {}", MANIFEST, version.key()), version, "the path is not in `packages`");
        } else if let Some(text) = version.text()? {
            let prefix = prefix(
                fields,
                package_fields(&packages, version.key())?.as_slice(),
                version.key(),
                packages.len() > 1,
            )?;
            migration.tags.push(format!("{}{text}", prefix.unwrap_or_else(|| "v".to_owned())));
        }
    }
    Ok(())
}

fn package_fields<'a>(packages: &[Field<'a>], path: &str) -> anyhow::Result<Vec<Field<'a>>> {
    packages.iter().find(|package| package.key() == path).map_or(Ok(Vec::new()), Field::fields)
}

/// Takes over a package; a single one at the top is the repository itself.
fn take_package(migration: &mut Migration, all: &[Field], package: &Field, is_one_of_many: bool) -> anyhow::Result<()> {
    let (path, fields) = (package.key(), package.fields()?);
    let of = |key: &str| find_field(&fields, key).or_else(|| find_field(all, key));
    let mut files = Vec::new();
    if let Some(extra) = of("extra-files") {
        for element in extra.elements()? {
            files.extend(extra_file(migration, path, &element)?);
        }
    }
    if let Some(file) = of("version-file").map_or(Ok(None), |field| field.text())? {
        files.push(version_pattern(path_in(path, &file), r"^v?(\d\S*)$"));
    } else if of("release-type").map_or(Ok(None), |field| field.text())?.as_deref() == Some("simple") {
        files.push(version_pattern(path_in(path, "version.txt"), r"^v?(\d\S*)$"));
    }
    let mut excluded = Vec::new();
    if let Some(paths) = of("exclude-paths") {
        for excluding in paths.elements()? {
            excluded.push(format!("!{}", excluding.text()?.unwrap_or_default()));
        }
    }
    for field in &fields {
        match field.key() {
            "changelog-sections" | "changelog-path" | "extra-files" | "version-file" | "exclude-paths" => {}
            key => migration.report_loss(key, field, HINTS),
        }
    }
    let file = of("changelog-path").map_or(Ok(None), |field| field.text())?.map(|file| path_in(path, &file));
    let prefix = prefix(all, &fields, path, is_one_of_many)?;
    if !is_one_of_many && path == "." {
        if let Some(prefix) = &prefix {
            migration.tag_prefix(prefix);
        }
        (migration.config.file, migration.config.paths) = (file, excluded);
        if !migration.config.paths.is_empty() {
            migration.config.paths.insert(0, ".".to_owned());
        }
        migration.config.version_files = files;
        return Ok(());
    }
    let name = component(&fields, path)?;
    let package = migration.package(&name, path, excluded, prefix.unwrap_or_else(|| "v".to_owned()));
    package.file = file.unwrap_or_else(|| package.file.clone());
    package.version_files = files;
    Ok(())
}

/// Returns the name of a package: its component, its name without a scope, or the last part of its path.
fn component(fields: &[Field], path: &str) -> anyhow::Result<String> {
    let name = text_of(fields, "component")?.or(text_of(fields, "package-name")?);
    let name = name.unwrap_or_else(|| path.to_owned());
    Ok(name.rsplit('/').next().unwrap_or_default().to_owned())
}

/// Returns the text before the version in the tags of a package; `None` for a single one, whose tags show it.
fn prefix(all: &[Field], fields: &[Field], path: &str, is_one_of_many: bool) -> anyhow::Result<Option<String>> {
    let of = |key: &str| find_field(fields, key).or_else(|| find_field(all, key));
    let switch = |key: &str| of(key).map_or(Ok(true), |field| field.flag());
    let v = if switch("include-v-in-tag")? { "v" } else { "" };
    if !switch("include-component-in-tag")? {
        return Ok(Some(v.to_owned()));
    }
    let is_named = find_field(fields, "component").or_else(|| find_field(fields, "package-name")).is_some();
    if !is_named && !is_one_of_many {
        return Ok(None);
    }
    let separator = of("tag-separator").map_or(Ok(None), |field| field.text())?.unwrap_or_else(|| "-".to_owned());
    Ok(Some(format!("{}{separator}{v}", component(fields, path)?)))
}

/// Reads a file with a version: marked lines, or a path into JSON, TOML or YAML.
fn extra_file(migration: &mut Migration, directory: &str, element: &Field) -> anyhow::Result<Option<VersionFile>> {
    if !element.is_mapping() {
        let path = path_in(directory, &element.text()?.unwrap_or_default());
        let has_keys = [".json", ".yaml", ".yml", ".toml"].iter().any(|ending| path.ends_with(ending));
        return Ok(Some(if has_keys { version_file(path, "version") } else { version_pattern(path, MARKED) }));
    }
    let fields = element.fields()?;
    let Some(path) = text_of(&fields, "path")? else {
        return Err(element.refusal("needs a `path` for each file").into());
    };
    let path = path_in(directory, &path);
    let is_glob = is_set(&fields, "glob", false)?;
    let keys = text_of(&fields, "jsonpath")?.and_then(|path| keys(&path));
    match (text_of(&fields, "type")?.as_deref(), keys) {
        (Some("json" | "toml" | "yaml"), Some(keys)) if !is_glob => return Ok(Some(version_file(path, &keys))),
        (Some("generic"), _) if !is_glob => return Ok(Some(version_pattern(path, MARKED))),
        _ => {}
    }
    migration.lose(
        "extra-files",
        element,
        format!("set the location in `{path}` in `version_files`, by `key` or `regex`"),
    );
    Ok(None)
}

/// Translates a path such as `$.a['b'][0]` to keys with dots; `None` if it may lead to several values.
fn keys(path: &str) -> Option<String> {
    let unquoted = path.strip_prefix('$')?.replace("['", ".").replace("[\"", ".").replace("']", "").replace("\"]", "");
    let dotted = unquoted.replace('[', ".").replace(']', "");
    let keys: Vec<&str> = dotted.strip_prefix('.')?.split('.').collect();
    keys.iter().all(|key| !key.is_empty() && !key.contains(['*', '?', '@', '(', ':', ','])).then(|| keys.join("."))
}

/// Takes over packages whose versions move together: all of them, as soon as one is released.
fn take_group(migration: &mut Migration, plugin: &Field) -> anyhow::Result<()> {
    let fields = plugin.fields()?;
    let components = find_field(&fields, "components").map_or(Ok(Vec::new()), |list| list.elements())?;
    let names: Vec<String> = components.iter().map(Field::filled).collect::<anyhow::Result<_>>()?;
    if names.len() > 1 && names.iter().all(|name| migration.config.packages.contains_key(name)) {
        let group = VersionGroup { packages: names, rule: GroupRule::Fixed, unreleased: None };
        Arc::make_mut(&mut migration.config.groups).push(group);
    } else {
        migration.lose("plugins", plugin, "`groups` takes two or more packages by their names");
    }
    Ok(())
}

/// Takes over the plugins; those for workspaces need no counterpart.
fn take_plugins(migration: &mut Migration, field: &Field) -> anyhow::Result<()> {
    for plugin in field.elements()? {
        let name = if plugin.is_mapping() { text_of(&plugin.fields()?, "type")? } else { plugin.text()? };
        match name.as_deref() {
            Some("node-workspace" | "cargo-workspace" | "maven-workspace" | "sentence-case") | None => {}
            Some("linked-versions") => take_group(migration, &plugin)?,
            Some(name) => migration.lose("plugins", field, format!("the plugin `{name}` has no counterpart")),
        }
    }
    Ok(())
}
