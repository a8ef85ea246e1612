//! A commit of the history as a walk sees it: where it is stored, how far the walk has come with it, and when its turn is.

use std::{cmp::Reverse, collections::BinaryHeap, ops::Range};

use gix::{ObjectId, commitgraph::Position};

/// The generation of a commit that the commit-graph does not know: above all that it does.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// How far a commit has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Known as somebody's parent.
    Seen,
    /// Not in this repository, and outside the range.
    Missing,
    /// Read, and not looked at yet.
    Queued,
    /// Looked at: its parents were met.
    Visited,
    /// Part of the answer.
    Emitted,
}

/// A commit, as small as can be: there may be a hundred thousand. What is known of it stays, how far it has come is of one
/// walk.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) source: HeaderSource,
    /// When it was committed, in seconds since the epoch.
    pub(super) date: u64,
    /// Above those of all its ancestors, where it is known.
    pub(super) generation: u32,
    /// Whether date and parents are known.
    pub(super) is_read: bool,
    pub(super) state: State,
    /// Whether it is outside the range, as far as is known by now.
    pub(super) is_hidden: bool,
    pub(super) parents_start: u32,
    pub(super) parents_end: u32,
}

impl Node {
    /// A commit that was named and not read yet.
    pub(super) fn named(source: HeaderSource) -> Self {
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

    /// Whether it was read and may be part of the answer.
    pub(super) fn is_wanted(&self) -> bool {
        !self.is_hidden && matches!(self.state, State::Queued | State::Visited)
    }

    /// The indices of its parents in the list of edges.
    pub(super) fn parents(&self) -> Range<usize> {
        self.parents_start as usize..self.parents_end as usize
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum HeaderSource {
    /// In the commit-graph.
    Graph(Position),
    /// In its object, the one of this index.
    Object(u32),
}

/// A commit that the commit-graph does not know.
#[derive(Debug)]
pub(super) struct UngraphedCommit {
    pub(super) id: ObjectId,
    /// Its object, once it was read and as long as it may be wanted.
    pub(super) object: Option<Box<[u8]>>,
}

/// A commit of the range, before it is decoded.
#[derive(Debug)]
pub(super) struct SelectedCommit {
    /// Which commit of the history it is.
    pub(super) number: u32,
    pub(super) id: ObjectId,
    /// Its object, where the walk had to read it anyway.
    pub(super) object: Option<Box<[u8]>>,
}

/// Commits waiting for their turn, by index, in the order of git's walk: newest commit date first, and among equals
/// whichever was met first.
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

    /// The date of the commit whose turn it is next.
    pub(in crate::git) fn next_date(&self) -> Option<u64> {
        self.heap.peek().map(|(date, ..)| *date)
    }

    pub(in crate::git) fn len(&self) -> usize {
        self.heap.len()
    }
}
