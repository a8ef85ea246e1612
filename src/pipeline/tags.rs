//! The tags of a repository: which are versions, which belong together, and which are not read.

use std::collections::{BTreeMap, HashSet};

use super::LoadedConfig;
use crate::{
    changelog::tag_pattern::{self, BaseCandidate, TagPattern},
    config::{Config, Versioning},
    git::{self, Repo, lineage::Lineage},
    model::{Oid, Problem, Project, Version, Warning, compare_versions, pluralize},
};

/// The tags of a repository, and the pattern that reads versions from their names.
#[derive(Clone, Debug, Default)]
pub(super) struct Tags {
    /// The names of the tags with the prefix of the configuration or of the chosen family, in ref order.
    pub(super) names: Vec<String>,
    pub(super) pattern: TagPattern,
    /// The prefix of the chosen family of tags, if the tags themselves decided on it and not the configuration.
    pub(super) family: Option<String>,
}

impl Tags {
    pub(super) fn load(repo: &Repo, loaded: &LoadedConfig) -> anyhow::Result<Self> {
        Self::select(&loaded.tags(repo)?, repo, &loaded.config)
    }

    /// Reads the tags that a range may start after: for a given version those of the configuration, else those of the
    /// family that is released in the history of `end`.
    pub(super) fn for_range(
        repo: &Repo,
        loaded: &LoadedConfig,
        version: Option<&Version>,
        end: Oid,
    ) -> anyhow::Result<Self> {
        let tags = Self::load(repo, loaded)?;
        match version {
            None => tags.narrow_to_family(repo, &loaded.config, end),
            Some(version) => tags.for_version(version, &loaded.config),
        }
    }

    /// Returns the tags that count for a given version. If GitLab reads the configuration as well, a semantic version
    /// is compared with semantic ones alone, as in GitLab.
    pub(super) fn for_version(self, version: &Version, config: &Config) -> anyhow::Result<Self> {
        let is_loose = |tag: &String| self.pattern.stable_version(tag).is_some_and(|text| tag_pattern::is_loose(&text));
        if version.is_semantic() {
            return self.semantic(config);
        }
        if config.versioning == Versioning::SemVer && config.tag_regex.is_none() && !self.names.iter().any(is_loose) {
            version.require_semantic()?;
        }
        Ok(self)
    }

    pub(super) fn semantic(self, config: &Config) -> anyhow::Result<Self> {
        let pattern = if config.is_gitlab_file { TagPattern::from_config(config)? } else { self.pattern };
        Ok(Self { pattern, ..self })
    }

    /// Selects the tags of the configuration among all tags of a repository, given in ref order.
    pub(super) fn select(all: &[String], repo: &Repo, config: &Config) -> anyhow::Result<Self> {
        let strict = TagPattern::from_config(config)?;
        let prefix = config.tag_prefix.as_deref().unwrap_or_default();
        let start = all.partition_point(|name| name.as_str() < prefix);
        let names: Vec<String> = all[start..].iter().take_while(|name| name.starts_with(prefix)).cloned().collect();
        let pattern = if config.tag_regex.is_some() {
            strict
        } else {
            let moving = moving_tags(repo, &names, prefix)?;
            strict.with_loose_versions(moving)
        };
        Ok(Self { names, pattern, family: None })
    }

    /// Warns that a version is tagged already, on another commit than the end of its section.
    pub(super) fn tagged_elsewhere(&self, repo: &Repo, version: &Version, end: Oid) -> anyhow::Result<Option<Warning>> {
        let wanted = version.to_string();
        let has_version = |tag: &str| self.version(tag).is_some_and(|tagged| tagged.to_string() == wanted);
        let Some(tag) = self.names.iter().find(|tag| tag.ends_with(&wanted) && has_version(tag)) else {
            return Ok(None);
        };
        let is_elsewhere = git::tags::peel(repo, tag)?.is_some_and(|commit| commit != end);
        let warning = || {
            Warning::new(format!("{wanted} is tagged as `{tag}`, and this section ends at another commit"))
                .hint(format!("end it there with `--to {tag}`"))
        };
        Ok(is_elsewhere.then(warning))
    }

