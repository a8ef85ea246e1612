//! The last release of the line of history that a range ends on.

use std::collections::HashSet;

use super::{
    base_tag::{BaseTag, explain_broken, highest, peel_tags},
    numbers_went_back::last_of_history,
    tags::Tags,
};
use crate::{
    git::{self, Repo, lineage::Lineage},
    model::{Oid, compare_versions},
    versions::tag_pattern::BaseCandidate,
};

/// Finds the last release of the line of history that `to` is on.
///
/// Tags are examined from the highest version down. One in the history of `to` is the base tag. The others are on
/// lines that parted from that history. A line with several series of versions is a trunk that went on after the
/// parting. A line with a single series is another release branch if the line of `to` has releases after the parting, all
/// of other, lower series, or if it merged the branch of `to`. Neither holds where the history of `to` has a pre-release
/// of a higher version. Any other line is a release branch of that of `to`, and its highest tag is the base.
pub(super) fn last_release(repo: &Repo, tags: &Tags, to: Oid) -> anyhow::Result<Option<BaseTag>> {
    let Some(first) = highest(repo, tags)? else { return Ok(None) };
    if git::lineage::lineage(repo, to, &[first.commit])? == [Lineage::Contained] {
        return last_of_history(repo, tags, first, to).map(Some);
    }
    let mut peeled = peel_tags(repo, tags.stable())?;
    // Several tags of one commit are one release, of which the highest version counts.
    let mut seen = HashSet::new();
    peeled.retain(|(_, commit)| seen.insert(*commit));
    let (peeled, lineages) = relevant_lineages(repo, to, peeled)?;
    let mut passed_over = first.passed_over;
    let mut closed: HashSet<&[Oid]> = HashSet::new();
    for (index, lineage) in lineages.iter().enumerate() {
        let (candidate, commit) = &peeled[index];
        let reason = || format!("the highest {} of its line of {}", tags.release_word(), tags.count());
        match lineage {
            Lineage::Contained => {
                let passed_over = broken_above(repo, tags, candidate)?.or(passed_over);
                let found = BaseTag { passed_over, ..BaseTag::new(candidate.clone(), *commit, reason()) };
                return last_of_history(repo, tags, found, to).map(Some);
            }
            Lineage::Parted { at } if at.is_empty() || closed.contains(at.as_slice()) => {}
            Lineage::Parted { at } => {
                let line = HistoryLine { repo, tags, to, peeled: &peeled, lineages: &lineages };
                match line.explain_other_line(index, at)? {
                    None => {
                        let found = BaseTag::new(candidate.clone(), *commit, reason());
                        return Ok(Some(BaseTag { parted_at: Some(at.clone()), passed_over, ..found }));
                    }
                    Some(why) => passed_over = passed_over.or(Some(why)),
                }
                closed.insert(at);
            }
        }
    }
    Ok(None)
}

/// Returns why the first tag above the chosen one does not count whose object is missing: that one might be the base.
fn broken_above(repo: &Repo, tags: &Tags, chosen: &BaseCandidate) -> anyhow::Result<Option<String>> {
    for above in tags.stable().into_iter().take_while(|above| above != chosen) {
        if let Some(why) = explain_broken(repo, &above.tag)? {
            return Ok(Some(why));
        }
    }
    Ok(None)
}

/// A tag, and the commit that it leads to.
type PeeledTag = (BaseCandidate, Oid);

/// The number of tags whose lineage is asked for first.
const FIRST: usize = 16;

/// Returns those tags on which the choice of the base tag depends, highest first, each with its relation to `to`: those
/// down to one in the history of `to`, and all that are not older than where the others parted from it. Without the rest
/// the history need not be read down to the oldest tag.
fn relevant_lineages(
    repo: &Repo,
    to: Oid,
    mut peeled: Vec<PeeledTag>,
) -> anyhow::Result<(Vec<PeeledTag>, Vec<Lineage>)> {
    let lineages = |peeled: &[PeeledTag]| {
        let commits: Vec<Oid> = peeled.iter().map(|(_, commit)| *commit).collect();
        git::lineage::lineage(repo, to, &commits)
    };
    let mut count = FIRST.min(peeled.len());
    let mut found = lineages(&peeled[..count])?;
    while count < peeled.len() && !found.contains(&Lineage::Contained) {
        count = (2 * count).min(peeled.len());
        found = lineages(&peeled[..count])?;
    }
    let points =
        found.iter().flat_map(|lineage| if let Lineage::Parted { at } = lineage { at.as_slice() } else { &[] });
    let dates = points.map(|point| git::commit_date(repo, *point)).collect::<anyhow::Result<Vec<_>>>()?;
    let oldest = dates.into_iter().min().flatten();
    let mut rest = Vec::new();
    for tag in peeled.split_off(count) {
        if git::commit_date(repo, tag.1)?.is_none_or(|date| oldest.is_none_or(|oldest| date >= oldest)) {
            rest.push(tag);
        }
    }
    if !rest.is_empty() {
        peeled.extend(rest);
        found = lineages(&peeled)?;
    }
    Ok((peeled, found))
}

/// All stable tags, highest first, and how they are related to the end of the range.
struct HistoryLine<'a> {
    repo: &'a Repo,
    tags: &'a Tags,
    to: Oid,
    peeled: &'a [(BaseCandidate, Oid)],
    lineages: &'a [Lineage],
}

