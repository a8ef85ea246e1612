//! A commit as a walk sees it: where its header is stored, its state, and the order in which commits are visited.

use std::{cmp::Reverse, collections::BinaryHeap, ops::Range};

use gix::{ObjectId, commitgraph::Position};

/// The generation of a commit that is not in the commit-graph: higher than that of any commit in it.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// The state of a commit in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Named, as a parent or by its object ID, and not met by this walk.
    Seen,
    /// Not in this repository, and outside the range.
    Missing,
    /// Read, and waiting in the queue.
    Queued,
    /// Taken from the queue; its parents are met next.
    Visited,
    /// Emitted, or in the queue of the walk that emits the range in order.
    Emitted,
}

/// A commit, kept small since there may be a hundred thousand. Its header stays from walk to walk; `state` and
/// `is_hidden` belong to one walk.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) source: HeaderSource,
    /// When it was committed, in seconds since the epoch.
    pub(super) date: u64,
    /// Higher than the generation of any ancestor; [`UNKNOWN`] if the commit is not in the commit-graph.
    pub(super) generation: u32,
    /// Whether date and parents are known.
    pub(super) is_read: bool,
    pub(super) state: State,
    /// Whether the walk has found by now that it is outside the range.
    pub(super) is_hidden: bool,
    pub(super) parents_start: u32,
    pub(super) parents_end: u32,
}

impl Node {
    /// Makes a node for a commit that was named and not read yet.
    pub(super) fn unread(source: HeaderSource) -> Self {
        Self {
            source,
            date: 0,
            generation: UNKNOWN,
            is_read: false,
            state: State::Seen,
            is_hidden: false,
            parents_start: 0,
            parents_end: 0,
        }
    }

    /// Whether it was read, is not hidden by now, and is not emitted yet.
    pub(super) fn is_wanted(&self) -> bool {
        !self.is_hidden && matches!(self.state, State::Queued | State::Visited)
    }

    /// Returns the range of its parents in the list of edges.
    pub(super) fn parents(&self) -> Range<usize> {
        self.parents_start as usize..self.parents_end as usize
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum HeaderSource {
    /// In the commit-graph.
    Graph(Position),
    /// In its object, which belongs to the [`UngraphedCommit`] of this index.
    Object(u32),
}

/// A commit that is not in the commit-graph.
#[derive(Debug)]
pub(super) struct UngraphedCommit {
    pub(super) id: ObjectId,
    /// Its object, from when it is read until nobody may need it any more.
    pub(super) object: Option<Box<[u8]>>,
}

/// A commit of the range, before it is decoded.
#[derive(Debug)]
pub(super) struct SelectedCommit {
    /// Its index in the table of commits.
    pub(super) number: u32,
    pub(super) id: ObjectId,
    /// Its object, if the walk had to read it anyway.
    pub(super) object: Option<Box<[u8]>>,
}

/// Commits that wait, by index, in the order of git's walk: newest commit date first, and of equal dates the one that
/// was met first.
#[derive(Debug, Default)]
pub(in crate::git) struct Queue {
    heap: BinaryHeap<(u64, Reverse<u32>, u32)>,
    met: u32,
}

impl Queue {
    pub(in crate::git) fn push(&mut self, date: u64, commit: u32) {
        self.heap.push((date, Reverse(self.met), commit));
        self.met += 1;
    }

    pub(in crate::git) fn pop(&mut self) -> Option<u32> {
        self.heap.pop().map(|(.., commit)| commit)
    }

    /// Returns the date of the commit that `pop` would return.
    pub(in crate::git) fn next_date(&self) -> Option<u64> {
        self.heap.peek().map(|(date, ..)| *date)
    }

    pub(in crate::git) fn len(&self) -> usize {
        self.heap.len()
    }
}
