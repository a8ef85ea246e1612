//! The releases that a line made itself, apart from those of the maintenance branches that left it.

use super::base_tag::peel_tags;
use crate::{
    git::lineage::{Lineage, lineage, place_on_first_parent_line},
    model::{Oid, without_build},
    pipeline::scope::Scope,
    versions::tag_pattern::BaseCandidate,
};

/// The most releases whose lines are looked at.
const MOST: usize = 128;

/// Drops the releases that were made on a maintenance branch: there a series went on where an earlier release of it had
/// left the line of the scope, or at that release, or on a branch that is merged into the line. Releases that left the
/// line one by one were made on it.
///
/// # Errors
/// If the history of a release cannot be read.
pub(super) fn without_maintenance_releases(
    scope: &Scope,
    mut releases: Vec<BaseCandidate>,
) -> anyhow::Result<Vec<BaseCandidate>> {
    releases.truncate(MOST);
    let peeled = peel_tags(scope.repo, releases)?;
    let commits: Vec<Oid> = peeled.iter().map(|(_, commit)| *commit).collect();
    let lineages = lineage(scope.repo, scope.to, &commits)?;
    let placed: Vec<PlacedRelease> = peeled
        .into_iter()
        .zip(lineages)
        .map(|((release, commit), lineage)| PlacedRelease { release, commit, lineage })
        .collect();
    let mut own = Vec::new();
    for release in &placed {
        if !release.is_of_maintenance_branch(&placed, scope)? {
            own.push(release.release.clone());
        }
    }
    Ok(own)
}

struct PlacedRelease {
    release: BaseCandidate,
    commit: Oid,
    lineage: Lineage,
}

impl PlacedRelease {
    /// `all` are the releases from the highest down.
    fn is_of_maintenance_branch(&self, all: &[Self], scope: &Scope) -> anyhow::Result<bool> {
        let Lineage::Parted { at } = &self.lineage else { return Ok(false) };
        let series: Vec<&Self> = all.iter().filter(|other| other.series() == self.series()).collect();
        if series.last().is_none_or(|first| first.commit == self.commit) {
            return Ok(false);
        }
        let mut others = series.iter().filter(|other| other.commit != self.commit);
        if others.any(|other| other.lineage == self.lineage || at.contains(&other.commit)) {
            return Ok(true);
        }
        let [at] = at[..] else { return Ok(false) };
        // An estimate is not worth the whole history.
        if scope.repo.asks_server() || scope.repo.is_shallow() {
            return Ok(true);
        }
        Ok(place_on_first_parent_line(scope.repo, scope.to, at)?.is_none())
    }

    /// Returns the numbers of the version but the last, which counts the releases of a series.
    fn series(&self) -> &str {
        let number = without_build(&self.release.version);
        number.rsplit_once('.').map_or(number, |(series, _)| series)
    }
}
