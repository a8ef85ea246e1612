//! The start of a range: a given revision, the base tag, or the beginning of history.

use std::collections::HashSet;

use super::{
    ConfigSource, LoadedConfig, RangeSpec,
    base_tag::{BaseTag, explain_broken},
    last_release::last_release,
    tags::Tags,
    unread_tags::package_hint,
};
use crate::{
    config::Config,
    git::{self, Repo},
    model::{Oid, Problem, Version, Warning},
};

/// The hint if a range has no base tag to start after.
const OTHER_STARTS: &str = "take the whole history with `--first-release`, or start after a commit with `--from`";

/// The excluded end of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeStart {
    /// A given revision.
    Revision {
        /// As it was typed.
        revision: String,
        /// The commit it names.
        commit: Oid,
    },
    /// The tag of the release before.
    Base(BaseTag),
    /// The beginning of history; nothing is excluded.
    Root,
}

impl RangeStart {
    /// Finds the start of a range that ends at `to`, among the tags of a repository.
    pub(super) fn resolve(
        repo: &Repo,
        (range, to): (&RangeSpec, Oid),
        version: Option<&Version>,
        (config, tags): (&Config, &Tags),
    ) -> anyhow::Result<Self> {
        match &range.from {
            _ if range.first_release => Ok(Self::Root),
            Some(revision) => {
                Ok(Self::Revision { revision: revision.clone(), commit: git::revision::resolve(repo, revision)? })
            }
            None => match find_base(repo, tags, version, to)? {
                Some(base) => Ok(Self::Base(base)),
                // Before the first stable tag there is no release yet, and everything is unreleased.
                None if tags.has_no_release(config)? && !repo.is_incomplete() => Ok(Self::Root),
                None => Err(no_base(repo, tags, version, (config, OTHER_STARTS)).into()),
            },
        }
    }

    /// Returns the base tag, if the range starts after one.
    pub(crate) fn base(&self) -> Option<&BaseTag> {
        if let Self::Base(base) = self { Some(base) } else { None }
    }

    /// Returns the excluded commit.
    pub(crate) fn commit(&self) -> Option<Oid> {
        match self {
            Self::Revision { commit, .. } => Some(*commit),
            Self::Base(base) => Some(base.commit),
            Self::Root => None,
        }
    }
}

/// Finds the base tag of a section that ends at `HEAD`: that of a version, or of the unreleased changes.
pub(crate) fn base(
    repo: &Repo,
    version: Option<&Version>,
    source: &ConfigSource,
) -> anyhow::Result<(BaseTag, Vec<Warning>)> {
    let loaded = LoadedConfig::load(repo, source)?;
    let to = git::revision::resolve(repo, "HEAD")?;
    let tags = Tags::for_range(repo, &loaded, version, to)?;
    tags.has_no_release(&loaded.config)?;
    let otherwise = "for a first release, run `tidings show --first-release`";
    let no_base = || no_base(repo, &tags, version, (&loaded.config, otherwise));
    Ok((find_base(repo, &tags, version, to)?.ok_or_else(no_base)?, loaded.warnings))
}

/// Finds the base tag, if there is one: for a version as GitLab does, else by the lines of history of the tags.
pub(super) fn find_base(
    repo: &Repo,
    tags: &Tags,
    version: Option<&Version>,
    to: Oid,
) -> anyhow::Result<Option<BaseTag>> {
    version.map_or_else(|| last_release(repo, tags, to), |version| base_below(repo, tags, version, to))
}

/// Finds the highest stable version below the requested one, wherever its tag is.
///
/// Tags that are builds of the requested version itself (`1.2.0+ee.0` for `1.2.0`) count only if the section's end
/// descends from them; others were made after it.
fn base_below(repo: &Repo, tags: &Tags, version: &Version, to: Oid) -> anyhow::Result<Option<BaseTag>> {
    let ceiling = version.stable();
    let (mut passed_over, mut broken) = (HashSet::new(), None);
    loop {
        let names = tags.names.iter().map(String::as_str).filter(|tag| !passed_over.contains(*tag));
        let Some(found) = tags.pattern.base(names, Some(&ceiling)) else { return Ok(None) };
        let is_before_end = |commit: Oid| -> anyhow::Result<bool> {
            let is_build = is_build_of(&found.version, version);
            Ok(!is_build || (commit != to && git::merge_base::is_ancestor(repo, commit, to)?))
        };
        match git::tags::peel(repo, &found.tag)? {
            Some(commit) if is_before_end(commit)? => {
                let reason = format!("the highest stable version below {ceiling} of {}", tags.count());
                return Ok(Some(BaseTag { passed_over: broken, ..BaseTag::new(found, commit, reason) }));
            }
            Some(_) => {}
            None => broken = broken.or(explain_broken(repo, &found.tag)?),
        }
        passed_over.insert(found.tag);
    }
}

fn is_build_of(found: &str, version: &Version) -> bool {
    let without_build = |version: &str| version.split('+').next().map(str::to_owned);
    without_build(found) == without_build(&version.stable())
}

fn no_base(
    repo: &Repo,
    Tags { names, pattern, .. }: &Tags,
    version: Option<&Version>,
    (config, otherwise): (&Config, &str),
) -> Problem {
    let problem = Problem::new("no release tag found to start after");
    if repo.is_incomplete() {
        return problem.hint(format!("this clone is shallow and may lack tags: {}", repo.unshallow_hint()));
    }
    let no_version = names.iter().rev().find(|tag| pattern.stable_version(tag).is_none());
    let problem = match (no_version, version) {
        (Some(tag), _) if names.iter().all(|tag| pattern.stable_version(tag).is_none()) => {
            problem.hint(package_hint(tag, config).unwrap_or_else(|| {
                format!(
                    "no tag is a stable version, such as `{tag}`: set `tag_regex` in the configuration if it is one"
                )
            }))
        }
        (_, Some(version)) if !names.is_empty() => problem.hint(format!("no stable tag is below {}", version.stable())),
        _ => match &config.tag_prefix {
            Some(prefix) if names.is_empty() => problem.hint(format!("no tag begins with `{prefix}`")),
            _ => problem,
        },
    };
    problem.hint(otherwise)
}
