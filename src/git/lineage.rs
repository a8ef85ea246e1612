//! How tags are related to the end of a history: contained in it, or parted from it at their merge bases
//! (git-merge-base(1)).

use std::collections::BTreeSet;

use anyhow::Result;

use super::{Repo, merge_base::is_ancestor, walk::beside};
use crate::model::{Oid, OidMap, Parent, Parents, Range};

/// How a commit is related to the end of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lineage {
    /// The end is the commit or descends from it.
    Contained,
    /// The commit is on another line of history.
    Parted {
        /// Its merge bases with the end, in the order of their IDs; none if the two share no history.
        at: Vec<Oid>,
    },
}

/// Finds how each of `tips` is related to `end`. Only the commits beside the history of `end` are read. A remote
/// repository is asked whether there are any, and only then its commits are fetched.
///
/// # Errors
/// If a commit cannot be read or fetched.
pub fn lineage(repo: &Repo, end: Oid, tips: &[Oid]) -> Result<Vec<Lineage>> {
    if let Some(server) = repo.server() {
        if server.has_nothing_beside(end, tips)? {
            return Ok(vec![Lineage::Contained; tips.len()]);
        }
        [&end].into_iter().chain(tips).try_for_each(|commit| repo.ensure_history(*commit))?;
    }
    let (commits, parents) = beside(repo, end, tips)?;
    let indices: OidMap<usize> = commits.iter().copied().zip(0..).collect();
    let boundaries = boundaries(&parents);
    let related = |tip: &Oid| match indices.get(tip) {
        Some(index) => {
            Ok(Lineage::Parted { at: best(repo, boundaries[*index].iter().map(|place| parents.outside()[*place]))? })
        }
        None => Ok(Lineage::Contained),
    };
    tips.iter().map(related).collect()
}

/// Finds which of `commits`, all in the history of `end`, are one of `ancestors` or descend from one.
///
/// # Errors
/// If a commit cannot be read or fetched.
pub fn at_or_after(repo: &Repo, ancestors: &[Oid], end: Oid, commits: &[Oid]) -> Result<Vec<bool>> {
    let mut found: Vec<bool> = commits.iter().map(|commit| ancestors.contains(commit)).collect();
    for ancestor in ancestors {
        repo.ensure_range(Range { from: Some(*ancestor), to: end })?;
        let (range, parents) = beside(repo, *ancestor, &[end])?;
        let boundaries = boundaries(&parents);
        let indices: OidMap<usize> = range.into_iter().zip(0..).collect();
        for (commit, found) in commits.iter().zip(&mut found) {
            let reached = indices.get(commit).into_iter().flat_map(|index| &boundaries[*index]);
            *found |= reached.map(|place| parents.outside()[*place]).any(|parent| parent == *ancestor);
        }
    }
    Ok(found)
}

/// For each commit the parents outside of the range that it descends from, as indices of [`Parents::outside`].
fn boundaries(parents: &Parents) -> Vec<BTreeSet<usize>> {
    let mut found: Vec<Option<BTreeSet<usize>>> = vec![None; parents.len()];
    let mut outside: OidMap<usize> = OidMap::default();
    for (id, place) in parents.outside().iter().zip(0..) {
        outside.entry(*id).or_insert(place);
    }
    for commit in 0..parents.len() {
        let mut pending = vec![commit];
        while let Some(next) = pending.last().copied() {
            let open = |parent: Parent| match parent {
                Parent::Inside(parent) if found[parent].is_none() => Some(parent),
                _ => None,
            };
            if found[next].is_some() {
                pending.pop();
            } else if let Some(parent) = parents.of(next).find_map(open) {
                pending.push(parent);
            } else {
                let mut own = BTreeSet::new();
                for parent in parents.of(next) {
                    match parent {
                        Parent::Inside(parent) => own.extend(found[parent].iter().flatten()),
                        Parent::Outside(id) => drop(own.insert(outside[&id])),
                    }
                }
                found[next] = Some(own);
            }
        }
    }
    found.into_iter().map(Option::unwrap_or_default).collect()
}

/// Those that none of the others descends from.
fn best(repo: &Repo, commits: impl Iterator<Item = Oid>) -> Result<Vec<Oid>> {
    let commits: Vec<Oid> = commits.collect::<BTreeSet<_>>().into_iter().collect();
    let mut best = Vec::new();
    for commit in &commits {
        let mut is_best = true;
        for other in commits.iter().filter(|other| *other != commit) {
            is_best &= !is_ancestor(repo, *commit, *other)?;
        }
        best.extend(is_best.then_some(*commit));
    }
    Ok(best)
}
