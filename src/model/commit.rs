//! A commit, decoded once: everything later stages ask of it, in UTF-8.

use chrono::{DateTime, FixedOffset, Offset as _, SecondsFormat, Utc};
use memchr::memchr2;

use super::{Oid, Text, Trailer};

/// A name and an e-mail address, as the commit carries them or as `.mailmap` corrects them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Person {
    /// The human name; may be empty.
    pub name: Text,
    /// The e-mail address; may be empty.
    pub email: Text,
}

/// A moment and the offset its author's clock had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Seconds since the epoch, UTC.
    pub seconds: i64,
    /// The clock's offset from UTC in seconds, east positive.
    pub offset: i32,
}

impl Time {
    /// ISO 8601 with milliseconds and the clock's own offset, as the service writes it: `2024-03-09T10:20:30.000+00:00`.
    #[must_use]
    pub fn to_iso8601(self) -> String {
        // An offset of a day or more is a broken clock's; the moment is right all the same.
        let offset = FixedOffset::east_opt(self.offset).unwrap_or_else(|| Utc.fix());
        let moment = DateTime::from_timestamp(self.seconds, 0).unwrap_or_default();
        moment.with_timezone(&offset).to_rfc3339_opts(SecondsFormat::Millis, false)
    }
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
    pub message: Text,
    /// Its trailers in the order of the message; a key may repeat.
    pub trailers: Vec<Trailer>,
}

impl Commit {
    /// The first physical line of the message, neither trimmed nor shortened.
    #[must_use]
    pub fn subject(&self) -> &str {
        let end = memchr2(b'\r', b'\n', self.message.as_bytes()).unwrap_or(self.message.len());
        &self.message[..end]
    }

    /// The value of the last trailer of this exact, case-sensitive name.
    #[must_use]
    pub fn trailer(&self, name: &str) -> Option<&str> {
        self.trailers.iter().rev().find(|trailer| trailer.key == name).map(|trailer| &*trailer.value)
    }

    /// The values of every trailer of this exact, case-sensitive name, in the order of the message.
    pub fn trailers_named(&self, name: &str) -> impl Iterator<Item = &str> {
        self.trailers.iter().filter(move |trailer| trailer.key == name).map(|trailer| &*trailer.value)
    }

    /// Whether it joins two or more lines of history.
    #[must_use]
    pub fn is_merge(&self) -> bool {
        self.parents.len() > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_keeps_its_own_offset() {
        let time = Time { seconds: 1_700_000_000, offset: 19_800 };
        assert_eq!(time.to_iso8601(), "2023-11-15T03:43:20.000+05:30");
        assert_eq!(Time { seconds: 0, offset: 999_999 }.to_iso8601(), "1970-01-01T00:00:00.000+00:00");
        assert_eq!(Time { seconds: i64::MAX, offset: 0 }.to_iso8601(), "1970-01-01T00:00:00.000+00:00");
    }
}