    /// Narrows the tags to one family if there are several and the configuration does not choose: to that of most of
    /// the newest tags, in the history of `end` and in all, or, if that is not clear, to the one named like the
    /// project.
    pub(super) fn narrow_to_family(self, repo: &Repo, config: &Config, end: Oid) -> anyhow::Result<Self> {
        let is_set = config.tag_prefix.is_some() || config.tag_regex.is_some();
        let mut families: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for name in &self.names {
            if let Some(prefix) = tag_pattern::family(name) {
                families.entry(prefix).or_default().push(name);
            }
        }
        if is_set || families.len() < 2 {
            return Ok(self);
        }
        let all = newest_tags(repo, families.values().flatten().copied(), (0, end))?;
        let newest: Vec<&str> = all.iter().map(|(tag, _)| *tag).take(tag_pattern::NEWEST).collect();
        if !config.packages.is_empty() {
            // The repository's own tags are outdated if none of the newest tags is one of them.
            let has_own = |tags: &[&str]| tags.iter().any(|tag| self.version(tag).is_some());
            let own: Vec<&str> = self.names.iter().map(String::as_str).collect();
            let is_outdated = has_own(&own) && !newest.is_empty() && !has_own(&newest);
            let refusal = || several_families(&families, &newest, config).into();
            return if is_outdated { Err(refusal()) } else { Ok(self) };
        }
        let contained: Vec<&str> =
            all.iter().filter(|(_, inside)| *inside).map(|(tag, _)| *tag).take(tag_pattern::NEWEST).collect();
        let share =
            |of: &[&str], prefix: &str| of.iter().filter(|tag| tag_pattern::family(tag) == Some(prefix)).count();
        // A family must lead among the tags of all lines as well, because this history may have few of many tags.
        let leads = |of: &[&str], prefix: &str| of.is_empty() || 2 * share(of, prefix) > of.len();
        let clear = families.keys().find(|prefix| leads(&contained, prefix) && leads(&newest, prefix)).copied();
        // A repository without packages is released by tags that are nothing but a version.
        let is_bare = || newest.is_empty() || share(&newest, "") + share(&contained, "") > 0;
        let own = || if is_bare() { Some("") } else { family_of_project(repo, families.keys().copied()) };
        match clear.or_else(own) {
            Some("") => Ok(self),
            Some(prefix) => {
                let prefix = prefix.to_owned();
                let config = Config { tag_prefix: Some(prefix.clone()), ..config.clone() };
                Ok(Self { family: Some(prefix), ..Self::select(&self.names, repo, &config)? })
            }
            None => Err(several_families(&families, &newest, config).into()),
        }
    }

    /// Returns the version of a tag, which may be a pre-release.
    pub(super) fn version(&self, tag: &str) -> Option<Version> {
        let pre_release = || self.pattern.pre_release(tag).map(|(stable, pre)| format!("{stable}-{pre}"));
        self.pattern.stable_version(tag).or_else(pre_release)?.parse().ok()
    }

    /// Returns the first tag of a version, in ref order.
    pub(super) fn tag_of(&self, version: &Version) -> Option<&str> {
        let wanted = version.to_string();
        let is_of = |tag: &&str| self.version(tag).is_some_and(|tagged| tagged.to_string() == wanted);
        self.names.iter().map(String::as_str).find(is_of)
    }

    /// Returns the tags of stable versions, the highest first; of equal ones, the later in ref order first.
    pub(super) fn stable(&self) -> Vec<BaseCandidate> {
        let candidate =
            |tag: &String| Some(BaseCandidate { version: self.pattern.stable_version(tag)?, tag: tag.clone() });
        let mut stable: Vec<BaseCandidate> = self.names.iter().rev().filter_map(candidate).collect();
        stable.sort_by(|left, right| compare_versions(&right.version, &left.version));
        stable
    }

    /// Whether no tag is a stable version, and no tag is of a package that was not named.
    pub(super) fn has_no_release(&self, config: &Config) -> bool {
        let is_other = |tag: &String| self.pattern.stable_version(tag).is_some() || config.package_of(tag).is_some();
        !self.names.iter().any(is_other)
    }

