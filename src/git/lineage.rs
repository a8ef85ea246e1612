//! How tags are related to the end of a history: contained in it, or parted from it at their merge bases
//! (git-merge-base(1)).

use std::collections::{BTreeSet, HashMap};

use anyhow::Result;

use super::{Repo, merge_base::is_ancestor, object_id, walk::reachable};
use crate::model::{Oid, OidMap, Parent, Parents};

/// How a commit is related to the end of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lineage {
    /// The end is the commit or descends from it.
    Contained,
    /// The commit is on another line of history.
    Parted {
        /// Its merge bases with the end, in the order of their IDs; none if the two share no history.
        at: Vec<Oid>,
    },
}

/// Finds how each of `tips` is related to `end`. Only the commits beside the history of `end` are read, and of a remote
/// repository fetched.
pub(crate) fn lineage(repo: &Repo, end: Oid, tips: &[Oid]) -> Result<Vec<Lineage>> {
    let repo = with_commits(repo, tips.iter().copied().chain([end]));
    let (_, commits, parents) = commits_beside(repo, end, tips)?;
    let indices: OidMap<usize> = commits.iter().copied().zip(0..).collect();
    let boundaries = boundaries(&parents);
    // Lines that part at the same commits are many.
    let mut known = Descents::default();
    let mut related = |tip: &Oid| match indices.get(tip) {
        Some(index) => {
            let parted = boundaries[*index].iter().map(|place| parents.outside()[*place]);
            Ok(Lineage::Parted { at: best(repo, parted, &mut known)? })
        }
        None => Ok(Lineage::Contained),
    };
    tips.iter().map(&mut related).collect()
}

/// Finds which of `commits`, all in the history of `end`, are one of `ancestors` or descend from one.
pub(crate) fn at_or_after(repo: &Repo, ancestors: &[Oid], end: Oid, commits: &[Oid]) -> Result<Vec<bool>> {
    let repo = with_commits(repo, ancestors.iter().copied());
    let mut found: Vec<bool> = commits.iter().map(|commit| ancestors.contains(commit)).collect();
    for ancestor in ancestors {
        let (_, range, parents) = commits_beside(repo, *ancestor, &[end])?;
        let boundaries = boundaries(&parents);
        let indices: OidMap<usize> = range.into_iter().zip(0..).collect();
        for (commit, found) in commits.iter().zip(&mut found) {
            let reached = indices.get(commit).into_iter().flat_map(|index| &boundaries[*index]);
            *found |= reached.map(|place| parents.outside()[*place]).any(|parent| parent == *ancestor);
        }
    }
    Ok(found)
}

/// The repository itself, or that of its remote if it may lack the history of one of these commits.
pub(super) fn with_commits(repo: &Repo, commits: impl Iterator<Item = Oid>) -> &Repo {
    if repo.is_shallow() { repo.origin() } else { repo.origin_of_missing(commits) }.unwrap_or(repo)
}

/// The commits that `tips` have and `end` does not, with their parents; of a remote repository nothing else is fetched,
/// and they are in the excerpt that is returned.
pub(super) fn commits_beside(repo: &Repo, end: Oid, tips: &[Oid]) -> Result<(Option<Repo>, Vec<Oid>, Parents)> {
    let ids: Vec<_> = tips.iter().map(|tip| object_id(*tip)).collect();
    let excerpt = repo.server().map(|server| server.excerpt(object_id(end), &ids)).transpose()?;
    let (commits, parents) = reachable(excerpt.as_ref().unwrap_or(repo), Some(end), tips)?;
    Ok((excerpt, commits, parents))
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

/// What is known of pairs of commits: whether the second descends from the first.
type Descents = HashMap<(Oid, Oid), bool>;

/// Those that none of the others descends from.
fn best(repo: &Repo, commits: impl Iterator<Item = Oid>, known: &mut Descents) -> Result<Vec<Oid>> {
    let commits: Vec<Oid> = commits.collect::<BTreeSet<_>>().into_iter().collect();
    let mut best = Vec::new();
    for commit in &commits {
        let mut is_best = true;
        for other in commits.iter().filter(|other| *other != commit) {
            let pair = (*commit, *other);
            is_best = is_best
                && !match known.get(&pair) {
                    Some(descends) => *descends,
                    None => *known.entry(pair).or_insert(is_ancestor(repo, *commit, *other)?),
                };
        }
        best.extend(is_best.then_some(*commit));
    }
    Ok(best)
}
