//! Packages that must be released because their requirement does not allow the new version of another package.

use std::collections::{HashMap, HashSet};

use semver::Version;

use super::{
    ManifestFile, MemberDependency, Workspace,
    edit::{PlannedMember, Update, allows, excludes, published_requirement},
    last_requirements, load,
};
use crate::{
    config::WorkspaceKind,
    model::{BumpLevel, Warning},
    version_files::file_tree::FileTree,
};

/// A package of the configuration, and the members of the workspace that have its version.
#[derive(Clone, Debug)]
pub(crate) struct PackageMembers {
    pub name: String,
    pub members: Vec<String>,
}

/// The requirement of a package for a member of another package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RequiredMember {
    pub member: String,
    /// As registries have it, with the version that the member had in place of `workspace:^`.
    pub requirement: String,
    /// As the manifest has it.
    pub text: String,
    /// Whether it allowed the version that the member had.
    pub fits: bool,
}

/// Returns the level by which a version is higher than another.
pub(crate) fn level(old: &Version, new: &Version) -> BumpLevel {
    match (new.major == old.major, new.minor == old.minor) {
        (false, _) => BumpLevel::Major,
        (true, false) => BumpLevel::Minor,
        (true, true) => BumpLevel::Patch,
    }
}

impl Workspace {
    /// Reads what members required of others at an earlier commit.
    pub(crate) fn required_at(&self, members: &[String], tree: &dyn FileTree) -> anyhow::Result<Vec<RequiredMember>> {
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
        let then = Self { files, warnings: Vec::new(), ..*self };
        Ok(members.iter().flat_map(|name| then.requirements_on_others(name, members)).collect())
    }

    /// Returns what a member requires of members that are not among `own`, except for development.
    fn requirements_on_others(&self, name: &str, own: &[String]) -> Vec<RequiredMember> {
        let others = self
            .dependencies(name)
            .into_iter()
            .filter(|dependency| !dependency.is_development && !own.iter().any(|own| own == dependency.name));
        let required = others.filter_map(|dependency| {
            let text = dependency.requirement?;
            let version = self.member_version(dependency.name);
            let requirement = published_requirement(text, version)?;
            let fits = self.kind == WorkspaceKind::Cargo || {
                let version = version.and_then(|version| Version::parse(version).ok());
                version.is_none_or(|version| allows(self.kind, &requirement, &version) != Some(false))
            };
            Some(RequiredMember { member: dependency.name.to_owned(), requirement, text: text.to_owned(), fits })
        });
        required.collect()
    }

    /// Orders packages, those that others require first. Returns the circles of packages that require each other, too.
    pub(crate) fn release_order(&self, packages: &[PackageMembers]) -> (Vec<String>, Vec<Vec<String>>) {
        let (mut order, mut waiting) = (Vec::new(), packages.iter().collect::<Vec<_>>());
        let mut circles = Vec::new();
        let required: HashMap<&str, HashSet<&str>> =
            packages.iter().map(|package| (package.name.as_str(), self.required_by(package))).collect();
        let depends_on = |package: &PackageMembers, other: &PackageMembers| {
            let required = &required[package.name.as_str()];
            other.members.iter().any(|member| required.contains(member.as_str()))
        };
        while let Some(first) = waiting.first() {
            // Follows requirements to a package that needs no other, or until a package recurs.
            let mut path = vec![*first];
            while let Some(package) = path.last().copied() {
                let is_required = |other: &&PackageMembers| other.name != package.name && depends_on(package, other);
                let is_before = |other: &&PackageMembers| path.iter().any(|before| before.name == other.name);
                let mut required = waiting.iter().copied().filter(is_required);
                if let Some(next) = required.clone().find(|other| !is_before(other)) {
                    path.push(next);
                    continue;
                }
                if let Some(next) = required.next() {
                    let circle = path.iter().skip_while(|before| before.name != next.name);
                    circles.push(circle.map(|package| package.name.clone()).collect());
                }
                break;
            }
            let package = path[path.len() - 1];
            waiting.retain(|other| other.name != package.name);
            order.push(package.name.clone());
        }
        (order, circles)
    }

