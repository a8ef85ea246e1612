//! Packages whose versions move together: how far each is raised if all are released that are due.

use indexmap::IndexMap;

use super::{unreleased::Unreleased, version_counter::BumpOptions};
use crate::{
    config::Config,
    model::BumpLevel,
    pipeline::{
        base::base_tag::BaseTag,
        packages::dependents::{NewVersion, PackageDependencies, PlannedVersions},
    },
    versions::together::{PlannedPackage, settle},
};

/// What a package requires, and since when.
struct Requirements {
    name: String,
    config: Config,
    base: Option<BaseTag>,
    /// The pre-release part of its next version, if it makes a pre-release.
    pre: semver::Prerelease,
}

impl PackageDependencies<'_> {
    /// Returns how far a package of a group is raised, together with the others; `None` if it is in no group.
    pub(super) fn raised_with_group(&self, package: Option<&str>) -> anyhow::Result<Option<&PlannedPackage>> {
        let Some(name) = package.filter(|name| self.scope.config().group_of(name).is_some()) else { return Ok(None) };
        if let Some(known) = self.raised.get() {
            return Ok(known.get(name));
        }
        let raised = self.raise_all()?;
        Ok(self.raised.get_or_init(|| raised).get(name))
    }

    fn raise_all(&self) -> anyhow::Result<IndexMap<String, PlannedPackage>> {
        let (mut packages, mut required, mut ending) = (IndexMap::new(), Vec::new(), Vec::new());
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
            let Unreleased { history, base, .. } = unreleased;
            required.push(Requirements { name, config: history.config().clone(), base, pre });
        }
        let groups = &self.scope.config().groups;
        settle(&mut packages, groups, |packages| self.dependents_of(packages, &required))?;
        // A group leaves pre-releases as a whole, as with changesets.
        for group in groups.iter().filter(|group| group.packages.iter().any(|name| ending.contains(name))) {
            for name in &group.packages {
                if let Some(package) = packages.get_mut(name) {
                    package.level = package.level.max(BumpLevel::Patch);
                }
            }
        }
        Ok(packages)
    }

    /// Returns the packages that must be released because they require others, which get their next versions, and how far
    /// that raises them.
    fn dependents_of(
        &self,
        packages: &IndexMap<String, PlannedPackage>,
        required: &[Requirements],
    ) -> anyhow::Result<Vec<(String, BumpLevel)>> {
        let mut planned = PlannedVersions::default();
        for (name, package) in packages {
            let Some(mut next) = package.next() else { continue };
            if let Some(found) = required.iter().find(|required| required.name == *name) {
                next.pre = found.pre.clone();
            }
            let new = NewVersion { version: next, level: Some(package.level) };
            self.add(&mut planned, name, &new);
        }
        let mut dependents = Vec::new();
        for Requirements { name, config, base, .. } in required {
            let level = self.updates_for(config, base.as_ref(), &planned)?.level;
            if packages.get(name).is_some_and(|package| level > package.level) {
                dependents.push((name.clone(), level));
            }
        }
        Ok(dependents)
    }
}
