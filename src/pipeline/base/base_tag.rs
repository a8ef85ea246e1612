//! The tag that a range starts after, and the tags among which it is chosen.

use serde::Serialize;

use super::tags::Tags;
use crate::{
    config::Config,
    git::{self, Repo},
    model::{Oid, Version},
    versions::{
        tag_names::SEPARATORS,
        tag_pattern::{BaseCandidate, TagPattern},
    },
};

/// The tag that a section starts after. Every JSON document shows it alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct BaseTag {
    /// The name of the tag.
    pub tag: String,
    /// The version that it is the tag of; a stable one, unless pre-releases count.
    pub version: String,
    /// The commit it points to.
    pub commit: Oid,
    /// Why this tag was chosen.
    pub reason: String,
    /// Where the line of the tag parted from the history of the range, if the tag is not in that history.
    #[serde(skip)]
    pub parted_at: Option<Vec<Oid>>,
    /// Why a tag of a higher version does not count, if there is one.
    #[serde(skip)]
    pub passed_over: Option<String>,
}

impl BaseTag {
    pub(crate) fn new(found: BaseCandidate, commit: Oid, reason: String) -> Self {
        Self { tag: found.tag, version: found.version, commit, reason, parted_at: None, passed_over: None }
    }

    /// Returns the tag of a version that follows the base tag: as the configuration says, else written as that one, with
    /// the configured prefix; `v` and the version if there is neither. `None` if the base tag does not show it.
    pub(crate) fn next(base: Option<&Self>, config: &Config, version: &Version) -> Option<String> {
        let version = version.to_string();
        if let Some(form) = &config.release.tag {
            return Some(form.replace("{version}", &version));
        }
        let Some(base) = base else {
            return Some(format!("{}{version}", config.tag_prefix.as_deref().unwrap_or("v")));
        };
        let prefixed = || config.tag_prefix.as_ref().map(|prefix| format!("{prefix}{version}"));
        let written = |old: &str, new: &str| {
            let (prefix, rest) = base.tag.rsplit_once(old)?;
            Some(format!("{}{new}{rest}", config.tag_prefix.as_deref().unwrap_or(prefix)))
        };
        // A `tag_regex` may read fewer numbers than a version has.
        let short = |zeros: &str| {
            let tag = written(base.version.strip_suffix(zeros)?, version.strip_suffix(zeros)?)?;
            let pattern = TagPattern::from_config(config).ok()?;
            (pattern.stable_version(&tag).as_deref() == Some(&version)).then_some(tag)
        };
        SEPARATORS
            .into_iter()
            .find_map(|separator| {
                let change = |version: &str| version.replace('.', &separator.to_string());
                written(&change(&base.version), &change(&version))
            })
            .or_else(|| [".0.0", ".0"].into_iter().find_map(short))
            .or_else(prefixed)
    }

    /// Returns what a user should know about the choice, a sentence each.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let parted = self.parted_at.as_ref().map(|at| match at.as_slice() {
            [] => format!("`{}` shares no history with this branch", self.tag),
            at => {
                let at = at.iter().map(Oid::short).collect::<Vec<_>>().join(", ");
                format!("`{}` is on another branch, which left this one at {at}", self.tag)
            }
        });
        parted.into_iter().chain(self.passed_over.clone()).collect()
    }
}

/// Returns the tag of the highest stable version, which is the base tag unless it is on another line of history.
pub(crate) fn highest(repo: &Repo, tags: &Tags) -> anyhow::Result<Option<BaseTag>> {
    let Some(found) = tags.pattern.base(tags.names.iter().map(String::as_str), None) else { return Ok(None) };
    let reason = || format!("the highest {} of {}", tags.release_word(), tags.count());
    if let Some(commit) = git::tags::peel(repo, &found.tag)? {
        return Ok(Some(BaseTag::new(found, commit, reason())));
    }
    let passed_over = explain_broken(repo, &found.tag)?;
    for below in tags.stable().into_iter().skip_while(|candidate| *candidate != found).skip(1) {
        if let Some(commit) = git::tags::peel(repo, &below.tag)? {
            return Ok(Some(BaseTag { passed_over, ..BaseTag::new(below, commit, reason()) }));
        }
    }
    Ok(None)
}

/// Returns why a tag does not count if it leads to an object that is missing.
pub(crate) fn explain_broken(repo: &Repo, tag: &str) -> anyhow::Result<Option<String>> {
    let is_broken = git::tags::is_broken(repo, tag)?;
    Ok(is_broken.then(|| format!("`{tag}` leads to an object that is missing, so it does not count")))
}

/// Returns the tags that lead to a commit, each with that commit.
pub(crate) fn peel_tags(
    repo: &Repo,
    tags: impl IntoIterator<Item = BaseCandidate>,
) -> anyhow::Result<Vec<(BaseCandidate, Oid)>> {
    let tags: Vec<BaseCandidate> = tags.into_iter().collect();
    let names: Vec<&str> = tags.iter().map(|tag| tag.tag.as_str()).collect();
    let commits = git::tags::peel_all(repo, &names)?;
    Ok(tags.into_iter().zip(commits).filter_map(|(tag, commit)| Some((tag, commit?))).collect())
}
