//! A pre-release of a higher version than the changes ask for.

use std::collections::{HashMap, HashSet};

use super::version_counter::VersionCounter;
use crate::{
    git::{
        self,
        lineage::{self, Lineage},
    },
    model::Oid,
};

/// A tag of a pre-release of a version that is not released.
struct PreReleaseTag {
    name: String,
    stable: String,
    commit: Oid,
}

impl VersionCounter<'_> {
    /// Finds the pre-release tag of the highest version above `counted` that is not released, and that version.
    pub(super) fn highest_pre_release(
        &self,
        counted: &str,
        must_be_own: bool,
    ) -> anyhow::Result<Option<(String, String)>> {
        let above = self.tags.unreleased_pre_releases(counted);
        if above.is_empty() {
            return Ok(None);
        }
        let names: Vec<&str> = above.iter().map(|(tag, _)| *tag).collect();
        let peeled = git::tags::peel_all(self.scope.repo, &names)?;
        let tags: Vec<PreReleaseTag> = above
            .into_iter()
            .zip(peeled)
            .filter_map(|((name, stable), commit)| {
                Some(PreReleaseTag { name: name.to_owned(), stable, commit: commit? })
            })
            .collect();
        let counts = if must_be_own { self.own(&tags)? } else { vec![true; tags.len()] };
        let highest = tags.into_iter().zip(counts).find(|(_, counts)| *counts);
        Ok(highest.map(|(tag, _)| (tag.name, tag.stable)))
    }

    /// Finds which pre-releases are of the line of the range: those in its history, and those of a version that has
    /// several, each made beside another commit after the last release. A branch for pre-releases left it only once.
    fn own(&self, tags: &[PreReleaseTag]) -> anyhow::Result<Vec<bool>> {
        let (repo, to) = (self.scope.repo, self.scope.to);
        let commits: Vec<Oid> = tags.iter().map(|tag| tag.commit).collect();
        let Some(base) = self.base.filter(|_| !repo.asks_server() && !repo.is_shallow()) else {
            return lineage::contained(repo, to, &commits);
        };
        let lineages = lineage::lineage(repo, to, &commits)?;
        let start = base.parted_at.clone().unwrap_or_else(|| vec![base.commit]);
        let mut beside = Vec::new();
        for (index, (tag, lineage)) in tags.iter().zip(&lineages).enumerate() {
            if let Lineage::Parted { at } = lineage
                && let [place] = **at
                && !start.contains(&place)
                && lineage::is_beside(repo, tag.commit, place)?
            {
                beside.push((index, place));
            }
        }
        let places: Vec<Oid> = beside.iter().map(|(_, place)| *place).collect();
        let is_after = if places.is_empty() { Vec::new() } else { lineage::at_or_after(repo, &start, to, &places)? };
        let beside: HashMap<usize, Oid> =
            beside.into_iter().zip(is_after).filter(|(_, is_after)| *is_after).map(|(beside, _)| beside).collect();
        let mut of_version: HashMap<&str, HashSet<Oid>> = HashMap::new();
        for (index, place) in &beside {
            of_version.entry(&tags[*index].stable).or_default().insert(*place);
        }
        let is_own = |index: usize| {
            lineages[index] == Lineage::Contained
                || beside.contains_key(&index) && of_version[tags[index].stable.as_str()].len() > 1
        };
        Ok((0..tags.len()).map(is_own).collect())
    }
}
