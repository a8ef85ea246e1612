//! A commit, decoded once: everything later stages ask of it, in UTF-8.

use super::{Oid, Trailer};

/// A name and an e-mail address, as the commit carries them or as `.mailmap` corrects them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// The human name; may be empty.
    pub name: String,
    /// The e-mail address; may be empty.
    pub email: String,
}

/// A moment and the offset its author's clock had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Seconds since the epoch, UTC.
    pub seconds: i64,
    /// The clock's offset from UTC in seconds, east positive.
    pub offset: i32,
}

/// One commit of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// Its id.
    pub id: Oid,
    /// Its parents in the commit's own order; more than one make a merge.
    pub parents: Vec<Oid>,
    /// Who wrote it.
    pub author: Person,
    /// When it was committed.
    pub committed: Time,
    /// The whole message, lossy UTF-8.
    pub message: String,
    /// Its trailers in the order of the message; a key may repeat.
    pub trailers: Vec<Trailer>,
}

impl Commit {
    /// The first physical line of the message, neither trimmed nor shortened.
    #[must_use]
    pub fn subject(&self) -> &str {
        self.message.split(['\r', '\n']).next().unwrap_or_default()
    }

    /// The value of the last trailer of this exact, case-sensitive name.
    #[must_use]
    pub fn trailer(&self, name: &str) -> Option<&str> {
        self.trailers.iter().rev().find(|trailer| trailer.key == name).map(|trailer| trailer.value.as_str())
    }

    /// Whether it joins two or more lines of history.
    #[must_use]
    pub fn is_merge(&self) -> bool {
        self.parents.len() > 1
    }
}
