//! The walk without a commit-graph: by commit date, each commit read once, and its object kept for the decoding.
//!
//! Dates cannot prove that a commit is out of reach: clocks are skewed. So the walk goes on past the point where only
//! excluded commits wait, by git's own measure (five commits more, counted again while a waiting one is as new as the
//! last that was picked) and by one more: as far back as the largest skew it has met.

use std::{collections::HashSet, mem};

use anyhow::Result;

use super::{
    commit_table::{CommitTable, too_long},
    node::SelectedCommit,
    queue::Queue,
};

/// How many excluded commits git still looks at when only such are left (`SLOP`).
const SLOP: u32 = 5;

/// Picks the commits reachable from a wanted tip and from no hidden one, in order; gives the places back of those that
/// were picked before they turned out to be hidden.
pub(super) fn select(
    history: &mut CommitTable,
    hidden: Option<u32>,
    tips: &[u32],
    max_commits: usize,
    picked: &mut dyn FnMut(SelectedCommit),
) -> Result<HashSet<usize>> {
    let skew = Skew { oldest: mem::take(&mut history.oldest_above), ..Skew::default() };
    let mut walk = Walk { queue: Queue::default(), taken: Vec::new(), skew, max_commits };
    for tip in hidden.into_iter().chain(tips.iter().copied()) {
        walk.meet(history, tip, u64::MAX)?;
    }
    walk.run(history, picked)?;
    history.oldest_above = walk.skew.oldest;
    if history.wanted_taken > max_commits {
        return Err(too_long(max_commits).into());
    }
    let is_hidden = |commit: &u32| history.node(*commit).is_hidden;
    let rest = walk.taken.split_off(walk.taken.len().min(max_commits));
    let late = walk.taken.iter().zip(0..).filter(|(commit, _)| is_hidden(commit)).map(|(_, place)| place).collect();
    let rest: Vec<u32> = rest.into_iter().filter(|commit| !is_hidden(commit)).collect();
    for commit in rest {
        picked(history.pick(commit));
    }
    Ok(late)
}

struct Walk {
    queue: Queue,
    /// Commits that were not hidden when their turn came.
    taken: Vec<u32>,
    skew: Skew,
    max_commits: usize,
}

impl Walk {
    fn run(&mut self, history: &mut CommitTable, picked: &mut dyn FnMut(SelectedCommit)) -> Result<()> {
        let (mut slop, mut last_taken) = (SLOP, u64::MAX);
        while let Some(commit) = self.queue.pop() {
            history.dequeue(commit);
            let (is_hidden, date) = (history.node(commit).is_hidden, history.node(commit).date);
            if !is_hidden {
                last_taken = date;
                self.select(history, commit, picked)?;
            }
            let oldest_above = self.skew.oldest_above(commit);
            for edge in history.parents(commit) {
                self.meet(history, history.parent(edge), oldest_above)?;
            }
            if is_hidden {
                slop = if self.is_open(history, last_taken) { SLOP } else { slop.saturating_sub(1) };
                if slop == 0 && self.skew.rules_out(self.queue.next_date()) {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Hands a commit on. Past the limit most will turn out to be hidden, or the range is too long: these wait for the
    /// end, without their objects.
    fn select(&mut self, history: &mut CommitTable, commit: u32, picked: &mut dyn FnMut(SelectedCommit)) -> Result<()> {
        self.skew.select(history.node(commit).date);
        self.taken.push(commit);
        let commit = history.pick(commit);
        if self.taken.len() <= self.max_commits {
            picked(commit);
        } else if history.wanted_taken > self.max_commits && history.wanted_waiting == self.queue.len() {
            return Err(too_long(self.max_commits).into());
        }
        Ok(())
    }

    fn meet(&mut self, history: &mut CommitTable, commit: u32, oldest_above: u64) -> Result<()> {
        if history.enqueue(commit)? {
            let date = history.node(commit).date;
            self.queue.push(date, commit);
            self.skew.meet(commit, date, oldest_above);
        }
        Ok(())
    }

    /// Whether a commit may still wait that git would call interesting.
    fn is_open(&self, history: &CommitTable, last_taken: u64) -> bool {
        history.wanted_waiting > 0 || self.queue.next_date().is_some_and(|next| next >= last_taken)
    }
}

/// How wrong the clocks of this history are.
#[derive(Default)]
struct Skew {
    /// By commit, the oldest date on the way down to it, if it was met.
    oldest: Vec<u64>,
    /// By how much a commit is dated after one of its descendants, at most.
    largest: u64,
    oldest_picked: Option<u64>,
}

impl Skew {
    fn oldest_above(&self, commit: u32) -> u64 {
        self.oldest[commit as usize]
    }

    fn meet(&mut self, commit: u32, date: u64, oldest_above: u64) {
        if self.oldest.len() <= commit as usize {
            self.oldest.resize(commit as usize + 1, u64::MAX);
        }
        self.oldest[commit as usize] = date.min(oldest_above);
        self.largest = self.largest.max(date.saturating_sub(oldest_above));
    }

    fn select(&mut self, date: u64) {
        self.oldest_picked = Some(self.oldest_picked.map_or(date, |oldest| oldest.min(date)));
    }

    /// Whether no commit as old as the next one can be a descendant of one that was picked.
    fn rules_out(&self, next_date: Option<u64>) -> bool {
        let (Some(next), Some(oldest)) = (next_date, self.oldest_picked) else { return true };
        next.saturating_add(self.largest) < oldest
    }
}
