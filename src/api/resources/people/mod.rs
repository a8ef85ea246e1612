//! Lookups on a forge: the users of authors, whom a section may credit, and the merge or pull requests of commits.

mod github;
mod gitlab;

use std::{
    collections::HashMap,
    sync::atomic::{AtomicU64, Ordering},
};

pub(super) use self::gitlab::GitLabPeople;
use crate::{
    api::{Error, Result},
    model::{ForgeUser, LookupRequest, LookupResult, MergedRequest, UnresolvedAuthor},
    parallel,
};

/// The number of parallel requests, which is that of browsers to one host.
const AT_ONCE: usize = 6;

/// A function that is called with the number of finished lookups and their total.
pub(crate) type Progress<'f> = &'f (dyn Fn(u64, u64) + Sync);

/// The users and merge or pull requests of a project.
pub(crate) trait People: Sync {
    /// Returns the user of an author, and whether to credit them: users from outside the project who had work merged
    /// before, and members of the groups.
    fn user(&self, author: &UnresolvedAuthor, groups: &[String]) -> Result<Option<ForgeUser>>;

    /// Returns the number of the merge request that merged a commit.
    fn merge_request(&self, commit: &str) -> Result<Option<u64>>;

    /// Returns the merge requests that have these numbers, as far as they exist, in as few requests as possible.
    fn merge_requests(&self, numbers: &[u64], progress: Progress) -> Result<Vec<MergedRequest>>;
}

/// Returns a user, who is credited as a contributor or as a member of one of the groups.
fn forge_user(
    username: &str,
    contributor: bool,
    groups: &[String],
    is_in: impl Fn(&str) -> Result<bool>,
) -> Result<ForgeUser> {
    let credit = groups.iter().try_fold(contributor, |credit, group| Ok::<_, Error>(credit || is_in(group)?))?;
    Ok(ForgeUser { reference: format!("@{username}"), contributor, credit })
}

/// Looks up users and merge requests, with parallel requests, and returns what was found and the errors. If either of
/// the two fails, it alone is empty: the token of a job has access to merge requests, but not to users. Calls
/// `progress` with the number of finished lookups and their total.
pub(crate) fn look_up(people: &dyn People, request: &LookupRequest, progress: Progress) -> (LookupResult, Vec<Error>) {
    let (authors, commits) = (&request.authors, &request.commits);
    let (total, done) = ((authors.len() + commits.len()) as u64, AtomicU64::new(0));
    let count = || progress(done.fetch_add(1, Ordering::Relaxed) + 1, total);
    let users =
        parallel::map_blocking(authors, AT_ONCE, |author| people.user(author, &request.groups).inspect(|_| count()));
    done.store(authors.len() as u64, Ordering::Relaxed);
    let numbers = parallel::map_blocking(commits, AT_ONCE, |commit| people.merge_request(commit).inspect(|_| count()));
    let mut failures = Vec::new();
    let people = by_key(authors.iter().map(|author| &author.email), users, &mut failures);
    let requests = by_key(commits.iter(), numbers, &mut failures);
    // A token that is not accepted fails for both, and is reported once.
    failures.dedup_by_key(|error| (error.status(), error.reason()));
    (LookupResult { people, requests }, failures)
}

/// Returns what was found, by key; empty if a lookup failed.
fn by_key<'q, T>(
    keys: impl Iterator<Item = &'q String>,
    found: Result<Vec<Option<T>>>,
    failures: &mut Vec<Error>,
) -> HashMap<String, T> {
    let found = found.map_err(|error| failures.push(error)).unwrap_or_default();
    keys.zip(found).filter_map(|(key, value)| Some((key.clone(), value?))).collect()
}
