//! What a source says of a commit: whether it is listed, under which categories, or why not.

use crate::{
    config::{Config, EntrySource},
    model::{CommitRef, Oid},
};

/// Whether and why a commit is listed or not. Rare data is boxed, since a range may have a hundred thousand commits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Classification {
    /// Listed with an entry for each of these categories, of which there is at least one.
    Listed(Vec<String>),
    /// Nothing in the commit names a category.
    NoCategory,
    /// Its conventional type is one that is not listed.
    UnlistedType(Box<str>),
    /// The commit only reverts an older commit of the range.
    Revert,
    /// A newer commit of the range reverts it.
    RevertedBy(Box<Oid>),
    /// It mends an older commit of the range, so it is no news by itself.
    FoldedInto(Box<Oid>),
    /// It changes none of the configured paths.
    OutsidePaths,
    /// It is skipped for this reason.
    Skipped(Box<str>),
}

/// Why a commit is skipped that a rule of the configuration leaves out.
pub(super) const BY_RULE: &str = "a rule of `match`";

impl Classification {
    /// Returns the categories that the commit is listed under.
    pub(crate) fn categories(&self) -> &[String] {
        match self {
            Self::Listed(categories) => categories,
            _ => &[],
        }
    }

    /// Replaces a missing category with that for everything else, except for merges and while the source is still
    /// `auto`.
    pub(super) fn or_other(self, commit: &CommitRef<'_>, config: &Config) -> Self {
        match &config.other {
            Some(other) if self == Self::NoCategory && !commit.is_merge && config.source != EntrySource::Auto => {
                Self::Listed(vec![other.clone()])
            }
            _ => self,
        }
    }

    /// Whether only the configuration, or the source that it has, keeps the commit from being listed.
    pub(crate) fn is_left_out_by_choice(&self) -> bool {
        match self {
            Self::NoCategory => true,
            Self::Skipped(why) => &**why == BY_RULE,
            _ => false,
        }
    }

    /// Whether the commit is listed.
    #[must_use]
    pub(crate) fn is_listed(&self) -> bool {
        matches!(self, Self::Listed(_))
    }

    /// Returns the commit that reverts it.
    pub(crate) fn reverted_by(&self) -> Option<Oid> {
        match self {
            Self::RevertedBy(by) => Some(**by),
            _ => None,
        }
    }

    /// Whether the commit is out of the section's scope, so that its message need not follow the rules.
    pub(crate) fn is_out_of_scope(&self) -> bool {
        matches!(self, Self::RevertedBy(_) | Self::OutsidePaths | Self::Skipped(_))
    }
}
