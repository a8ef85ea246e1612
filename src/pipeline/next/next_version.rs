//! The next version, which follows from the last stable tag and the categories of the commits after it.

use anyhow::Context as _;

use super::{
    unreleased::Unreleased,
    version_counter::{BumpOptions, VersionName},
};
use crate::{
    config::Config,
    model::{BumpLevel, Problem, ProblemKind, Version},
    pipeline::{
        base::{base_tag::BaseTag, estimate::Estimate},
        changes::history::History,
        packages::{
            configured::ConfiguredPackages,
            dependents::{NeededUpdates, NewVersion, PackageDependencies},
        },
        scope::Scope,
    },
    version_files::workspace::Update,
    versions::{bump::CategoryBump, together::PlannedPackage},
};

/// The next version, and the reasons for it.
#[derive(Debug)]
pub(crate) struct NextVersion {
    /// The version; `None` if no unreleased change bumps the version.
    pub version: Option<Version>,
    /// The last stable tag; `None` for a first release.
    pub base: Option<BaseTag>,
    /// The bump level; for a first release the one that the categories ask for.
    pub level: BumpLevel,
    /// The bump level of each category, the highest first.
    pub bumps: Vec<CategoryBump>,
    /// The estimate that the level is taken from, if the changes have no kinds.
    pub estimate: Option<Estimate>,
    /// What says that it is a higher version than the changes ask for, if something does.
    pub named_by: Option<VersionName>,
    /// The members of its workspace whose new versions a package must require; it is released for them alone if no
    /// change asks for a release.
    pub updates: Vec<Update>,
    /// The version of the manifest, if the next one is counted from it and not from the last stable tag.
    pub manifest: Option<Version>,
    /// The version that manifests have for a first release, if it is that one.
    pub first: Option<semver::Version>,
    /// The packages of its group, if they raise the version above what its own changes ask for.
    pub group: Vec<String>,
}

impl NextVersion {
    /// Whether the package may be released without changes of its own.
    pub(crate) fn is_for_others(&self) -> bool {
        !self.updates.is_empty() || !self.group.is_empty()
    }

    /// Returns the next version with its level; `None` if there is no next version.
    pub(crate) fn new_version(&self) -> Option<NewVersion> {
        Some(NewVersion { version: self.version.as_ref()?.semver().clone(), level: Some(self.level) })
    }

    /// Returns the tag of the next version; `None` if there is no next version, or the last tag does not show its form.
    pub(crate) fn tag(&self, config: &Config) -> Option<String> {
        BaseTag::next(self.base.as_ref(), config, self.version.as_ref()?)
    }
}

impl<'r> ConfiguredPackages<'r> {
    /// Takes a step for each package in turn. The version that it returns is the one that the package gets in this run,
    /// and those that come after it are required to follow it.
    ///
    /// # Errors
    /// Of a step; the message names the package.
    pub(crate) fn each<T>(
        self,
        mut step: impl FnMut(Scope<'r>, &PackageDependencies<'r>) -> anyhow::Result<(T, Option<NewVersion>)>,
    ) -> impl Iterator<Item = anyhow::Result<(String, T)>> {
        let Self { packages, mut dependencies, .. } = self;
        packages.into_iter().map(move |scope| {
            let package = scope.package_name().unwrap_or_default().to_owned();
            let context = scope.in_package();
            let (made, new) = step(scope, &dependencies).context(context)?;
            if let Some(new) = &new {
                dependencies.plan(&package, new);
            }
            Ok((package, made))
        })
    }

    /// Finds the next version of each package, and its history.
    ///
    /// # Errors
    /// Of a package, if its range cannot be read; the message names the package.
    pub(crate) fn next_versions(
        mut self,
        bump: &BumpOptions,
    ) -> impl Iterator<Item = anyhow::Result<(String, (NextVersion, History<'r>))>> {
        self.dependencies.plan_circles(bump);
        self.each(move |scope, dependencies| {
            let (next, history) = next_version(scope, dependencies, bump)?;
            let new = next.new_version();
            Ok(((next, history), new))
        })
    }
}

/// Finds the next version for the range of a scope, and returns it with the history of that range.
///
/// The version is counted from the last stable tag, also if the request names another start of the range.
///
/// # Errors
/// If an end of the range or the walk fails, or a given part of the version is invalid.
pub(crate) fn next_version<'r>(
    scope: Scope<'r>,
    dependencies: &PackageDependencies,
    bump: &BumpOptions,
) -> anyhow::Result<(NextVersion, History<'r>)> {
    let raised = dependencies.raised_with_group(scope.package_name())?.cloned();
    let mut unreleased = Unreleased::read(scope, dependencies, bump)?;
    let NeededUpdates { updates, level: for_others } =
        dependencies.updates(unreleased.history.config(), unreleased.base.as_ref())?;
    let by_end = if unreleased.ends_pre_release() { BumpLevel::Patch } else { BumpLevel::None };
    let own = unreleased.level;
    let mut level = if unreleased.last.is_some() { own.max(for_others).max(by_end) } else { own };
    let mut group = Vec::new();
    if let Some(PlannedPackage { last, level: of_group }) = raised {
        let (last, of_group) = (Some(last.to_string().parse()?), bump.level.unwrap_or(of_group));
        if unreleased.last != last || of_group > level {
            group = unreleased.history.scope.others_in_group();
            (unreleased.last, level) = (last, of_group);
        }
    }
    let counted = unreleased.count(level, bump)?;
    let Unreleased { mut history, base, follows_manifest, last, bumps, estimate, first, .. } = unreleased;
    let (version, named_by) = counted.unzip();
    let named_by = named_by.flatten();
    // A pre-release that people have tagged says what the version is, and so does a branch that they named.
    let estimate = estimate.filter(|_| named_by.is_none());
    history.estimate.clone_from(&estimate);
    let first = first.filter(|_| last.is_none());
    let manifest = last.filter(|_| follows_manifest);
    Ok((NextVersion { version, base, level, bumps, estimate, named_by, updates, manifest, first, group }, history))
}

/// Returns the failure if no change asks for a release.
pub(crate) fn nothing_to_release(hint: &str) -> Problem {
    Problem::new("nothing to release: no unreleased change bumps the version").hint(hint).kind(ProblemKind::NothingToDo)
}

/// The hint about a version that is missing, for commands that do not explain it themselves.
pub(crate) const RUN_NEXT: &str = "run `tidings next` to see why";
