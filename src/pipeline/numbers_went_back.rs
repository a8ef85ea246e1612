//! Releases after which the numbers went back: a fork of a project that was at 2.0 may begin at 0.2 again.

use super::{
    base_tag::{BaseTag, peel_tags},
    tags::Tags,
};
use crate::{
    git::{self, Repo},
    model::{Oid, OidMap, Parents},
    versions::tag_pattern::BaseCandidate,
};

/// Returns the last release of the history of `to`, in which `highest` is the tag of the highest version: that tag, or
/// if releases of lower versions descend from it, the highest of those that no other release descends from.
pub(super) fn last_of_history(repo: &Repo, tags: &Tags, highest: BaseTag, to: Oid) -> anyhow::Result<BaseTag> {
    let (ids, parents) = git::lineage::between(repo, highest.commit, to)?;
    let Some((later, commit)) = later_tag(repo, tags, &highest, &ids, &parents)? else { return Ok(highest) };
    let why = format!("`{}` is in the history of `{}`, a later release of a lower version", highest.tag, later.tag);
    Ok(BaseTag { passed_over: highest.passed_over.or(Some(why)), ..BaseTag::new(later, commit, highest.reason) })
}

/// Finds the last release among the commits after `highest`, if one of a lower version descends from that.
pub(super) fn later_tag(
    repo: &Repo,
    tags: &Tags,
    highest: &BaseTag,
    ids: &[Oid],
    parents: &Parents,
) -> anyhow::Result<Option<(BaseCandidate, Oid)>> {
    if ids.is_empty() {
        return Ok(None);
    }
    let indices: OidMap<usize> = ids.iter().copied().zip(0..).collect();
    let lower = tags.stable().into_iter().skip_while(|candidate| candidate.tag != highest.tag).skip(1);
    let mut after = Vec::new();
    for (candidate, commit) in peel_tags(repo, lower)? {
        after.extend(indices.get(&commit).map(|index| (candidate, commit, *index)));
    }
    if after.is_empty() {
        return Ok(None);
    }
    let descends = parents.descend_from(highest.commit);
    if !after.iter().any(|(.., index)| descends[*index]) {
        return Ok(None);
    }
    // The commits that a tag after them has in its history.
    let mut is_older = vec![false; ids.len()];
    for (.., index) in &after {
        for parent in parents.inside(*index) {
            parents.visit([parent], |index| !std::mem::replace(&mut is_older[index], true));
        }
    }
    Ok(after.into_iter().find(|(.., index)| !is_older[*index]).map(|(candidate, commit, _)| (candidate, commit)))
}
