//! What the boundary of a shallow clone hides of a range (gitglossary(7), `shallow repository`).
//!
//! Beyond a boundary in the range, commits of the range are missing. Beyond one that the start of the range reaches,
//! commits are missing that the start has: one of them may be in the clone over another path, and would look like a
//! commit of the range. That cannot be for a commit that descends from the boundary, since history has no circles.

use std::collections::{HashMap, HashSet};

use anyhow::Result;

use super::{commit_table::CommitTable, node::State};
use crate::{git::Repo, model::Problem};

/// Which side of a range the boundary of a shallow clone cuts off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CutOff {
    /// The history ends inside the range.
    InRange,
    /// The history of the start ends too early to tell which commits it has.
    BeforeStart,
}

impl CutOff {
    /// Describes what the shallow clone lacks.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::InRange => "the history of this shallow clone ends inside the range, so commits may be missing",
            Self::BeforeStart => {
                "the history of this shallow clone ends before it shows which commits the start of the range has, so \
                 commits may be listed that are not in the range"
            }
        }
    }

    /// Returns the error for a range that has to be whole.
    pub(super) fn error(self, repo: &Repo) -> Problem {
        Problem::new(self.describe())
            .hint(repo.unshallow_hint())
            .hint("use `--allow-shallow` to continue with the commits that are here")
    }
}

/// How many boundary commits are followed at a time, a bit each.
const AT_A_TIME: usize = 64;

/// Finds whether the boundary of a shallow clone cuts off a range that was just selected: the commits reachable from
/// some tips and not from `start`.
pub(super) fn cut_off(table: &mut CommitTable, start: Option<u32>, range: &[u32]) -> Result<Option<CutOff>> {
    if table.is_cut_off_in_range() {
        return Ok(Some(CutOff::InRange));
    }
    match start {
        Some(start) if hides_commits(table, start, range)? => Ok(Some(CutOff::BeforeStart)),
        _ => Ok(None),
    }
}

/// Whether a commit of the range may be in the history of `start` beyond the boundary.
fn hides_commits(table: &mut CommitTable, start: u32, range: &[u32]) -> Result<bool> {
    if range.is_empty() || table.boundary_ids().is_empty() || all_descend(table, range, &[], &[start]) {
        return Ok(false);
    }
    let (before, is_whole) = history_of(table, start)?;
    if !is_whole && !table.is_excerpt() {
        return Ok(true);
    }
    let known: HashSet<u32> = before.iter().copied().collect();
    let in_range: HashSet<u32> = range.iter().copied().collect();
    let mut open = Vec::new();
    for id in table.boundary_ids() {
        let commit = table.index_of(id);
        if known.contains(&commit) {
            let mut cut_off = table.cut_off_parents(commit).to_vec().into_iter();
            let is_known = cut_off.all(|parent| known.contains(&table.index_of(parent)));
            open.extend((!is_known).then_some(commit));
        } else if !in_range.contains(&commit) && table.node(commit).state == State::Missing {
            // The history of the start is on the server, which is a shallow clone itself.
            return Ok(true);
        }
    }
    Ok(!open.chunks(AT_A_TIME).all(|open| all_descend(table, range, &before, open)))
}

/// Returns a commit and its ancestors, as far as they are in this repository, and whether all of them are, up to the
/// boundary.
fn history_of(table: &mut CommitTable, tip: u32) -> Result<(Vec<u32>, bool)> {
    let (mut found, mut met, mut pending) = (Vec::new(), HashSet::from([tip]), vec![tip]);
    let mut is_whole = true;
    while let Some(commit) = pending.pop() {
        if table.read_hidden(commit)? {
            found.push(commit);
            pending.extend(table.parents(commit).map(|edge| table.parent(edge)).filter(|parent| met.insert(*parent)));
        } else {
            is_whole = false;
        }
    }
    Ok((found, is_whole))
}

/// Whether every commit of the range descends from all of `ancestors`, over commits of the range and of `before`.
fn all_descend(table: &CommitTable, range: &[u32], before: &[u32], ancestors: &[u32]) -> bool {
    let parents = |commit: u32| table.parents(commit).map(|edge| table.parent(edge));
    let mut reached: HashMap<u32, u64> = ancestors.iter().copied().zip((0..).map(|bit| 1 << bit)).collect();
    let all = reached.values().fold(0, |all, bit| all | bit);
    let members: HashSet<u32> = range.iter().chain(before).copied().collect();
    let (mut done, mut pending): (HashSet<u32>, Vec<u32>) = (HashSet::new(), range.to_vec());
    while let Some(commit) = pending.last().copied() {
        if done.contains(&commit) {
            pending.pop();
        } else if let Some(parent) = parents(commit).find(|parent| members.contains(parent) && !done.contains(parent)) {
            pending.push(parent);
        } else {
            let own = parents(commit).filter_map(|parent| reached.get(&parent)).fold(0, |own, bits| own | bits);
            *reached.entry(commit).or_default() |= own;
            done.insert(commit);
        }
    }
    range.iter().all(|commit| reached[commit] == all)
}
