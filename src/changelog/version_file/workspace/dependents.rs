//! Packages that must be released because one they require was: whose requirement does not allow its new version.

use indexmap::IndexMap;
use semver::Version;

use super::{super::FileTree, ManifestFile, Workspace, load, requirement};
use crate::model::{Warning, WorkspaceKind};

/// A package of the configuration, as far as its release is decided.
#[derive(Clone, Debug)]
pub struct PackageState {
    /// Its name in the configuration.
    pub name: String,
    /// The members of the workspace that have its version.
    pub members: Vec<String>,
    /// The version released last; `None` if there is none.
    pub last: Option<Version>,
    /// The version that its own changes ask for; `None` if nothing does.
    pub next: Option<Version>,
    /// What it required of other members when it was released last.
    pub required: Vec<Required>,
}

/// What a package requires of a member of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Required {
    /// The name of the other member.
    pub member: String,
    /// The range of versions.
    pub requirement: String,
}

/// A version of a member that a package is made to require.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The name of the member.
    pub member: String,
    /// Its version.
    pub version: Version,
}

/// The packages to release, those that others depend on first.
#[derive(Debug, Default)]
pub struct ReleaseOrder {
    /// The version of each, and what it is made to require.
    pub packages: IndexMap<String, (Version, Vec<Update>)>,
    /// Cycles of packages, and requirements that name no version.
    pub warnings: Vec<Warning>,
}

impl Workspace {
    /// Reads what members required of others at an earlier commit.
    ///
    /// # Errors
    ///
    /// If a manifest of that commit cannot be read.
    pub fn required_at(&self, members: &[String], tree: &dyn FileTree) -> anyhow::Result<Vec<Required>> {
        let on = members.iter().flat_map(|name| self.dependencies(name)).map(|dependency| dependency.name);
        let names = members.iter().map(String::as_str).chain(on);
        let (root, mut files) = (&self.files[0], Vec::<ManifestFile>::new());
        let name = root.path.rsplit('/').next().unwrap_or(&root.path);
        let directories = names.filter_map(|name| self.file(name)).map(|file| file.directory.as_str());
        for directory in std::iter::once(root.directory.as_str()).chain(directories) {
            if !files.iter().any(|file| file.directory == directory) {
                files.extend(load(self.kind, directory, name, tree)?);
            }
        }
        if files.first().is_none_or(|first| first.directory != root.directory) {
            return Ok(Vec::new());
        }
        let then = Self { kind: self.kind, files };
        Ok(members.iter().flat_map(|name| then.required(name, members)).collect())
    }

    /// What a member requires of those that are not among `own`; what only developers need does not count.
    fn required(&self, name: &str, own: &[String]) -> Vec<Required> {
        let others = self
            .dependencies(name)
            .into_iter()
            .filter(|dependency| !dependency.is_development && !own.iter().any(|own| own == dependency.name));
        let required = others.filter_map(|dependency| {
            let version = self.member_version(dependency.name);
            let requirement = requirement::published(dependency.requirement?, version)?;
            let is_linked = self.kind == WorkspaceKind::Cargo || {
                let version = version.and_then(|version| Version::parse(version).ok());
                version.is_none_or(|version| requirement::allows(self.kind, &requirement, &version) != Some(false))
            };
            is_linked.then(|| Required { member: dependency.name.to_owned(), requirement })
        });
        required.collect()
    }
}

/// Decides which packages are released and in which order: those with a next version, and, if `raises` is set, those
/// that required less than the version another one has or gets; these get the next patch version.
#[must_use]
pub fn raise_dependents(workspace: &Workspace, packages: &[PackageState], raises: bool) -> ReleaseOrder {
    let (mut order, mut waiting) = (ReleaseOrder::default(), packages.iter().collect::<Vec<_>>());
    let mut versions: IndexMap<&str, Version> = IndexMap::new();
    while let Some(first) = waiting.first() {
        let needed = |package: &PackageState| {
            waiting.iter().copied().find(|other| other.name != package.name && workspace.needs(package, other))
        };
        // Follows what is needed until nothing is, or a package comes again.
        let mut path = vec![*first];
        while let Some(next) = needed(path[path.len() - 1]) {
            if let Some(start) = path.iter().position(|package| package.name == next.name) {
                let names: Vec<_> = path[start..].iter().map(|package| format!("`{}`", package.name)).collect();
                order.warnings.push(Warning::new(format!("the packages {} require each other", names.join(", "))));
                break;
            }
            path.push(next);
        }
        let package = path[path.len() - 1];
        waiting.retain(|other| other.name != package.name);
        let updates = package.updates(workspace.kind, &versions);
        let with_patch = package.last.as_ref().filter(|_| raises && !updates.is_empty()).map(patch);
        let next = package.next.clone().or(with_patch);
        let version = next.as_ref().or(package.last.as_ref());
        versions.extend(package.members.iter().filter_map(|member| Some((member.as_str(), version?.clone()))));
        if let Some(next) = next {
            order.packages.insert(package.name.clone(), (next, updates));
        }
    }
    order.warnings.extend(workspace.path_only(packages));
    order
}

impl PackageState {
    /// The members whose versions its requirements do not allow.
    fn updates(&self, kind: WorkspaceKind, versions: &IndexMap<&str, Version>) -> Vec<Update> {
        let mut updates: Vec<Update> = Vec::new();
        for Required { member, requirement } in &self.required {
            let Some(version) = versions.get(member.as_str()) else { continue };
            let update = Update { member: member.clone(), version: version.clone() };
            if requirement::allows(kind, requirement, version) == Some(false) && !updates.contains(&update) {
                updates.push(update);
            }
        }
        updates
    }
}

impl Workspace {
    /// Whether a package depends on another one, not only for its development.
    fn needs(&self, package: &PackageState, other: &PackageState) -> bool {
        let all = package.members.iter().flat_map(|member| self.dependencies(member));
        all.filter(|dependency| !dependency.is_development)
            .any(|on| other.members.iter().any(|member| member == on.name))
    }

    /// Warns of requirements between packages that have no version, only a path: no release breaks them.
    fn path_only(&self, packages: &[PackageState]) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for package in packages {
            for member in &package.members {
                let on = self.dependencies(member).into_iter().filter(|on| {
                    on.requirement.is_none() && !on.is_development && !package.members.iter().any(|own| own == on.name)
                });
                warnings.extend(on.map(|on| {
                    Warning::new(format!(
                        "`{member}` depends on `{}` by path alone: no release of it raises `{member}`",
                        on.name
                    ))
                }));
            }
        }
        warnings
    }
}

/// The next patch version; a pre-release becomes stable by it.
fn patch(version: &Version) -> Version {
    let step = u64::from(version.pre.is_empty());
    Version::new(version.major, version.minor, version.patch + step)
}
