//! The order of git's walk: newest commit date first, and among equals whichever was met first.

use std::{cmp::Reverse, collections::BinaryHeap};

/// Commits waiting for their turn, by index.
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
