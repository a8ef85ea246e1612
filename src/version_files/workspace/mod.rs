//! Workspaces of Cargo and npm: packages of one repository that require each other, and share a lock file.

mod cargo;
mod dependents;
mod edit;
mod manifest;
mod npm;
mod plan;
mod skipped;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, VecDeque};

use anyhow::Context as _;

pub(crate) use self::{
    dependents::{PackageMembers, level},
    edit::{PlannedMember, RaisedRequirements, Update, WorkspaceEdit},
};
use self::{
    edit::{PROTOCOL, excludes, published_requirement},
    manifest::{Manifest, ManifestError, PEERS, Scope},
};
pub(crate) use super::file_tree::join_path;
use super::file_tree::{FileTree, expand};
use crate::{
    config::WorkspaceKind,
    model::{Problem, Warning},
};

/// The manifests of a workspace: the root, and its members.
#[derive(Debug)]
pub(crate) struct Workspace {
    kind: WorkspaceKind,
    /// The manifests, that of the root first.
    files: Vec<ManifestFile>,
    /// Whether only requirements with the protocol `workspace:` are for members, and others for what a registry has.
    only_protocol: bool,
    /// The members that are listed and not read.
    pub(crate) warnings: Vec<Warning>,
}

#[derive(Debug)]
struct ManifestFile {
    path: String,
    directory: String,
    text: String,
    manifest: Manifest,
}

#[derive(Clone, Copy)]
struct MemberDependency<'a> {
    name: &'a str,
    requirement: Option<&'a str>,
    is_development: bool,
    is_peer: bool,
}

impl Workspace {
    /// Loads the manifests of a workspace, beginning with that of its root.
    pub(crate) fn load(kind: WorkspaceKind, root: &str, tree: &dyn FileTree) -> anyhow::Result<Self> {
        let path = join_path("", root).unwrap_or_default();
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let file = load(kind, directory, name, tree)?.ok_or_else(|| {
            Problem::new(format!("the manifest `{root}` of the workspace does not exist"))
                .hint("set `path` beside `workspace:` to the manifest at the root of the workspace")
        })?;
        let mut patterns = file.manifest.members.clone().unwrap_or_default();
        if kind == WorkspaceKind::Npm
            && let Some(text) = read(tree, &join_path(directory, "pnpm-workspace.yaml").unwrap_or_default())?
        {
            patterns.extend(npm::pnpm_members(&text));
        }
        let is_root = file.manifest.members.is_some();
        let mut waiting: VecDeque<_> = expand(&patterns, directory, tree)?.into();
        let skipped = skipped::skipped(&patterns, directory, tree)?;
        waiting.retain(|directory| !skipped.iter().any(|member| member.path == *directory));
        let mut workspace = Self { kind, files: vec![file], only_protocol: false, warnings: Vec::new() };
        let reported = skipped.iter().filter(|member| !workspace.excludes(&member.path));
        workspace.warnings = reported.map(|member| member.warning(root)).collect();
        waiting.extend(workspace.path_dependencies(0));
        while let Some(directory) = waiting.pop_front() {
            if workspace.files.iter().any(|file| file.directory == directory) || workspace.excludes(&directory) {
                continue;
            }
            match load(kind, &directory, name, tree)? {
                Some(file) => workspace.files.push(file),
                None if kind == WorkspaceKind::Cargo && patterns.contains(&directory) => {
                    let root = &workspace.files[0].path;
                    return Err(Problem::new(format!(
                        "`workspace.members` of `{root}` lists `{directory}`, which has no `{name}`"
                    ))
                    .into());
                }
                None => continue,
            }
            if is_root {
                waiting.extend(workspace.path_dependencies(workspace.files.len() - 1));
            }
        }
        // A root that has the name of a member is not a package of its own.
        if let Some((root, others)) = workspace.files.split_first_mut()
            && others.iter().any(|other| other.manifest.name == root.manifest.name)
        {
            root.manifest.name = None;
        }
        Ok(workspace)
    }

    /// Takes only requirements with the protocol `workspace:` as such for members.
    #[must_use]
    pub(crate) fn with_protocol_only(self, only_protocol: bool) -> Self {
        Self { only_protocol, ..self }
    }

    /// Returns the directories that the manifest of the root itself lists as members; `None` if it lists none.
    pub(crate) fn listed_directories(&self, tree: &dyn FileTree) -> anyhow::Result<Option<Vec<String>>> {
        let patterns = self.files[0].manifest.members.as_ref();
        patterns.map(|patterns| expand(patterns, self.directory(), tree)).transpose()
    }

    /// Returns the directories below the root that a manifest depends on by path: for Cargo they are members.
    fn path_dependencies(&self, index: usize) -> Vec<String> {
        if self.files[0].manifest.members.is_none() {
            return Vec::new();
        }
        let paths =
            self.files[index].manifest.dependencies.iter().filter_map(|dependency| dependency.directory.clone());
        paths.filter(|directory| is_below(directory, self.directory())).collect()
    }

    fn excludes(&self, directory: &str) -> bool {
        let Manifest { members, exclude, .. } = &self.files[0].manifest;
        let is_named = |path: &String| join_path(self.directory(), path).is_some_and(|path| is_below(directory, &path));
        exclude.iter().any(is_named) && !members.iter().flatten().any(is_named)
    }

    fn directory(&self) -> &str {
        &self.files[0].directory
    }

    pub(crate) fn members(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter_map(|file| file.manifest.name.as_deref())
    }

    pub(crate) fn has_shared_version(&self) -> bool {
        self.files[0].manifest.shared_version.is_some()
    }

