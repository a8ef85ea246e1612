//! Who is behind commits, as a host knows it: users, whom a section thanks, and the merge requests of commits.

pub mod github;
pub mod gitlab;

use std::{
    collections::HashMap,
    sync::atomic::{AtomicU64, Ordering},
};

pub use self::{github::GitHubPeople, gitlab::GitLabPeople};
use crate::{
    api::{Error, Result, client::optional},
    model::{ForgeUser, LookupRequest, LookupResult, UnresolvedAuthor},
    parallel,
};

/// Browsers open six connections to a host, and nobody minds.
const AT_ONCE: usize = 6;

/// A host that knows people.
pub trait People: Sync {
    /// The user behind an e-mail address, and whether a section shall name them: somebody from outside the project whose
    /// work was merged before, or a member of one of the groups.
    ///
    /// # Errors
    ///
    /// Where the service refuses or cannot be reached.
    fn user(&self, unknown: &UnresolvedAuthor, groups: &[String]) -> Result<Option<ForgeUser>>;

    /// The number of the merge request that brought a commit in.
    ///
    /// # Errors
    ///
    /// As [`People::user`].
    fn merge_request(&self, commit: &str) -> Result<Option<u64>>;
}

/// Whether an answer came, where one kind of failure says that the thing is not there.
fn is_there<T>(answer: Result<T>, is_missing: impl FnOnce(&Error) -> bool) -> Result<bool> {
    Ok(optional(answer, is_missing)?.is_some())
}

/// Somebody whom a section names where they are from outside, or else a member of one of the groups.
fn forge_user(
    login: &str,
    contributor: bool,
    groups: &[String],
    is_in: impl Fn(&str) -> Result<bool>,
) -> Result<ForgeUser> {
    let credit = groups.iter().try_fold(contributor, |credit, group| Ok::<_, Error>(credit || is_in(group)?))?;
    Ok(ForgeUser { reference: format!("@{login}"), contributor, credit })
}

/// What a host says to an inquiry. Either half may fail alone: a job's token opens the merge requests and not the users.
#[derive(Debug)]
pub struct LookupOutcome {
    /// What was found; a half that failed is empty, so that a section has no half of it.
    pub findings: LookupResult,
    /// Why a half failed.
    pub failures: Vec<Error>,
}

/// Asks for everything, several things at a time. `progress` is told what is done and how much there is.
pub fn look_up(people: &dyn People, inquiry: &LookupRequest, progress: &(dyn Fn(u64, u64) + Sync)) -> LookupOutcome {
    let (authors, commits) = (&inquiry.authors, &inquiry.commits);
    let all = (authors.len() + commits.len()) as u64;
    let found = map_concurrently(authors, |author| people.user(author, &inquiry.groups), &|done| {
        progress(done, all);
    });
    let asked = authors.len() as u64;
    let numbers = map_concurrently(commits, |commit| people.merge_request(commit), &|done| {
        progress(asked + done, all);
    });
    let mut failures = Vec::new();
    let people = answered(authors.iter().map(|author| &author.email), found, &mut failures);
    let requests = answered(commits.iter(), numbers, &mut failures);
    // A token that is not taken fails both.
    failures.dedup_by_key(|error| (error.status(), error.reason()));
    LookupOutcome { findings: LookupResult { people, requests }, failures }
}

/// The answers to all questions in their order, or a failure, after which nothing more is asked.
fn map_concurrently<Q: Sync, A: Send>(
    questions: &[Q],
    ask: impl Fn(&Q) -> Result<A> + Sync,
    done: &(dyn Fn(u64) + Sync),
) -> Result<Vec<A>> {
    let answered = AtomicU64::new(0);
    parallel::map_blocking(questions, AT_ONCE, |question| {
        let answer = ask(question)?;
        done(answered.fetch_add(1, Ordering::Relaxed) + 1);
        Ok(answer)
    })
}

/// The answers by what was asked for, none where one failed.
fn answered<'q, A>(
    questions: impl Iterator<Item = &'q String>,
    answers: Result<Vec<Option<A>>>,
    failures: &mut Vec<Error>,
) -> HashMap<String, A> {
    let answers = answers.map_err(|error| failures.push(error)).unwrap_or_default();
    questions.zip(answers).filter_map(|(question, answer)| Some((question.clone(), answer?))).collect()
}
