//! The walk over a commit-graph: by generation, which no ancestor of a commit can reach, so that it ends exactly where
//! nothing can change any more. Only then are the commits of the range put in the order of their dates.

use std::collections::BinaryHeap;

use anyhow::Result;

use super::{
    commit_table::{CommitTable, too_long},
    node::{SelectedCommit, State, UNKNOWN},
    queue::Queue,
};

/// Picks the commits reachable from `tips` and from no hidden one, in order.
pub(super) fn select(
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

/// Finds out which commits are hidden, as far down as one of the range can be.
fn paint(history: &mut CommitTable, hidden: u32, tips: &[u32], max_commits: usize) -> Result<()> {
    let mut waiting = BinaryHeap::new();
    for tip in [hidden].iter().chain(tips) {
        meet(history, &mut waiting, *tip)?;
    }
    let mut lowest = UNKNOWN;
    while let Some((generation, commit)) = waiting.pop() {
        history.dequeue(commit);
        if !history.node(commit).is_hidden {
            lowest = lowest.min(generation);
        }
        for edge in history.parents(commit) {
            meet(history, &mut waiting, history.parent(edge))?;
        }
        let can_change = |(generation, _): &(u32, u32)| *generation == UNKNOWN || *generation > lowest;
        let is_final = history.wanted_waiting == waiting.len() || generation != UNKNOWN;
        if is_final && history.wanted_taken > max_commits {
            return Err(too_long(max_commits).into());
        }
        if history.wanted_waiting == 0 && !waiting.peek().is_some_and(can_change) {
            break;
        }
    }
    Ok(())
}

fn meet(history: &mut CommitTable, waiting: &mut BinaryHeap<(u32, u32)>, commit: u32) -> Result<()> {
    if history.enqueue(commit)? {
        waiting.push((history.node(commit).generation, commit));
    }
    Ok(())
}

/// The walk of git over what is not hidden: what the painting did not meet, because nothing is hidden, is met now.
fn pick_in_order(
    history: &mut CommitTable,
    tips: &[u32],
    max_commits: usize,
    picked: &mut dyn FnMut(SelectedCommit),
) -> Result<()> {
    let mut queue = Queue::default();
    for tip in tips {
        place(history, &mut queue, *tip)?;
    }
    let mut count = 0;
    while let Some(commit) = queue.pop() {
        count += 1;
        if count > max_commits {
            return Err(too_long(max_commits).into());
        }
        picked(history.pick(commit));
        for edge in history.parents(commit) {
            place(history, &mut queue, history.parent(edge))?;
        }
    }
    Ok(())
}

fn place(history: &mut CommitTable, queue: &mut Queue, commit: u32) -> Result<()> {
    history.enqueue(commit)?;
    let node = history.node_mut(commit);
    if node.is_wanted() {
        node.state = State::Emitted;
        queue.push(node.date, commit);
    }
    Ok(())
}
