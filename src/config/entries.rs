//! What is listed and in which order, as plain data.

use crate::model::name_in;

/// The order of the entries of a section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EntryOrder {
    /// As `git log` lists their commits.
    #[default]
    Newest,
    /// The other way round.
    Oldest,
    /// By scope within a category; entries without one come last.
    Scope,
    /// By title within a category.
    Title,
    /// The categories by their titles.
    Category,
}

impl EntryOrder {
    /// The values and their names in the configuration.
    pub(crate) const NAMES: [(&str, Self); 5] = [
        ("newest", Self::Newest),
        ("oldest", Self::Oldest),
        ("scope", Self::Scope),
        ("title", Self::Title),
        ("category", Self::Category),
    ];
}

/// Which of the changes that a message lists are entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EntriesPerCommit {
    /// The title alone.
    One,
    /// The title, and the blocks in which people write further messages.
    Marked,
    /// These, and the list of squashed commits if the title has no type.
    #[default]
    Squash,
    /// These, and everything else in the message that has a type.
    All,
}

impl EntriesPerCommit {
    /// The values and their names in the configuration.
    pub(crate) const NAMES: [(&str, Self); 4] =
        [("one", Self::One), ("marked", Self::Marked), ("squash", Self::Squash), ("all", Self::All)];
}

/// The source that lists a commit and names its category.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum EntrySource {
    /// The first that the history has: trailers, types, merge requests, titles. Until it is known, trailers are read.
    #[default]
    Auto,
    /// The trailer of the commit.
    Trailers,
    /// The type in the title of the commit (conventionalcommits.org).
    Conventional,
    /// The trailer of the commit, else the type in its title.
    Both,
    /// Every merge request is a change, with the title of its merge or squashed commit.
    MergeRequests,
    /// Every commit but merges is a change.
    Titles,
    /// The files that people write beside their changes, and a release consumes.
    Files,
}

impl EntrySource {
    pub(crate) const NAMES: [(&str, Self); 7] = [
        ("auto", Self::Auto),
        ("trailers", Self::Trailers),
        ("conventional", Self::Conventional),
        ("both", Self::Both),
        ("merge-requests", Self::MergeRequests),
        ("titles", Self::Titles),
        ("files", Self::Files),
    ];

    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(name, _)| *name == word).map(|(_, source)| *source)
    }

    pub(crate) fn name(self) -> &'static str {
        name_in(&Self::NAMES, &self)
    }

    /// Whether trailers count.
    pub(crate) fn has_trailers(self) -> bool {
        matches!(self, Self::Auto | Self::Trailers | Self::Both)
    }

    /// Whether only trailers count, at least until the source is known.
    pub(crate) fn has_only_trailers(self) -> bool {
        matches!(self, Self::Auto | Self::Trailers)
    }

    /// Returns this source if it has trailers or types, else [`Self::Both`].
    pub(crate) fn or_both(self) -> Self {
        if self.has_trailers() || self.has_types() { self } else { Self::Both }
    }

    /// Whether the types in titles count.
    pub(crate) fn has_types(self) -> bool {
        matches!(self, Self::Conventional | Self::Both)
    }
}
