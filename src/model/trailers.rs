//! The trailers of a commit by name, as templates see them.

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{SharedText, Trailer};

/// Trailers by name: of a repeated one the last value, at the place of the first. They are few, and there are as many of
/// these maps as entries: a list is smaller and quicker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trailers(Vec<Trailer>);

impl Trailers {
    /// The value of this exact, case-sensitive name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&SharedText> {
        self.iter().find(|trailer| trailer.key == *name).map(|trailer| &trailer.value)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each once, in order.
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
    fn the_last_value_of_a_name_stands_at_the_place_of_the_first() {
        let trailer = |(key, value): (&str, &str)| Trailer { key: key.into(), value: value.into() };
        let trailers: Trailers = [("MR", "1"), ("mr", "2"), ("MR", "3")].into_iter().map(trailer).collect();
        let json = r#"{"MR":"3","mr":"2"}"#;
        assert_eq!(serde_json::to_string(&trailers).unwrap(), json);
        assert_eq!(serde_json::from_str::<Trailers>(json).unwrap(), trailers);
        assert_eq!(trailers.get("mr").map(|value| &**value), Some("2"));
        assert_eq!(trailers.get("Mr"), None);
    }
}
