//! `source: auto`: the choice between trailers, commit types, merge requests and titles as the source of entries. A range
//! has trailers if some of its commits, or of the newest before them, have one. The choice between the others is made once
//! for a repository, by its newest commits, so that every section takes the same.

use std::sync::Arc;

use crate::{
    config::{DEFAULT_TRAILER, EntrySource},
    git::{self, Repo},
    model::{CommitRef, Forge, Oid, Warning, pluralize},
    pipeline::{
        commits::range_commits::RangeCommits,
        scope::{Scope, loaded_config::LoadedConfig, request::ChangelogRequest},
    },
    sources::{
        auto::{DECIDING, SourceCounts, TrailerUse},
        classified_commit::ClassifiedCommit,
        classifier::{Classifier, Retention},
    },
};

/// The number of commits up to the end of a range that show whether trailers are in use.
pub(crate) const NEWEST: usize = 1_000;

/// The most commits that are read to find enough of people, who may be few among bots.
const MOST: usize = 5 * DECIDING;

/// Chooses the source of entries of a range, with a remark on it, and warns of what could not be read for it; `None` if no
/// commit has to be classified again for it: the configuration names the source, it is trailers, or there are neither
/// commits nor change files. The range starts after `from`; `has_trailers` says whether trailers fit its commits and those
/// before it, if that is known already.
pub(crate) fn guess(
    scope: &Scope,
    commits: &RangeCommits,
    from: Option<Oid>,
    has_trailers: Option<bool>,
    warnings: &mut Vec<Warning>,
) -> Option<(EntrySource, Option<String>)> {
    let config = scope.config();
    if config.source != EntrySource::Auto {
        return None;
    }
    if commits.commits.is_empty() {
        // Change files wait for a release even if the last one has their commits.
        let has_files = scope.request.version.is_none() && scope.change_files().is_ok_and(|files| files.is_some());
        if !has_files {
            return None;
        }
    }
    // The category of commits that nothing else lists could not be used before the source was known.
    let trailers = || config.other.as_ref().map(|_| (EntrySource::Trailers, None));
    if has_trailers.unwrap_or_else(|| self::has_trailers(scope, commits, from)) {
        return trailers();
    }
    match if config.adds_change_files { Ok(None) } else { scope.change_files() } {
        Ok(Some(files)) => {
            let remark = format!("listing the change files that `{}` configures", files.configured_in);
            return Some((EntrySource::Files, Some(remark)));
        }
        Ok(None) if commits.commits.is_empty() => return None,
        Ok(None) => {}
        Err(error) => warnings.push(
            Warning::from_error("change files are not listed, as what may configure them cannot be read", &error)
                .hint("mend that file, or choose what lists the changes with `source:`"),
        ),
    }
    let counts = SourceCounts { trailers: TrailerUse::default(), ..habits(scope, commits, from) };
    let source = match counts.source() {
        // Rules list the commits instead.
        EntrySource::Titles if !config.rules.is_empty() || config.other.is_some() => EntrySource::Trailers,
        source => source,
    };
    let what = match source {
        EntrySource::Trailers => return trailers(),
        EntrySource::Conventional => {
            let (found, of) = (counts.types, pluralize(counts.people, "commit"));
            format!("Conventional Commits ({found} of {of})")
        }
        EntrySource::MergeRequests => {
            format!("{}s", scope.project().forge().profile().merge_request_noun)
        }
        _ => "every title".to_owned(),
    };
    let kept = if config.has_file { format!("source: {}", source.name()) } else { "tidings init".to_owned() };
    let remark = format!("listing {what}; `{kept}` keeps that");
    Some((source, Some(remark)))
}

