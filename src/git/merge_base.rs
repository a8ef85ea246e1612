//! The best common ancestor of commits (git-merge-base(1)).
//!
//! Each side has a colour, which commits pass on to their parents, newest first. A commit with both colours is a
//! common ancestor, and its own ancestors are stale. The search ends when only stale commits wait. As clocks may be
//! wrong, results that are ancestors of others are then dropped. Git returns the newest of several, and so does this.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet, hash_map::Entry},
};

use anyhow::Result;

use super::{
    FetchedCommits, Repo, object_id, oid,
    walk::{CommitTable, Queue, with_table},
};
use crate::model::{Oid, OidMap, Parent};

const PARENT1: u8 = 1;
const PARENT2: u8 = 2;
const BOTH: u8 = PARENT1 | PARENT2;
/// An ancestor of a common ancestor.
const STALE: u8 = 4;
const RESULT: u8 = 8;

/// Whether a commit is reachable from another; it is reachable from itself.
pub(crate) fn is_ancestor(repo: &Repo, ancestor: Oid, of: Oid) -> Result<bool> {
    let origin = repo.origin_of_missing([ancestor, of].into_iter());
    if let Some(server) = origin.unwrap_or(repo).server() {
        return server.is_ancestor(ancestor, of);
    }
    let is_ancestor = merge_base(repo, ancestor, &[of])? == Some(ancestor);
    // Commits between the two may be missing in a shallow clone.
    let origin = if is_ancestor || !repo.is_shallow() { None } else { repo.origin() };
    origin.and_then(Repo::server).map_or(Ok(is_ancestor), |server| server.is_ancestor(ancestor, of))
}

/// Finds the best common ancestor of `first` and a hypothetical merge of all `others`, as `git merge-base FIRST
/// OTHERS...` does. It is not that of all commits, which git calls `--octopus`, and the order of the refs matters.
///
/// # Errors
/// If a commit cannot be read.
pub(crate) fn merge_base(repo: &Repo, first: Oid, others: &[Oid]) -> Result<Option<Oid>> {
    let mut commits = repo.with_history(first)?;
    for other in others {
        commits = repo.with_history(*other)?;
    }
    with_table(&commits, |table| {
        let first = node(table, first)?;
        let others = others.iter().map(|other| node(table, *other)).collect::<Result<Vec<_>>>()?;
        let bases = bases(table, first, &others)?;
        Ok(bases.first().map(|base| oid(&table.id(*base))))
    })
}

/// Returns those of several commits that are not an ancestor of another one of them, in their order (`git merge-base
/// --independent`). Their histories are walked together, newest first, until one commit is left or no other can be met:
/// as far back as the oldest one that is left, and beyond that as far as clocks have been wrong on the way.
pub(super) fn independent(fetched: &FetchedCommits, commits: &[Oid]) -> Result<Vec<Oid>> {
    if commits.len() < 2 {
        return Ok(commits.to_vec());
    }
    with_table(fetched, |table| {
        let nodes = commits.iter().map(|commit| node(table, *commit)).collect::<Result<Vec<_>>>()?;
        let mut open: HashSet<u32> = nodes.iter().copied().collect();
        let oldest = |table: &CommitTable, open: &HashSet<u32>| open.iter().map(|commit| table.date(*commit)).min();
        let mut last = oldest(table, &open);
        let mut walk = BackwardWalk::from(table, &nodes)?;
        while open.len() > 1
            && let Some(commit) = walk.next(last)
        {
            for edge in table.parents(commit) {
                let parent = table.parent(edge);
                walk.meet(table, commit, parent)?;
                if open.remove(&parent) {
                    last = oldest(table, &open);
                }
            }
        }
        Ok(commits.iter().zip(nodes).filter(|(_, node)| open.contains(node)).map(|(commit, _)| *commit).collect())
    })
}

/// Which of some commits are ancestors of which others of them.
pub(super) struct Ancestry {
    /// The commits, by their places among the bits.
    places: OidMap<usize>,
    /// For each commit, the bits of those that descend from it.
    descendants: Vec<Vec<u64>>,
}

/// The most commits whose ancestry is found: it takes a bit of memory for each pair of them.
const MAX_ANCESTRY: usize = 1 << 14;

