//! Packages that are released because another one is: what they require of each other.

use super::{ReleaseContext, ReleaseRequest};
use crate::{
    changelog::version_file::workspace::{PackageMembers, Update, Workspace},
    config::Config,
    model::{Version, VersionFile, VersionLocator, Warning, WorkspaceKind},
    pipeline::{CommitFiles, range_start::BaseTag},
};

/// A workspace that packages of the configuration are members of, as it is at the tip of the branch.
#[derive(Debug)]
pub(super) struct PackageWorkspace {
    kind: WorkspaceKind,
    path: String,
    workspace: Workspace,
    packages: Vec<PackageMembers>,
}

/// The workspaces among version files, and the members that have the version.
fn members(files: &[VersionFile]) -> impl Iterator<Item = (WorkspaceKind, &str, &[String])> {
    files.iter().filter_map(|file| match &file.locator {
        VersionLocator::Workspace { kind, members } => Some((*kind, file.path.as_str(), members.as_slice())),
        _ => None,
    })
}

/// Loads the workspaces that packages name in their version files.
pub(super) fn load(config: &Config, files: CommitFiles) -> anyhow::Result<Vec<PackageWorkspace>> {
    let mut workspaces: Vec<PackageWorkspace> = Vec::new();
    for (name, package) in config.packages.iter() {
        for (kind, path, members) in members(&package.version_files) {
            let known = workspaces.iter().position(|known| known.kind == kind && known.path == path);
            let index = known.map_or_else(
                || {
                    let workspace = Workspace::load(kind, path, &files)?;
                    workspaces.push(PackageWorkspace { kind, path: path.to_owned(), workspace, packages: Vec::new() });
                    anyhow::Ok(workspaces.len() - 1)
                },
                Ok,
            )?;
            workspaces[index].packages.push(PackageMembers { name: name.clone(), members: members.to_vec() });
        }
    }
    Ok(workspaces)
}

impl ReleaseContext<'_> {
    /// The packages, those that others require first, and what does not fit into that order.
    ///
    /// # Errors
    ///
    /// If a manifest of a workspace is not valid.
    pub fn package_order(&self) -> anyhow::Result<(Vec<String>, Vec<Warning>)> {
        let mut names: Vec<String> = self.config.config.packages.keys().cloned().collect();
        let mut warnings = Vec::new();
        for PackageWorkspace { workspace, packages, .. } in self.workspaces()? {
            let mut packages = packages.clone();
            packages.sort_by_key(|package| names.iter().position(|name| *name == package.name));
            let (order, further) = workspace.release_order(&packages);
            warnings.extend(further);
            let slots: Vec<_> = (0..names.len()).filter(|index| order.contains(&names[*index])).collect();
            slots.into_iter().zip(order).for_each(|(slot, name)| names[slot] = name);
        }
        Ok((names, warnings))
    }

    /// The members of workspaces that have the version of a package.
    pub fn members(&self, package: &str) -> impl Iterator<Item = &str> {
        let files = self.config.config.packages.get(package).map(|package| package.version_files.as_slice());
        members(files.unwrap_or_default()).flat_map(|(_, _, members)| members.iter().map(String::as_str))
    }

    /// What a package required at its last release, and must be released for.
    pub(super) fn updates(
        &self,
        config: &Config,
        base: Option<&BaseTag>,
        request: &ReleaseRequest,
    ) -> anyhow::Result<Vec<Update>> {
        let mut updates = Vec::new();
        if request.changelog.settings.package.is_none() || !config.dependents {
            return Ok(updates);
        }
        let Some(base) = base else { return Ok(updates) };
        let then = CommitFiles { repo: self.repo, commit: Some(base.commit) };
        for (kind, path, members) in members(&config.version_files) {
            let found = self.workspaces()?.iter().find(|known| known.kind == kind && known.path == path);
            let Some(PackageWorkspace { workspace, .. }) = found else { continue };
            updates.extend(workspace.updates(&workspace.required_at(members, &then)?, &request.planned));
        }
        Ok(updates)
    }

    /// The next patch version of a package that nothing but its requirements makes to be released.
    pub(super) fn raised_version(
        &self,
        config: &Config,
        base: &BaseTag,
        request: &ReleaseRequest,
    ) -> anyhow::Result<Option<Version>> {
        if self.updates(config, Some(base), request)?.is_empty() {
            return Ok(None);
        }
        let last: Version = base.version.parse()?;
        let semver::Version { major, minor, patch, .. } = *last.semver();
        Ok(Some(format!("{major}.{minor}.{}", patch + 1).parse()?))
    }
}
