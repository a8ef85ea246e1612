//! The settings of another tool in place of what the history shows.

use indexmap::IndexMap;

use super::{ConfigScaffold, DetectedPackage, TagScheme, version_files::FoundVersions};
use crate::{
    changelog::migration::Migration,
    config::{CHANGELOG, Package},
    model::VersionFile,
};

impl ConfigScaffold {
    /// Takes over what another tool's settings say; the history shows the rest. Returns what they do not agree about.
    pub fn take_over(&mut self, migration: Migration, tags: &[String]) -> Vec<String> {
        self.losses = migration.losses();
        let missing = migration.tags.iter().filter(|tag| !tags.contains(tag));
        let disagreements =
            missing.map(|tag| format!("the versions of the other tool name the tag `{tag}`, which does not exist"));
        let disagreements = disagreements.collect();
        let mut config = migration.config;
        self.source = config.source;
        if !config.categories.is_empty() {
            self.categories = config.categories.keys().cloned().collect();
        }
        add_files(&mut self.versions.files, std::mem::take(&mut config.version_files));
        if !config.packages.is_empty() {
            let detected = self.tags.packages().cloned().unwrap_or_default();
            let packages = config.packages.iter().map(|(name, package)| (name.clone(), known(package, &detected)));
            self.tags = TagScheme::Packages(packages.collect());
            self.uncovered = None;
        } else if let Some(prefix) = config.tag_prefix.take() {
            self.tags = TagScheme::Prefixed(prefix);
        }
        self.settings = config;
        disagreements
    }
}

/// A package of the other tool: the tags of its directory are named as they are, and it has the files that were found.
fn known(package: &Package, detected: &IndexMap<String, DetectedPackage>) -> DetectedPackage {
    let found = detected.values().find(|found| found.paths.first() == package.paths.first());
    let usual = package.paths.first().map(|directory| format!("{directory}/{CHANGELOG}"));
    let mut versions = found.map_or_else(FoundVersions::default, |found| found.versions.clone());
    add_files(&mut versions.files, package.version_files.clone());
    DetectedPackage {
        prefix: found.map_or_else(|| package.tag_prefix.clone(), |found| found.prefix.clone()),
        paths: package.paths.clone(),
        file: Some(package.file.clone()).filter(|file| Some(file) != usual.as_ref()),
        versions,
    }
}

/// Adds files that were not found; what was found knows more of its workspace.
fn add_files(found: &mut Vec<VersionFile>, named: Vec<VersionFile>) {
    for file in named {
        if found.iter().all(|known| known.path != file.path) {
            found.push(file);
        }
    }
}