/// The number of commits from which a walk starts: it takes so many bits of memory for each commit on the way. It is a
/// multiple of the bits of a word.
const STARTS: usize = if cfg!(test) { 64 } else { 1024 };

impl Ancestry {
    /// Finds the ancestry of commits, which are given once each. `None` if they are too many.
    pub(super) fn find(fetched: &FetchedCommits, commits: &[Oid]) -> Result<Option<Self>> {
        if commits.len() > MAX_ANCESTRY {
            return Ok(None);
        }
        let descendants = with_table(fetched, |table| {
            let nodes = commits.iter().map(|commit| node(table, *commit)).collect::<Result<Vec<_>>>()?;
            let mut descendants = vec![Vec::new(); nodes.len()];
            for starts in nodes.chunks(STARTS) {
                let marks = descendants_among(table, starts, &nodes)?;
                descendants.iter_mut().zip(marks).for_each(|(all, part)| all.extend(part));
            }
            Ok(descendants)
        })?;
        Ok(Some(Self { places: commits.iter().copied().zip(0..).collect(), descendants }))
    }

    /// Keeps of several of the commits those that are not an ancestor of another one of them.
    pub(super) fn retain_independent(&self, commits: &mut Vec<Oid>) {
        let all: Vec<usize> = commits.iter().map(|commit| self.places[commit]).collect();
        let is_above = |place: usize, other: usize| self.descendants[place][other / BITS] >> (other % BITS) & 1 == 1;
        let mut places = all.iter();
        commits.retain(|_| {
            places.next().is_none_or(|place| !all.iter().any(|other| other != place && is_above(*place, *other)))
        });
    }
}

/// Returns for each of `nodes` the bits of those `starts` that descend from it. Their histories are walked together,
/// newest first, as far back as the oldest of the nodes, and beyond that as far as clocks have been wrong on the way.
fn descendants_among(table: &mut CommitTable, starts: &[u32], nodes: &[u32]) -> Result<Vec<Vec<u64>>> {
    let empty = vec![0; starts.len().div_ceil(BITS)];
    let mut marks: HashMap<u32, Vec<u64>> = HashMap::new();
    for (place, start) in starts.iter().enumerate() {
        marks.entry(*start).or_insert_with(|| empty.clone())[place / BITS] |= 1 << (place % BITS);
    }
    let oldest = nodes.iter().map(|commit| table.date(*commit)).min();
    let mut walk = BackwardWalk::from(table, starts)?;
    while let Some(commit) = walk.next(oldest) {
        let own = marks[&commit].clone();
        for edge in table.parents(commit) {
            let parent = table.parent(edge);
            walk.meet(table, commit, parent)?;
            let known = marks.entry(parent).or_insert_with(|| empty.clone());
            let has_more = own.iter().zip(&*known).any(|(own, known)| own & !known != 0);
            known.iter_mut().zip(&own).for_each(|(known, own)| *known |= own);
            if has_more {
                walk.visit_again(parent, table.date(parent));
            }
        }
    }
    Ok(nodes.iter().map(|node| marks.get(node).unwrap_or(&empty).clone()).collect())
}

/// The number of bits in a word.
const BITS: usize = u64::BITS as usize;

/// Finds which of `commits` are one of `ancestors` or descend from one of them. Their histories are walked together,
/// newest first, as far back as the oldest of the ancestors, and beyond that as far as clocks have been wrong on the way.
pub(super) fn at_or_after(fetched: &FetchedCommits, ancestors: &[Oid], commits: &[Oid]) -> Result<Vec<bool>> {
    with_table(fetched, |table| {
        let sought = ancestors.iter().map(|commit| node(table, *commit)).collect::<Result<HashSet<_>>>()?;
        let oldest = sought.iter().map(|commit| table.date(*commit)).min();
        let starts = commits.iter().map(|commit| node(table, *commit)).collect::<Result<Vec<_>>>()?;
        let mut walk = BackwardWalk::from(table, &starts)?;
        while let Some(commit) = walk.next(oldest) {
            for edge in table.parents(commit) {
                let parent = table.parent(edge);
                walk.meet(table, commit, parent)?;
            }
        }
        let met = walk.met;
        let descends = table
            .parents_among(&met)
            .descend_from_any(|parent: Parent| parent.index().is_some_and(|index| sought.contains(&met[index])));
        let after: HashSet<u32> =
            met.iter().zip(descends).filter(|(_, descends)| *descends).map(|(commit, _)| *commit).collect();
        Ok(starts.iter().map(|start| sought.contains(start) || after.contains(start)).collect())
    })
}