/// Whether trailers fit the newest commits up to the end of the range. Of a repository by URL only the range is read.
fn has_trailers(scope: &Scope, commits: &RangeCommits, from: Option<Oid>) -> bool {
    let of_range = commits.trailers();
    if from.is_none() || is_by_url(scope.repo) || commits.commits.len() >= NEWEST {
        return of_range.is_habit();
    }
    if ends_at_head(scope) {
        return habits(scope, commits, from).trailers.is_habit();
    }
    let has_trailer = |commit: CommitRef<'_>| {
        let has_trailer = commit.trailers_named(scope.config().trailer()).next().is_some();
        (has_trailer || !commit.is_merge).then_some(has_trailer)
    };
    let (mut read, mut found) = (0, TrailerUse::default());
    git::newest(scope.repo, scope.to, has_trailer, |has_trailer| {
        read += 1;
        if let Some(has_trailer) = *has_trailer {
            found.add(has_trailer);
        }
        read == NEWEST
    });
    found.is_habit()
}

/// Whether the repository is read by its URL, without a clone.
fn is_by_url(repo: &Repo) -> bool {
    repo.transferred_bytes().is_some()
}

/// Returns what the newest commits of the repository show, counted once.
fn habits(scope: &Scope, commits: &RangeCommits, from: Option<Oid>) -> SourceCounts {
    *scope.known.habits.get_or_init(|| count(scope, commits, from))
}

fn ends_at_head(scope: &Scope) -> bool {
    git::revision::resolve(scope.repo, "HEAD").is_ok_and(|head| head == scope.to)
}

/// Chooses the source of entries of single messages, which have no range, by the newest commits of `HEAD`.
pub(crate) fn guess_for_messages(loaded: &LoadedConfig, repo: &Repo, request: &ChangelogRequest) -> EntrySource {
    if loaded.config.source != EntrySource::Auto {
        return loaded.config.source;
    }
    let (config, forge) = (Arc::clone(&loaded.config), request.project(repo, &loaded.config).forge_of_messages());
    let classifier = Classifier::new(loaded.config.trailer(), config, forge, Retention::All);
    match newest(repo, classifier).counts().source() {
        EntrySource::Conventional => EntrySource::Conventional,
        _ => EntrySource::Trailers,
    }
}

/// Makes the choice for a repository by URL whose whole history was fetched.
pub(crate) fn decide_by_whole_history(scope: &Scope) {
    if scope.config().source == EntrySource::Auto && scope.repo.asks_server() {
        scope.known.habits.get_or_init(|| newest(scope.repo, scope.classifier(Retention::All)).counts());
    }
}

/// Returns the newest commits of `HEAD`, for the first configuration, and what they show about the source of entries.
pub(crate) fn newest_commits(repo: &Repo, forge: Option<Forge>) -> (Vec<ClassifiedCommit>, SourceCounts) {
    let newest = newest(repo, Classifier::new(DEFAULT_TRAILER, Arc::default(), forge, Retention::All));
    let counts = newest.counts();
    (newest.commits, counts)
}

/// Whether one of the newest commits of `HEAD` names a merge request.
pub(super) fn names_requests(scope: &Scope) -> bool {
    newest(scope.repo, scope.classifier(Retention::All)).counts().names_requests
}

/// Reads the newest commits of `HEAD`, as far as they are there.
fn newest(repo: &Repo, classifier: Classifier) -> RangeCommits {
    // A repository may have no commit.
    let head = git::revision::resolve(repo, "HEAD").ok();
    RangeCommits::newest(classifier, repo, head, DECIDING, MOST)
}

/// Counts the newest commits of `HEAD`. Those of a range that has enough of them are not read again, and of a
/// repository by URL, only the range is. A shallow clone that cannot ask its remote may have more of the range.
fn count(scope: &Scope, commits: &RangeCommits, from: Option<Oid>) -> SourceCounts {
    let of_range = commits.counts();
    if is_by_url(scope.repo) || (of_range.people == DECIDING || from.is_none()) && ends_at_head(scope) {
        return of_range;
    }
    let of_head = newest(scope.repo, scope.classifier(Retention::All)).counts();
    if scope.repo.is_shallow() && of_head.people < of_range.people && of_head.trailers.count == 0 {
        of_range
    } else {
        of_head
    }
}
