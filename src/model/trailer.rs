//! The trailers of a commit (git-interpret-trailers(1)), one by one and by name.

use std::ops::Deref;

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{SharedText, TextArena};

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
    #[must_use]
    pub fn in_arena(&self, texts: &mut TextArena) -> Trailer {
        Trailer { key: texts.add(&self.key), value: texts.add(&self.value) }
    }
}

/// Trailers by name. A repeated one has its last value, at the index of the first. There are few of them in many entries,
/// so a list is smaller and faster than a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trailers(Vec<Trailer>);

impl Trailers {
    /// Returns the value of this exact, case-sensitive name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&SharedText> {
        self.iter().find(|trailer| trailer.key == *name).map(|trailer| &trailer.value)
    }

    /// Whether there are no trailers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The trailers, each name once, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Trailer> {
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