    /// Returns the names of the members that have a version.
    pub(crate) fn members_at<'a>(&'a self, version: &'a str) -> impl Iterator<Item = &'a str> {
        let files = self.files.iter().filter(move |file| self.version_of(file) == Some(version));
        files.filter_map(|file| file.manifest.name.as_deref())
    }

    pub(crate) fn member_in(&self, directory: &str) -> Option<&str> {
        self.files.iter().find(|file| file.directory == directory)?.manifest.name.as_deref()
    }

    pub(crate) fn directory_of(&self, name: &str) -> Option<&str> {
        self.file(name).map(|file| file.directory.as_str())
    }

    pub(crate) fn directories(&self) -> impl Iterator<Item = &str> {
        self.files.iter().filter(|file| file.manifest.name.is_some()).map(|file| file.directory.as_str())
    }

    fn file(&self, name: &str) -> Option<&ManifestFile> {
        self.files.iter().find(|file| file.manifest.name.as_deref() == Some(name))
    }

    fn version_of<'a>(&'a self, file: &'a ManifestFile) -> Option<&'a str> {
        let Manifest { version, inherits_version, .. } = &file.manifest;
        let version = if *inherits_version { &self.files[0].manifest.shared_version } else { version };
        version.as_ref().map(|found| found.value.as_str())
    }

    pub(crate) fn member_version(&self, name: &str) -> Option<&str> {
        self.version_of(self.file(name)?)
    }

    /// Returns the version that the workspace is released as: the one that members inherit, else that of a published
    /// package at the root, else the one that most members have. 0.0.0 is a placeholder.
    pub(crate) fn version(&self) -> Option<&str> {
        let root = &self.files[0];
        if let Some(shared) = &root.manifest.shared_version {
            return Some(&shared.value);
        }
        let own = |file| self.version_of(file).filter(|version| *version != "0.0.0");
        if let Some(version) = own(root).filter(|_| !root.manifest.is_private) {
            return Some(version);
        }
        let mut counts: HashMap<&str, usize> = HashMap::new();
        self.files.iter().filter_map(own).for_each(|version| *counts.entry(version).or_default() += 1);
        counts
            .into_iter()
            .max_by_key(|(version, count)| (*count, semver::Version::parse(version).ok()))
            .map(|(version, _)| version)
    }

    /// Returns what a member requires of others, without what is for other packages of the same names.
    fn dependencies<'a>(&'a self, name: &str) -> Vec<MemberDependency<'a>> {
        let all = self.all_dependencies(name);
        let last = last_requirements(&all);
        all.into_iter().filter(|on| self.is_linked(on.name, &last, self.only_protocol)).collect()
    }

    /// Whether requirements for a member are for the one of this repository, as the last of them says: with npm, one that
    /// does not allow the present version, or with `only_protocol` lacks `workspace:`, is for a package of a registry.
    fn is_linked(&self, name: &str, last: &HashMap<&str, Option<&str>>, only_protocol: bool) -> bool {
        let requirement = last.get(name).copied().flatten();
        if self.kind == WorkspaceKind::Cargo {
            return true;
        }
        if only_protocol && !requirement.is_some_and(|text| text.starts_with(PROTOCOL)) {
            return false;
        }
        let version = self.member_version(name);
        let required = requirement.and_then(|text| published_requirement(text, version));
        let version = version.and_then(|version| semver::Version::parse(version).ok());
        !required.zip(version).is_some_and(|(required, version)| excludes(&required, &version))
    }

    fn all_dependencies<'a>(&'a self, name: &str) -> Vec<MemberDependency<'a>> {
        let shared = &self.files[0].manifest.dependencies;
        let all = self.file(name).into_iter().flat_map(|file| &file.manifest.dependencies);
        all.filter(|dependency| dependency.scope != Scope::Shared)
            .map(|dependency| {
                let terms = if dependency.scope == Scope::Inherited {
                    shared.iter().find(|shared| shared.scope == Scope::Shared && shared.key == dependency.key)
                } else {
                    Some(dependency)
                };
                (dependency, terms.unwrap_or(dependency))
            })
            .filter(|(_, terms)| self.file(&terms.name).is_some())
            .map(|(dependency, terms)| MemberDependency {
                name: &terms.name,
                requirement: terms.requirement.as_ref().map(|found| found.value.as_str()),
                is_development: dependency.is_development,
                is_peer: dependency.table == PEERS,
            })
            .collect()
    }
}

/// Returns the last requirement for each name.
fn last_requirements<'a>(all: &[MemberDependency<'a>]) -> HashMap<&'a str, Option<&'a str>> {
    all.iter().map(|on| (on.name, on.requirement)).collect()
}

fn is_below(directory: &str, parent: &str) -> bool {
    parent.is_empty() || directory.strip_prefix(parent).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn load(kind: WorkspaceKind, directory: &str, name: &str, tree: &dyn FileTree) -> anyhow::Result<Option<ManifestFile>> {
    let path = join_path(directory, name).unwrap_or_default();
    let Some(text) = read(tree, &path)? else { return Ok(None) };
    let manifest = parse(kind, &text, directory).map_err(|error| error.in_file(&path, &text))?;
    Ok(Some(ManifestFile { path, directory: directory.to_owned(), text, manifest }))
}

fn parse(kind: WorkspaceKind, text: &str, directory: &str) -> Result<Manifest, ManifestError> {
    match kind {
        WorkspaceKind::Cargo => cargo::parse(text, directory),
        WorkspaceKind::Npm => npm::parse(text),
    }
}

fn read(tree: &dyn FileTree, path: &str) -> anyhow::Result<Option<String>> {
    let text = tree.read(path)?.map(String::from_utf8);
    text.transpose().with_context(|| format!("`{path}` is not valid UTF-8"))
}
