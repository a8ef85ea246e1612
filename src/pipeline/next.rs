//! The next version: from the last stable tag and the categories of what came after it.

use anyhow::Context as _;

use super::{
    BaseTag, ChangelogRequest, History, LoadedConfig, history_under,
    range_start::{Tags, find_base, package_hint},
};
use crate::{
    changelog::{
        bump::{self, CategoryBump},
        classifier::Retention,
    },
    config::Config,
    git::Repo,
    model::{BumpLevel, Problem, ProblemKind, Version, Warning},
};

/// What the next version shall be, as far as that is said.
#[derive(Clone, Debug)]
pub struct BumpOptions {
    /// How much to raise it, whatever the categories ask for.
    pub level: Option<BumpLevel>,
    /// The name of a pre-release, such as `rc`.
    pub pre: Option<String>,
    /// Build metadata, without `+`.
    pub build: Option<String>,
    /// The version where there is no stable tag.
    pub initial: semver::Version,
}

impl Default for BumpOptions {
    fn default() -> Self {
        Self { level: None, pre: None, build: None, initial: semver::Version::new(0, 1, 0) }
    }
}

/// The next version, and why it is.
#[derive(Debug)]
pub struct NextVersion {
    /// The version; `None` if no unreleased change bumps the version.
    pub version: Option<Version>,
    /// The last stable tag; `None` for a first release.
    pub base: Option<BaseTag>,
    /// How much is raised; for a first release what would be.
    pub level: BumpLevel,
    /// What each category asks for, the most first.
    pub bumps: Vec<CategoryBump>,
}

/// Finds the next version of what the request ranges over, and gives the history that asks for it.
///
/// The version counts from the last stable tag, or from the tag the range is asked to start after.
///
/// # Errors
///
/// Where the settings, an end of the range or the walk fails, or a part of the version is none.
pub fn next(repo: &Repo, request: &ChangelogRequest, wish: &BumpOptions) -> anyhow::Result<(NextVersion, History)> {
    let settings = LoadedConfig::load(repo, &request.settings)?;
    let tags = Tags::load(repo, &settings.config)?;
    next_under((settings, &tags), repo, request, wish)
}

/// Finds the next version under settings and tags that were loaded already.
pub(super) fn next_under(
    (settings, tags): (LoadedConfig, &Tags),
    repo: &Repo,
    request: &ChangelogRequest,
    wish: &BumpOptions,
) -> anyhow::Result<(NextVersion, History)> {
    let base = if request.range.first_release { None } else { base(repo, tags, request)? };
    let from = base.as_ref().map(|base| parse(&base.version)).transpose()?;
    let mut request = request.clone();
    request.range.first_release |= base.is_none() && request.range.from.is_none();
    let mut history =
        history_under(settings, repo, &request, Retention::Listed)?.with_trailer_warnings(&request.trailer);
    let verdicts = history.commits.iter().map(|judged| &judged.verdict);
    let asked = bump::category_bumps(verdicts, &history.settings.config.bump, from.as_ref());
    let level = wish.level.unwrap_or_else(|| asked.first().map_or(BumpLevel::None, |most| most.level));
    history.warnings.extend(base.is_none().then(|| no_stable_tag(tags, &history.settings.config)).flatten());
    let version = (level > BumpLevel::None).then(|| wish.version(from.as_ref(), level, tags)).transpose()?;
    Ok((NextVersion { version, base, level, bumps: asked }, history))
}

/// The failure where no release is asked for.
#[must_use]
pub fn nothing_to_release() -> Problem {
    Problem::new("nothing to release: no unreleased change bumps the version").kind(ProblemKind::NothingToDo)
}

fn base(repo: &Repo, tags: &Tags, request: &ChangelogRequest) -> anyhow::Result<Option<BaseTag>> {
    if let Some(from) = &request.range.from
        && let Some(version) = tags.pattern.stable_version(from)
        && let Some(commit) = crate::git::tags::peel(repo, from)?
    {
        return Ok(Some(BaseTag { tag: from.clone(), version, commit, reason: "the start of the range".to_owned() }));
    }
    find_base(repo, tags, None, &request.range.to)
}

fn parse(version: &str) -> anyhow::Result<semver::Version> {
    semver::Version::parse(version).with_context(|| {
        Problem::new(format!("the last stable version `{version}` is no semantic one"))
            .hint("the groups of `tag_regex` must be numbers without leading zeros")
    })
}

fn no_stable_tag(tags: &Tags, config: &Config) -> Option<Warning> {
    let last = tags.names.last()?;
    let warning =
        Warning::new(format!("no tag is a stable version, `{last}` for one: this is taken for a first release"));
    let other = || "set `tag_regex` in the settings, or say where to begin with `--initial`".to_owned();
    Some(warning.hint(package_hint(last, config).unwrap_or_else(other)))
}

impl BumpOptions {
    fn version(&self, base: Option<&semver::Version>, level: BumpLevel, tags: &Tags) -> anyhow::Result<Version> {
        let mut version = base.map_or_else(|| self.initial.clone(), |base| bump::increment(base, level));
        if let Some(name) = &self.pre {
            let stable = version.to_string();
            let leading: Vec<_> = tags.names.iter().filter_map(|tag| tags.pattern.pre_release(tag)).collect();
            let existing = leading.iter().filter(|(to, _)| *to == stable).map(|(_, pre)| pre.as_str());
            version.pre = semver::Prerelease::new(&bump::next_pre_release(name, existing))
                .with_context(|| unfit("pre-release", name))?;
        }
        if let Some(build) = &self.build {
            version.build = semver::BuildMetadata::new(build).with_context(|| unfit("build metadata", build))?;
        }
        version.to_string().parse::<Version>().context("the next version is not valid")
    }
}

fn unfit(what: &str, text: &str) -> Problem {
    Problem::usage(format!("`{text}` cannot be {what}"))
        .hint("it takes letters, digits and hyphens, in parts separated by dots")
}
