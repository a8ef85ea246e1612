//! A commit, decoded once into UTF-8, and its trailers (git-interpret-trailers(1)).

use std::{borrow::Cow, ops::Deref};

use chrono::{DateTime, FixedOffset, Offset as _, SecondsFormat, Utc};
use indexmap::IndexMap;
use memchr::memchr2;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Oid, SharedText, TextArena};

/// A name and an e-mail address, as the commit carries them or as `.mailmap` corrects them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Person<T = SharedText> {
    /// The human name; may be empty.
    pub name: T,
    /// The e-mail address; may be empty.
    pub email: T,
}

impl<T: Deref<Target = str>> Person<T> {
    /// Copies the texts into memory of their own.
    pub(crate) fn to_shared(&self) -> Person {
        self.in_arena(&mut TextArena::with_capacity(self.len()))
    }

    fn len(&self) -> usize {
        self.name.len() + self.email.len()
    }

    fn in_arena(&self, texts: &mut TextArena) -> Person {
        Person { name: texts.add(&self.name), email: texts.add(&self.email) }
    }
}

/// A moment and the offset of the clock it was read from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Time {
    /// Seconds since the epoch, UTC.
    pub seconds: i64,
    /// The clock's offset from UTC in seconds, east positive.
    pub offset: i32,
}

impl Time {
    /// Returns the moment with the clock's own offset.
    pub(crate) fn moment(self) -> DateTime<FixedOffset> {
        // An offset of a day or more comes from a broken clock; the moment is still right.
        let offset = FixedOffset::east_opt(self.offset).unwrap_or_else(|| Utc.fix());
        DateTime::from_timestamp(self.seconds, 0).unwrap_or_default().with_timezone(&offset)
    }

    /// Returns ISO 8601 with milliseconds and the clock's own offset, as in GitLab: `2024-03-09T10:20:30.000+00:00`.
    pub(crate) fn to_iso8601(self) -> String {
        self.moment().to_rfc3339_opts(SecondsFormat::Millis, false)
    }
}

/// One commit of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit<T = SharedText> {
    /// The object ID.
    pub id: Oid,
    /// Whether it has two or more parents.
    pub is_merge: bool,
    /// The author.
    pub author: Person<T>,
    /// When it was committed.
    pub committed: Time,
    /// The whole message, lossy UTF-8.
    pub message: T,
    /// The trailers in the order of the message; a key may repeat.
    pub trailers: Vec<Trailer<T>>,
}

/// A commit that borrows the text of git's object as far as it needs no decoding.
pub(crate) type CommitRef<'a> = Commit<Cow<'a, str>>;

impl Commit {
    /// Returns a commit that borrows the text of this one.
    pub(crate) fn as_commit_ref(&self) -> CommitRef<'_> {
        fn text(text: &SharedText) -> Cow<'_, str> {
            Cow::Borrowed(text)
        }
        let trailers = self.trailers.iter();
        CommitRef {
            id: self.id,
            is_merge: self.is_merge,
            author: Person { name: text(&self.author.name), email: text(&self.author.email) },
            committed: self.committed,
            message: text(&self.message),
            trailers: trailers.map(|own| Trailer { key: text(&own.key), value: text(&own.value) }).collect(),
        }
    }
}

impl<T: Deref<Target = str>> Commit<T> {
    /// Returns the first physical line of the message, neither trimmed nor shortened.
    #[must_use]
    pub(crate) fn subject(&self) -> &str {
        let end = memchr2(b'\r', b'\n', self.message.as_bytes()).unwrap_or(self.message.len());
        &self.message[..end]
    }

    /// Returns the values of every trailer of this exact, case-sensitive name, in the order of the message.
    pub(crate) fn trailers_named(&self, name: &str) -> impl Iterator<Item = &str> {
        self.trailers.iter().filter(move |trailer| *trailer.key == *name).map(|trailer| &*trailer.value)
    }

    /// Copies all text of the commit into one piece of memory.
    pub(crate) fn to_shared(&self) -> Commit {
        let trailers = self.trailers.iter().map(|trailer| trailer.key.len() + trailer.value.len());
        let mut texts = TextArena::with_capacity(self.author.len() + self.message.len() + trailers.sum::<usize>());
        Commit {
            id: self.id,
            is_merge: self.is_merge,
            author: self.author.in_arena(&mut texts),
            committed: self.committed,
            message: texts.add(&self.message),
            trailers: self.trailers.iter().map(|trailer| trailer.in_arena(&mut texts)).collect(),
        }
    }
}

/// A trailer as GitLab reads it: split at the first colon, the value trimmed and unfolded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trailer<T = SharedText> {
    /// The name before the colon, case kept.
    pub key: T,
    /// The text after the colon, folded lines joined by one space.
    pub value: T,
}

impl<T: Deref<Target = str>> Trailer<T> {
    /// Copies the trailer, its text into `texts`.
    pub(crate) fn in_arena(&self, texts: &mut TextArena) -> Trailer {
        Trailer { key: texts.add(&self.key), value: texts.add(&self.value) }
    }
}

/// Trailers by name. A repeated one has its last value, at the index of the first. An entry has few trailers, so a
/// list is smaller and faster than a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trailers(Vec<Trailer>);

impl Trailers {
    /// Returns the value of this exact, case-sensitive name.
    pub(crate) fn get(&self, name: &str) -> Option<&SharedText> {
        self.iter().find(|trailer| trailer.key == *name).map(|trailer| &trailer.value)
    }

    /// Whether there are no trailers.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the trailers, each name once, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Trailer> {
        self.0.iter()
    }
}

impl FromIterator<Trailer> for Trailers {
    fn from_iter<I: IntoIterator<Item = Trailer>>(all: I) -> Self {
        let all = all.into_iter();
        let mut trailers: Vec<Trailer> = Vec::with_capacity(all.size_hint().0);
        for trailer in all {
            match trailers.iter_mut().find(|earlier| earlier.key == trailer.key) {
                Some(earlier) => earlier.value = trailer.value,
                None => trailers.push(trailer),
            }
        }
        Self(trailers)
    }
}

impl Serialize for Trailers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.iter().map(|trailer| (&trailer.key, &trailer.value)))
    }
}

impl<'de> Deserialize<'de> for Trailers {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let map = IndexMap::<SharedText, SharedText>::deserialize(from)?;
        Ok(map.into_iter().map(|(key, value)| Trailer { key, value }).collect())
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

    #[test]
    fn the_last_value_of_a_name_is_at_the_index_of_the_first() {
        let trailer = |(key, value): (&str, &str)| Trailer { key: key.into(), value: value.into() };
        let trailers: Trailers = [("MR", "1"), ("mr", "2"), ("MR", "3")].into_iter().map(trailer).collect();
        let json = r#"{"MR":"3","mr":"2"}"#;
        assert_eq!(serde_json::to_string(&trailers).unwrap(), json);
        assert_eq!(serde_json::from_str::<Trailers>(json).unwrap(), trailers);
        assert_eq!(trailers.get("mr").map(|value| &**value), Some("2"));
        assert_eq!(trailers.get("Mr"), None);
    }
}
