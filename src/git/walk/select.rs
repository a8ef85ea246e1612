//! Selects the commits of a range, in order, in one of two ways.
//!
//! With a commit-graph the walk goes by generation. Since ancestors have lower generations, it can stop exactly when
//! no commit of the range can turn out to be hidden any more. Then it puts the range in the order of dates.
//!
//! Without one it goes by commit date, reads each commit once and keeps its object for the decoding. Dates do not
//! prove that a commit is out of reach, since clocks are skewed. So when only hidden commits are queued, the walk
//! visits five more commits, as git does, and restarts the count whenever a queued commit is at least as new as the last
//! one picked. Beyond git, it goes back as far as the largest skew that it has seen.

use std::{
    collections::{BinaryHeap, HashSet},
    mem,
};

use anyhow::Result;

use super::{
    boundary::{CutOff, cut_off},
    commit_table::{CommitTable, too_many_commits},
    node::{Queue, SelectedCommit, State, UNKNOWN},
};
use crate::{git::object_id, model::Oid};

/// How many more commits git visits when only hidden ones are left (`SLOP` in its revision.c).
const SLOP: u32 = 5;

/// The commits that a walk has picked, and what else it found.
#[derive(Debug)]
pub(super) struct SelectionResult {
    /// The indices in the table of the commits of the range, in order.
    pub(super) commits: Vec<u32>,
    /// The indices, among all commits that were picked, of those that turned out to be outside the range later.
    pub(super) late: HashSet<usize>,
    /// What the boundary of a shallow clone cuts off, if it does.
    pub(super) cut_off: Option<CutOff>,
}

/// Picks the commits of a range, by generation if there is a commit-graph, else by date.
pub(super) fn select(
    history: &mut CommitTable,
    from: Option<Oid>,
    tips: &[Oid],
    max_commits: usize,
    picked: &mut dyn FnMut(SelectedCommit),
) -> Result<SelectionResult> {
    history.begin();
    let hidden = from.map(|from| history.index_of(object_id(from)));
    let tips: Vec<u32> = tips.iter().map(|tip| history.index_of(object_id(*tip))).collect();
    if let Some(hidden) = hidden {
        history.hide(hidden);
    }
    let mut commits = Vec::new();
    let mut hand_on = |commit: SelectedCommit| {
        commits.push(commit.number);
        picked(commit);
    };
    let late = if history.has_graph() {
        select_by_generation(history, hidden, &tips, max_commits, &mut hand_on)?;
        HashSet::new()
    } else {
        select_by_date(history, hidden, &tips, max_commits, &mut hand_on)?
    };
    let mut indices = 0..;
    commits.retain(|_| indices.next().is_none_or(|index| !late.contains(&index)));
    let cut_off = cut_off(history, hidden, &commits)?;
    Ok(SelectionResult { commits, late, cut_off })
}

/// Picks the commits reachable from `tips` and from no hidden one, in order.
fn select_by_generation(
    history: &mut CommitTable,
    hidden: Option<u32>,
    tips: &[u32],
    max_commits: usize,
    picked: &mut dyn FnMut(SelectedCommit),
) -> Result<()> {
    if let Some(hidden) = hidden {
        paint(history, hidden, tips, max_commits)?;
    }
    pick_in_order(history, tips, max_commits, picked)
}

/// Hides every commit of the history that is reachable from `hidden`, as far down as the range reaches.
fn paint(history: &mut CommitTable, hidden: u32, tips: &[u32], max_commits: usize) -> Result<()> {
    let mut waiting = BinaryHeap::new();
    for tip in [hidden].iter().chain(tips) {
        wait(history, &mut waiting, *tip)?;
    }
    let mut lowest = UNKNOWN;
    while let Some((generation, commit)) = waiting.pop() {
        history.dequeue(commit);
        if !history.node(commit).is_hidden {
            lowest = lowest.min(generation);
        }
        for edge in history.parents(commit) {
            wait(history, &mut waiting, history.parent(edge))?;
        }
        let is_final = history.wanted_waiting == waiting.len() || generation != UNKNOWN;
        if is_final && history.wanted_taken > max_commits {
            return Err(too_many_commits(max_commits).into());
        }
        if history.wanted_waiting == 0
            && !waiting.peek().is_some_and(|(generation, _)| *generation == UNKNOWN || *generation > lowest)
        {
            break;
        }
    }
    Ok(())
}

