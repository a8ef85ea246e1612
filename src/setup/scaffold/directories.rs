//! The directories of a repository that may be packages, wherever they are: by the name in their manifest, or by their
//! own name.

use std::{cell::OnceCell, collections::VecDeque};

use crate::{
    config::{VersionFile, VersionLocator},
    version_files::{self, FileTree},
};

/// The manifests that name a package, and the key of the name.
const MANIFESTS: [(&str, &str); 4] = [
    ("Cargo.toml", "package.name"),
    ("package.json", "name"),
    ("pyproject.toml", "project.name"),
    ("pyproject.toml", "tool.poetry.name"),
];

/// Directories of packages that nobody releases.
pub(super) const UNRELEASED: [&str; 6] = ["examples", "fixtures", "test", "tests", "e2e", "benches"];

/// Directories of what others wrote, or of what a build writes.
const FOREIGN: [&str; 6] = ["node_modules", "vendor", "third_party", "target", "dist", "build"];

/// The most directories to look at, the highest first.
const MOST: usize = 5_000;

/// The directories of a repository, each read once it is asked for.
pub(super) struct Directories<'a> {
    tree: &'a dyn FileTree,
    paths: OnceCell<Vec<String>>,
    names: OnceCell<Vec<(String, String)>>,
}

impl<'a> Directories<'a> {
    pub(super) fn new(tree: &'a dyn FileTree) -> Self {
        Self { tree, paths: OnceCell::new(), names: OnceCell::new() }
    }

    /// Returns the only directory whose manifest has the name of a package.
    pub(super) fn named(&self, name: &str) -> Option<String> {
        only(self.names().iter().filter(|(own, _)| own == name).map(|(_, path)| path))
    }

    /// Returns the only directory of a name among those that are highest in the tree.
    pub(super) fn called(&self, name: &str) -> Option<String> {
        let mut found = self.paths().iter().filter(|path| path.rsplit('/').next() == Some(name)).peekable();
        let depth = found.peek().map(|path| path.split('/').count())?;
        only(found.take_while(|path| path.split('/').count() == depth))
    }

    /// Returns the paths of the directories, the highest in the tree first.
    fn paths(&self) -> &[String] {
        self.paths.get_or_init(|| {
            let mut found = Vec::new();
            let mut open = VecDeque::from([String::new()]);
            while let Some(path) = open.pop_front() {
                for name in self.tree.directories(&path).unwrap_or_default() {
                    if found.len() == MOST {
                        return found;
                    }
                    let is_own = !name.starts_with('.') && !FOREIGN.contains(&name.as_str());
                    if is_own && !UNRELEASED.contains(&name.as_str()) {
                        let inner = if path.is_empty() { name } else { format!("{path}/{name}") };
                        found.push(inner.clone());
                        open.push_back(inner);
                    }
                }
            }
            found
        })
    }

    /// Returns the names in the manifests of the directories, each with its directory.
    fn names(&self) -> &[(String, String)] {
        self.names.get_or_init(|| {
            self.paths()
                .iter()
                .flat_map(|path| {
                    let of = |(file, key): &(&str, &str)| self.name(format!("{path}/{file}"), key);
                    MANIFESTS.iter().filter_map(of).map(|name| (name, path.clone())).collect::<Vec<_>>()
                })
                .collect()
        })
    }

    fn name(&self, path: String, key: &str) -> Option<String> {
        let text = self.tree.read(&path).ok()??;
        let file = VersionFile { path, locator: VersionLocator::Key(key.to_owned()) };
        version_files::values(&text, &file).ok()?.pop()
    }
}

fn only<'a>(mut found: impl Iterator<Item = &'a String>) -> Option<String> {
    found.next().filter(|_| found.next().is_none()).cloned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_directory_is_found_by_its_manifest_or_by_its_own_name() {
        let tree = BTreeMap::from([
            ("tooling/bundler/Cargo.toml", "[package]\nname = \"harbor-bundler\"\n"),
            ("py/sail/pyproject.toml", "[project]\nname = \"sail\"\n"),
            ("js/sail/package.json", "{\"name\": \"@harbor/sail\"}"),
            ("frontend/dockerfile/main.go", ""),
            ("frontend/dockerfile/cmd/dockerfile/main.go", ""),
            ("vendor/mast/package.json", "{\"name\": \"mast\"}"),
        ]);
        let directories = Directories::new(&tree);
        for (name, expected) in [
            ("harbor-bundler", Some("tooling/bundler")),
            ("sail", Some("py/sail")),
            ("@harbor/sail", Some("js/sail")),
            ("@other/sail", None),
            ("mast", None),
        ] {
            assert_eq!(directories.named(name).as_deref(), expected, "{name}");
        }
        let called = ["dockerfile", "bundler", "sail", "mast"].map(|name| directories.called(name));
        let called = called.iter().map(Option::as_deref).collect::<Vec<_>>();
        assert_eq!(called, [Some("frontend/dockerfile"), Some("tooling/bundler"), None, None]);
    }
}
