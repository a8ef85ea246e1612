//! How much of a version a change raises.

use serde::Serialize;

/// The part of a version that is raised; a greater level raises an earlier part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BumpLevel {
    /// Nothing: the change asks for no release.
    #[default]
    None,
    /// `1.2.3` to `1.2.4`.
    Patch,
    /// `1.2.3` to `1.3.0`.
    Minor,
    /// `1.2.3` to `2.0.0`.
    Major,
}

impl BumpLevel {
    /// Every level by the name it has in settings.
    pub const NAMES: [(&'static str, Self); 4] =
        [("major", Self::Major), ("minor", Self::Minor), ("patch", Self::Patch), ("none", Self::None)];

    /// The level of a name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, level)| level)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Major => "major",
            Self::Minor => "minor",
            Self::Patch => "patch",
            Self::None => "none",
        }
    }

    /// The level as it counts below 1.0.0, where the minor part stands for what breaks; a patch stays one.
    #[must_use]
    pub fn for_zero_major(self) -> Self {
        match self {
            Self::Major => Self::Minor,
            Self::Minor | Self::Patch => Self::Patch,
            Self::None => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_levels_agree() {
        for (name, level) in BumpLevel::NAMES {
            assert_eq!((BumpLevel::parse(name), level.name()), (Some(level), name));
        }
        assert_eq!(BumpLevel::parse("Major"), None);
        assert!(BumpLevel::Major > BumpLevel::Minor && BumpLevel::Patch > BumpLevel::None);
    }
}
