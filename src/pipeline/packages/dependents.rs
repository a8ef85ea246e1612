//! The requirements between packages: a package is released if it requires another one that is released.

use std::sync::OnceLock;

use indexmap::{IndexMap, map::Entry};

use crate::{
    config::{Config, Package, VersionFile, VersionLocator, Versioning, WorkspaceKind},
    model::{BumpLevel, Version, Warning},
    pipeline::{
        base::base_tag::BaseTag,
        changes::{history::History, listed_changes::change_files_at},
        scope::{Scope, loaded_config::CommitFiles},
    },
    sources::change_files::{ListedDependency, RequirementRule, is_of_neighbor},
    version_files::{
        self, FileTree as _,
        present::{highest, is_placeholder, usual_manifests},
        workspace::{PackageMembers, PlannedMember, RaisedRequirements, Update, Workspace, level},
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

/// Loads the workspaces that packages name in their version files. With `only_protocol`, members are only required with
/// `workspace:`.
fn load(config: &Config, files: CommitFiles, only_protocol: bool) -> anyhow::Result<PackageWorkspaces> {
    let mut workspaces = PackageWorkspaces::new();
    for (name, package) in config.packages.iter() {
        for (kind, path, members) in members(&package.version_files) {
            let (_, packages) = match workspaces.entry((kind, path.to_owned())) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let workspace = Workspace::load(kind, path, &files)?.with_protocol_only(only_protocol);
                    new.insert((workspace, Vec::new()))
                }
            };
            packages.push(PackageMembers { name: name.clone(), members: members.to_vec() });
        }
    }
    Ok(workspaces)
}

/// The members whose new versions a package must require, and how far that raises its own version.
#[derive(Debug, Default)]
pub(crate) struct NeededUpdates {
    pub(crate) updates: Vec<Update>,
    pub(crate) level: BumpLevel,
}

/// The version that a package gets in a run.
#[derive(Clone, Debug)]
pub(crate) struct NewVersion {
    pub(crate) version: semver::Version,
    /// How far it raises the package; `None` if the version was given, so that the manifest says how far.
    pub(crate) level: Option<BumpLevel>,
}

/// The packages that get a version in a run, and their members.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlannedVersions {
    packages: IndexMap<String, semver::Version>,
    members: Vec<PlannedMember>,
}

/// The requirements between the packages of a configuration, and the versions they get in the same run.
#[derive(Debug)]
pub(crate) struct PackageDependencies<'r> {
    /// The scope of a package or of the whole repository, at whose end manifests are read.
    pub(crate) scope: Scope<'r>,
    workspaces: OnceLock<PackageWorkspaces>,
    /// What gets a version in this run.
    planned: PlannedVersions,
    /// How packages are raised if all are released that are due; empty without groups.
    pub(crate) raised: OnceLock<IndexMap<String, PlannedPackage>>,
    /// The packages that require each other, so that no order has all of them after those that they require.
    pub(crate) circular: Vec<String>,
    /// The members whose requirements the tool of change files raises though it does not release them.
    unreleased: OnceLock<Vec<String>>,
}

impl<'r> PackageDependencies<'r> {
    /// Takes the packages of a configuration; manifests are read when they are first needed.
    #[must_use]
    pub(crate) fn new(scope: &Scope<'r>) -> Self {
        Self {
            scope: scope.clone(),
            workspaces: OnceLock::new(),
            planned: PlannedVersions::default(),
            raised: OnceLock::new(),
            circular: Vec::new(),
            unreleased: OnceLock::new(),
        }
    }

    /// Returns the workspaces of the packages at the tip, which are loaded on the first call.
    fn workspaces(&self) -> anyhow::Result<&PackageWorkspaces> {
        if let Some(loaded) = self.workspaces.get() {
            return Ok(loaded);
        }
        let files = CommitFiles { repo: self.scope.repo, commit: Some(self.scope.to) };
        let rule = self.requirement_rule(self.scope.config())?;
        let loaded = load(self.scope.config(), files, rule.is_some_and(|rule| rule.only_protocol))?;
        Ok(self.workspaces.get_or_init(|| loaded))
    }