    /// Warns that no tag is read as a stable version, so a first release is assumed. Pre-releases alone do not count.
    pub(super) fn first_release_warning(&self, config: &Config) -> Option<Warning> {
        let last = self.names.iter().rev().find(|tag| self.pattern.pre_release(tag).is_none())?;
        let warning =
            Warning::new(format!("no tag is a stable version, such as `{last}`: this is treated as a first release"));
        let other = || "set `tag_regex` in the configuration if it is one".to_owned();
        Some(warning.hint(package_hint(last, config).unwrap_or_else(other)))
    }

    /// Warns of tags that are not read as versions if one of them is newer than the base tag. Tags of other packages
    /// are not meant to be read.
    pub(super) fn warn_unread(
        &self,
        repo: &Repo,
        config: &Config,
        (base, end): (&str, Oid),
    ) -> anyhow::Result<Option<Warning>> {
        let is_read = |tag: &&str| self.version(tag).is_some() || self.pattern.stable_version(tag).is_some();
        let odd: Vec<&str> = self.names.iter().map(String::as_str).filter(|tag| !is_read(tag)).collect();
        let own = config.tag_prefix.as_ref().map_or(0, String::len);
        let others: Vec<&str> = config.packages.values().map(|other| other.tag_prefix.as_str()).collect();
        // With a prefix such as `app-`, the tags of `app-cli-1.0.0` are those of something else.
        let is_named =
            |family: &str| own > 0 && family.get(own..).is_some_and(|rest| rest.contains(char::is_alphabetic));
        let is_of_another = |tag: &str| {
            others.iter().any(|prefix| prefix.len() > own && tag.starts_with(prefix))
                || tag_pattern::family(tag).is_some_and(is_named)
        };
        let odd: Vec<&str> = odd.into_iter().filter(|tag| looks_like_version(tag) && !is_of_another(tag)).collect();
        if odd.is_empty() {
            return Ok(None);
        }
        let since = git::tags::dates(repo, [base])?[0].map_or(0, |date| date + 1);
        let newest = newest_tags(repo, odd.iter().copied(), (since, end))?.into_iter().find(|(_, inside)| *inside);
        let Some((newest, _)) = newest else { return Ok(None) };
        let message = format!(
            "`{newest}` is newer than the base tag `{base}` but is not read as a version, as {} of {} are not",
            odd.len(),
            pluralize(self.names.len(), "tag"),
        );
        Ok(Some(
            Warning::new(message)
                .hint("run `tidings init`, or set `tag_regex`, `versioning` or `tag_prefix` in the configuration"),
        ))
    }

    /// Returns in words how many tags there are, and how many of them are read as versions.
    pub(super) fn count(&self) -> String {
        let all = pluralize(self.names.len(), "tag");
        let is_read = |tag: &&String| self.pattern.stable_version(tag).is_some() || self.version(tag).is_some();
        let read = self.names.iter().filter(is_read).count();
        let family = self.family.as_ref().map(|prefix| format!(" that begin with `{prefix}`")).unwrap_or_default();
        if read == self.names.len() {
            format!("{all}{family}")
        } else {
            format!("{all}{family}, of which {read} are read as versions")
        }
    }
}

/// Returns the hint for a tag that does not count because it is of a package that was not named.
pub(super) fn package_hint(tag: &str, config: &Config) -> Option<String> {
    let package = config.package_of(tag)?;
    Some(format!("`{tag}` is of the package `{package}`: name it with `--package {package}`"))
}

/// Whether a name that is not read could be meant as a version: two numbers with a dot between.
fn looks_like_version(tag: &str) -> bool {
    tag.split(|letter: char| !letter.is_ascii_digit() && letter != '.').any(|run| {
        let mut numbers = run.split('.').filter(|number| !number.is_empty());
        numbers.next().is_some() && numbers.next().is_some()
    })
}

