//! Releases after which the numbers went back: a fork of a project that was at 2.0 may begin at 0.2 again.

use super::{
    base_tag::{BaseTag, peel_tags},
    tags::Tags,
};
use crate::{
    git::{self, Repo},
    model::{Oid, OidMap, Parents, compare_versions},
    versions::tag_pattern::BaseCandidate,
};

/// Returns the last release of the history of `to`, in which `highest` is the tag of the highest version: that tag, or
/// if releases of lower versions descend from it, the highest of those that no other release descends from.
pub(crate) fn last_of_history(repo: &Repo, tags: &Tags, highest: BaseTag, to: Oid) -> anyhow::Result<BaseTag> {
    let (ids, parents) = git::lineage::between(repo, highest.commit, to)?;
    let Some((later, commit)) = later_tag(repo, tags, &highest, &ids, &parents)? else { return Ok(highest) };
    let why = format!("`{}` is in the history of `{}`, a later release of a lower version", highest.tag, later.tag);
    Ok(BaseTag { passed_over: highest.passed_over.or(Some(why)), ..BaseTag::new(later, commit, highest.reason) })
}

/// Finds the last release among the commits after `highest`, if one of a lower version descends from that.
pub(crate) fn later_tag(
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
    let not_above = tags.stable().into_iter().skip_while(|candidate| candidate.tag != highest.tag);
    let mut after = Vec::new();
    for (candidate, commit) in lower_releases(peel_tags(repo, not_above)?) {
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

/// Returns the tags below the first one, without those that follow an alias: the next lower tag is of a commit that has
/// a higher version too, so that these numbers only accompany the releases.
fn lower_releases(tags: Vec<(BaseCandidate, Oid)>) -> Vec<(BaseCandidate, Oid)> {
    let mut named: OidMap<&str> = OidMap::default();
    let mut is_alias = Vec::with_capacity(tags.len());
    for (candidate, commit) in &tags {
        let first = *named.entry(*commit).or_insert(&candidate.version);
        is_alias.push(compare_versions(&candidate.version, first).is_lt());
    }
    let follows_alias = is_alias.into_iter().skip(2).chain([false]);
    tags.into_iter().skip(1).zip(follows_alias).filter(|(_, follows)| !follows).map(|(tag, _)| tag).collect()
}
