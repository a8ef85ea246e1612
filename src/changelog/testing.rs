//! Commits for the unit tests of the pure stages.

use super::verdict::{Criteria, Verdict};
use crate::{
    config::Config,
    model::{Commit, Oid, Person, Time, Trailer},
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

/// The verdicts by the default settings.
pub(crate) fn judge(commits: &[Commit]) -> Vec<Verdict> {
    Criteria { trailer: "Changelog", config: &Config::default(), changed: None }.judge(commits)
}

/// The verdict of a commit that is listed under these categories.
pub(crate) fn listed(categories: &[&str]) -> Verdict {
    Verdict::Listed(categories.iter().map(|&category| category.to_owned()).collect())
}