/// Returns the tags of two numbers that move with the newest version of a series, such as `v1.2` beside `v1.2.3`. They
/// are not releases of their own if `v1.2.0` exists or both are on one commit.
fn moving_tags(repo: &Repo, names: &[String], prefix: &str) -> anyhow::Result<HashSet<String>> {
    let number = |name: &str| {
        let version = name.strip_prefix(prefix)?;
        tag_pattern::loose(version.strip_prefix('v').unwrap_or(version)).map(str::to_owned)
    };
    let mut series: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in names {
        if let Some(version) = number(name).filter(|version| version.split('.').count() == 2) {
            series.insert(version, Vec::new());
        }
    }
    if series.is_empty() {
        return Ok(HashSet::new());
    }
    for name in names {
        let of = number(name).and_then(|version| Some(version.rsplit_once('.')?.0.to_owned()));
        if let Some(members) = of.and_then(|of| series.get_mut(&of)) {
            members.push(name);
        }
    }
    let mut moving = HashSet::new();
    for name in names {
        let Some(version) = number(name) else { continue };
        let Some(members) = series.get(&version).filter(|members| !members.is_empty()) else { continue };
        let first = format!("{version}.0");
        let mut is_moving = members.iter().any(|member| number(member).as_deref() == Some(&first));
        if !is_moving {
            let own = git::tags::peel(repo, name)?;
            for member in members {
                is_moving |= git::tags::peel(repo, member)? == own;
            }
        }
        if is_moving {
            moving.insert(name.strip_prefix(prefix).unwrap_or(name).to_owned());
        }
    }
    Ok(moving)
}

/// Returns the newest tags since a date, newest first, and whether each is in the history of `end`.
fn newest_tags<'a>(
    repo: &Repo,
    tags: impl Iterator<Item = &'a str>,
    (since, end): (u64, Oid),
) -> anyhow::Result<Vec<(&'a str, bool)>> {
    let tags: Vec<&str> = tags.collect();
    let dates = git::tags::dates(repo, tags.iter().copied())?;
    let mut by_date: Vec<(&str, u64)> = tags
        .into_iter()
        .zip(dates)
        .filter_map(|(tag, date)| Some((tag, date.filter(|date| *date >= since)?)))
        .collect();
    by_date.sort_by_key(|(_, date)| std::cmp::Reverse(*date));
    by_date.truncate(2 * tag_pattern::NEWEST);
    let mut found = Vec::new();
    for (tag, _) in by_date {
        found.extend(git::tags::peel(repo, tag)?.map(|commit| (tag, commit)));
    }
    let commits: Vec<Oid> = found.iter().map(|(_, commit)| *commit).collect();
    let lineages = git::lineage::lineage(repo, end, &commits)?;
    let is_contained = lineages.into_iter().map(|lineage| lineage == Lineage::Contained);
    Ok(found.into_iter().map(|(tag, _)| tag).zip(is_contained).collect())
}

/// Returns the family that has the name of the project in the URL of the remote `origin`.
fn family_of_project<'a>(repo: &Repo, mut families: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let project = Project::from_remote(&git::remote::origin(repo)?)?;
    let name = project.name()?;
    families.find(|prefix| tag_pattern::is_named(prefix, name))
}

fn several_families(families: &BTreeMap<&str, Vec<&str>>, newest: &[&str], config: &Config) -> Problem {
    let mut listed: Vec<&str> = Vec::new();
    for tag in newest {
        let family = tag_pattern::family(tag);
        if !listed.iter().any(|other| tag_pattern::family(other) == family) {
            listed.push(tag);
        }
    }
    let names: Vec<_> = listed.iter().map(|tag| format!("`{tag}`")).collect();
    let problem = Problem::new(format!(
        "the tags are of {}, and none is clearly the repository's own: the newest are {}",
        format_args!("{} families", families.len()),
        names.join(", ")
    ));
    match config.packages.keys().next() {
        Some(package) => problem.hint(format!(
            "choose one with `--package`, such as `--package {package}`; `show`, `next` and `release` take `--all-packages`"
        )),
        None => problem
            .hint("run `tidings init` to make a package of each family, then choose one with `--package`")
            .hint("or set `tag_prefix` in the configuration"),
    }
}