fn wait(history: &mut CommitTable, waiting: &mut BinaryHeap<(u32, u32)>, commit: u32) -> Result<()> {
    if history.enqueue(commit)? {
        waiting.push((history.node(commit).generation, commit));
    }
    Ok(())
}

/// Emits the commits that are not hidden, in the order of git's walk. If nothing is hidden, they are read only here.
fn pick_in_order(
    history: &mut CommitTable,
    tips: &[u32],
    max_commits: usize,
    picked: &mut dyn FnMut(SelectedCommit),
) -> Result<()> {
    let mut queue = Queue::default();
    for tip in tips {
        queue_if_wanted(history, &mut queue, *tip)?;
    }
    let mut count = 0;
    while let Some(commit) = queue.pop() {
        count += 1;
        if count > max_commits {
            return Err(too_many_commits(max_commits).into());
        }
        picked(history.select(commit));
        for edge in history.parents(commit) {
            queue_if_wanted(history, &mut queue, history.parent(edge))?;
        }
    }
    Ok(())
}

fn queue_if_wanted(history: &mut CommitTable, queue: &mut Queue, commit: u32) -> Result<()> {
    history.enqueue(commit)?;
    let node = history.node_mut(commit);
    if node.is_wanted() {
        node.state = State::Emitted;
        queue.push(node.date, commit);
    }
    Ok(())
}

/// Picks the commits reachable from `tips` and not from `hidden`, in order. Returns the positions of those that were
/// picked before they turned out to be hidden.
fn select_by_date(
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
        return Err(too_many_commits(max_commits).into());
    }
    let is_hidden = |commit: &u32| history.node(*commit).is_hidden;
    let rest = walk.taken.split_off(walk.taken.len().min(max_commits));
    let late = walk.taken.iter().zip(0..).filter(|(commit, _)| is_hidden(commit)).map(|(_, index)| index).collect();
    let rest: Vec<u32> = rest.into_iter().filter(|commit| !is_hidden(commit)).collect();
    for commit in rest {
        picked(history.select(commit));
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

    /// Hands a commit on, up to the limit. Most of those after it will turn out to be hidden, or the range is too
    /// long: they wait for the end, without their objects.
    fn select(&mut self, history: &mut CommitTable, commit: u32, picked: &mut dyn FnMut(SelectedCommit)) -> Result<()> {
        self.skew.select(history.node(commit).date);
        self.taken.push(commit);
        let commit = history.select(commit);
        if self.taken.len() <= self.max_commits {
            picked(commit);
        } else if history.wanted_taken > self.max_commits && history.wanted_waiting == self.queue.len() {
            return Err(too_many_commits(self.max_commits).into());
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

    /// Whether git would still find a waiting commit interesting.
    fn is_open(&self, history: &CommitTable, last_taken: u64) -> bool {
        history.wanted_waiting > 0 || self.queue.next_date().is_some_and(|next| next >= last_taken)
    }
}

/// How much the commit dates of a history contradict its order.
#[derive(Default)]
struct Skew {
    /// By commit, the oldest date among it and the descendants over which the walk first met it.
    oldest: Vec<u64>,
    /// The most seconds by which a commit is dated after one of its descendants.
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

    /// Whether no waiting commit, the newest of which has this date, can be a descendant of one that was picked.
    fn rules_out(&self, next_date: Option<u64>) -> bool {
        let (Some(next), Some(oldest)) = (next_date, self.oldest_picked) else { return true };
        next.saturating_add(self.largest) < oldest
    }
}