    /// Lists the members whose versions the earlier requirements do not allow; `as_changesets` if `*` allows no pre-release.
    /// Those in `planned` get another version than they have; a pre-release that a manifest has is not a release.
    pub(crate) fn updates(
        &self,
        required: &[RequiredMember],
        planned: &[PlannedMember],
        as_changesets: bool,
    ) -> Vec<Update> {
        let mut updates: Vec<Update> = Vec::new();
        for RequiredMember { member, requirement, text, fits } in required {
            let planned = planned.iter().rev().find(|planned| planned.name == *member);
            // Of several requirements for a member, changesets takes all if the last one fits.
            let is_counted = *fits || as_changesets && planned.is_some();
            if !is_counted {
                continue;
            }
            let of_group = planned.and_then(|planned| planned.published_requirement(text));
            let requirement = of_group.as_ref().unwrap_or(requirement);
            let planned = planned.map(|planned| planned.version.clone());
            let Some(version) = planned.or_else(|| {
                self.member_version(member)?.parse().ok().filter(|version: &Version| version.pre.is_empty())
            }) else {
                continue;
            };
            let is_excluded = if as_changesets {
                excludes(requirement, &version)
            } else {
                allows(self.kind, requirement, &version) == Some(false)
            };
            let update = Update { member: member.clone(), version };
            if is_excluded && !updates.contains(&update) {
                updates.push(update);
            }
        }
        updates
    }

    /// Lists the members that these depend on and that get a version in this run.
    pub(crate) fn planned_dependencies(&self, members: &[String], planned: &[PlannedMember]) -> Vec<Update> {
        let on: Vec<&str> = members
            .iter()
            .flat_map(|member| self.dependencies(member))
            .filter(|on| !on.is_development && on.requirement.is_some())
            .map(|on| on.name)
            .collect();
        let planned = planned.iter().filter(|one| on.contains(&one.name.as_str()) && !members.contains(&one.name));
        planned.map(PlannedMember::update).collect()
    }

    /// Lists the members that these require as peers and that get a higher minor or major version in this run; with
    /// `keeps_allowed` only those that the requirement does not allow.
    pub(crate) fn raised_peers(
        &self,
        members: &[String],
        planned: &[PlannedMember],
        keeps_allowed: bool,
    ) -> Vec<Update> {
        let peers = members.iter().flat_map(|member| self.dependencies(member));
        let peers = peers.filter(|on| on.is_peer && on.requirement.is_some());
        let mut raised = Vec::new();
        for peer in peers.filter(|peer| !members.iter().any(|member| member == peer.name)) {
            let Some(planned) = planned.iter().rev().find(|planned| planned.name == peer.name) else { continue };
            let old = self.member_version(&planned.name);
            let requirement = peer.requirement.and_then(|requirement| published_requirement(requirement, old));
            let is_excluded = requirement.is_some_and(|requirement| excludes(&requirement, &planned.version));
            if planned.level > BumpLevel::Patch && (is_excluded || !keeps_allowed) {
                raised.push(planned.update());
            }
        }
        raised
    }

    /// Lists the members without the versions of this run whose requirements some of these do not allow; with `all` those
    /// that require any of them. A requirement that does not allow the present version is for another package.
    pub(crate) fn dependents_of(&self, planned: &[PlannedMember], all: bool) -> Vec<String> {
        let is_broken = |on: &MemberDependency, last: &HashMap<&str, Option<&str>>| {
            planned.iter().filter(|one| one.name == on.name).any(|planned| {
                let old = self.member_version(on.name);
                let required = on
                    .requirement
                    .and_then(|text| planned.published_requirement(text).or_else(|| published_requirement(text, old)));
                let is_set = old.is_some_and(|old| old == planned.version.to_string());
                (is_set || self.is_linked(on.name, last, self.only_protocol))
                    && required.is_some_and(|required| all || excludes(&required, &planned.version))
            })
        };
        let has_broken = |name: &&str| {
            let all = self.all_dependencies(name);
            let last = last_requirements(&all);
            all.iter().any(|on| is_broken(on, &last))
        };
        self.members().filter(has_broken).map(str::to_owned).collect()
    }

    /// Whether a member requires one of these in a range of versions, which may allow the next one.
    pub(crate) fn requires_range(&self, member: &str, of: &[PlannedMember]) -> bool {
        let own = self.dependencies(member).into_iter().filter(|on| !on.is_development);
        own.filter(|on| of.iter().any(|planned| planned.name == on.name))
            .any(|on| on.requirement.is_some_and(|requirement| requirement.contains(['^', '=', '~'])))
    }

    /// Whether a member is never published.
    pub(crate) fn is_private(&self, member: &str) -> bool {
        self.file(member).is_some_and(|file| file.manifest.is_private)
    }

    /// Returns the members that a package depends on, not only for its development.
    fn required_by(&self, package: &PackageMembers) -> HashSet<&str> {
        let all = package.members.iter().flat_map(|member| self.dependencies(member));
        all.filter(|on| !on.is_development).map(|on| on.name).collect()
    }

    /// Warns of requirements between packages that have no version, only a path: no release breaks them.
    pub(crate) fn path_only(&self, packages: &[PackageMembers]) -> Vec<Warning> {
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
