//! The packages that a tool with change files releases.

use indexmap::IndexMap;
use semver::Version;

use crate::{
    config::{Package, WorkspaceKind},
    version_files::{FileTree, glob, workspace::Workspace},
    versions::tag_names,
};

/// Where a tool finds the packages that it releases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum PackageList {
    /// It knows none, or they are not read.
    #[default]
    Nothing,
    /// The members of the workspace of npm that the first patterns match, if there are any, without those that the others
    /// ignore, and maybe without those that are never published.
    Members { released: Vec<String>, ignored: Vec<String>, skips_private: bool },
    /// Names with their directories.
    Listed(Vec<ToolPackage>),
}

/// A package that a tool releases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolPackage {
    pub name: String,
    pub directory: String,
    /// What its tags have before the version, unless there are other ones already.
    pub tag_prefix: String,
    /// The manifest that has its version, if the tool says so: packages of two of them may share a directory.
    pub manifest: Option<WorkspaceKind>,
}

impl ToolPackage {
    /// Whether a package with these tags is this one, by the name in them.
    pub(crate) fn is_tagged(&self, prefix: &str) -> bool {
        tag_names::name_in_prefix(prefix) == self.name
    }

    /// Whether the tool has another package in the same directory, whose version is in another manifest.
    pub(crate) fn shares_directory(&self, listed: &[Self]) -> bool {
        let is_other = |manifest: WorkspaceKind| Some(manifest) != self.manifest;
        self.manifest.is_some()
            && listed.iter().any(|other| other.directory == self.directory && other.manifest.is_some_and(is_other))
    }
}

/// Whether a name is that of another package in the directory of the one with this key, by its own key or its tags.
pub(crate) fn is_of_neighbor(packages: &IndexMap<String, Package>, key: &str, name: &str) -> bool {
    let Some(directory) = packages.get(key).and_then(|own| own.paths.first()) else { return false };
    packages
        .iter()
        .filter(|(other, package)| *other != key && package.paths.first() == Some(directory))
        .any(|(other, package)| other == name || tag_names::name_in_prefix(&package.tag_prefix) == name)
}

/// A member of a workspace that a tool never releases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnreleasedMember {
    pub name: String,
    pub directory: String,
    pub version: Version,
}

impl PackageList {
    /// Reads the packages; one alone at the top of the repository is none.
    pub(super) fn read(&self, tree: &dyn FileTree) -> anyhow::Result<Vec<ToolPackage>> {
        let mut packages = match self {
            Self::Nothing => Vec::new(),
            Self::Listed(packages) => packages.clone(),
            Self::Members { released, ignored, skips_private } => members(released, ignored, *skips_private, tree)?,
        };
        packages.retain(|package| !package.directory.is_empty());
        Ok(packages)
    }

    /// Returns the members of the workspace that have versions and that the tool never releases.
    pub(super) fn unreleased(&self, tree: &dyn FileTree) -> anyhow::Result<Vec<UnreleasedMember>> {
        let root = WorkspaceKind::Npm.manifest();
        if !matches!(self, Self::Members { .. }) || tree.read(root)?.is_none() {
            return Ok(Vec::new());
        }
        let (released, workspace) = (self.read(tree)?, Workspace::load(WorkspaceKind::Npm, root, tree)?);
        let others = workspace.members().filter(|name| !released.iter().any(|package| package.name == **name));
        let member = |name: &str| {
            let version = workspace.member_version(name)?.parse().ok()?;
            let directory = workspace.directory_of(name)?.to_owned();
            Some(UnreleasedMember { name: name.to_owned(), directory, version })
        };
        Ok(others.filter_map(member).collect())
    }
}

/// Returns the members that patterns match, by their names or directories.
pub(super) fn members(
    released: &[String],
    ignored: &[String],
    skips_private: bool,
    tree: &dyn FileTree,
) -> anyhow::Result<Vec<ToolPackage>> {
    let root = WorkspaceKind::Npm.manifest();
    if tree.read(root)?.is_none() {
        return Ok(Vec::new());
    }
    let workspace = Workspace::load(WorkspaceKind::Npm, root, tree)?;
    let globs = |patterns: &[String]| patterns.iter().map(|pattern| glob(pattern)).collect::<anyhow::Result<Vec<_>>>();
    let (chosen, ignored) = (globs(released)?, globs(ignored)?);
    // Where `package.json` lists the members, `pnpm-workspace.yaml` is not read.
    let listed = workspace.listed_directories(tree)?;
    let released = workspace.members().filter(|name| {
        let directory = workspace.directory_of(name).unwrap_or_default();
        let is_listed = listed.as_ref().is_none_or(|listed| listed.iter().any(|listed| listed == directory));
        let is_chosen =
            chosen.is_empty() || chosen.iter().any(|pattern| pattern.is_match(name) || pattern.is_match(directory));
        workspace.member_version(name).is_some()
            && is_chosen
            && is_listed
            && !(skips_private && workspace.is_private(name))
            && !ignored.iter().any(|pattern| pattern.is_match(name))
    });
    Ok(released
        .map(|name| {
            let directory = workspace.directory_of(name).unwrap_or_default().to_owned();
            ToolPackage { name: name.to_owned(), directory, tag_prefix: format!("{name}@"), manifest: None }
        })
        .collect())
}
