//! The tags of a repository: which are versions, which belong together, and which are not read.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashSet},
};

use crate::{
    config::{Config, Versioning},
    git::{self, Repo},
    model::{Oid, Problem, Project, TaggedCommit, Version, Warning, compare_versions, pluralize},
    pipeline::scope::Scope,
    versions::{
        revisions,
        tag_families::{self, OwnFamily, TagFamilies},
        tag_names,
        tag_pattern::{BaseCandidate, TagPattern},
    },
};

/// The tags of a repository, and the pattern that reads versions from their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tags {
    /// The names of the tags with the prefix of the configuration or of the chosen family, in ref order.
    pub(crate) names: Vec<String>,
    pub(crate) pattern: TagPattern,
    /// The prefix of the chosen family of tags, if the tags themselves decided on it and not the configuration.
    pub(crate) family: Option<String>,
}

impl Tags {
    pub(crate) fn load(scope: &Scope) -> anyhow::Result<Self> {
        Self::select(scope.tag_names()?, scope.repo, scope.config())
    }

    /// Reads the tags that the range of a scope may start after.
    pub(crate) fn for_range(scope: &Scope) -> anyhow::Result<Self> {
        Self::load(scope)?.narrow(scope)
    }

    /// Narrows the tags to those of one family, which a release at the end of the scope follows. If the configuration is
    /// GitLab's, a given semantic version follows any semantic version, as in GitLab.
    pub(crate) fn narrow(self, scope: &Scope) -> anyhow::Result<Self> {
        Ok(self.narrow_for_version(scope)?.with_pre_releases_of(scope))
    }

    /// Lets pre-releases count as releases if the request asks for that; the section of a stable version starts after a
    /// stable one.
    fn with_pre_releases_of(self, scope: &Scope) -> Self {
        if !scope.request.range.pre_releases {
            return self;
        }
        let tags = Self { pattern: self.pattern.with_pre_releases(), ..self };
        match &scope.request.version {
            Some(version) => tags.before(version),
            None => tags,
        }
    }

    /// Returns the tags that the release of a version may follow: a stable version follows a stable one.
    pub(crate) fn before(self, version: &Version) -> Self {
        let is_stable = !version.is_pre_release();
        Self { pattern: if is_stable { self.pattern.without_pre_releases() } else { self.pattern }, ..self }
    }

    fn narrow_for_version(self, scope: &Scope) -> anyhow::Result<Self> {
        let config = scope.config();
        match &scope.request.version {
            None => self.narrow_to_family(scope),
            Some(version) if version.is_semantic() && config.is_gitlab_file => {
                self.own_beside_packages(config)?.semantic(config)
            }
            Some(version) => {
                let tags = self.narrow_to_family(scope)?;
                if config.versioning == Versioning::SemVer
                    && config.tag_regex.is_none()
                    && !tags
                        .names
                        .iter()
                        .any(|tag| tags.pattern.stable_version(tag).is_some_and(|text| tag_names::is_loose(&text)))
                {
                    version.require_semantic()?;
                }
                Ok(tags)
            }
        }
    }

    pub(crate) fn semantic(self, config: &Config) -> anyhow::Result<Self> {
        if !config.is_gitlab_file {
            return Ok(self);
        }
        let (pattern, has_pre_releases) = (TagPattern::from_config(config)?, self.pattern.has_pre_releases());
        Ok(Self { pattern: if has_pre_releases { pattern.with_pre_releases() } else { pattern }, ..self })
    }

    /// Selects the tags of the configuration among all tags of a repository, given in ref order.
    pub(crate) fn select(all: &[String], repo: &Repo, config: &Config) -> anyhow::Result<Self> {
        let strict = TagPattern::from_config(config)?;
        let prefix = config.tag_prefix.as_deref().unwrap_or_default();
        let start = all.partition_point(|name| name.as_str() < prefix);
        let names: Vec<String> = all[start..].iter().take_while(|name| name.starts_with(prefix)).cloned().collect();
        let pattern = if config.tag_regex.is_some() {
            strict
        } else {
            let moving = moving_tags(repo, &names, prefix)?;
            let versions = names.iter().map(|name| &name[prefix.len()..]);
            let has_revisions = revisions::are_used(versions.map(|tag| tag.strip_prefix('v').unwrap_or(tag)));
            let loose = strict.with_loose_versions(moving);
            if has_revisions { loose.with_revisions() } else { loose }
        };
        Ok(Self { names, pattern, family: None })
    }

