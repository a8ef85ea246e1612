//! The walk over a commit-graph: by generation, which no ancestor of a commit can reach, so that it ends exactly where
//! nothing can change any more. Only then are the commits of the range put in the order of their dates.

use std::collections::BinaryHeap;

use anyhow::Result;

use super::{
    Picked,
    history::{History, State, UNKNOWN},
    queue::Queue,
    too_long,
};

/// Picks the commits reachable from `to` and from no hidden one, in order.
pub(super) fn pick(
    history: &mut History,
    tips: &[u32],
    to: u32,
    max_commits: usize,
    picked: &mut dyn FnMut(Picked),
) -> Result<()> {
    let mut waiting = BinaryHeap::new();
    for tip in tips {
        meet(history, &mut waiting, *tip)?;
    }
    let mut lowest = UNKNOWN;
    while let Some((generation, commit)) = waiting.pop() {
        history.take(commit);
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
    if history.wanted_taken > max_commits {
        return Err(too_long(max_commits).into());
    }
    pick_in_order(history, to, picked);
    Ok(())
}

fn meet(history: &mut History, waiting: &mut BinaryHeap<(u32, u32)>, commit: u32) -> Result<()> {
    if history.meet(commit)? {
        waiting.push((history.node(commit).generation, commit));
    }
    Ok(())
}

/// The walk of git once more, over what is known to be in the range.
fn pick_in_order(history: &mut History, to: u32, picked: &mut dyn FnMut(Picked)) {
    let mut queue = Queue::default();
    place(history, &mut queue, to);
    while let Some(commit) = queue.pop() {
        picked(history.pick(commit));
        for edge in history.parents(commit) {
            place(history, &mut queue, history.parent(edge));
        }
    }
}

fn place(history: &mut History, queue: &mut Queue, commit: u32) {
    let node = history.node_mut(commit);
    if !node.is_hidden && node.state == State::Taken {
        node.state = State::Placed;
        queue.push(node.date, commit);
    }
}