impl HistoryLine<'_> {
    /// Returns why a tag does not count if another build of its version is in the history of `to`.
    fn contained_build_of(&self, tag: usize) -> Option<String> {
        let number = |tag: usize| self.peeled[tag].0.version.split('+').next();
        let mut others = (0..self.peeled.len()).filter(|other| self.lineages[*other] == Lineage::Contained);
        let own = &self.peeled[others.find(|other| number(*other) == number(tag))?].0.tag;
        Some(format!(
            "`{}` is another build of the version of `{own}`, which is in this history",
            self.peeled[tag].0.tag
        ))
    }

    /// Returns why the line of a tag is another one than that of `to`; `None` if it is a release branch of that.
    fn explain_other_line(&self, tag: usize, parted_at: &[Oid]) -> anyhow::Result<Option<String>> {
        if let Some(why) = self.contained_build_of(tag) {
            return Ok(Some(why));
        }
        let candidate = &self.peeled[tag].0;
        let (own, places) = self.lower_releases(tag, parted_at);
        // The last number of three or four counts the releases of a series.
        let longest =
            own.first().copied().into_iter().chain([&*candidate.version]).map(|version| numbers(version).len());
        let len = longest.max().unwrap_or_default().saturating_sub(1).max(2);
        let series_of = |version: &str| -> Vec<u64> { numbers(version).into_iter().take(len).collect() };
        let of_line = self.peeled.iter().zip(self.lineages).filter(|(_, lineage)| is_parted_at(lineage, parted_at));
        let series: HashSet<_> = of_line.map(|((candidate, _), _)| series_of(&candidate.version)).collect();
        let at = parted_at.iter().map(Oid::short).collect::<Vec<_>>().join(", ");
        let why = format!("`{}` is on another line of history, which diverged at {at}", candidate.tag);
        let is_other = if series.len() > 1 {
            true
        } else {
            let is_after = git::lineage::at_or_after(self.repo, parted_at, self.to, &places)?;
            let ours: Vec<_> = own.into_iter().zip(is_after).filter(|(_, after)| *after).map(|(own, _)| own).collect();
            if ours.is_empty() {
                self.is_merged_into(tag)?
            } else {
                ours.iter()
                    .all(|own| !series.contains(&series_of(own)) && compare_versions(own, &candidate.version).is_lt())
            }
        };
        Ok((is_other && !self.is_below_own_pre_release(candidate)?).then_some(why))
    }

    /// Returns the lower releases that may be of the line of `to` itself, and the commits of its history where they were
    /// made: a release is in that history, or a commit beside it, as a branch for a release alone makes it.
    fn lower_releases(&self, tag: usize, parted_at: &[Oid]) -> (Vec<&str>, Vec<Oid>) {
        let lower = self.peeled.iter().zip(self.lineages).skip(tag + 1);
        let of_others = lower.filter(|(_, lineage)| !is_parted_at(lineage, parted_at));
        let placed = of_others.flat_map(|((release, commit), lineage)| {
            let places = match lineage {
                Lineage::Contained => std::slice::from_ref(commit),
                Lineage::Parted { at } => at.as_slice(),
            };
            places.iter().map(|place| (release.version.as_str(), *place))
        });
        placed.unzip()
    }

    /// Whether the history of `to` has a pre-release of a higher version than a candidate: the line of that one was left
    /// behind, however many series it has.
    fn is_below_own_pre_release(&self, candidate: &BaseCandidate) -> anyhow::Result<bool> {
        let above = self.tags.unreleased_pre_releases(&candidate.version).into_iter().map(|(tag, _)| tag);
        let mut commits = Vec::new();
        for tag in above {
            commits.extend(git::tags::peel(self.repo, tag)?);
        }
        Ok(!commits.is_empty() && git::lineage::contained(self.repo, self.to, &commits)?.contains(&true))
    }

    /// Whether the tag is of a line that merged a maintenance branch which ends at `to`: the branch's own last release,
    /// of a lower series and not the first of it, is on the line of first parents of `to` and not on that of the tag.
    fn is_merged_into(&self, tag: usize) -> anyhow::Result<bool> {
        let (candidate, commit) = &self.peeled[tag];
        let mut contained = self.peeled.iter().zip(self.lineages);
        let Some(((last, own), _)) = contained.find(|(_, lineage)| **lineage == Lineage::Contained) else {
            return Ok(false);
        };
        let (own_numbers, other) = (numbers(&last.version), numbers(&candidate.version));
        let is_maintained = own_numbers.split_last().is_some_and(|(patch, series)| {
            series.len() >= 2 && *patch > 0 && other.get(..series.len()).is_some_and(|other| series < other)
        });
        if !is_maintained {
            return Ok(false);
        }
        let place = git::lineage::place_on_first_parent_line(self.repo, self.to, *own)?;
        place.map_or(Ok(false), |place| {
            Ok(git::lineage::place_on_first_parent_line(self.repo, *commit, place)?.is_none())
        })
    }
}

fn is_parted_at(lineage: &Lineage, points: &[Oid]) -> bool {
    matches!(lineage, Lineage::Parted { at } if at == points)
}

/// Returns the numbers of a version, without those of its pre-release and build.
fn numbers(version: &str) -> Vec<u64> {
    version.split(['-', '+']).next().into_iter().flat_map(|text| text.split('.')).flat_map(str::parse).collect()
}