    /// Warns that a version is tagged already, on another commit than the end of its section.
    pub(crate) fn tagged_elsewhere(&self, scope: &Scope, version: &Version) -> anyhow::Result<Option<Warning>> {
        let Some(tag) = self.named_after(version) else { return Ok(None) };
        let is_elsewhere = git::tags::peel(scope.repo, tag)?.is_some_and(|commit| commit != scope.to);
        Ok(is_elsewhere.then(|| {
            Warning::new(format!("{version} is tagged as `{tag}`, and this section ends at another commit"))
                .hint(format!("end it there with `--to {tag}`"))
        }))
    }

    /// Returns the first tag, in ref order, that ends in a version and has it.
    pub(crate) fn named_after(&self, version: &Version) -> Option<&str> {
        let wanted = version.to_string();
        self.names
            .iter()
            .map(String::as_str)
            .find(|tag| tag.ends_with(&wanted) && self.version(tag).is_some_and(|tagged| tagged.to_string() == wanted))
    }

    /// Narrows the tags to the family that the repository itself is released under, unless the configuration chooses.
    pub(crate) fn narrow_to_family(self, scope: &Scope) -> anyhow::Result<Self> {
        Ok(self.own_family(scope)?.with_pre_releases_of(scope))
    }

    fn own_family(self, scope: &Scope) -> anyhow::Result<Self> {
        let (repo, config) = (scope.repo, scope.config());
        if config.tag_prefix.is_some() || config.tag_regex.is_some() {
            return Ok(self);
        }
        let families = || self.names.iter().filter_map(|tag| tag_names::family(tag));
        let of_releases = families().find(|family| !tag_families::is_of_pre_releases(family));
        let Some(first) = of_releases.or_else(|| families().next()) else { return Ok(self) };
        let is_only = families().all(|name| name == first || tag_families::is_of_pre_releases(name));
        let commits = if is_only { Vec::new() } else { commits_before(repo, &self.names, scope.to)? };
        let families = TagFamilies::new(&commits);
        if !config.packages.is_empty() {
            // The repository's own tags are outdated if the newest releases are of packages, or of the one with its name.
            let own = families.by_name(project_name(repo).as_deref());
            let is_outdated = families.bare().is_some() && own.is_none_or(|own| !own.name.is_empty());
            return if is_outdated {
                Err(several_families(&families, config).into())
            } else {
                self.own_beside_packages(config)
            };
        }
        let own = if is_only { OwnFamily::Named(first) } else { families.own(project_name(repo).as_deref()) };
        match own {
            OwnFamily::None | OwnFamily::Named("") => Ok(self),
            OwnFamily::Named(prefix) => {
                let prefix = prefix.to_owned();
                let config = Config { tag_prefix: Some(prefix.clone()), ..config.clone() };
                Ok(Self { family: Some(prefix), ..Self::select(&self.names, repo, &config)? })
            }
            OwnFamily::Unclear => Err(several_families(&families, config).into()),
        }
    }

    /// Refuses the tags if packages are configured and each of the tags is of one of them: nothing of the repository
    /// itself was released so far, and a first release of it is not what is meant.
    fn own_beside_packages(self, config: &Config) -> anyhow::Result<Self> {
        let is_own = |tag: &String| self.version(tag).is_some() && config.package_of(tag).is_none();
        if config.packages.is_empty() || config.tag_prefix.is_some() || self.names.iter().any(is_own) {
            return Ok(self);
        }
        let problem = Problem::new("the configuration has packages, and no tag is of the repository as a whole");
        Err(hint_at_packages(problem, config).into())
    }

    /// Whether a version is a pre-release, and not a revision.
    pub(crate) fn is_pre_release(&self, version: &Version) -> bool {
        version.is_pre_release() && !self.is_revision(version)
    }

