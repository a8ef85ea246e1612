//! The requirements between packages: a package is released if it requires another one that is released.

use std::sync::OnceLock;

use indexmap::{IndexMap, map::Entry};

use super::{base_tag::BaseTag, history::History, loaded_config::CommitFiles, scope::Scope};
use crate::{
    config::{Config, VersionFile, VersionLocator, WorkspaceKind},
    model::{BumpLevel, Version, Warning},
    version_files::{
        self, FileTree as _,
        workspace::{PackageMembers, Update, Workspace},
    },
    versions::together::PlannedPackage,
};

/// The workspaces that packages of the configuration are members of, as they are at the tip of the branch, by kind and
/// path of the root, each with these packages.
type PackageWorkspaces = IndexMap<(WorkspaceKind, String), (Workspace, Vec<PackageMembers>)>;

/// Returns the workspaces among version files, each with the members that get the version.
fn members(files: &[VersionFile]) -> impl Iterator<Item = (WorkspaceKind, &str, &[String])> {
    files.iter().filter_map(|file| match &file.locator {
        VersionLocator::Workspace { kind, members } => Some((*kind, file.path.as_str(), members.as_slice())),
        _ => None,
    })
}

/// Loads the workspaces that packages name in their version files.
fn load(config: &Config, files: CommitFiles) -> anyhow::Result<PackageWorkspaces> {
    let mut workspaces = PackageWorkspaces::new();
    for (name, package) in config.packages.iter() {
        for (kind, path, members) in members(&package.version_files) {
            let (_, packages) = match workspaces.entry((kind, path.to_owned())) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert((Workspace::load(kind, path, &files)?, Vec::new())),
            };
            packages.push(PackageMembers { name: name.clone(), members: members.to_vec() });
        }
    }
    Ok(workspaces)
}

/// The requirements between the packages of a configuration, and the versions they get in the same run.
#[derive(Debug)]
pub(crate) struct PackageDependencies<'r> {
    /// The scope of a package or of the whole repository, at whose end manifests are read.
    pub(super) scope: Scope<'r>,
    workspaces: OnceLock<PackageWorkspaces>,
    /// The members of a workspace that get a version in this run.
    planned: Vec<(String, semver::Version)>,
    /// How packages are raised if all are released that are due; empty without groups.
    pub(super) raised: OnceLock<IndexMap<String, PlannedPackage>>,
}

impl<'r> PackageDependencies<'r> {
    /// Takes the packages of a configuration; manifests are read when they are first needed.
    #[must_use]
    pub(crate) fn new(scope: &Scope<'r>) -> Self {
        Self { scope: scope.clone(), workspaces: OnceLock::new(), planned: Vec::new(), raised: OnceLock::new() }
    }

    /// Returns the workspaces of the packages at the tip, which are loaded on the first call.
    fn workspaces(&self) -> anyhow::Result<&PackageWorkspaces> {
        if let Some(loaded) = self.workspaces.get() {
            return Ok(loaded);
        }
        let files = CommitFiles { repo: self.scope.repo, commit: Some(self.scope.to) };
        let loaded = load(self.scope.config(), files)?;
        Ok(self.workspaces.get_or_init(|| loaded))
    }

    /// Returns the names of the packages, required ones first, with warnings of the workspaces, and of requirements
    /// that have no such order.
    pub(crate) fn order(&self) -> anyhow::Result<(Vec<String>, Vec<Warning>)> {
        let mut names: Vec<String> = self.scope.config().packages.keys().cloned().collect();
        let mut warnings = Vec::new();
        for (workspace, packages) in self.workspaces()?.values() {
            let mut packages = packages.clone();
            packages.sort_by_key(|package| names.iter().position(|name| *name == package.name));
            let (order, further) = workspace.release_order(&packages);
            warnings.extend(workspace.warnings.iter().cloned().chain(further));
            let slots: Vec<_> = (0..names.len()).filter(|index| order.contains(&names[*index])).collect();
            slots.into_iter().zip(order).for_each(|(slot, name)| names[slot] = name);
        }
        Ok((names, warnings))
    }

