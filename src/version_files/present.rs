//! The versions that files have at present.

use std::str;

use semver::Version;

use super::{file_tree::FileTree, location::ParsedFile, workspace::Workspace};
use crate::config::{VersionFile, VersionLocator};

/// A version, and the file that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PresentVersion {
    pub(crate) path: String,
    pub(crate) version: Version,
}

/// The manifests at the top of a repository that usually have its version, and the key that leads to it.
const MANIFESTS: [(&str, &str); 4] = [
    ("package.json", "version"),
    ("Cargo.toml", "package.version"),
    ("Cargo.toml", "workspace.package.version"),
    ("pyproject.toml", "project.version"),
];

/// Returns the current values that the locator of a version file leads to.
pub(crate) fn values(content: &[u8], file: &VersionFile) -> anyhow::Result<Vec<String>> {
    let text = str::from_utf8(content)?;
    Ok(ParsedFile::new(text).find(file)?.into_iter().map(|found| found.value).collect())
}

/// Returns the manifests at the top of a repository that usually have its version.
pub(crate) fn usual_manifests() -> Vec<VersionFile> {
    let files = MANIFESTS
        .iter()
        .map(|(path, key)| VersionFile { path: (*path).to_owned(), locator: VersionLocator::Key((*key).to_owned()) });
    files.collect()
}

/// Returns the highest version that one of these files has. One that is not semantic does not count.
pub(crate) fn highest(files: &[VersionFile], tree: &dyn FileTree) -> Option<PresentVersion> {
    files.iter().filter_map(|file| highest_in(file, tree)).max_by(|one, other| one.version.cmp(&other.version))
}

fn highest_in(file: &VersionFile, tree: &dyn FileTree) -> Option<PresentVersion> {
    let version = if let VersionLocator::Workspace { kind, members } = &file.locator {
        of_workspace(&Workspace::load(*kind, &file.path, tree).ok()?, members)
    } else {
        let values = values(&tree.read(&file.path).ok()??, file).ok()?;
        values.iter().filter_map(|value| parse(value)).max()
    };
    Some(PresentVersion { path: file.path.clone(), version: version? })
}

/// Returns the highest version of these members of a workspace; without members, that of the workspace.
pub(super) fn of_workspace(workspace: &Workspace, members: &[String]) -> Option<Version> {
    if members.is_empty() {
        return workspace.version().and_then(parse);
    }
    members.iter().filter_map(|name| parse(workspace.member_version(name)?)).max()
}

fn parse(value: &str) -> Option<Version> {
    Version::parse(value.strip_prefix('v').unwrap_or(value)).ok()
}

/// Whether a version is one that is never set.
pub(crate) fn is_placeholder(version: &Version) -> bool {
    (version.major, version.minor, version.patch) == (0, 0, 0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_highest_version_of_files_counts() {
        let tree = BTreeMap::from([
            ("package.json", "{\"version\": \"0.3.0\"}"),
            ("Cargo.toml", "[workspace.package]\nversion = \"v0.4.0\"\n"),
            ("pyproject.toml", "[project]\nversion = \"0.5.dev0\"\n"),
        ]);
        let found = highest(&usual_manifests(), &tree).unwrap();
        assert_eq!((found.path.as_str(), found.version.to_string().as_str()), ("Cargo.toml", "0.4.0"));
        assert_eq!(highest(&usual_manifests(), &BTreeMap::new()), None);
    }
}
