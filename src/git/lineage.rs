//! The relation of tags to the end of a history: whether the end descends from a tag, and otherwise the merge bases at
//! which the two part (git-merge-base(1)).

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    rc::Rc,
};

use anyhow::Result;

use super::{
    FetchedCommits, Repo,
    merge_base::{self, Ancestry, is_ancestor},
    object_id, oid,
    walk::{reachable, with_table},
};
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

/// The most commits of a branch that a release is made on and merged from.
const LONGEST_REQUEST: usize = 16;

/// The most pairs of commits that a server is asked about. With more of them, as where a line was merged again and again,
/// the whole history is less than all the answers.
const MAX_PAIRS: usize = 16;

/// Finds how each of `tips` is related to `end`. Only commits that are not in the history of `end` are read, and
/// fetched from a remote repository.
pub(crate) fn lineage(repo: &Repo, end: Oid, tips: &[Oid]) -> Result<Vec<Lineage>> {
    let repo = with_commits(repo, tips.iter().copied().chain([end]));
    let (_, commits, parents) = commits_beside(repo, end, tips)?;
    let indices: OidMap<usize> = commits.iter().copied().zip(0..).collect();
    let ancestry = match repo.server() {
        None => {
            let outside: Vec<Oid> = BTreeSet::from_iter(parents.outside()).into_iter().copied().collect();
            Ancestry::find(&repo.own_commits(), &outside)?
        }
        Some(_) => None,
    };
    if let Some(ancestry) = ancestry {
        let parted = parting_points(&parents, &ancestry);
        let of_tip =
            |tip| indices.get(tip).map_or(Lineage::Contained, |index| Lineage::Parted { at: parted[*index].to_vec() });
        return Ok(tips.iter().map(of_tip).collect());
    }
    // Many tips part at the same commits.
    let (mut pairs, mut reduced) = (Descents::default(), HashMap::<Vec<Oid>, Vec<Oid>>::new());
    tips.iter()
        .map(|tip| {
            let Some(index) = indices.get(tip) else { return Ok(Lineage::Contained) };
            let parted = parents_outside(&parents, *index);
            let at = match reduced.get(&parted) {
                Some(known) => known.clone(),
                None if repo.server().is_some() && pairs.len() + parted.len() * parted.len() <= MAX_PAIRS => {
                    independent(repo, &parted, &mut pairs)?
                }
                None => merge_base::independent(&repo.with_histories(&parted)?, &parted)?,
            };
            reduced.entry(parted).or_insert_with(|| at.clone());
            Ok(Lineage::Parted { at })
        })
        .collect()
}

/// Finds which of `tips` are `end` or in its history. One walk shows that of all of them; a server is asked for the
/// commits that are not.
pub(crate) fn contained(repo: &Repo, end: Oid, tips: &[Oid]) -> Result<Vec<bool>> {
    let repo = with_commits(repo, tips.iter().copied().chain([end]));
    if repo.server().is_none() {
        return merge_base::in_history(&repo.own_commits(), end, tips);
    }
    let beside: HashSet<Oid> = commits_beside(repo, end, tips)?.1.into_iter().collect();
    Ok(tips.iter().map(|tip| !beside.contains(tip)).collect())
}

/// Finds the place of a commit on the line of first parents of another one (`git log --first-parent`), which is read as
/// far as it is not older than the commit: the commit itself, or the merge of a short branch that ends at it and began at
/// the commit before the merge, as a request to release makes it. `None` if it has no place there, or if the history is
/// not all there and cannot be fetched.
pub(crate) fn place_on_first_parent_line(repo: &Repo, of: Oid, commit: Oid) -> Result<Option<Oid>> {
    let repo = with_commits(repo, [of, commit].into_iter());
    if repo.is_shallow() {
        return Ok(None);
    }
    with_table(&repo.with_histories(&[of, commit])?, |table| {
        let (mut next, sought) = (table.index_of(object_id(of)), table.index_of(object_id(commit)));
        table.require_header(sought)?;
        let mut branch = vec![sought];
        while let Some(edge) =
            table.parents(branch[branch.len() - 1]).next().filter(|_| branch.len() <= LONGEST_REQUEST)
        {
            let parent = table.parent(edge);
            table.require_header(parent)?;
            branch.push(parent);
        }
        loop {
            table.require_header(next)?;
            let mut parents = table.parents(next).map(|edge| table.parent(edge));
            let first = parents.next();
            let is_from_before = first.is_some_and(|first| branch[1..].contains(&first));
            if next == sought || (is_from_before && parents.any(|parent| parent == sought)) {
                return Ok(Some(oid(&table.id(next))));
            }
            let Some(first) = first.filter(|_| table.date(next) >= table.date(sought)) else {
                return Ok(None);
            };
            next = first;
        }
    })
}

/// Whether a commit is on the line of first parents of another one.
pub(crate) fn is_on_first_parent_line(repo: &Repo, of: Oid, commit: Oid) -> Result<bool> {
    Ok(place_on_first_parent_line(repo, of, commit)? == Some(commit))
}