    /// Whether a number behind a dash is a revision in a version.
    pub(crate) fn is_revision(&self, version: &Version) -> bool {
        self.pattern.has_revisions() && revisions::split(&version.to_string()).is_some()
    }

    /// Returns the version of a tag, which may be a pre-release.
    pub(crate) fn version(&self, tag: &str) -> Option<Version> {
        self.pattern
            .stable_version(tag)
            .or_else(|| self.pattern.pre_release(tag).map(|(stable, pre)| format!("{stable}-{pre}")))?
            .parse()
            .ok()
    }

    /// Whether a tag is read as a version.
    pub(super) fn is_read(&self, tag: &str) -> bool {
        self.version(tag).is_some() || self.pattern.stable_version(tag).is_some()
    }

    /// Returns the first tag of a version, in ref order.
    pub(crate) fn tag_of(&self, version: &Version) -> Option<&str> {
        let wanted = version.to_string();
        self.names
            .iter()
            .map(String::as_str)
            .find(|tag| self.version(tag).is_some_and(|tagged| tagged.to_string() == wanted))
    }

    /// Returns the tags of stable versions, the highest first; of equal ones, the later in ref order first.
    pub(crate) fn stable(&self) -> Vec<BaseCandidate> {
        let mut stable: Vec<BaseCandidate> = self
            .names
            .iter()
            .rev()
            .filter_map(|tag| Some(BaseCandidate { version: self.pattern.stable_version(tag)?, tag: tag.clone() }))
            .collect();
        stable.sort_by(|left, right| compare_versions(&right.version, &left.version));
        stable
    }

    /// Returns the pre-release tags of versions above one that are not released, each with its version, the highest
    /// first.
    pub(crate) fn unreleased_pre_releases(&self, above: &str) -> Vec<(&str, String)> {
        let pre_releases = self.names.iter().filter_map(|tag| Some((tag.as_str(), self.pattern.pre_release(tag)?.0)));
        let mut found: Vec<_> = pre_releases.filter(|(_, stable)| compare_versions(stable, above).is_gt()).collect();
        if !found.is_empty() {
            let released: HashSet<String> =
                self.names.iter().filter_map(|tag| self.pattern.stable_version(tag)).collect();
            found.retain(|(_, stable)| !released.contains(stable));
            found.sort_by(|left, right| compare_versions(&right.1, &left.1));
        }
        found
    }

    /// Returns in words what the versions are that count as releases.
    pub(crate) fn release_word(&self) -> &'static str {
        if self.pattern.has_pre_releases() { "version" } else { "stable version" }
    }

    /// Returns the highest versions that count below the release of a version.
    pub(crate) fn ceiling(&self, version: &Version) -> String {
        let is_whole = self.pattern.has_pre_releases() || self.is_revision(version);
        if is_whole { version.to_string() } else { version.stable() }
    }

    /// Returns in words how many tags there are, and how many of them are read as versions.
    pub(crate) fn count(&self) -> String {
        let all = pluralize(self.names.len(), "tag");
        let read = self.names.iter().filter(|tag| self.is_read(tag)).count();
        let family = self.family.as_ref().map(|prefix| format!(" that begin with `{prefix}`")).unwrap_or_default();
        if read == self.names.len() {
            format!("{all}{family}")
        } else {
            format!("{all}{family}, of which {read} are read as versions")
        }
    }
}

