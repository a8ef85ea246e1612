//! The packages of a repository whose tags are of several families, none of which is clearly the repository's own.

use super::{ChangelogRequest, CommitFiles, LoadedConfig, tags::Tags};
use crate::{
    changelog::{scaffold, tag_pattern},
    config::Config,
    git::{self, Repo},
    model::Oid,
};

/// A package of the configuration, or one that only tags and files show.
#[derive(Debug)]
pub(crate) struct DetectedSettings {
    /// Its name.
    pub name: String,
    /// Whether it is at the top of the repository, so that the changelog file there is its own.
    pub is_top: bool,
    /// The settings, narrowed to it.
    pub settings: LoadedConfig,
}

/// Finds the packages, those of the configuration or else those that `init` would write down, that at the top first; there
/// are none if the newest tags are the repository's own.
pub(crate) fn detected_packages(
    settings: &LoadedConfig,
    repo: &Repo,
    request: &ChangelogRequest,
) -> anyhow::Result<Vec<DetectedSettings>> {
    let config = &settings.config;
    if config.tag_prefix.is_some() || config.tag_regex.is_some() {
        return Ok(Vec::new());
    }
    let to = git::revision::resolve(repo, &request.range.to)?;
    let tags = Tags::load(repo, settings)?;
    let names = git::tags::newest_first(repo, tags.names.clone())?;
    let newest = || names.iter().take(tag_pattern::NEWEST);
    let share = |family: &str| newest().filter(|tag| tag_pattern::family(tag) == Some(family)).count();
    let found = if config.packages.is_empty() {
        let own = tags.of_family(repo, config, to);
        let is_own = |family: &str| 2 * share(family) > newest().count();
        if own.as_ref().is_ok_and(|tags| tags.family.as_ref().is_none_or(|family| is_own(family))) {
            return Ok(Vec::new());
        }
        if !git::paths::can_compare(repo, to) {
            // Without trees nothing says which commits are a package's.
            return own.map(|_| Vec::new());
        }
        let found = found(settings, repo, (request, to), &names);
        if found.is_empty() {
            return own.map(|_| Vec::new());
        }
        found
    } else if share("") == 0 && newest().any(|tag| config.package_of(tag).is_some()) {
        let package = |name: &String| Ok((name.clone(), settings.package(name)?));
        config.packages.keys().map(package).collect::<anyhow::Result<_>>()?
    } else {
        return Ok(Vec::new());
    };
    let is_top = |settings: &LoadedConfig| settings.config.paths.first().is_some_and(|path| path == ".");
    let package = |(name, settings)| DetectedSettings { name, is_top: is_top(&settings), settings };
    let mut packages: Vec<DetectedSettings> = found.into_iter().map(package).collect();
    packages.sort_by_key(|package| !package.is_top);
    Ok(packages)
}

/// The settings of the packages that tags, the newest first, and files show.
fn found(
    settings: &LoadedConfig,
    repo: &Repo,
    (request, to): (&ChangelogRequest, Oid),
    tags: &[String],
) -> Vec<(String, LoadedConfig)> {
    let project = request.project(repo, &settings.config);
    let files = CommitFiles { repo, commit: Some(to) };
    let found = scaffold::packages(tags, project.name(), &files);
    let has_plain = tags.iter().any(|tag| tag.trim_start_matches('v').starts_with(|sign: char| sign.is_ascii_digit()));
    let package = |(name, package): (String, scaffold::DetectedPackage)| {
        let prefix = package.prefix.trim_end_matches('v');
        let mut config = Config::clone(&settings.config);
        if has_plain && !prefix.is_empty() && package.paths.first().is_some_and(|path| path == ".") {
            // What the repository released before its packages had tags of their own.
            let prefix = regex::escape(prefix);
            config.tag_regex = Some(format!(
                r"^(?:{prefix})?v?(?P<major>\d+)\.(?P<minor>\d+)\.(?P<patch>\d+)(?:-(?P<pre>[0-9A-Za-z.-]+))?$"
            ));
        } else {
            config.tag_prefix = Some(package.prefix);
        }
        (config.file, config.paths) = (package.file, package.paths);
        (name, settings.with_config(config))
    };
    found.into_iter().flatten().map(package).collect()
}