/// The most commits that are made beside a line for a release: one that prepares it, and that of the release.
const LONGEST_RELEASE: usize = 2;

/// Whether a release was made beside the line that a commit is on: it is one or two commits after that.
pub(crate) fn is_beside(repo: &Repo, commit: Oid, line: Oid) -> Result<bool> {
    let repo = with_commits(repo, [commit, line].into_iter());
    if repo.is_shallow() {
        return Ok(false);
    }
    with_table(&repo.with_histories(&[commit])?, |table| {
        let mut next = table.index_of(object_id(commit));
        for _ in 0..LONGEST_RELEASE {
            table.require_header(next)?;
            let Some(first) = table.parents(next).next().map(|edge| table.parent(edge)) else { break };
            if oid(&table.id(first)) == line {
                return Ok(true);
            }
            next = first;
        }
        Ok(false)
    })
}

/// Returns the commits of the history of `end` that are not in that of `start`, newest first, with their parents.
pub(crate) fn between(repo: &Repo, start: Oid, end: Oid) -> Result<(Vec<Oid>, Parents)> {
    let (_, commits, parents) = commits_beside(with_commits(repo, [start, end].into_iter()), start, &[end])?;
    Ok((commits, parents))
}

/// Finds which of `commits`, all in the history of `end`, are one of `ancestors` or descend from one of them.
pub(crate) fn at_or_after(repo: &Repo, ancestors: &[Oid], end: Oid, commits: &[Oid]) -> Result<Vec<bool>> {
    let repo = with_commits(repo, ancestors.iter().copied().chain([end]));
    if repo.server().is_none() {
        return merge_base::at_or_after(&repo.own_commits(), ancestors, commits);
    }
    let mut found: Vec<bool> = commits.iter().map(|commit| ancestors.contains(commit)).collect();
    for ancestor in ancestors {
        let (_, range, parents) = commits_beside(repo, *ancestor, &[end])?;
        let descends = parents.descend_from(*ancestor);
        let indices: OidMap<usize> = range.into_iter().zip(0..).collect();
        for (commit, found) in commits.iter().zip(&mut found) {
            *found |= indices.get(commit).is_some_and(|index| descends[*index]);
        }
    }
    Ok(found)
}

/// Returns the repository, or that of its remote if this one may lack the history of one of these commits.
pub(super) fn with_commits(repo: &Repo, commits: impl Iterator<Item = Oid>) -> &Repo {
    if repo.is_shallow() { repo.origin() } else { repo.origin_of_missing(commits) }.unwrap_or(repo)
}

/// Returns the commits reachable from `tips` and not from `end`, with their parents, and the repository that has them.
pub(super) fn commits_beside<'r>(
    repo: &'r Repo,
    end: Oid,
    tips: &[Oid],
) -> Result<(FetchedCommits<'r>, Vec<Oid>, Parents)> {
    let fetched = repo.with_commits_beside(end, tips)?;
    let (commits, parents) = reachable(&fetched, Some(end), tips)?;
    Ok((fetched, commits, parents))
}

/// Returns the parents outside a range from which a commit of it descends, by object ID.
fn parents_outside(parents: &Parents, commit: usize) -> Vec<Oid> {
    let (mut met, mut found) = (vec![false; parents.len()], BTreeSet::new());
    parents.visit([commit], |index| {
        let is_new = !std::mem::replace(&mut met[index], true);
        if is_new {
            found.extend(parents.of(index).filter_map(|parent| match parent {
                Parent::Outside(id) => Some(id),
                Parent::Inside(_) => None,
            }));
        }
        is_new
    });
    found.into_iter().collect()
}

/// Returns for each commit of a range the commits outside of it at which it parted from the rest of the history, by object
/// ID: those of its parents, without their ancestors. Where releases merge a branch, each has all such commits of the
/// earlier ones too, so they are dropped on the way.
fn parting_points(parents: &Parents, ancestry: &Ancestry) -> Vec<Rc<[Oid]>> {
    parents.derive_from_parents(|commit, known| points_of(parents.of(commit), known, ancestry))
}

/// Returns the parting points of a commit, of whose parents they are known.
fn points_of(parents: impl Iterator<Item = Parent>, known: &[Option<Rc<[Oid]>>], ancestry: &Ancestry) -> Rc<[Oid]> {
    let of_parents: Vec<Rc<[Oid]>> = parents
        .filter_map(|parent| match parent {
            Parent::Inside(index) => known[index].clone(),
            Parent::Outside(id) => Some(Rc::new([id])),
        })
        .collect();
    if let [only] = &of_parents[..] {
        return Rc::clone(only);
    }
    let mut all: Vec<Oid> = of_parents.iter().flat_map(|points| points.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    ancestry.retain_independent(&mut all);
    all.into()
}

/// Whether the second commit of a pair descends from the first, as far as it was computed.
type Descents = HashMap<(Oid, Oid), bool>;

/// Returns those commits that are not an ancestor of another one of them; a server is asked for each pair.
fn independent(repo: &Repo, commits: &[Oid], known: &mut Descents) -> Result<Vec<Oid>> {
    let mut best = Vec::new();
    for commit in commits {
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
