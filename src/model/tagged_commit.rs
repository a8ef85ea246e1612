//! A commit with its tags: a release, as tags show it.

/// A commit that has tags. Several tags on one commit are of one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TaggedCommit {
    /// The commit date, in seconds since 1970.
    pub date: u64,
    /// The names of its tags, the highest version first.
    pub tags: Vec<String>,
}
