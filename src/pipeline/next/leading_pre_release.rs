//! A pre-release of a higher version than the changes ask for.

use std::collections::HashSet;

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
        let mut places = Vec::with_capacity(tags.len());
        for (tag, lineage) in tags.iter().zip(&lineages) {
            let place = match lineage {
                Lineage::Parted { at } => at.first().filter(|place| at.len() == 1 && !start.contains(place)).copied(),
                Lineage::Contained => None,
            };
            let is_beside = match place {
                Some(place) => {
                    lineage::is_beside(repo, tag.commit, place)? && lineage::at_or_after(repo, &start, to, &[place])?[0]
                }
                None => false,
            };
            places.push(place.filter(|_| is_beside));
        }
        let is_own = |index: usize| {
            let of_version = tags.iter().zip(&places).filter(|(tag, _)| tag.stable == tags[index].stable);
            let places_of_version: HashSet<Oid> = of_version.filter_map(|(_, place)| *place).collect();
            lineages[index] == Lineage::Contained || places[index].is_some() && places_of_version.len() > 1
        };
        Ok((0..tags.len()).map(is_own).collect())
    }
}
