//! Releases after which the numbers went back: a fork of a project that was at 2.0 may begin at 0.2 again.

use super::{
    base_tag::{BaseTag, peel_tags},
    tags::Tags,
};
use crate::{
    git::{self, Repo},
    model::{Oid, OidMap, Parent, Parents, compare_versions},
    versions::tag_pattern::BaseCandidate,
};

/// Returns the last release of the history of `to`, in which `highest` is the tag of the highest version: that tag, or
/// if releases of lower versions descend from it, the highest of those that no other release descends from.
pub(crate) fn last_of_history(repo: &Repo, tags: &Tags, highest: BaseTag, to: Oid) -> anyhow::Result<BaseTag> {
    let lower = lower_releases(repo, tags, &highest)?;
    if lower.is_empty() {
        return Ok(highest);
    }
    let (ids, parents) = git::lineage::between(repo, highest.commit, to)?;
    let start = Parent::Outside(highest.commit);
    let Some((later, commit)) = last_after(lower, &ids, start, &parents) else { return Ok(highest) };
    let why = format!("`{}` is in the history of `{}`, a later release of a lower version", highest.tag, later.tag);
    Ok(BaseTag { passed_over: highest.passed_over.or(Some(why)), ..BaseTag::new(later, commit, highest.reason) })
}

/// As [`last_in`], among the commits that are given in the order of their parents.
pub(crate) fn last_after(
    lower: Vec<(BaseCandidate, Oid)>,
    ids: &[Oid],
    start: Parent,
    parents: &Parents,
) -> Option<(BaseCandidate, Oid)> {
    let indices: OidMap<usize> = ids.iter().copied().zip(0..).collect();
    last_in(lower, |commit| indices.get(commit).copied(), start, parents)
}

/// Finds the last of these releases of lower versions among the commits after the highest one, which is `start`, if one of
/// them descends from that. `index_after` returns the index of a commit that is after it.
pub(crate) fn last_in(
    lower: Vec<(BaseCandidate, Oid)>,
    index_after: impl Fn(&Oid) -> Option<usize>,
    start: Parent,
    parents: &Parents,
) -> Option<(BaseCandidate, Oid)> {
    let mut after = Vec::new();
    for (candidate, commit) in lower {
        after.extend(index_after(&commit).map(|index| (candidate, commit, index)));
    }
    if after.is_empty() {
        return None;
    }
    let descends = parents.descend_from_any(|parent| parent == start);
    if !after.iter().any(|(.., index)| descends[*index]) {
        return None;
    }
    // The commits that a tag after them has in its history.
    let mut is_older = vec![false; parents.len()];
    for (.., index) in &after {
        for parent in parents.inside(*index) {
            parents.visit([parent], |index| !std::mem::replace(&mut is_older[index], true));
        }
    }
    after.into_iter().find(|(.., index)| !is_older[*index]).map(|(candidate, commit, _)| (candidate, commit))
}

/// Returns the releases of lower versions than the highest tag, each with its commit.
pub(crate) fn lower_releases(repo: &Repo, tags: &Tags, highest: &BaseTag) -> anyhow::Result<Vec<(BaseCandidate, Oid)>> {
    let not_above = tags.stable().into_iter().skip_while(|candidate| candidate.tag != highest.tag);
    Ok(below_first(peel_tags(repo, not_above)?))
}

/// Returns the tags below the first one, without those that follow an alias: the next lower tag is of a commit that has
/// a higher version too, so that these numbers only accompany the releases.
fn below_first(tags: Vec<(BaseCandidate, Oid)>) -> Vec<(BaseCandidate, Oid)> {
    let mut named: OidMap<&str> = OidMap::default();
    let mut is_alias = Vec::with_capacity(tags.len());
    for (candidate, commit) in &tags {
        let first = *named.entry(*commit).or_insert(&candidate.version);
        is_alias.push(compare_versions(&candidate.version, first).is_lt());
    }
    let follows_alias = is_alias.into_iter().skip(2).chain([false]);
    tags.into_iter().skip(1).zip(follows_alias).filter(|(_, follows)| !follows).map(|(tag, _)| tag).collect()
}
