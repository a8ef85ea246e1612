//! Commits for the unit tests of the pure stages.

use std::sync::Arc;

use super::{
    judged::{Criteria, Judged, Keep},
    verdict::Verdict,
};
use crate::{
    config::Config,
    model::{Commit, Flavour, Oid, Person, Time, Trailer},
};

/// The id whose every byte is `id`.
pub(crate) fn oid(id: u8) -> Oid {
    Oid::from_bytes(&[id; 20]).expect("20 bytes are an id")
}

/// A commit of this message, with the trailers of its last paragraph.
pub(crate) fn commit(id: u8, message: &str) -> Commit {
    let last_paragraph = message.trim_end().rsplit_once("\n\n").map_or("", |(_, paragraph)| paragraph);
    let trailer = |line: &str| {
        let (key, value) = line.split_once(": ")?;
        Some(Trailer { key: key.into(), value: value.into() })
    };
    Commit {
        id: oid(id),
        parents: Vec::new(),
        author: Person { name: "Ida".into(), email: "ida@harbor.example".into() },
        committed: Time { seconds: 1_700_000_000, offset: 0 },
        message: message.into(),
        trailers: last_paragraph.lines().filter_map(trailer).collect(),
    }
}

/// A commit with parents.
pub(crate) fn child(id: u8, parents: &[u8], message: &str) -> Commit {
    Commit { parents: parents.iter().map(|id| oid(*id)).collect(), ..commit(id, message) }
}

/// What commits are judged by under these settings.
pub(crate) fn criteria(config: Config) -> Criteria {
    Criteria::new("Changelog", Arc::new(config), Flavour::GitLab, Keep::Listed)
}

/// What each commit tells by itself, by the default settings.
pub(crate) fn read(commits: &[Commit]) -> Vec<Judged> {
    let criteria = criteria(Config::default());
    commits.iter().map(|commit| criteria.read(commit.clone())).collect()
}

/// The commits with verdicts of their own.
pub(crate) fn with_verdicts(commits: &[Commit], verdicts: &[Verdict]) -> Vec<Judged> {
    let judged = |(commit, verdict): (&Commit, &Verdict)| {
        let mut judged = criteria(Config::default()).read(commit.clone());
        judged.commit = Some(Box::new(commit.clone()));
        judged.verdict = verdict.clone();
        judged
    };
    commits.iter().zip(verdicts).map(judged).collect()
}

/// The verdicts by these criteria.
pub(crate) fn judge_by(criteria: &Criteria, commits: &[Commit], changed: Option<&[bool]>) -> Vec<Verdict> {
    let mut judged: Vec<Judged> = commits.iter().map(|commit| criteria.read(commit.clone())).collect();
    criteria.judge(&mut judged, changed);
    judged.into_iter().map(|judged| judged.verdict).collect()
}

/// The verdicts under these settings.
pub(crate) fn judge_under(config: Config, commits: &[Commit]) -> Vec<Verdict> {
    judge_by(&criteria(config), commits, None)
}

/// The verdicts by the default settings.
pub(crate) fn judge(commits: &[Commit]) -> Vec<Verdict> {
    judge_under(Config::default(), commits)
}

/// The verdict of a commit that is listed under these categories.
pub(crate) fn listed(categories: &[&str]) -> Verdict {
    Verdict::Listed(categories.iter().map(|&category| category.to_owned()).collect())
}
