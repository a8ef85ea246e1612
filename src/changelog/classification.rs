//! What becomes of a commit, and what would have listed it.

use crate::{
    config::{Config, EntrySource},
    model::{CommitRef, Oid},
};

/// What becomes of a commit. What few have is boxed: there may be a hundred thousand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Classification {
    /// Listed, an entry for each of these categories; there is one at least.
    Listed(Vec<String>),
    /// Nothing about it names a category.
    NoCategory,
    /// Its conventional type is one that is not listed.
    UnlistedType(Box<str>),
    /// All it does is take back an older commit of the range.
    Revert,
    /// A newer commit of the range takes it back.
    RevertedBy(Box<Oid>),
    /// It changes none of the paths of the settings.
    OutsidePaths,
    /// The settings leave it out, for this reason.
    Skipped(Box<str>),
}

impl Classification {
    /// The categories it is listed under.
    #[must_use]
    pub fn categories(&self) -> &[String] {
        match self {
            Self::Listed(categories) => categories,
            _ => &[],
        }
    }

    /// The same, or the category for everything else if nothing lists the commit; while the source is being found out,
    /// that has to wait.
    pub(super) fn or_other(self, commit: &CommitRef<'_>, config: &Config) -> Self {
        match &config.other {
            Some(other) if self == Self::NoCategory && !commit.is_merge && config.source != EntrySource::Auto => {
                Self::Listed(vec![other.clone()])
            }
            _ => self,
        }
    }

    /// Whether it is listed.
    #[must_use]
    pub fn is_listed(&self) -> bool {
        matches!(self, Self::Listed(_))
    }

    /// The commit that takes it back.
    #[must_use]
    pub fn reverted_by(&self) -> Option<Oid> {
        match self {
            Self::RevertedBy(by) => Some(**by),
            _ => None,
        }
    }

    /// Whether the section is about other commits than this one, so that nothing is asked of it.
    #[must_use]
    pub fn is_out_of_scope(&self) -> bool {
        matches!(self, Self::RevertedBy(_) | Self::OutsidePaths | Self::Skipped(_))
    }
}

/// What lists a commit, in words, after "a" or "no".
#[must_use]
pub fn wanted(source: EntrySource, trailer: &str) -> String {
    match source {
        EntrySource::Auto | EntrySource::Trailers => format!("`{trailer}:` trailer"),
        EntrySource::Conventional => "known type in its title".to_owned(),
        EntrySource::Both => format!("`{trailer}:` trailer or known type in its title"),
        EntrySource::MergeRequests => "merge or pull request in its message".to_owned(),
        EntrySource::Titles => "title of its own".to_owned(),
    }
}
