//! Versions that move together: packages of a group get one version, and packages that require a released one follow.

use indexmap::IndexMap;
use semver::Version;

use super::bump;
use crate::{
    config::{GroupRule, VersionGroup},
    model::BumpLevel,
};

/// A package in the release of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlannedPackage {
    /// The version that its next one follows.
    pub last: Version,
    /// How far that is raised; [`BumpLevel::None`] if it is not released.
    pub level: BumpLevel,
}

impl PlannedPackage {
    /// Returns the next version; `None` if the package is not released.
    pub(crate) fn next(&self) -> Option<Version> {
        if self.level > BumpLevel::None { bump::increment_version(&self.last, self.level).parse().ok() } else { None }
    }
}

/// Raises packages until groups and requirements are met: a raised package may raise its group, and that again packages
/// that require its members. `dependents` returns the names of those that must be raised for others, and how far.
///
/// # Errors
/// Of `dependents`.
pub(crate) fn settle(
    packages: &mut IndexMap<String, PlannedPackage>,
    groups: &[VersionGroup],
    dependents: impl Fn(&IndexMap<String, PlannedPackage>) -> anyhow::Result<Vec<(String, BumpLevel)>>,
) -> anyhow::Result<()> {
    loop {
        let before = packages.clone();
        for (name, level) in dependents(packages)? {
            if let Some(package) = packages.get_mut(&name) {
                package.level = package.level.max(level);
            }
        }
        for group in groups {
            raise(packages, group);
        }
        // Levels and versions only rise, and there are finitely many of them.
        if *packages == before {
            return Ok(());
        }
    }
}

/// Gives the members of a group that are released, or all of a fixed one, the same next version.
fn raise(packages: &mut IndexMap<String, PlannedPackage>, group: &VersionGroup) {
    let members = group.packages.iter().filter_map(|name| packages.get(name));
    let Some(leading) = leading(members, group) else { return };
    for name in &group.packages {
        if let Some(member) = packages.get_mut(name)
            && (group.rule == GroupRule::Fixed || member.level > BumpLevel::None)
        {
            *member = leading.clone();
        }
    }
}

/// Returns what the members of a group follow: the highest version and level among them, or the member whose next version
/// is the highest; `None` if no member is released.
fn leading<'a>(
    members: impl Iterator<Item = &'a PlannedPackage> + Clone,
    group: &VersionGroup,
) -> Option<PlannedPackage> {
    if group.rule == GroupRule::Highest {
        return members.filter(|member| member.level > BumpLevel::None).max_by_key(|member| member.next()).cloned();
    }
    let level = members.clone().map(|member| member.level).max().filter(|level| *level > BumpLevel::None)?;
    let last = members.map(|member| &member.last).chain(&group.unreleased).max().cloned()?;
    Some(PlannedPackage { last, level })
}

#[cfg(test)]
mod tests {
    use super::*;

    use BumpLevel::{Major, Minor, None, Patch};

    fn group(rule: GroupRule, names: &[&str]) -> VersionGroup {
        VersionGroup { packages: names.iter().map(|name| (*name).to_owned()).collect(), rule, unreleased: Option::None }
    }

    fn planned(packages: &[(&str, &str, BumpLevel)]) -> IndexMap<String, PlannedPackage> {
        let package = |(name, last, level): &(&str, &str, _)| {
            ((*name).to_owned(), PlannedPackage { last: last.parse().unwrap(), level: *level })
        };
        packages.iter().map(package).collect()
    }

    /// The versions after each of several releases of two packages that both start at 1.0.0.
    fn releases(rule: GroupRule) -> Vec<String> {
        let mut versions = ["1.0.0".to_owned(), "1.0.0".to_owned()];
        let steps = [(Patch, Minor), (Minor, None), (None, Minor), (Patch, Patch)];
        let release = |(a, b): (BumpLevel, BumpLevel)| {
            let mut packages = planned(&[("a", &versions[0], a), ("b", &versions[1], b)]);
            settle(&mut packages, &[group(rule, &["a", "b"])], |_| Ok(Vec::new())).unwrap();
            for (version, package) in versions.iter_mut().zip(packages.values()) {
                *version = package.next().map_or_else(|| version.clone(), |next| next.to_string());
            }
            versions.join(" / ")
        };
        steps.map(release).to_vec()
    }

    /// `fixed` is also what `linked-versions` of release-please does, `linked` what lerna does with one version, and `highest`
    /// what `version_group` of release-plz does.
    #[test]
    fn groups_move_as_in_the_documentation_of_the_tools() {
        assert_eq!(releases(GroupRule::Fixed), ["1.1.0 / 1.1.0", "1.2.0 / 1.2.0", "1.3.0 / 1.3.0", "1.3.1 / 1.3.1"]);
        assert_eq!(releases(GroupRule::Linked), ["1.1.0 / 1.1.0", "1.2.0 / 1.1.0", "1.2.0 / 1.3.0", "1.3.1 / 1.3.1"]);
        assert_eq!(releases(GroupRule::Highest), ["1.1.0 / 1.1.0", "1.2.0 / 1.1.0", "1.2.0 / 1.2.0", "1.2.1 / 1.2.1"]);
    }

    #[test]
    fn the_highest_of_the_versions_that_each_would_have_counts() {
        let mut packages = planned(&[("a", "1.5.0", Patch), ("b", "1.0.0", Major), ("c", "3.0.0", None)]);
        settle(&mut packages, &[group(GroupRule::Highest, &["a", "b", "c"])], |_| Ok(Vec::new())).unwrap();
        let versions: Vec<_> = packages.values().map(|package| package.next().map(|next| next.to_string())).collect();
        assert_eq!(versions, [Some("2.0.0".to_owned()), Some("2.0.0".to_owned()), Option::None]);
    }

    #[test]
    fn a_group_raises_dependents_and_they_raise_their_own_group() {
        let mut packages = planned(&[
            ("a", "1.0.0", Major),
            ("b", "1.2.0", None),
            ("c", "0.3.0", None),
            ("d", "0.9.0", None),
            ("e", "1.0.0", None),
        ]);
        let groups = [group(GroupRule::Fixed, &["c", "d"]), group(GroupRule::Fixed, &["a", "b"])];
        // c requires b, and nobody requires e.
        let dependents = |packages: &IndexMap<String, PlannedPackage>| {
            Ok(packages["b"].next().map(|_| ("c".to_owned(), Patch)).into_iter().collect())
        };
        settle(&mut packages, &groups, dependents).unwrap();
        let versions: Vec<String> =
            packages.values().map(|package| package.next().map_or("-".to_owned(), |next| next.to_string())).collect();
        assert_eq!(versions, ["2.0.0", "2.0.0", "0.9.1", "0.9.1", "-"]);
    }
}
