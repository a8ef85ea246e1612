//! The version to release, if it is given or the repository already has it.

use std::path::Path;

use super::{ReleaseContext, ReleaseRequest, merged::MergedRelease};
use crate::{
    git::{self, Repo, merge_base, revision},
    model::{Oid, Problem, Version},
    pipeline::{
        base::tags::Tags,
        next::version_counter::BumpOptions,
        scope::{Scope, changelog_file},
    },
};

/// A version that is not the next one.
#[derive(Clone, Debug, Default)]
pub(super) struct PresentVersion {
    pub(super) version: Option<Version>,
    /// The commit to tag, if the branch holds the release and its tip is not that commit.
    pub(super) commit: Option<Oid>,
}

impl PresentVersion {
    /// Takes the given version, else the one that an earlier run, finished or not, made the tip for, else the one that
    /// the branch holds without a tag.
    pub(super) fn find(
        context: &ReleaseContext,
        request: &ReleaseRequest,
        scope: &Scope,
        file: &Path,
    ) -> anyhow::Result<Self> {
        let (repo, tip) = (scope.repo, scope.to);
        let tags = &Tags::load(scope)?;
        let is_own = |version: &Version| owner_of_section(scope, file, version).is_ok_and(|other| other.is_none());
        let is_asked = |version: &Version| matches_options(version, &request.bump) && is_own(version);
        let version = match &request.version {
            Some(version) => Some(version.clone()),
            None if request.steps.commit => introduced_version(repo, tip, file, tags)?.filter(is_asked),
            None => tagged_version(repo, tip, tags, &request.bump)?,
        };
        if version.is_some() || !request.steps.commit || request.replace {
            return Ok(Self { version, commit: None });
        }
        let Some(merged) = MergedRelease::find(context, scope, file, is_asked)? else {
            return Ok(Self::default());
        };
        let commit = Some(merged.commit).filter(|commit| *commit != tip);
        Ok(Self { version: Some(merged.version), commit })
    }
}

/// Returns another package with the same changelog file that has released a version, so that its section is there.
fn owner_of_section<'s>(scope: &'s Scope, file: &Path, version: &Version) -> anyhow::Result<Option<&'s str>> {
    let (packages, own, tags) = (&scope.config().packages, scope.package_name(), scope.tag_names()?);
    let mut others =
        packages.iter().filter(|(name, package)| Some(name.as_str()) != own && file == Path::new(&package.file));
    let is_tagged = |prefix: &str| tags.contains(&format!("{prefix}{version}"));
    Ok(others.find(|(_, package)| is_tagged(&package.tag_prefix)).map(|(name, _)| name.as_str()))
}

/// Fails if another package has the same changelog file and released this version: the section there is its own.
pub(super) fn refuse_section_of_other(scope: &Scope, file: &Path, version: &Version) -> anyhow::Result<()> {
    let own = scope.package_name().unwrap_or_default();
    match owner_of_section(scope, file, version)? {
        Some(other) => Err(shared_section([other, own], version, file).into()),
        None => Ok(()),
    }
}

/// Returns the problem of two packages whose sections would be the same one.
pub(super) fn shared_section(packages: [&str; 2], version: &Version, file: &Path) -> Problem {
    let ([one, other], file) = (packages, file.display());
    Problem::new(format!("`{one}` and `{other}` both have a section of {version} in `{file}`"))
        .hint("set `file` of each package in the configuration")
}

/// Returns the version whose section the tip of the branch introduced, unless an earlier commit was released as it: then
/// only the section was missing, or a merge brought both.
fn introduced_version(repo: &Repo, tip: Oid, file: &Path, tags: &Tags) -> anyhow::Result<Option<Version>> {
    // A root commit introduced everything.
    let Some(parent) = revision::first_parent(repo, tip)? else { return Ok(None) };
    let (before, after) = (changelog_file::read(repo, parent, file)?, changelog_file::read(repo, tip, file)?);
    let (before, after) = (before.released_versions(), after.released_versions());
    let mut introduced = after.iter().filter(|version| !before.contains(version));
    let (Some(version), None) = (introduced.next(), introduced.next()) else { return Ok(None) };
    let Ok(version) = version.parse::<Version>() else { return Ok(None) };
    let tagged = tags.tag_of(&version).map_or(Ok(None), |tag| git::tags::peel(repo, tag))?;
    let older = tagged.filter(|commit| *commit != tip);
    let is_older = older.map_or(Ok(false), |commit| merge_base::is_ancestor(repo, commit, tip))?;
    Ok(Some(version).filter(|_| !is_older))
}

/// Returns the version that the tip of the branch is tagged as, the highest of several.
fn tagged_version(repo: &Repo, tip: Oid, tags: &Tags, bump: &BumpOptions) -> anyhow::Result<Option<Version>> {
    let mut highest: Option<Version> = None;
    for tag in &tags.names {
        let Some(version) = tags.version(tag).filter(|version| matches_options(version, bump)) else { continue };
        let is_higher = highest.as_ref().is_none_or(|highest| highest.semver() < version.semver());
        if is_higher && git::tags::peel(repo, tag)? == Some(tip) {
            highest = Some(version);
        }
    }
    Ok(highest)
}

/// Whether a version is a pre-release of the name in the options, or stable if they have no name.
fn matches_options(version: &Version, bump: &BumpOptions) -> bool {
    let pre = version.semver().pre.as_str();
    match &bump.pre {
        None => pre.is_empty(),
        Some(name) => pre.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
    }
}
