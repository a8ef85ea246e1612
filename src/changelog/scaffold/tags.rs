//! How tags are named: as the default rule reads them, behind a prefix, or for several packages.

use indexmap::IndexMap;
use semver::Version;

use super::version_files::{self, FoundVersions};
use crate::changelog::{tag_pattern::TagPattern, version_file::FileTree};

/// Folders that packages usually lie in.
const PLACES: [&str; 6] = ["", "packages/", "crates/", "apps/", "libs/", "services/"];

/// The names of the tags that are versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TagScheme {
    /// `v1.2.0` or `1.2.0`.
    Default,
    /// This stands before the version.
    Prefixed(String),
    /// Each package has its own, by its name.
    Packages(IndexMap<String, DetectedPackage>),
}

/// A part of the repository that is released by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DetectedPackage {
    /// What stands before the version in its tags.
    pub prefix: String,
    /// Where it lies.
    pub folder: String,
    /// What has its version.
    pub(super) versions: FoundVersions,
}

impl TagScheme {
    /// Looks at the names of tags.
    pub(super) fn of(tags: &[String], tree: &dyn FileTree) -> Self {
        let mut prefixes: IndexMap<&str, usize> = IndexMap::new();
        for prefix in tags.iter().filter_map(|tag| prefix(tag)) {
            *prefixes.entry(prefix).or_default() += 1;
        }
        let packages: IndexMap<_, _> = prefixes.keys().filter_map(|prefix| package(prefix, tags, tree)).collect();
        if packages.len() > 1 {
            return Self::Packages(packages);
        }
        if prefixes.is_empty() || prefixes.contains_key("") {
            return Self::Default;
        }
        let most = prefixes.into_iter().max_by_key(|(_, count)| *count);
        most.map_or(Self::Default, |(prefix, _)| Self::Prefixed(prefix.to_owned()))
    }

    /// The packages by their names; none where there is one thing to release.
    pub(super) fn packages(&self) -> Option<&IndexMap<String, DetectedPackage>> {
        match self {
            Self::Packages(packages) => Some(packages),
            Self::Default | Self::Prefixed(_) => None,
        }
    }

    /// The prefix of the tags of the repository itself.
    pub(super) fn prefix(&self) -> &str {
        match self {
            Self::Prefixed(prefix) => prefix,
            Self::Default | Self::Packages(_) => "",
        }
    }

    pub(super) fn reason(&self) -> Option<String> {
        match self {
            Self::Default => None,
            Self::Prefixed(prefix) => Some(format!("tags are named as `{prefix}1.2.0`")),
            Self::Packages(packages) => {
                let names: Vec<_> = packages.keys().map(String::as_str).collect();
                Some(format!("these packages have tags of their own: {}", names.join(", ")))
            }
        }
    }
}

/// What stands before the version; empty where the default rule reads the tag as it is.
fn prefix(tag: &str) -> Option<&str> {
    let is_version = |text: &str| TagPattern::Default.stable_version(text).is_some();
    if is_version(tag) {
        return Some("");
    }
    let digits = tag.char_indices().find(|(at, letter)| letter.is_ascii_digit() && is_version(&tag[*at..]));
    digits.map(|(at, _)| &tag[..at])
}

/// The package that tags of this prefix are of, where there is a folder of its name.
fn package(prefix: &str, tags: &[String], tree: &dyn FileTree) -> Option<(String, DetectedPackage)> {
    let name = prefix.strip_suffix('v').unwrap_or(prefix).strip_suffix(['/', '@', '-', '_'])?;
    let name = name.rsplit('/').next().filter(|name| !name.is_empty())?;
    let folder = PLACES.iter().map(|place| format!("{place}{name}")).find(|folder| tree.has_directory(folder))?;
    let versions = version_files::find(&folder, tree, last(tags, prefix).as_ref(), false);
    Some((name.to_owned(), DetectedPackage { prefix: prefix.to_owned(), folder, versions }))
}

/// The highest stable version of the tags with a prefix.
pub(super) fn last(tags: &[String], with: &str) -> Option<Version> {
    let own = tags.iter().filter(|tag| prefix(tag) == Some(with)).filter_map(|tag| tag.strip_prefix(with));
    own.filter_map(|version| Version::parse(version.strip_prefix('v').unwrap_or(version)).ok()).max()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn shape(tags: &[&str], folders: &[&str]) -> TagScheme {
        let tags: Vec<_> = tags.iter().map(|&tag| tag.to_owned()).collect();
        let paths: Vec<_> = folders.iter().map(|folder| format!("{folder}/file")).collect();
        let tree: BTreeMap<&str, &str> = paths.iter().map(|path| (path.as_str(), "")).collect();
        TagScheme::of(&tags, &tree)
    }

    #[test]
    fn what_the_default_rule_reads_is_usual() {
        assert_eq!(shape(&[], &[]), TagScheme::Default);
        assert_eq!(shape(&["v1.2.0", "nightly", "app/v1.0.0"], &["app"]), TagScheme::Default);
    }

    #[test]
    fn the_most_frequent_prefix_counts() {
        let prefixed = TagScheme::Prefixed("app-".to_owned());
        assert_eq!(shape(&["app-1.0.0", "app-1.1.0", "old_1.0.0"], &[]), prefixed);
    }

    #[test]
    fn prefixes_of_several_folders_are_packages() {
        let TagScheme::Packages(packages) =
            shape(&["v1.0.0", "api/v1.0.0", "web@2.0.0", "x/v1.0.0"], &["api", "packages/web"])
        else {
            panic!("two of them are folders")
        };
        let found = packages.iter().map(|(name, package)| [name, package.prefix.as_str(), package.folder.as_str()]);
        let found: Vec<_> = found.collect();
        assert_eq!(found, [["api", "api/v", "api"], ["web", "web@", "packages/web"]]);
    }
}
