//! How much a member may do before any permission is added.

use std::fmt;

use serde::{Deserialize, Serialize};

/// An access level, as the service counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct AccessLevel(pub u64);

impl AccessLevel {
    /// The levels a role can be based on, by name.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("guest", Self(10)),
        ("planner", Self(15)),
        ("reporter", Self(20)),
        ("developer", Self(30)),
        ("maintainer", Self(40)),
        ("owner", Self(50)),
    ];

    /// The level of a name, or of any number.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let named = Self::NAMES.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, level)| level);
        named.or_else(|| text.parse().ok().map(Self))
    }

    /// Its name; `None` for a level of newer services.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        Self::NAMES.into_iter().find(|(_, level)| *level == self).map(|(name, _)| name)
    }
}

/// The name, or the number of a level that has none.
impl fmt::Display for AccessLevel {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => out.pad(name),
            None => self.0.fmt(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_has_a_number_and_a_name() {
        for (name, level) in AccessLevel::NAMES {
            assert_eq!(AccessLevel::parse(name), Some(level));
            assert_eq!(AccessLevel::parse(&level.0.to_string()), Some(level));
            assert_eq!(level.to_string(), name);
        }
        assert_eq!(AccessLevel::parse("Owner"), Some(AccessLevel(50)));
        assert_eq!((AccessLevel::parse("boss"), AccessLevel(25).to_string()), (None, "25".to_owned()));
    }
}
