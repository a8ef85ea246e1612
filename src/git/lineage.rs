//! The relation of tags to the end of a history: whether the end descends from a tag, and otherwise the merge bases at
//! which the two part (git-merge-base(1)).

use std::collections::{BTreeSet, HashMap};

use anyhow::Result;

use super::{Repo, merge_base::is_ancestor, object_id, walk::reachable};
use crate::model::{Oid, OidMap, Parent, Parents};

/// The relation of a commit to the end of a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lineage {
    /// The end is the commit itself or descends from it.
    Contained,
    /// The end does not descend from the commit.
    Parted {
        /// The merge bases of the commit and the end, by object ID; none if the two share no history.
        at: Vec<Oid>,
    },
}

/// Finds how each of `tips` is related to `end`. Only commits that are not in the history of `end` are read, and
/// fetched from a remote repository.
pub(crate) fn lineage(repo: &Repo, end: Oid, tips: &[Oid]) -> Result<Vec<Lineage>> {
    let repo = with_commits(repo, tips.iter().copied().chain([end]));
    let (_, commits, parents) = commits_beside(repo, end, tips)?;
    let indices: OidMap<usize> = commits.iter().copied().zip(0..).collect();
    let boundaries = boundaries(&parents);
    // Many tips part at the same commits.
    let mut known = Descents::default();
    let mut related = |tip: &Oid| match indices.get(tip) {
        Some(index) => {
            let parted = boundaries[*index].iter().map(|index| parents.outside()[*index]);
            Ok(Lineage::Parted { at: independent(repo, parted, &mut known)? })
        }
        None => Ok(Lineage::Contained),
    };
    tips.iter().map(&mut related).collect()
}

/// Finds which of `commits`, all in the history of `end`, are one of `ancestors` or descend from one of them.
pub(crate) fn at_or_after(repo: &Repo, ancestors: &[Oid], end: Oid, commits: &[Oid]) -> Result<Vec<bool>> {
    let repo = with_commits(repo, ancestors.iter().copied());
    let mut found: Vec<bool> = commits.iter().map(|commit| ancestors.contains(commit)).collect();
    for ancestor in ancestors {
        let (_, range, parents) = commits_beside(repo, *ancestor, &[end])?;
        let boundaries = boundaries(&parents);
        let indices: OidMap<usize> = range.into_iter().zip(0..).collect();
        for (commit, found) in commits.iter().zip(&mut found) {
            let reached = indices.get(commit).into_iter().flat_map(|index| &boundaries[*index]);
            *found |= reached.map(|index| parents.outside()[*index]).any(|parent| parent == *ancestor);
        }
    }
    Ok(found)
}

/// Returns the repository, or that of its remote if this one may lack the history of one of these commits.
pub(super) fn with_commits(repo: &Repo, commits: impl Iterator<Item = Oid>) -> &Repo {
    if repo.is_shallow() { repo.origin() } else { repo.origin_of_missing(commits) }.unwrap_or(repo)
}

/// Returns the commits reachable from `tips` and not from `end`, with their parents. Of a remote repository only these
/// are fetched, into the excerpt that is returned too.
pub(super) fn commits_beside(repo: &Repo, end: Oid, tips: &[Oid]) -> Result<(Option<Repo>, Vec<Oid>, Parents)> {
    let ids: Vec<_> = tips.iter().map(|tip| object_id(*tip)).collect();
    let excerpt = repo.server().map(|server| server.excerpt(object_id(end), &ids)).transpose()?;
    let (commits, parents) = reachable(excerpt.as_ref().unwrap_or(repo), Some(end), tips)?;
    Ok((excerpt, commits, parents))
}

/// Finds the parents outside a range from which each commit descends, as indices of [`Parents::outside`].
fn boundaries(parents: &Parents) -> Vec<BTreeSet<usize>> {
    let mut found: Vec<Option<BTreeSet<usize>>> = vec![None; parents.len()];
    let mut outside: OidMap<usize> = OidMap::default();
    for (id, index) in parents.outside().iter().zip(0..) {
        outside.entry(*id).or_insert(index);
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

/// Whether the second commit of a pair descends from the first, as far as it was computed.
type Descents = HashMap<(Oid, Oid), bool>;

/// Returns those commits that are not an ancestor of another one of them.
fn independent(repo: &Repo, commits: impl Iterator<Item = Oid>, known: &mut Descents) -> Result<Vec<Oid>> {
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