    /// Returns the names of the packages, required ones first, with warnings of the workspaces, and of requirements
    /// that have no such order.
    pub(crate) fn order(&mut self) -> anyhow::Result<(Vec<String>, Vec<Warning>)> {
        let mut names: Vec<String> = self.scope.config().packages.keys().cloned().collect();
        let (mut warnings, mut circular) = (Vec::new(), Vec::new());
        for (workspace, packages) in self.workspaces()?.values() {
            let mut packages = packages.clone();
            packages.sort_by_key(|package| names.iter().position(|name| *name == package.name));
            let (order, circles) = workspace.release_order(&packages);
            warnings.extend(workspace.warnings.iter().cloned().chain(workspace.path_only(&packages)));
            warnings.extend(circles.iter().map(|names| {
                let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
                Warning::new(format!("the packages {} require each other", names.join(", ")))
            }));
            circular.extend(circles.into_iter().flatten());
            let slots: Vec<_> = (0..names.len()).filter(|index| order.contains(&names[*index])).collect();
            slots.into_iter().zip(order).for_each(|(slot, name)| names[slot] = name);
        }
        self.circular = circular;
        Ok((self.order_as_listed(names)?, warnings))
    }

    /// Puts packages after those that the tool with change files lists as their dependencies; else the order stays.
    fn order_as_listed(&self, mut waiting: Vec<String>) -> anyhow::Result<Vec<String>> {
        let files = self.scope.change_files()?;
        let Some(listed) = files.as_ref().and_then(|files| files.dependencies.as_ref()) else { return Ok(waiting) };
        let mut order = Vec::new();
        while !waiting.is_empty() {
            let is_free = |name: &String| {
                !self.listed_for(name, listed).any(|(_, on)| on != name && waiting.iter().any(|other| other == on))
            };
            // In a circle, the first one is as good as any other.
            let next = waiting.iter().position(is_free).unwrap_or_default();
            order.push(waiting.remove(next));
        }
        Ok(order)
    }

