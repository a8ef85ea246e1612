//! The automatic choice of a source: what the newest commits of a history show about the one that fits it.

use super::{
    bots::is_of_bot,
    classified_commit::{Classification, ClassifiedCommit},
    conventional::GIT_REVERT,
    merge_request_reference::MergeRequestReference,
    titles::is_release,
};
use crate::config::EntrySource;

/// The number of commits of people that decide on the source.
pub(crate) const DECIDING: usize = 1_000;

/// Merge requests fit if they brought in at least one in this many commits.
const FEW: usize = 5;

/// Trailers fit if at least one in this many commits has one.
const RARE: usize = 50;

/// How many commits of a history have the trailer, of those down to the oldest that has it: a project that has just begun
/// to write trailers has them in each of few commits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TrailerUse {
    /// The commits that have the trailer.
    pub(crate) count: usize,
    /// The commits down to the oldest of them.
    down_to_oldest: usize,
    seen: usize,
}

impl TrailerUse {
    /// Counts the next older commit, which is not a merge.
    pub(crate) fn add(&mut self, has_trailer: bool) {
        self.seen += 1;
        if has_trailer {
            self.count += 1;
            self.down_to_oldest = self.seen;
        }
    }

    /// Whether the commits that change something for users have the trailer, rather than a few by chance.
    pub(crate) fn is_habit(&self) -> bool {
        self.count > 0 && self.count * RARE >= self.down_to_oldest
    }
}

impl FromIterator<bool> for TrailerUse {
    fn from_iter<T: IntoIterator<Item = bool>>(newest_first: T) -> Self {
        let mut found = Self::default();
        newest_first.into_iter().for_each(|has_trailer| found.add(has_trailer));
        found
    }
}

/// The counts in the newest commits of a history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourceCounts {
    /// The commits that people wrote: no merges, no releases, no reverts by git, nothing by bots.
    pub(crate) people: usize,
    /// The commits with the trailer, whoever wrote them.
    pub(crate) trailers: TrailerUse,
    /// The Conventional Commits of people.
    pub(crate) types: usize,
    /// The commits of people that a merge request brought in.
    pub(crate) requested: usize,
    /// Whether a commit names a merge request.
    pub(crate) names_requests: bool,
}

impl SourceCounts {
    /// Counts classified commits, newest first, which were kept while the source was open, until there are enough.
    /// `requests` has the merge request of each.
    pub(crate) fn count(commits: &[ClassifiedCommit], requests: &[Option<&MergeRequestReference>]) -> Self {
        let mut counts = Self::default();
        for (classified, request) in commits.iter().zip(requests) {
            if !classified.is_merge || classified.has_trailer {
                counts.trailers.add(classified.has_trailer);
            }
            counts.names_requests |= request.is_some();
            if is_of_person(classified) {
                counts.people += 1;
                counts.types += usize::from(classified.looks_conventional());
                counts.requested += usize::from(request.is_some());
            }
            if counts.people == DECIDING {
                break;
            }
        }
        counts
    }

    /// Returns the first source that fits: trailers, types, merge requests, titles.
    pub(crate) fn source(&self) -> EntrySource {
        match () {
            () if self.trailers.is_habit() => EntrySource::Trailers,
            () if self.types > 0 && self.types * 2 >= self.people => EntrySource::Conventional,
            () if self.names_requests && self.requested * FEW >= self.people => EntrySource::MergeRequests,
            () => EntrySource::Titles,
        }
    }
}

/// Whether a commit shows how people write messages here.
pub(crate) fn is_of_person(classified: &ClassifiedCommit) -> bool {
    // Rules of the configuration that list or skip a commit say nothing about the others.
    let shows_nothing = match classified.classification {
        Classification::Listed(_) => !classified.has_trailer,
        Classification::Skipped(_) => true,
        _ => false,
    };
    let commit = classified.commit.as_deref().filter(|_| !classified.is_merge && !shows_nothing);
    commit.is_some_and(|commit| {
        !is_of_bot(commit) && !commit.subject().starts_with(GIT_REVERT) && !is_release(commit.subject())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{CommitRef, Person},
        sources::testing::{commit, kept},
    };

    fn source(commits: &[CommitRef<'_>]) -> EntrySource {
        let read = kept(commits);
        let requests: Vec<_> = read.iter().map(ClassifiedCommit::merge_request).collect();
        SourceCounts::count(&read, &requests).source()
    }

    fn of(messages: &[(&str, usize)]) -> EntrySource {
        let commits = messages.iter().flat_map(|(message, count)| (0..*count).map(|_| commit(1, message)));
        source(&commits.collect::<Vec<_>>())
    }

    #[test]
    fn the_first_source_that_fits_is_taken() {
        for (messages, expected) in [
            (&[("a\n\nChangelog: added", 1), ("feat: b", 9)][..], EntrySource::Trailers),
            (&[("b", 49), ("a\n\nChangelog: added", 1), ("b", 90)], EntrySource::Trailers),
            (&[("b", 50), ("a\n\nChangelog: added", 1)], EntrySource::Titles),
            (&[("feat: a", 5), ("b", 5)], EntrySource::Conventional),
            (&[("feat: a", 4), ("b", 5)], EntrySource::Titles),
            (&[("b\n\nSee merge request !12", 2), ("b", 8)], EntrySource::MergeRequests),
            (&[("b\n\nSee merge request !12", 1), ("b", 8)], EntrySource::Titles),
            (&[("b", 1_000), ("a\n\nChangelog: added", 1)], EntrySource::Titles),
            (&[], EntrySource::Titles),
        ] {
            assert_eq!(of(messages), expected, "{messages:?}");
        }
    }

    #[test]
    fn what_people_did_not_write_decides_nothing() {
        let bot = |message| CommitRef {
            author: Person { name: "renovate[bot]".into(), email: "".into() },
            ..commit(1, message)
        };
        let own = || commit(1, "Add crane");
        assert_eq!(source(&[bot("chore: a"), bot("chore: b"), own()]), EntrySource::Titles);
        assert_eq!(source(&[commit(1, "chore: release 1.2.0"), own()]), EntrySource::Titles);
        assert_eq!(source(&[commit(1, "Revert \"feat: a\""), own()]), EntrySource::Titles);
        assert_eq!(source(&[commit(1, "chore: a"), bot("Bump b"), own()]), EntrySource::Conventional);
    }
}