/// Finds which of `commits` are `end` or in its history, which is walked newest first, as far back as the oldest of them
/// that is not found yet, and beyond that as far as clocks have been wrong on the way.
pub(super) fn in_history(fetched: &FetchedCommits, end: Oid, commits: &[Oid]) -> Result<Vec<bool>> {
    with_table(fetched, |table| {
        let nodes = commits.iter().map(|commit| node(table, *commit)).collect::<Result<Vec<_>>>()?;
        let mut newest_first = nodes.clone();
        newest_first.sort_by_key(|commit| Reverse(table.date(*commit)));
        let sought: HashSet<u32> = nodes.iter().copied().collect();
        let end = node(table, end)?;
        let mut found = HashSet::from([end]);
        let mut walk = BackwardWalk::from(table, &[end])?;
        loop {
            while newest_first.pop_if(|oldest| found.contains(oldest)).is_some() {}
            let Some(commit) = walk.next(newest_first.last().map(|oldest| table.date(*oldest))) else { break };
            for edge in table.parents(commit) {
                let parent = table.parent(edge);
                walk.meet(table, commit, parent)?;
                if sought.contains(&parent) {
                    found.insert(parent);
                }
            }
        }
        Ok(nodes.iter().map(|commit| found.contains(commit)).collect())
    })
}

/// The commits that are read beyond the last one that can matter by its date, in case a clock was wrong there. Git reads
/// some too (`SLOP` in its revision.c).
const BEYOND: usize = 16;

/// A walk from several commits to their ancestors, newest first.
struct BackwardWalk {
    queue: Queue,
    /// For each commit that was met, the oldest date on a way to it.
    oldest_above: HashMap<u32, u64>,
    met: Vec<u32>,
    /// By how much a commit was newer than one that descends from it.
    skew: u64,
    /// How many commits beyond the bound may still be read.
    beyond: usize,
    /// The commits that wait in the queue.
    waiting: HashSet<u32>,
}

impl BackwardWalk {
    /// Starts at these commits. Their parents are looked at, since the clock of a start may be behind everything else.
    fn from(table: &mut CommitTable, starts: &[u32]) -> Result<Self> {
        let (queue, oldest_above) = (Queue::default(), HashMap::new());
        let waiting = HashSet::new();
        let mut walk = Self { queue, oldest_above, met: Vec::new(), skew: 0, beyond: BEYOND, waiting };
        for start in starts {
            let date = table.date(*start);
            walk.add(*start, date, date);
            for edge in table.parents(*start) {
                let parent = table.parent(edge);
                table.require_header(parent)?;
                walk.skew = walk.skew.max(table.date(parent).saturating_sub(date));
            }
        }
        Ok(walk)
    }

    /// Returns the next commit; `None` if no further one can have an ancestor of the date `bound`, or none is sought.
    fn next(&mut self, bound: Option<u64>) -> Option<u32> {
        if self.queue.next_date()?.saturating_add(self.skew) < bound? {
            self.beyond = self.beyond.checked_sub(1)?;
        }
        let next = self.queue.pop()?;
        self.waiting.remove(&next);
        Some(next)
    }

    /// Lets a commit that was met come once more, unless it waits.
    fn visit_again(&mut self, commit: u32, date: u64) {
        if self.waiting.insert(commit) {
            self.queue.push(date, commit);
        }
    }

    /// Adds a parent of a commit that `next` returned.
    fn meet(&mut self, table: &mut CommitTable, commit: u32, parent: u32) -> Result<()> {
        table.require_header(parent)?;
        let (date, above) = (table.date(parent), self.oldest_above[&commit]);
        self.skew = self.skew.max(date.saturating_sub(above));
        self.add(parent, date, date.min(above));
        Ok(())
    }

