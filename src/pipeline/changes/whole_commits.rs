//! The commits of a range with their texts. Those that are not listed are not kept, and are read again, a few at a time:
//! a range may have a million of them.

use std::{borrow::Cow, vec};

use super::{entry_source, history::History};
use crate::{
    config::EntrySource,
    git::{MapCommit, RangeReader},
    model::{Commit, Oid},
    pipeline::commits::range_commits::corrected_commits,
    sources::{bots::is_of_bot, classified_commit::ClassifiedCommit, titles::is_release},
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

impl History<'_> {
    /// Whether people changed something that a source without kinds does not list: by commits that no merge request
    /// brought in, though others were, or that a rule of the configuration leaves out. What is not listed was not compared with the paths of a
    /// package, so there is no answer for one.
    ///
    /// # Errors
    /// As of [`Self::whole`].
    pub(crate) fn has_unlisted_changes(&self) -> anyhow::Result<bool> {
        let config = self.config();
        if !config.paths.is_empty() || !matches!(config.source, EntrySource::MergeRequests | EntrySource::Titles) {
            return Ok(false);
        }
        if config.source == EntrySource::MergeRequests && !entry_source::names_requests(&self.scope) {
            return Ok(false);
        }
        let left_out =
            self.commits().iter().filter(|commit| !commit.is_merge && commit.classification.is_left_out_by_choice());
        for whole in self.whole(left_out)? {
            let (_, commit) = whole?;
            if !is_of_bot(&commit) && !is_release(commit.subject()) {
                return Ok(true);
            }
        }
        Ok(false)
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
