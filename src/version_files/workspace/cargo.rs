//! `Cargo.toml` and `Cargo.lock`.

use std::collections::HashMap;

use toml_edit::{Document, Item, TableLike, Value};

use super::{
    edit::{Replacement, WorkspaceEdit},
    manifest::{Dependency, Manifest, ManifestError, Scope},
};
use crate::version_files::{
    file_tree::join_path,
    span::{VersionSpan, strip_quotes},
};

/// The tables of dependencies, and whether these are only for development.
const TABLES: [(&str, bool); 5] = [
    ("dependencies", false),
    ("build-dependencies", false),
    ("build_dependencies", false),
    ("dev-dependencies", true),
    ("dev_dependencies", true),
];

fn document(text: &str) -> Result<Document<&str>, ManifestError> {
    Document::parse(text)
        .map_err(|error| ManifestError::new(error.span(), format!("invalid TOML: {}", error.message())))
}

pub(super) fn parse(text: &str, directory: &str) -> Result<Manifest, ManifestError> {
    let document = document(text)?;
    let root = TomlTable { text, name: String::new(), table: document.as_table() };
    let mut manifest = Manifest::default();
    if let Some(package) = root.table("package")?.or(root.table("project")?) {
        manifest.name = package.string("name")?.map(|name| name.value);
        manifest.inherits_version = package.inherits("version");
        if !manifest.inherits_version {
            manifest.version = package.string("version")?;
        }
    }
    let mut tables: Vec<_> = TABLES.iter().map(|(name, is_dev)| (root.table(name), Scope::Own, *is_dev)).collect();
    if let Some(targets) = root.table("target")? {
        for (target, _) in targets.table.iter() {
            if let Some(target) = targets.table(target)? {
                tables.extend(TABLES.iter().map(|(name, is_dev)| (target.table(name), Scope::Own, *is_dev)));
            }
        }
    }
    if let Some(workspace) = root.table("workspace")? {
        manifest.members = Some(workspace.strings("members")?);
        manifest.exclude = workspace.strings("exclude")?;
        if let Some(package) = workspace.table("package")? {
            manifest.shared_version = package.string("version")?;
        }
        tables.push((workspace.table("dependencies"), Scope::Shared, false));
    }
    for (table, scope, is_development) in tables {
        if let Some(table) = table? {
            table.dependencies(directory, scope, is_development, &mut manifest.dependencies)?;
        }
    }
    Ok(manifest)
}

/// A table, and the keys that lead to it.
struct TomlTable<'a> {
    text: &'a str,
    name: String,
    table: &'a dyn TableLike,
}

impl<'a> TomlTable<'a> {
    fn key(&self, key: &str) -> String {
        if self.name.is_empty() { key.to_owned() } else { format!("{}.{key}", self.name) }
    }

    fn refusal(&self, key: &str, item: &Item, expected: &str) -> ManifestError {
        let message = format!("`{}` must be {expected}, not `{}`", self.key(key), item.type_name());
        ManifestError::new(item.span(), message)
    }

    fn table(&self, key: &str) -> Result<Option<TomlTable<'a>>, ManifestError> {
        let Some(item) = self.table.get(key) else { return Ok(None) };
        let table = item.as_table_like().ok_or_else(|| self.refusal(key, item, "a table"))?;
        Ok(Some(Self { text: self.text, name: self.key(key), table }))
    }

    fn string(&self, key: &str) -> Result<Option<VersionSpan>, ManifestError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(Item::Value(Value::String(value))) => {
                let span = value.span().unwrap_or_default();
                let found = strip_quotes(self.text, span.clone(), value.value());
                found.map(Some).map_err(|error| ManifestError::new(Some(span), format!("`{}`: {error}", self.key(key))))
            }
            Some(other) => Err(self.refusal(key, other, "a string")),
        }
    }

    fn strings(&self, key: &str) -> Result<Vec<String>, ManifestError> {
        let Some(item) = self.table.get(key) else { return Ok(Vec::new()) };
        let refusal = || self.refusal(key, item, "a list of strings");
        let strings = item.as_array().ok_or_else(refusal)?.iter().map(|value| value.as_str().map(str::to_owned));
        strings.collect::<Option<_>>().ok_or_else(refusal)
    }

    /// Whether `KEY.workspace = true`.
    fn inherits(&self, key: &str) -> bool {
        let table = self.table.get(key).and_then(Item::as_table_like);
        table.and_then(|table| table.get("workspace")).and_then(Item::as_bool) == Some(true)
    }

    /// Lists the dependencies with a path, and those that are inherited.
    fn dependencies(
        &self,
        directory: &str,
        scope: Scope,
        is_development: bool,
        list: &mut Vec<Dependency>,
    ) -> Result<(), ManifestError> {
        for (key, item) in self.table.iter() {
            if item.as_table_like().is_none() {
                continue;
            }
            let Some(dependency) = self.table(key)? else { continue };
            let path = dependency.string("path")?;
            let scope = if self.inherits(key) { Scope::Inherited } else { scope };
            if path.is_none() && scope != Scope::Inherited {
                continue;
            }
            list.push(Dependency {
                table: self.name.clone(),
                key: key.to_owned(),
                name: dependency.string("package")?.map_or_else(|| key.to_owned(), |name| name.value),
                directory: path.and_then(|path| join_path(directory, &path.value)),
                requirement: dependency.string("version")?,
                scope,
                is_development,
            });
        }
        Ok(())
    }
}

/// Sets the versions of members in a `Cargo.lock`: packages without a source are those of the repository.
pub(super) fn lock(text: &str, edit: &WorkspaceEdit) -> Result<Vec<Replacement>, ManifestError> {
    let document = document(text)?;
    let tables = document.get("package").and_then(Item::as_array_of_tables);
    let tables: Vec<_> = tables.into_iter().flatten().map(|table| table as &dyn TableLike).collect();
    let (mut list, mut references) = (Vec::new(), HashMap::new());
    for table in &tables {
        let package = TomlTable { text, name: "package".to_owned(), table: *table };
        let (Some(name), Some(old)) = (package.string("name")?, package.string("version")?) else { continue };
        if edit.member(&name.value).is_some() && table.get("source").is_none() {
            references.insert(format!("{} {}", name.value, old.value), name.value);
            list.push(edit.set_version(old));
        }
    }
    // A dependency has its version beside its name if the name alone is ambiguous, and in the first format always.
    for value in tables.iter().filter_map(|table| table.get("dependencies")?.as_array()).flatten() {
        let Some((old, name)) = value.as_str().and_then(|old| Some((old, references.get(old)?))) else { continue };
        let span = value.span().unwrap_or_default();
        let found = strip_quotes(text, span.clone(), old);
        let found = found.map_err(|error| ManifestError::new(Some(span), error.to_string()))?;
        list.push(Replacement { found, new: format!("{name} {}", edit.version) });
    }
    Ok(list)
}