    /// Returns the dependencies that a tool lists for a package, each with the package that it leads to.
    fn listed_for<'a>(
        &'a self,
        package: &str,
        listed: &'a [ListedDependency],
    ) -> impl Iterator<Item = (&'a ListedDependency, &'a str)> {
        let packages = &self.scope.config().packages;
        let is_at = move |key: &str, name: &str, directory: &String| {
            packages.get(key).is_some_and(|package| package.paths.first() == Some(directory))
                && !is_of_neighbor(packages, key, name)
        };
        let own = listed.iter().filter(move |one| is_at(package, &one.name, &one.directory));
        own.filter_map(move |one| {
            let on = packages.keys().find(|key| is_at(key, &one.on, &one.on_directory));
            on.map(|key| (one, key.as_str()))
        })
    }

    /// Records the version that a package gets in this run, for the packages that come after it.
    pub(crate) fn plan(&mut self, package: &str, new: &NewVersion) {
        let mut planned = std::mem::take(&mut self.planned);
        self.add(&mut planned, package, new);
        self.planned = planned;
    }

    /// Adds a package with the version that it gets.
    pub(crate) fn add(&self, to: &mut PlannedVersions, package: &str, new: &NewVersion) {
        let version = &new.version;
        to.packages.insert(package.to_owned(), version.clone());
        let files = self.scope.config().packages.get(package).map(|package| package.version_files.as_slice());
        for (kind, path, members) in members(files.unwrap_or_default()) {
            let workspace = self.workspaces.get().and_then(|loaded| loaded.get(&(kind, path.to_owned())));
            for name in members {
                let old = workspace.and_then(|(workspace, _)| workspace.member_version(name)?.parse().ok());
                let level = new.level.or_else(|| Some(level(&old?, version))).unwrap_or(BumpLevel::None);
                to.members.push(PlannedMember { name: name.clone(), version: version.clone(), level });
            }
        }
    }

    /// Returns the members that a package required at its base tag, or requires now if it lists change files, and whose
    /// versions no longer meet that requirement.
    pub(crate) fn updates(&self, config: &Config, base: Option<&BaseTag>) -> anyhow::Result<NeededUpdates> {
        self.updates_for(config, base, &self.planned)
    }

    /// Returns the same for members that get these versions.
    pub(crate) fn updates_for(
        &self,
        config: &Config,
        base: Option<&BaseTag>,
        planned: &PlannedVersions,
    ) -> anyhow::Result<NeededUpdates> {
        if let Some(updates) = self.listed_updates(config, planned)? {
            let level = if updates.is_empty() { BumpLevel::None } else { BumpLevel::Patch };
            return Ok(NeededUpdates { updates, level });
        }
        let mut updates = Vec::new();
        let rule = self.requirement_rule(config)?;
        let base = if config.lists_change_files() { Some(self.scope.to) } else { base.map(|base| base.commit) };
        let Some(base) = base.filter(|_| !config.ignores_dependents) else { return Ok(NeededUpdates::default()) };
        let then = CommitFiles { repo: self.scope.repo, commit: Some(base) };
        for (kind, path, members) in members(&config.version_files) {
            let Some((workspace, _)) = self.workspaces()?.get(&(kind, path.to_owned())) else { continue };
            updates.extend(if config.raises_all_dependents {
                workspace.planned_dependencies(members, &planned.members)
            } else {
                workspace.updates(&workspace.required_at(members, &then)?, &planned.members, rule.is_some())
            });
        }
        let mut level = if updates.is_empty() { BumpLevel::None } else { BumpLevel::Patch };
        for peer in self.raised_peers(config, &planned.members)? {
            level = BumpLevel::Major;
            if !updates.contains(&peer) {
                updates.push(peer);
            }
        }
        Ok(NeededUpdates { updates, level })
    }

    /// Returns the dependencies of a package that get a version, as the tool of its change files lists them; `None` if
    /// manifests say what a package depends on. A range in the manifest, which allows the version, keeps it apart.
    fn listed_updates(&self, config: &Config, planned: &PlannedVersions) -> anyhow::Result<Option<Vec<Update>>> {
        if !config.lists_change_files() || config.ignores_dependents {
            return Ok(None);
        }
        let Some(files) = self.scope.change_files()? else { return Ok(None) };
        let Some(listed) = &files.dependencies else { return Ok(None) };
        let packages = &self.scope.config().packages;
        let is_own = |package: &Package| {
            package.paths == config.paths && Some(&package.tag_prefix) == config.tag_prefix.as_ref()
        };
        let Some((own, _)) = packages.iter().find(|(_, package)| is_own(package)) else {
            return Ok(Some(Vec::new()));
        };
        let mut updates: Vec<Update> = Vec::new();
        for (dependency, name) in self.listed_for(own, listed) {
            let Some(version) = planned.packages.get(name).filter(|_| name != own) else { continue };
            if !self.requires_range(config, name, planned)? {
                updates.push(Update { member: dependency.on.clone(), version: version.clone() });
            }
        }
        Ok(Some(updates))
    }

    /// Whether the manifest of a package requires another one in a range.
    fn requires_range(&self, config: &Config, on: &str, planned: &PlannedVersions) -> anyhow::Result<bool> {
        let files = self.scope.config().packages.get(on).map(|package| package.version_files.as_slice());
        let names: Vec<&String> = members(files.unwrap_or_default()).flat_map(|(_, _, members)| members).collect();
        let of: Vec<_> = planned.members.iter().filter(|planned| names.contains(&&planned.name)).cloned().collect();
        for (kind, path, members) in members(&config.version_files) {
            let Some((workspace, _)) = self.workspaces()?.get(&(kind, path.to_owned())) else { continue };
            if members.iter().any(|member| workspace.requires_range(member, &of)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the peers of a package whose new versions are a new major version of the package, too.
    fn raised_peers(&self, config: &Config, planned: &[PlannedMember]) -> anyhow::Result<Vec<Update>> {
        let Some(rule) = self.requirement_rule(config)?.filter(|rule| rule.peers_are_major) else {
            return Ok(Vec::new());
        };
        let mut raised = Vec::new();
        for (kind, path, members) in members(&config.version_files) {
            if let Some((workspace, _)) = self.workspaces()?.get(&(kind, path.to_owned())) {
                raised.extend(workspace.raised_peers(members, planned, rule.keeps_peers));
            }
        }
        Ok(raised)
    }

    /// Returns what the tool with change files says about requirements, if a package lists change files.
    fn requirement_rule(&self, config: &Config) -> anyhow::Result<Option<RequirementRule>> {
        if !config.lists_change_files() {
            return Ok(None);
        }
        Ok(self.scope.change_files()?.and_then(|files| files.requirements))
    }

    /// Returns the members with versions of this run that a package, which gets this version, requires from now on, as the
    /// tool of its change files has it.
    pub(crate) fn raised_requirements(
        &self,
        config: &Config,
        package: Option<&str>,
        new: &NewVersion,
    ) -> anyhow::Result<RaisedRequirements> {
        let mut raised = RaisedRequirements::default();
        let Some(rule) = self.requirement_rule(config)? else { return Ok(raised) };
        let workspaces = self.workspaces()?;
        let mut planned = self.planned.clone();
        self.add(&mut planned, package.unwrap_or_default(), new);
        let planned = planned.members;
        (raised.only_protocol, raised.keeps_ends) = (rule.only_protocol, rule.keeps_ends);
        raised.dependents.clone_from(self.unreleased()?);
        // Those that this run released before without knowing the version.
        raised.dependents.extend(self.planned.members.iter().map(|planned| planned.name.clone()));
        for (workspace, _) in workspaces.values() {
            raised.dependents.extend(workspace.dependents_of(&planned, config.raises_all_dependents));
            for one in planned.iter().filter(|one| workspace.member_version(&one.name).is_some()) {
                raised.all.push(one.clone());
                if one.level >= rule.least {
                    raised.of_others.push(one.clone());
                }
                if !rule.keeps_peers {
                    raised.of_peers.push(one.clone());
                }
            }
        }
        Ok(raised)
    }

    /// Returns the members whose requirements the tool of change files raises though it does not release them: those that
    /// it never releases, and those that a file names with the bump `none`.
    fn unreleased(&self) -> anyhow::Result<&Vec<String>> {
        if let Some(known) = self.unreleased.get() {
            return Ok(known);
        }
        let Scope { repo, to, .. } = &self.scope;
        let mut unreleased = change_files_at(repo, *to)?.map_or_else(Vec::new, |found| found.unbumped);
        if let Some(files) = self.scope.change_files()? {
            let others = files.unreleased(&CommitFiles { repo, commit: Some(*to) })?;
            unreleased.extend(others.into_iter().map(|member| member.name));
        }
        Ok(self.unreleased.get_or_init(|| unreleased))
    }

    /// Returns the version that manifests have for a first release: the one of the package's manifest, else the highest
    /// one of the files that a release sets, or of the manifests at the top.
    pub(crate) fn first_version(&self, history: &History, of_package: Option<&Version>) -> Option<semver::Version> {
        let found = match of_package {
            Some(version) => version.semver().clone(),
            None if history.scope.package_name().is_some() => return None,
            None => {
                let files = CommitFiles { repo: self.scope.repo, commit: Some(self.scope.to) };
                let configured = history.config().version_files.as_slice();
                let usual = if configured.is_empty() { usual_manifests() } else { Vec::new() };
                highest(configured, &files).or_else(|| highest(&usual, &files))?.version
            }
        };
        if history.config().versioning != Versioning::SemVer {
            return None;
        }
        let core = semver::Version::new(found.major, found.minor, found.patch);
        (!is_placeholder(&core)).then_some(core)
    }

    /// Returns the version that the manifest of a package has; `None` for the repository as a whole.
    pub(crate) fn manifest_version(&self, history: &History) -> anyhow::Result<Option<Version>> {
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