/// Returns the tags of two numbers that move with the newest version of a series, such as `v1.2` beside `v1.2.3`. They
/// are not releases of their own if both are on one commit, which may be one of a pre-release (`v1.2.0-rc.1`), or they are
/// not older than `v1.2.0`.
fn moving_tags(repo: &Repo, names: &[String], prefix: &str) -> anyhow::Result<HashSet<String>> {
    let number = |name: &str| {
        let version = name.strip_prefix(prefix)?;
        tag_names::numbers_with_dots(version.strip_prefix('v').unwrap_or(version)).map(Cow::into_owned)
    };
    // Each with the stable versions and the pre-releases of the series.
    let mut series: BTreeMap<String, (Vec<&str>, Vec<&str>)> = BTreeMap::new();
    for name in names {
        if let Some(version) = number(name).filter(|version| version.split('.').count() == 2) {
            series.insert(version, Default::default());
        }
    }
    if series.is_empty() {
        return Ok(HashSet::new());
    }
    for name in names {
        let of = number(name).and_then(|version| Some(version.rsplit_once('.')?.0.to_owned()));
        if let Some((stable, _)) = of.and_then(|of| series.get_mut(&of)) {
            stable.push(name);
        } else if let Some((_, pre)) = series_of_pre_release(name, prefix).and_then(|of| series.get_mut(&of)) {
            pre.push(name);
        }
    }
    let is_on_commit_of = |name: &str, others: &[&str]| -> anyhow::Result<bool> {
        let own = if others.is_empty() { None } else { git::tags::peel(repo, name)? };
        for other in others {
            if own.is_some() && git::tags::peel(repo, other)? == own {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let mut moving = HashSet::new();
    for name in names {
        let Some(version) = number(name) else { continue };
        let Some((stable, pre)) = series.get(&version) else { continue };
        let first = format!("{version}.0");
        let is_moving = if is_on_commit_of(name, pre)? {
            true
        } else if let Some(first) = stable.iter().find(|member| number(member).as_ref() == Some(&first)) {
            // `2.0` that is older than `2.0.0` never moved: it was released before.
            let dates = git::tags::dates(repo, [name.as_str(), first])?;
            dates[0] >= dates[1]
        } else {
            is_on_commit_of(name, stable)?
        };
        if is_moving {
            moving.insert(name.strip_prefix(prefix).unwrap_or(name).to_owned());
        }
    }
    Ok(moving)
}

/// Returns the first two numbers of the version of a pre-release tag; `None` for any other tag.
fn series_of_pre_release(name: &str, prefix: &str) -> Option<String> {
    let version = name.strip_prefix(prefix)?;
    let version = semver::Version::parse(version.strip_prefix('v').unwrap_or(version)).ok()?;
    (!version.pre.is_empty()).then(|| format!("{}.{}", version.major, version.minor))
}

/// Groups tags by their commits, the newest first. Those after `end` do not count, unless all are: at an older commit
/// the names of its own time matter.
pub(crate) fn commits_before(repo: &Repo, names: &[String], end: Oid) -> anyhow::Result<Vec<TaggedCommit>> {
    let versions = names.iter().filter(|name| tag_names::family(name).is_some()).cloned().collect();
    let mut commits = git::tags::by_commit(repo, versions)?;
    if let Some(now) = git::commit_date(repo, end)? {
        let after = commits.iter().take_while(|commit| commit.date > now).count();
        if after < commits.len() {
            commits.drain(..after);
        }
    }
    Ok(commits)
}

/// Returns the name of the project in the URL of the remote `origin`.
pub(crate) fn project_name(repo: &Repo) -> Option<String> {
    Some(Project::from_remote(&git::remote::origin(repo)?)?.name()?.to_owned())
}

/// Returns the problem of tags whose families are several, none of which is clearly the repository's own.
pub(crate) fn several_families(families: &TagFamilies, config: &Config) -> Problem {
    const SHOWN: usize = 10;
    let newest: Vec<_> = families.all.iter().take(SHOWN).map(|family| format!("`{}`", family.tags[0])).collect();
    let problem = Problem::new(format!(
        "the tags are of {} families, and none is clearly the repository's own: the newest are {}",
        families.all.len(),
        newest.join(", ")
    ));
    let problem = hint_at_packages(problem, config);
    match families.bare() {
        Some(bare) => problem.hint(format!("with `tag_prefix: ''` it is tags such as `{}`", bare.tags[0])),
        None => problem,
    }
}

/// Adds the hints to name a package, or all.
pub(crate) fn hint_at_packages(problem: Problem, config: &Config) -> Problem {
    match config.packages.keys().next() {
        Some(package) => problem.hint(format!(
            "choose one with `--package`, such as `--package {package}`; `show`, `next` and `release` take `--all-packages`"
        )),
        None if config.has_file => problem
            .hint("set `packages` in the configuration, then choose one with `--package`")
            .hint("or set `tag_prefix` there"),
        None => problem
            .hint("run `tidings init` to make a package of each family, then choose one with `--package`")
            .hint("or set `tag_prefix` in the configuration"),
    }
}
