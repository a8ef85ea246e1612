//! The version of a release, and what follows from it.

use std::path::{Path, PathBuf};

use super::{ReleaseContext, ReleaseRequest, notes};
use crate::{
    git::{self, Repo, commit, revision},
    model::{Oid, Problem, Version},
    pipeline::{
        self, BumpOptions, ChangelogRequest, History, LoadedConfig, RangeStart,
        range_start::{BaseTag, find_base},
        tags::Tags,
    },
};

/// A version, and what follows from it.
#[derive(Debug)]
pub(super) struct ResolvedVersion {
    pub(super) version: Version,
    pub(super) tag: String,
    pub(super) previous_tag: Option<String>,
    /// The changelog file.
    pub(super) file: PathBuf,
    /// The configuration that its section is made under.
    pub(super) config: LoadedConfig,
    pub(super) tags: Tags,
    /// How its section is made.
    pub(super) request: ChangelogRequest,
    /// The history that the version follows from, if none was given.
    pub(super) history: Option<History>,
}

impl ResolvedVersion {
    /// Takes the version that was given, else the one that the tip was made for by a run that broke off or is finished,
    /// else the next one.
    pub(super) fn resolve(context: &ReleaseContext, request: &ReleaseRequest) -> anyhow::Result<Self> {
        let (repo, tip) = (context.repo, context.tip);
        let (config, tags) = context.scope(request.changelog.settings.package.as_deref())?;
        let found = || config.changelog_file(repo).map(PathBuf::from);
        let file = canonical(repo, &request.file.clone().map_or_else(found, Ok)?);
        let mut changelog = request.changelog.clone();
        changelog.range.to = tip.to_string();
        let is_asked = |version: &Version| matches_options(version, &request.bump);
        let given = match &request.version {
            Some(version) => Some(version.clone()),
            None if request.steps.commit => introduced_version(repo, tip, &file)?.filter(is_asked),
            None => tagged_version(repo, tip, &tags, &request.bump)?,
        };
        let (version, base, history) = if let Some(version) = given {
            let tags = tags.clone().for_version(&version, &config.config)?;
            let base = find_base(repo, &tags, Some(&version), tip)?;
            (version, base, None)
        } else {
            let (next, history) =
                pipeline::next_under((config.clone(), tags.clone()), repo, &changelog, &request.bump)?;
            changelog.range.first_release |= history.start == RangeStart::Root;
            let next = next.with_updates(&context.dependencies, &config.config)?;
            (next.version.ok_or_else(pipeline::nothing_to_release)?, next.base, Some(history))
        };
        let tag = if let Some(tag) = &request.tag {
            tag.clone()
        } else {
            let prefix = BaseTag::next_prefix(base.as_ref(), &config.config);
            format!("{}{version}", prefix.ok_or_else(|| unclear_tag(base.as_ref(), &version))?)
        };
        changelog.updates = context.dependencies.updates(&config.config, base.as_ref())?;
        // A first release has the whole history, also when its version is given and its tag is there.
        changelog.range.first_release |= changelog.range.from.is_none()
            && tags.names.iter().all(|name| *name == tag || tags.version(name).is_none());
        changelog.version = Some(version.clone());
        changelog.tag = Some(tag.clone());
        let previous_tag = base.map(|base| base.tag);
        Ok(Self { version, tag, previous_tag, file, config, tags, request: changelog, history })
    }
}

/// Spells a path in the one way in which it is compared; one that leads nowhere stays as it is, and blocks the plan.
fn canonical(repo: &Repo, path: &Path) -> PathBuf {
    commit::canonical(repo, path).unwrap_or_else(|_| path.to_owned())
}

/// Returns the version whose section the tip of the branch introduced.
fn introduced_version(repo: &Repo, tip: Oid, file: &Path) -> anyhow::Result<Option<Version>> {
    // A root commit introduced everything.
    let Ok(parent) = revision::resolve(repo, &format!("{tip}^")) else { return Ok(None) };
    let (before, after) = (notes::document(repo, parent, file)?, notes::document(repo, tip, file)?);
    let (before, after) = (before.versions(), after.versions());
    let mut introduced = after.iter().filter(|version| !before.contains(version));
    Ok(match (introduced.next(), introduced.next()) {
        (Some(version), None) => version.parse().ok(),
        _ => None,
    })
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

/// Whether a version is stable, or a pre-release of the name that is asked for.
fn matches_options(version: &Version, bump: &BumpOptions) -> bool {
    let pre = version.semver().pre.as_str();
    match &bump.pre {
        None => pre.is_empty(),
        Some(name) => pre.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
    }
}

fn unclear_tag(base: Option<&BaseTag>, version: &Version) -> Problem {
    let base = base.map(|base| base.tag.as_str()).unwrap_or_default();
    Problem::usage(format!("the tag before {version} is `{base}`, which does not show how the next is named"))
        .hint("name it with `--tag`")
}
