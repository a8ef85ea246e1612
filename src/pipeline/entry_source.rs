//! `source: auto`: the choice between trailers, commit types, merge requests and titles as the source of entries.

use super::{loaded_config::LoadedConfig, range_commits::RangeCommits, request::ChangelogRequest};
use crate::{
    changelog::{
        classified_commit::{Classification, ClassifiedCommit},
        conventional::is_conventional,
    },
    config::{Config, EntrySource},
    git::{self, Repo},
    model::{Forge, Range},
};

/// The number of newest commits that decide the source of entries if a range alone does not.
pub(super) const NEWEST: usize = 1_000;

/// A source of entries fits if at least one in this many commits uses it.
const FEW: usize = 5;

/// Chooses the source of entries of a range, with a remark on it; `None` if no commit has to be classified again for
/// it: the configuration names the source, it is trailers, or there are no commits. `has_recent` says whether commits
/// before the range have a trailer.
pub(super) fn guess(
    repo: &Repo,
    config: &Config,
    commits: &RangeCommits,
    request: &ChangelogRequest,
    has_recent: impl FnOnce() -> bool,
) -> Option<(EntrySource, Option<String>)> {
    if config.source != EntrySource::Auto || commits.commits.is_empty() {
        return None;
    }
    if commits.commits.iter().any(|commit| commit.has_trailer) || has_recent() {
        // The category of commits that nothing else lists could not be used before the source was known.
        return config.other.as_ref().map(|_| (EntrySource::Trailers, None));
    }
    let (source, what) = source(config, commits, request.project(repo, config).forge());
    let remark = what.map(|what| {
        let (trailer, name) = (&request.trailer, source.name());
        format!(
            "no commit has a `{trailer}:` trailer, so {what}; set `source: {name}` or another, or run `tidings init`"
        )
    });
    Some((source, remark))
}

/// Chooses the source of entries of single messages, which have no range, by the newest commits of `HEAD`.
pub(crate) fn guess_for_messages(loaded: &LoadedConfig, repo: &Repo, trailer: &str) -> EntrySource {
    let config = &loaded.config;
    if config.source != EntrySource::Auto {
        return config.source;
    }
    let Ok(tip) = git::revision::resolve(repo, "HEAD") else { return EntrySource::Trailers };
    let (mut own, mut types) = (0, 0);
    for message in git::newest_messages(repo, tip).take(NEWEST).filter(|message| !message.is_merge) {
        if message.trailers.iter().any(|found| found.key == trailer) {
            return EntrySource::Trailers;
        }
        own += 1;
        types += usize::from(is_conventional(&message.text, config));
    }
    if types > 0 && types * FEW >= own { EntrySource::Conventional } else { EntrySource::Trailers }
}

/// Whether the newest commits have trailers, though the range has none. Of a repository by URL only the range is read.
pub(super) fn has_recent(repo: &Repo, range: Range, request: &ChangelogRequest) -> bool {
    let has_trailer = || git::has_recent_trailer(repo, range.to, NEWEST, &request.trailer);
    range.from.is_some() && repo.transferred_bytes().is_none() && has_trailer()
}

/// Returns the source that fits the commits of a range without trailers, and what it lists in words.
fn source(config: &Config, range: &RangeCommits, forge: Forge) -> (EntrySource, Option<String>) {
    let requests = range.merge_requests();
    let is_own = |commit: &ClassifiedCommit| {
        !commit.is_merge && !matches!(commit.classification, Classification::Skipped(_) | Classification::Listed(_))
    };
    let own: Vec<_> = range.commits.iter().zip(&requests).filter(|(commit, _)| is_own(commit)).collect();
    let is_common = |count: usize| count * FEW >= own.len();
    let types = own.iter().filter(|(commit, _)| commit.looks_conventional()).count();
    if types > 0 && is_common(types) {
        let what = format!("Conventional Commits are listed ({types} of {})", own.len());
        return (EntrySource::Conventional, Some(what));
    }
    let requested = own.iter().filter(|(_, request)| request.is_some()).count();
    if requests.iter().any(Option::is_some) && is_common(requested) {
        let noun = forge.profile().merge_request_noun;
        return (EntrySource::MergeRequests, Some(format!("{noun}s are listed")));
    }
    if !config.rules.is_empty() || config.other.is_some() {
        return (EntrySource::Trailers, None);
    }
    (EntrySource::Titles, Some("every title is listed".to_owned()))
}
