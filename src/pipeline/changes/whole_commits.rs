//! The commits of a range with their texts. Those that are not listed are not kept, and are read again, a few at a time:
//! a range may have a million of them.

use std::{borrow::Cow, vec};

use super::history::History;
use crate::{
    git::{MapCommit, RangeReader},
    model::{Commit, Oid},
    pipeline::commits::range_commits::corrected_commits,
    sources::classified_commit::ClassifiedCommit,
};

/// How many commits are read at a time.
const PIECE: usize = 2_048;

/// A commit of a range with its text.
type WholeCommit<'h> = (&'h ClassifiedCommit, Cow<'h, Commit>);

/// Commits of a history with their texts.
struct WholeCommits<'h, I> {
    commits: I,
    reader: RangeReader<'h>,
    reading: MapCommit<Commit>,
    piece: vec::IntoIter<WholeCommit<'h>>,
}

impl History<'_> {
    /// Returns some of the commits of [`History::commits`] with their texts, in the same order.
    ///
    /// # Errors
    /// If a range that was fetched has to be fetched again, and cannot be.
    pub(crate) fn whole<'h>(
        &'h self,
        commits: impl Iterator<Item = &'h ClassifiedCommit>,
    ) -> anyhow::Result<impl Iterator<Item = anyhow::Result<WholeCommit<'h>>>> {
        let range = self.scope.range(self.start.commit());
        let all = self.commits().iter().map(|classified| classified.id);
        let reader = RangeReader::new(self.scope.repo, range, all)?;
        let reading = corrected_commits(&self.range.classifier, &self.range.notes);
        Ok(WholeCommits { commits, reader, reading, piece: Vec::new().into_iter() })
    }
}

impl<'h, I: Iterator<Item = &'h ClassifiedCommit>> Iterator for WholeCommits<'h, I> {
    type Item = anyhow::Result<WholeCommit<'h>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.piece.len() == 0 {
            match self.read_piece() {
                Ok(piece) => self.piece = piece.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
        self.piece.next().map(Ok)
    }
}

impl<'h, I: Iterator<Item = &'h ClassifiedCommit>> WholeCommits<'h, I> {
    fn read_piece(&mut self) -> anyhow::Result<Vec<WholeCommit<'h>>> {
        let piece: Vec<&ClassifiedCommit> = self.commits.by_ref().take(PIECE).collect();
        let dropped: Vec<Oid> =
            piece.iter().filter(|classified| classified.commit.is_none()).map(|classified| classified.id).collect();
        let mut again = self.reader.read(&dropped, &self.reading)?.into_iter();
        let whole = piece.into_iter().filter_map(|classified| {
            let kept = classified.commit.as_deref().map(Cow::Borrowed);
            Some((classified, kept.or_else(|| again.next().map(Cow::Owned))?))
        });
        Ok(whole.collect())
    }
}
