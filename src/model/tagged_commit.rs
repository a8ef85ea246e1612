//! A commit with its tags: a release, as tags show it.

/// A commit that has tags. Several tags on one commit are of one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TaggedCommit {
    /// The commit date, in seconds since 1970.
    pub date: u64,
    /// The names of its tags, the highest version first.
    pub tags: Vec<String>,
}

#[cfg(test)]
impl TaggedCommit {
    /// Returns a commit for each of these tags.
    pub(crate) fn for_each(tags: &[&str]) -> Vec<Self> {
        tags.iter().map(|&tag| Self { date: 1_700_000_000, tags: vec![tag.to_owned()] }).collect()
    }
}
