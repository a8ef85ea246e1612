//! Packages whose versions move together: how far each is raised if all are released that are due.

use indexmap::IndexMap;

use super::{unreleased::Unreleased, version_counter::BumpOptions};
use crate::{
    model::BumpLevel,
    pipeline::packages::dependents::{NewVersion, PackageDependencies, PlannedVersions},
    versions::together::{PlannedPackage, settle},
};

/// A package that may be raised by others.
struct RaisedPackage<'r> {
    name: String,
    unreleased: Unreleased<'r>,
    /// The pre-release part of its next version, if it makes a pre-release.
    pre: semver::Prerelease,
}

impl<'r> PackageDependencies<'r> {
    /// Returns how far a package of a group is raised, together with the others; `None` if it is in no group.
    pub(super) fn raised_with_group(&self, package: Option<&str>) -> anyhow::Result<Option<&PlannedPackage>> {
        let Some(name) = package.filter(|name| self.scope.config().group_of(name).is_some()) else { return Ok(None) };
        if let Some(known) = self.raised.get() {
            return Ok(known.get(name));
        }
        let (raised, _) = self.raise_all()?;
        Ok(self.raised.get_or_init(|| raised).get(name))
    }

    /// Plans the versions of packages that require each other before the first of them is released: each may raise those
    /// that come before it.
    pub(crate) fn plan_circles(&mut self, bump: &BumpOptions) {
        if self.circular.is_empty() {
            return;
        }
        // A package that cannot be counted is reported in its turn.
        let Ok((packages, raised)) = self.raise_all() else { return };
        for RaisedPackage { name, mut unreleased, .. } in raised {
            let Some(PlannedPackage { last, level }) = packages.get(&name).filter(|_| self.circular.contains(&name))
            else {
                continue;
            };
            unreleased.last = last.to_string().parse().ok();
            if let Ok(Some((version, _))) = unreleased.count(*level, bump) {
                self.plan(&name, &NewVersion { version: version.semver().clone(), level: Some(*level) });
            }
        }
    }

    /// Raises packages until groups and requirements are met.
    fn raise_all(&self) -> anyhow::Result<(IndexMap<String, PlannedPackage>, Vec<RaisedPackage<'r>>)> {
        let (mut packages, mut raised, mut ending) = (IndexMap::new(), Vec::new(), Vec::new());
        for scope in self.scope.configured_packages()? {
            let name = scope.package_name().unwrap_or_default().to_owned();
            let unreleased = Unreleased::read(scope, self, &BumpOptions::default())?;
            let Some(last) = &unreleased.last else { continue };
            let by_end = if unreleased.ends_pre_release() { BumpLevel::Patch } else { BumpLevel::None };
            ending.extend((by_end > BumpLevel::None).then(|| name.clone()));
            let planned = PlannedPackage { last: last.semver().clone(), level: unreleased.level.max(by_end) };
            packages.insert(name.clone(), planned);
            let pre = unreleased.history.pre_release_of_tool().map(|pre| format!("{}.0", pre.name));
            let pre = pre.and_then(|pre| semver::Prerelease::new(&pre).ok()).unwrap_or_default();
            raised.push(RaisedPackage { name, unreleased, pre });
        }
        let groups = &self.scope.config().groups;
        settle(&mut packages, groups, |packages| self.dependents_of(packages, &raised))?;
        // A group leaves pre-releases as a whole, as with changesets.
        for group in groups.iter().filter(|group| group.packages.iter().any(|name| ending.contains(name))) {
            for name in &group.packages {
                if let Some(package) = packages.get_mut(name) {
                    package.level = package.level.max(BumpLevel::Patch);
                }
            }
        }
        Ok((packages, raised))
    }

    /// Returns the packages that must be released because they require others, which get their next versions, and how far
    /// that raises them.
    fn dependents_of(
        &self,
        packages: &IndexMap<String, PlannedPackage>,
        raised: &[RaisedPackage],
    ) -> anyhow::Result<Vec<(String, BumpLevel)>> {
        let mut planned = PlannedVersions::default();
        for (name, package) in packages {
            let Some(mut next) = package.next() else { continue };
            if let Some(found) = raised.iter().find(|raised| raised.name == *name) {
                next.pre = found.pre.clone();
            }
            let new = NewVersion { version: next, level: Some(package.level) };
            self.add(&mut planned, name, &new);
        }
        let mut dependents = Vec::new();
        for RaisedPackage { name, unreleased, .. } in raised {
            let (config, base) = (unreleased.history.config(), unreleased.base.as_ref());
            let level = self.updates_for(config, base, &planned)?.level;
            if packages.get(name).is_some_and(|package| level > package.level) {
                dependents.push((name.clone(), level));
            }
        }
        Ok(dependents)
    }
}