    fn add(&mut self, commit: u32, date: u64, oldest: u64) {
        if let Entry::Vacant(entry) = self.oldest_above.entry(commit) {
            entry.insert(oldest);
            self.queue.push(date, commit);
            self.waiting.insert(commit);
            self.met.push(commit);
        }
    }
}

#[derive(Default)]
struct Painting {
    colours: HashMap<u32, u8>,
    queue: Queue,
    /// How often each commit is in the queue.
    queued: HashMap<u32, usize>,
    /// How many commits of the queue are not stale.
    open: usize,
}

fn node(table: &mut CommitTable, id: Oid) -> Result<u32> {
    let commit = table.index_of(object_id(id));
    table.require_header(commit)?;
    Ok(commit)
}

/// Returns the best common ancestors, the newest first.
fn bases(table: &mut CommitTable, first: u32, others: &[u32]) -> Result<Vec<u32>> {
    if others.contains(&first) {
        return Ok(vec![first]);
    }
    let (painting, mut found) = paint(table, first, others)?;
    found.retain(|base| !painting.has_colour(*base, STALE));
    found.sort_by_key(|base| Reverse(table.date(*base)));
    remove_redundant(table, &found)
}

/// Drops commits that are an ancestor of another one of them, and keeps the order.
fn remove_redundant(table: &mut CommitTable, bases: &[u32]) -> Result<Vec<u32>> {
    let mut redundant = vec![false; bases.len()];
    for (index, base) in bases.iter().enumerate() {
        let others: Vec<usize> = (0..bases.len()).filter(|other| *other != index && !redundant[*other]).collect();
        if redundant[index] || others.is_empty() {
            continue;
        }
        let (painting, _) = paint(table, *base, &others.iter().map(|other| bases[*other]).collect::<Vec<_>>())?;
        redundant[index] = painting.has_colour(*base, PARENT2);
        for other in others {
            redundant[other] |= painting.has_colour(bases[other], PARENT1);
        }
    }
    Ok(bases.iter().zip(redundant).filter(|(_, redundant)| !redundant).map(|(base, _)| *base).collect())
}

/// Colours the ancestors of both sides. Returns those that the sides have in common.
fn paint(table: &mut CommitTable, first: u32, others: &[u32]) -> Result<(Painting, Vec<u32>)> {
    let mut painting = Painting::default();
    let mut found = Vec::new();
    painting.add(first, PARENT1, table.date(first));
    for other in others {
        painting.add(*other, PARENT2, table.date(*other));
    }
    while let Some(commit) = painting.pop() {
        let mut colour = painting.colour(commit) & (BOTH | STALE);
        if colour == BOTH {
            if !painting.has_colour(commit, RESULT) {
                painting.set(commit, RESULT);
                found.push(commit);
            }
            colour |= STALE;
        }
        for edge in table.parents(commit) {
            let parent = table.parent(edge);
            table.require_header(parent)?;
            if !painting.has_colour(parent, colour) {
                painting.add(parent, colour, table.date(parent));
            }
        }
    }
    Ok((painting, found))
}

impl Painting {
    fn colour(&self, commit: u32) -> u8 {
        self.colours.get(&commit).copied().unwrap_or(0)
    }

    fn has_colour(&self, commit: u32, colour: u8) -> bool {
        self.colour(commit) & colour == colour
    }

    fn set(&mut self, commit: u32, colour: u8) {
        let before = self.colour(commit);
        self.colours.insert(commit, before | colour);
        if before & STALE == 0 && colour & STALE != 0 {
            self.open -= self.queued.get(&commit).copied().unwrap_or(0);
        }
    }

    fn add(&mut self, commit: u32, colour: u8, date: u64) {
        self.set(commit, colour);
        self.queue.push(date, commit);
        *self.queued.entry(commit).or_default() += 1;
        self.open += usize::from(!self.has_colour(commit, STALE));
    }

    /// Takes the next commit from the queue; `None` if only stale ones wait.
    fn pop(&mut self) -> Option<u32> {
        if self.open == 0 {
            return None;
        }
        let commit = self.queue.pop()?;
        *self.queued.entry(commit).or_default() -= 1;
        self.open -= usize::from(!self.has_colour(commit, STALE));
        Some(commit)
    }
}

#[cfg(test)]
mod tests;
