//! Which version a release is of, and how its tag is named.

use std::path::{Path, PathBuf};

use super::{ReleaseRequest, notes};
use crate::{
    git::{self, Repo, revision},
    model::{Oid, Problem, Version},
    pipeline::{
        self, BumpOptions, ChangelogRequest, History, LoadedConfig, RangeStart,
        range_start::{BaseTag, Tags, find_base},
    },
};

/// What stands before the version in a tag where no earlier one shows it.
const PREFIX: &str = "v";

/// A version, and what follows from it.
#[derive(Debug)]
pub(super) struct ResolvedVersion {
    pub(super) version: Version,
    pub(super) tag: String,
    /// The changelog file.
    pub(super) file: PathBuf,
    /// How its section is made.
    pub(super) request: ChangelogRequest,
    /// The history that asks for the version, where none was given.
    pub(super) history: Option<History>,
}

/// Takes the version that was given, else the one that the tip was made for by a run that broke off or is finished, else
/// the next one.
pub(super) fn resolve_version(
    repo: &Repo,
    request: &ReleaseRequest,
    tip: Oid,
    settings: &LoadedConfig,
) -> anyhow::Result<ResolvedVersion> {
    let tags = Tags::load(repo, &settings.config)?;
    let file = request.file.clone().unwrap_or_else(|| PathBuf::from(&settings.config.file));
    let mut asked = request.changelog.clone();
    asked.range.to = tip.to_string();
    let given = match &request.version {
        Some(version) => Some(version.clone()),
        None if request.steps.commit => {
            introduced_version(repo, tip, &file)?.filter(|version| matches_options(version, &request.bump))
        }
        None => tagged(repo, tip, &tags, &request.bump)?,
    };
    let (version, history) = if let Some(version) = given {
        (version, None)
    } else {
        let (next, history) = pipeline::next(repo, &asked, &request.bump)?;
        asked.range.first_release |= history.start == RangeStart::Root;
        (next.version.ok_or_else(pipeline::nothing_to_release)?, Some(history))
    };
    let base = find_base(repo, &tags, Some(&version), &asked.range.to)?;
    let tag = match &request.tag {
        Some(tag) => tag.clone(),
        None => prefix(settings.config.tag_prefix.as_deref(), base.as_ref(), &version)? + &version.to_string(),
    };
    asked.version = Some(version.clone());
    asked.tag = Some(tag.clone());
    Ok(ResolvedVersion { version, tag, file, request: asked, history })
}

/// The version whose section the tip of the branch brought.
fn introduced_version(repo: &Repo, tip: Oid, file: &Path) -> anyhow::Result<Option<Version>> {
    // A commit without a parent brought everything.
    let Ok(parent) = revision::resolve(repo, &format!("{tip}^")) else { return Ok(None) };
    let (before, after) = (notes::document(repo, parent, file)?, notes::document(repo, tip, file)?);
    let mut brought = after.versions().filter(|version| !before.versions().any(|old| old == *version));
    Ok(match (brought.next(), brought.next()) {
        (Some(version), None) => version.parse().ok(),
        _ => None,
    })
}

/// The version that the tip of the branch is tagged as, the highest of several.
fn tagged(repo: &Repo, tip: Oid, tags: &Tags, wish: &BumpOptions) -> anyhow::Result<Option<Version>> {
    let mut highest: Option<Version> = None;
    for tag in &tags.names {
        let Some(version) = tags.version(tag).filter(|version| matches_options(version, wish)) else { continue };
        let is_higher = highest.as_ref().is_none_or(|highest| highest.semver() < version.semver());
        if is_higher && git::tags::peel(repo, tag)? == Some(tip) {
            highest = Some(version);
        }
    }
    Ok(highest)
}

/// Whether a version is a stable one where such is asked for, else a pre-release of the name asked for.
fn matches_options(version: &Version, wish: &BumpOptions) -> bool {
    let pre = version.semver().pre.as_str();
    match &wish.pre {
        None => pre.is_empty(),
        Some(name) => pre.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
    }
}

/// What stands before the version in the tag: as the settings say, as in the last stable tag, or `v`.
fn prefix(set: Option<&str>, base: Option<&BaseTag>, version: &Version) -> anyhow::Result<String> {
    let Some(base) = base.filter(|_| set.is_none()) else { return Ok(set.unwrap_or(PREFIX).to_owned()) };
    let unclear = || {
        Problem::usage(format!("the tag before {version} is `{}`, which does not show how the next is named", base.tag))
            .hint("name it with `--tag`")
    };
    Ok(base.prefix().ok_or_else(unclear)?.to_owned())
}
