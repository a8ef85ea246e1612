//! The versions that files have at present.

use std::str;

use indexmap::IndexMap;
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
    // A file is read and parsed once, however many keys lead into it.
    let mut by_path = IndexMap::<&str, Vec<&VersionFile>>::new();
    for file in files {
        by_path.entry(&file.path).or_default().push(file);
    }
    let found = by_path.into_iter().filter_map(|(path, files)| {
        Some(PresentVersion { path: path.to_owned(), version: highest_in(path, &files, tree)? })
    });
    found.max_by(|one, other| one.version.cmp(&other.version))
}

fn highest_in(path: &str, files: &[&VersionFile], tree: &dyn FileTree) -> Option<Version> {
    let bytes = tree.read(path).ok().flatten().unwrap_or_default();
    let parsed = ParsedFile::new(str::from_utf8(&bytes).unwrap_or_default());
    let versions = files.iter().filter_map(|file| match &file.locator {
        VersionLocator::Workspace { kind, members } => of_workspace(&Workspace::load(*kind, path, tree).ok()?, members),
        _ => parsed.find(file).ok()?.iter().filter_map(|found| parse(&found.value)).max(),
    });
    versions.max()
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
    use std::{cell::Cell, collections::BTreeMap};

    use super::*;

    /// A file of many keys, which counts how often it is read.
    #[derive(Default)]
    struct CountedFile {
        reads: Cell<usize>,
    }

    impl FileTree for CountedFile {
        fn read(&self, _path: &str) -> anyhow::Result<Option<Vec<u8>>> {
            self.reads.set(self.reads.get() + 1);
            Ok(Some(b"one = \"1.2.0\"\ntwo = \"1.3.0\"\nthree = \"soon\"\n".to_vec()))
        }

        fn directories(&self, _path: &str) -> anyhow::Result<Vec<String>> {
            Ok(Vec::new())
        }
    }

    #[test]
    fn a_file_is_read_once_for_all_its_keys() {
        let file = CountedFile::default();
        let keys = ["one", "two", "three", "four"];
        let files = keys.map(|key| VersionFile { path: "lamps.toml".into(), locator: VersionLocator::Key(key.into()) });
        assert_eq!(highest(&files, &file).map(|found| found.version), Some(Version::new(1, 3, 0)));
        assert_eq!(file.reads.get(), 1);
    }

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
