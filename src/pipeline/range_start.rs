//! Where a range starts: at a given revision, after the base tag, or at the beginning of history.

use std::collections::HashSet;

use crate::{
    changelog::{base, tag_pattern::TagPattern},
    config::Config,
    git::{self, Repo, shallow},
    model::{Oid, Problem, Version, pluralize},
};

use super::RangeSpec;

/// What to do where a range has no base tag to start after.
const OTHER_STARTS: &str = "take the whole history with `--first-release`, or start after a commit with `--from`";

/// The excluded end of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RangeStart {
    /// A revision that was asked for.
    Revision {
        /// As it was typed.
        revision: String,
        /// The commit it names.
        commit: Oid,
    },
    /// The tag of the release before.
    Base(BaseTag),
    /// The whole history is taken.
    Root,
}

/// The tag that a section starts after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseTag {
    /// Its name.
    pub tag: String,
    /// The stable version it stands for.
    pub version: String,
    /// The commit it points to.
    pub commit: Oid,
    /// Why it and no other.
    pub reason: String,
}

impl BaseTag {
    /// What stands before the version in its name; `None` where the name does not end with it.
    #[must_use]
    pub fn prefix(&self) -> Option<&str> {
        self.tag.strip_suffix(&self.version)
    }
}

impl RangeStart {
    /// Finds the start.
    ///
    /// # Errors
    ///
    /// Where the given revision is unknown, the `tag_regex` invalid, or no base tag there.
    pub fn resolve(repo: &Repo, ends: &RangeSpec, version: Option<&Version>, config: &Config) -> anyhow::Result<Self> {
        match &ends.from {
            _ if ends.first_release => Ok(Self::Root),
            Some(revision) => {
                Ok(Self::Revision { revision: revision.clone(), commit: git::revision::resolve(repo, revision)? })
            }
            None => base_tag(repo, version, (&ends.to, OTHER_STARTS), config).map(Self::Base),
        }
    }

    /// The excluded commit.
    #[must_use]
    pub fn commit(&self) -> Option<Oid> {
        match self {
            Self::Revision { commit, .. } => Some(*commit),
            Self::Base(base) => Some(base.commit),
            Self::Root => None,
        }
    }
}

/// The tags of a repository, and how versions are read off them.
pub(super) struct Tags {
    /// The names of those with the prefix of the settings, in ref order.
    pub(super) names: Vec<String>,
    /// Tells their versions.
    pub(super) pattern: TagPattern,
}

impl Tags {
    pub(super) fn load(repo: &Repo, config: &Config) -> anyhow::Result<Self> {
        Self::among(git::tags::names(repo)?, config)
    }

    /// Selects those of the configuration among all tags of a repository.
    pub(super) fn among(mut names: Vec<String>, config: &Config) -> anyhow::Result<Self> {
        if let Some(prefix) = &config.tag_prefix {
            names.retain(|name| name.starts_with(prefix));
        }
        Ok(Self { names, pattern: TagPattern::of(config)? })
    }

    /// The version a tag stands for, a pre-release too.
    pub(super) fn version(&self, tag: &str) -> Option<Version> {
        let pre_release = || self.pattern.pre_release(tag).map(|(stable, pre)| format!("{stable}-{pre}"));
        self.pattern.stable_version(tag).or_else(pre_release)?.parse().ok()
    }
}

/// Finds the base tag among the tags of the repository, for a section that ends at `to`; `otherwise` is what to do where
/// there is none.
pub(super) fn base_tag(
    repo: &Repo,
    version: Option<&Version>,
    (to, otherwise): (&str, &str),
    config: &Config,
) -> anyhow::Result<BaseTag> {
    let tags = Tags::load(repo, config)?;
    if let Some(base) = find_base(repo, &tags, version, to)? {
        return Ok(base);
    }
    // Where a section cannot end, nobody misses its start.
    git::revision::resolve(repo, to)?;
    Err(no_base(repo, &tags, version, (config, otherwise)).into())
}

/// Finds the base tag, if there is one.
///
/// Of the tags that build the very version asked for (`1.2.0+ee.0` for `1.2.0`), only those count that the section's end
/// contains: others were made after it.
pub(super) fn find_base(
    repo: &Repo,
    tags: &Tags,
    version: Option<&Version>,
    to: &str,
) -> anyhow::Result<Option<BaseTag>> {
    let Tags { names, pattern } = tags;
    let ceiling = version.map(Version::stable);
    let mut passed_over = HashSet::new();
    loop {
        let tags = names.iter().map(String::as_str).filter(|tag| !passed_over.contains(*tag));
        let Some(found) = base::find(tags, pattern, ceiling.as_deref()) else {
            return Ok(None);
        };
        let commit = git::tags::peel(repo, &found.tag)?;
        match commit {
            Some(commit) if !is_build_of(&found.version, version) || contains(repo, to, commit)? => {
                let reason = reason(names.len(), ceiling.as_deref());
                return Ok(Some(BaseTag { tag: found.tag, version: found.version, commit, reason }));
            }
            _ => passed_over.insert(found.tag),
        };
    }
}

fn is_build_of(found: &str, version: Option<&Version>) -> bool {
    let without_build = |version: &str| version.split('+').next().map(str::to_owned);
    version.is_some_and(|version| without_build(found) == without_build(&version.stable()))
}

fn contains(repo: &Repo, to: &str, commit: Oid) -> anyhow::Result<bool> {
    let to = git::revision::resolve(repo, to)?;
    git::merge_base::is_ancestor(repo, commit, to)
}

fn reason(tags: usize, ceiling: Option<&str>) -> String {
    let below = ceiling.map(|ceiling| format!(" below {ceiling}")).unwrap_or_default();
    format!("the highest stable version{below} of {}", pluralize(tags, "tag"))
}

/// The way out where a tag does not count since it is of a package that nobody named.
pub(super) fn package_hint(tag: &str, config: &Config) -> Option<String> {
    let package = config.package_of(tag)?;
    Some(format!("`{tag}` is of the package `{package}`: name it with `--package {package}`"))
}

fn no_base(
    repo: &Repo,
    Tags { names, pattern }: &Tags,
    version: Option<&Version>,
    (config, otherwise): (&Config, &str),
) -> Problem {
    let problem =
        Problem::new("the commit start range is unspecified, and no previous tag could be found to use instead");
    if repo.is_shallow() {
        return problem.hint(format!("this clone is shallow and may lack tags: {}", shallow::unshallow_hint(repo)));
    }
    let no_version = names.iter().rev().find(|tag| pattern.stable_version(tag).is_none());
    let problem = match (no_version, version) {
        (Some(tag), _) if names.iter().all(|tag| pattern.stable_version(tag).is_none()) => {
            problem.hint(package_hint(tag, config).unwrap_or_else(|| {
                format!("no tag is a stable version, `{tag}` for one: set `tag_regex` in the settings if it should be")
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
