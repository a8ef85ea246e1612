//! Packages whose versions move together, as plain data.

use semver::Version;

/// Packages whose versions move together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VersionGroup {
    /// The names of the packages.
    pub packages: Vec<String>,
    pub rule: GroupRule,
    /// The highest version of members that are never released, from which the next one counts if no other is higher.
    pub unreleased: Option<Version>,
}

/// Which packages of a group get its next version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupRule {
    /// All, as soon as one is released.
    Fixed,
    /// Those that are released, from the highest version of the group on.
    Linked,
    /// Those that are released, the highest of the versions that each would have by itself.
    Highest,
}

impl GroupRule {
    pub(crate) const NAMES: [(&'static str, Self); 3] =
        [("fixed", Self::Fixed), ("linked", Self::Linked), ("highest", Self::Highest)];
}