    /// Records the version that a package gets in this run, for the packages that come after it.
    pub(crate) fn plan(&mut self, package: &str, version: &Version) {
        let planned = self.members_at(package, version.semver());
        self.planned.extend(planned);
    }

    /// Returns the members of a package, each with a version of the package.
    pub(super) fn members_at(&self, package: &str, version: &semver::Version) -> Vec<(String, semver::Version)> {
        let files = self.scope.config().packages.get(package).map(|package| package.version_files.as_slice());
        let members = members(files.unwrap_or_default()).flat_map(|(_, _, members)| members);
        members.map(|member| (member.clone(), version.clone())).collect()
    }

    /// Returns the members that a package required at its base tag, or requires now if it lists change files, and whose
    /// versions no longer meet that requirement.
    pub(super) fn updates(&self, config: &Config, base: Option<&BaseTag>) -> anyhow::Result<Vec<Update>> {
        self.updates_for(config, base, &self.planned)
    }

    /// Returns the same for members that get these versions.
    pub(super) fn updates_for(
        &self,
        config: &Config,
        base: Option<&BaseTag>,
        planned: &[(String, semver::Version)],
    ) -> anyhow::Result<Vec<Update>> {
        let mut updates = Vec::new();
        let base = if config.lists_change_files() { Some(self.scope.to) } else { base.map(|base| base.commit) };
        let Some(base) = base.filter(|_| !config.ignores_dependents) else { return Ok(updates) };
        let then = CommitFiles { repo: self.scope.repo, commit: Some(base) };
        for (kind, path, members) in members(&config.version_files) {
            let Some((workspace, _)) = self.workspaces()?.get(&(kind, path.to_owned())) else { continue };
            updates.extend(if config.raises_all_dependents {
                workspace.planned_dependencies(members, planned)
            } else {
                workspace.updates(&workspace.required_at(members, &then)?, planned)
            });
        }
        Ok(updates)
    }

    /// Returns the members that get a version in this run which is higher by this level or more.
    pub(super) fn planned_updates(&self, least: BumpLevel) -> anyhow::Result<Vec<Update>> {
        let mut updates = Vec::new();
        for (workspace, _) in self.workspaces()?.values() {
            for (member, version) in &self.planned {
                let old = workspace.member_version(member).and_then(|old| old.parse().ok());
                if old.is_some_and(|old| level(&old, version) >= least) {
                    updates.push(Update { member: member.clone(), version: version.clone() });
                }
            }
        }
        Ok(updates)
    }

    /// Returns the version that the manifest of a package has; `None` for the repository as a whole.
    pub(super) fn manifest_version(&self, history: &History) -> anyhow::Result<Option<Version>> {
        let Some(file) = history.config().version_files.first().filter(|_| history.scope.package_name().is_some())
        else {
            return Ok(None);
        };
        let text = if let VersionLocator::Workspace { kind, members } = &file.locator {
            let Some((workspace, _)) = self.workspaces()?.get(&(*kind, file.path.clone())) else { return Ok(None) };
            let own = members.first().map_or_else(|| workspace.version(), |name| workspace.member_version(name));
            own.map(str::to_owned)
        } else {
            let files = CommitFiles { repo: self.scope.repo, commit: Some(self.scope.to) };
            files.read(&file.path)?.and_then(|bytes| version_files::values(&bytes, file).ok()?.pop())
        };
        Ok(text.and_then(|text| text.trim_start_matches('v').parse::<Version>().ok()).filter(Version::is_semantic))
    }
}

/// Returns the level by which a version is higher than another.
fn level(old: &semver::Version, new: &semver::Version) -> BumpLevel {
    match (new.major == old.major, new.minor == old.minor) {
        (false, _) => BumpLevel::Major,
        (true, false) => BumpLevel::Minor,
        (true, true) => BumpLevel::Patch,
    }
}
