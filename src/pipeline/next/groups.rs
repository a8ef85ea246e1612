//! Packages whose versions move together: how far each is raised if all are released that are due.

use indexmap::IndexMap;

use super::{unreleased::Unreleased, version_counter::BumpOptions};
use crate::{
    config::Config,
    model::BumpLevel,
    pipeline::{base::base_tag::BaseTag, packages::dependents::PackageDependencies},
    versions::together::{PlannedPackage, settle},
};

/// What a package requires, and since when.
struct Requirements {
    name: String,
    config: Config,
    base: Option<BaseTag>,
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
        let (mut packages, mut required) = (IndexMap::new(), Vec::new());
        for scope in self.scope.configured_packages()? {
            let name = scope.package_name().unwrap_or_default().to_owned();
            let unreleased = Unreleased::read(scope, self, &BumpOptions::default())?;
            let Some(last) = &unreleased.last else { continue };
            let by_end = if unreleased.ends_pre_release() { BumpLevel::Patch } else { BumpLevel::None };
            let planned = PlannedPackage { last: last.semver().clone(), level: unreleased.level.max(by_end) };
            packages.insert(name.clone(), planned);
            let Unreleased { history, base, .. } = unreleased;
            required.push(Requirements { name, config: history.config().clone(), base });
        }
        settle(&mut packages, &self.scope.config().groups, |packages| self.dependents_of(packages, &required))?;
        Ok(packages)
    }

    /// Returns the packages that must be released because they require others, which get their next versions, and how far
    /// that raises them.
    fn dependents_of(
        &self,
        packages: &IndexMap<String, PlannedPackage>,
        required: &[Requirements],
    ) -> anyhow::Result<Vec<(String, BumpLevel)>> {
        let released = packages.iter().filter_map(|(name, package)| Some((name, package.next()?)));
        let planned: Vec<_> = released.flat_map(|(name, version)| self.members_at(name, &version)).collect();
        let mut dependents = Vec::new();
        for Requirements { name, config, base } in required {
            let level = self.updates_for(config, base.as_ref(), &planned)?.level;
            if packages.get(name).is_some_and(|package| level > package.level) {
                dependents.push((name.clone(), level));
            }
        }
        Ok(dependents)
    }
}
