//! The last release of the line of history that a range ends on.

use std::collections::{HashMap, HashSet};

use super::{
    base_tag::{BaseTag, explain_broken, highest, peel_tags},
    numbers_went_back::last_of_history,
    tags::Tags,
};
use crate::{
    git::{
        self, Repo,
        lineage::{self, Lineage, is_on_first_parent_line, place_on_first_parent_line},
    },
    model::{Oid, Range, compare_versions, without_build},
    versions::tag_pattern::BaseCandidate,
};

/// Finds the last release of the line of history that `to` is on. Where the numbers went back, as those of a fork may, the
/// higher ones before that do not count.
pub(crate) fn last_release(repo: &Repo, tags: &Tags, to: Oid) -> anyhow::Result<Option<BaseTag>> {
    let Some(found) = last_of_line(repo, tags, to)? else { return Ok(None) };
    let last = if found.parted_at.is_some() { found.clone() } else { last_of_history(repo, tags, found.clone(), to)? };
    if last.tag == found.tag {
        return Ok(Some(last));
    }
    // A release branch may have left since.
    let above = tags.stable().into_iter().take_while(|candidate| candidate.tag != last.tag);
    let above = peel_tags(repo, above)?;
    let commits: Vec<Oid> = above.iter().map(|(_, commit)| *commit).collect();
    let is_before = lineage::contained(repo, last.commit, &commits)?;
    let outdated: HashSet<String> = above
        .into_iter()
        .zip(is_before)
        .filter(|((candidate, _), is_before)| *is_before || candidate.tag == found.tag)
        .map(|((candidate, _), _)| candidate.tag)
        .collect();
    let mut rest = tags.clone();
    rest.names.retain(|tag| !outdated.contains(tag));
    let later = last_release(repo, &rest, to)?.filter(|later| later.tag != last.tag);
    Ok(Some(match later {
        Some(later) => BaseTag { passed_over: later.passed_over.or(last.passed_over), ..later },
        None => last,
    }))
}

/// Finds the last release of the line of history that `to` is on, as if numbers only went up.
///
/// Tags are examined from the highest version down. One in the history of `to` is the base tag. The others are on
/// lines that parted from that history. A line with several series of versions is a trunk that went on after the
/// parting. A line with a single series is another release branch if the line of `to` has releases after the parting, all
/// of other, lower series, or if it merged the branch of `to`. Neither holds where the history of `to` has a pre-release
/// of a higher version. Where nothing but a release at the parting itself is of the line of `to`, the default branch
/// decides which of the two is a branch of the other. Any other line is a release branch of that of `to`, and its highest
/// tag is the base.
fn last_of_line(repo: &Repo, tags: &Tags, to: Oid) -> anyhow::Result<Option<BaseTag>> {
    let Some(first) = highest(repo, tags)? else { return Ok(None) };
    if lineage::lineage(repo, to, &[first.commit])? == [Lineage::Contained] {
        return Ok(Some(first));
    }
    let mut peeled = peel_tags(repo, tags.stable())?;
    // Several tags of one commit are one release, of which the highest version counts.
    let mut seen = HashSet::new();
    peeled.retain(|(_, commit)| seen.insert(*commit));
    let (peeled, lineages) = relevant_lineages(repo, to, peeled)?;
    let mut passed_over = first.passed_over;
    // Where other lines parted, with the highest tag of each.
    let mut closed: HashMap<&[Oid], Oid> = HashMap::new();
    for (index, lineage) in lineages.iter().enumerate() {
        let (candidate, commit) = &peeled[index];
        let reason = || format!("the highest {} of its line of {}", tags.release_word(), tags.count());
        match lineage {
            Lineage::Contained => {
                let passed_over = broken_above(repo, tags, candidate)?.or(passed_over);
                return Ok(Some(BaseTag { passed_over, ..BaseTag::new(candidate.clone(), *commit, reason()) }));
            }
            Lineage::Parted { at } if at.is_empty() => {}
            Lineage::Parted { at } if closed.contains_key(at.as_slice()) => {
                if merged_after_release(repo, *commit, at, closed[at.as_slice()])? {
                    let found = BaseTag::new(candidate.clone(), *commit, reason());
                    return Ok(Some(BaseTag { parted_at: Some(at.clone()), passed_over, ..found }));
                }
            }
            Lineage::Parted { at } => {
                let line = HistoryLine { repo, tags, to, peeled: &peeled, lineages: &lineages };
                match line.explain_other_line(index, at)? {
                    None => {
                        let found = BaseTag::new(candidate.clone(), *commit, reason());
                        return Ok(Some(BaseTag { parted_at: Some(at.clone()), passed_over, ..found }));
                    }
                    Some(why) => passed_over = passed_over.or(Some(why)),
                }
                closed.insert(at, *commit);
            }
        }
    }
    Ok(None)
}

/// Whether a release was made beside the line that it left at a commit, and another release merged that line up to the
/// same commit.
fn merged_after_release(repo: &Repo, release: Oid, at: &[Oid], other: Oid) -> anyhow::Result<bool> {
    let [place] = at else { return Ok(false) };
    Ok(lineage::is_beside(repo, release, *place)? && place_on_first_parent_line(repo, other, *place)?.is_none())
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
        lineage::lineage(repo, to, &commits)
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

/// The most commits of a line of which copies are looked for.
const LONGEST_REWRITTEN: usize = 1000;

/// All stable tags, highest first, and how they are related to the end of the range.
struct HistoryLine<'a> {
    repo: &'a Repo,
    tags: &'a Tags,
    to: Oid,
    peeled: &'a [(BaseCandidate, Oid)],
    lineages: &'a [Lineage],
}

impl HistoryLine<'_> {
    /// Returns why a tag does not count that is another build of a version in the history of `to`, or that follows such
    /// builds: where a release and a build of it were tagged, later builds are of that line too.
    fn other_build(&self, tag: usize) -> Option<String> {
        let number = |tag: usize| without_build(&self.peeled[tag].0.version);
        let build = |tag: usize| self.peeled[tag].0.version.split_once('+').map(|(_, build)| build);
        let contained = || (0..self.peeled.len()).filter(|other| self.lineages[*other] == Lineage::Contained);
        let name = |tag: usize| &self.peeled[tag].0.tag;
        if let Some(own) = contained().find(|own| number(*own) == number(tag)) {
            let (tag, own) = (name(tag), name(own));
            return Some(format!("`{tag}` is another build of the version of `{own}`, which is in this history"));
        }
        build(tag)?;
        let (other, own) = (tag + 1..self.peeled.len())
            .filter(|other| build(*other) == build(tag) && self.lineages[*other] != Lineage::Contained)
            .find_map(|other| Some((other, contained().find(|own| number(*own) == number(other))?)))?;
        let (tag, other, own) = (name(tag), name(other), name(own));
        Some(format!("`{tag}` is another build, as `{other}` is of `{own}`, which is in this history"))
    }

    /// Returns why the line of a tag is another one than that of `to`; `None` if it is a release branch of that.
    fn explain_other_line(&self, tag: usize, parted_at: &[Oid]) -> anyhow::Result<Option<String>> {
        if let Some(why) = self.other_build(tag) {
            return Ok(Some(why));
        }
        let candidate = &self.peeled[tag].0;
        if parted_at == [self.to] && self.is_later_on_default_branch(tag)? {
            return Ok(Some(format!("`{}` was released after this commit", candidate.tag)));
        }
        let (own, places) = self.lower_releases(tag, parted_at);
        // The last number counts the releases of a series. Four numbers make series of three only where our own releases
        // have the same first two: elsewhere they are of a release branch, such as 8.1.2.1 before 8.1.3.
        let beside = own.iter().find(|version| minor(version) == minor(&candidate.version));
        let longest = beside.map(|own| numbers(own).len().max(numbers(&candidate.version).len()));
        let shortest = if numbers(&candidate.version).len() == 2 && self.has_branches_of_two_numbers() { 1 } else { 2 };
        let len = longest.unwrap_or_default().saturating_sub(1).max(shortest);
        let series_of = |version: &str| -> Vec<u64> { numbers(version).into_iter().take(len).collect() };
        let of_line = self.peeled.iter().zip(self.lineages).filter(|(_, lineage)| is_parted_at(lineage, parted_at));
        let series: HashSet<_> = of_line.map(|((candidate, _), _)| series_of(&candidate.version)).collect();
        let at = parted_at.iter().map(Oid::short).collect::<Vec<_>>().join(", ");
        let why = format!("`{}` is on another line of history, which diverged at {at}", candidate.tag);
        let is_other = if series.len() > 1 {
            true
        } else {
            let is_after = lineage::at_or_after(self.repo, parted_at, self.to, &places)?;
            let ours = own.into_iter().zip(places).zip(is_after).filter(|(_, after)| *after).map(|(own, _)| own);
            let ours: Vec<(&str, Oid)> = ours.collect();
            if ours.is_empty() {
                self.is_merged_into(tag)?
            } else {
                let is_lower =
                    |own: &str| !series.contains(&series_of(own)) && compare_versions(own, &candidate.version).is_lt();
                let is_of_both = ours.iter().all(|(_, place)| parted_at.contains(place));
                ours.iter().all(|(own, _)| is_lower(own))
                    && !(is_of_both && (self.left_default_branch(tag)? || self.is_rewritten(tag)?))
            }
        };
        Ok((is_other && !self.is_below_own_pre_release(candidate)?).then_some(why))
    }

    /// Whether the second of two numbers counts the releases of a series: several lines have several releases each, all with
    /// the same first number, and every line another one.
    fn has_branches_of_two_numbers(&self) -> bool {
        let mut lines: HashMap<&[Oid], (HashSet<u64>, usize)> = HashMap::new();
        for ((release, _), lineage) in self.peeled.iter().zip(self.lineages) {
            if let (Lineage::Parted { at }, [first, _]) = (lineage, &numbers(&release.version)[..]) {
                let (series, count) = lines.entry(at).or_default();
                series.insert(*first);
                *count += 1;
            }
        }
        let branches = lines.values().filter(|(series, count)| *count > 1 && series.len() == 1);
        branches.flat_map(|(series, _)| series).collect::<HashSet<_>>().len() > 1
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

    /// Whether the line of a tag left the default branch, which `to` is on.
    fn left_default_branch(&self, tag: usize) -> anyhow::Result<bool> {
        let Some(branch) = git::revision::default_branch(self.repo) else { return Ok(false) };
        Ok(is_on_first_parent_line(self.repo, branch, self.to)?
            && !lineage::contained(self.repo, branch, &[self.peeled[tag].1])?[0])
    }

    /// Whether every commit of the line of a tag has a copy in the history of `to`: that is the same line, rewritten.
    fn is_rewritten(&self, tag: usize) -> anyhow::Result<bool> {
        let end = self.peeled[tag].1;
        let (line, _) = lineage::between(self.repo, self.to, end)?;
        if line.len() > LONGEST_REWRITTEN {
            return Ok(false);
        }
        let range = Range { from: Some(self.to), to: end };
        let copies = git::cherry_picks::copied_in(self.repo, range, &line, &[self.to], None)?;
        Ok(copies.iter().all(Option::is_some))
    }

    /// Whether a tag that descends from `to` is on the default branch, as `to` is.
    fn is_later_on_default_branch(&self, tag: usize) -> anyhow::Result<bool> {
        let Some(branch) = git::revision::default_branch(self.repo) else { return Ok(false) };
        Ok(is_on_first_parent_line(self.repo, branch, self.peeled[tag].1)?
            && is_on_first_parent_line(self.repo, branch, self.to)?)
    }

    /// Whether the history of `to` has a pre-release of a higher version than a candidate: the line of that one was left
    /// behind, however many series it has.
    fn is_below_own_pre_release(&self, candidate: &BaseCandidate) -> anyhow::Result<bool> {
        let above = self.tags.unreleased_pre_releases(&candidate.version);
        let names: Vec<&str> = above.iter().map(|(tag, _)| *tag).collect();
        let commits: Vec<Oid> = git::tags::peel_all(self.repo, &names)?.into_iter().flatten().collect();
        Ok(!commits.is_empty() && lineage::contained(self.repo, self.to, &commits)?.contains(&true))
    }

    /// Whether the tag is of a line that merged a maintenance branch which ends at `to`: the branch's own last release,
    /// of a lower series and not the first of it, is on the line of first parents of `to`, or was made beside it, and that
    /// place is not on the line of the tag.
    fn is_merged_into(&self, tag: usize) -> anyhow::Result<bool> {
        let Some((last, own)) = self.last_own_release(tag)? else { return Ok(false) };
        if !self.is_maintained_below(tag, last) {
            return Ok(false);
        }
        let place = place_on_first_parent_line(self.repo, self.to, own)?;
        place.map_or(Ok(false), |place| Ok(place_on_first_parent_line(self.repo, self.peeled[tag].1, place)?.is_none()))
    }

    /// Whether a release is not the first of a series that is lower than that of a tag.
    fn is_maintained_below(&self, tag: usize, release: &BaseCandidate) -> bool {
        let (own, other) = (numbers(&release.version), numbers(&self.peeled[tag].0.version));
        own.split_last().is_some_and(|(patch, series)| {
            series.len() >= 2 && *patch > 0 && other.get(..series.len()).is_some_and(|other| series < other)
        })
    }

    /// Finds the highest lower release that is in the history of `to`, or was made beside a commit of it as one of a
    /// maintenance branch, and returns it with that commit; `None` if the line of the tag has a higher one of that kind: its
    /// releases merge a branch of development.
    fn last_own_release(&self, tag: usize) -> anyhow::Result<Option<(&BaseCandidate, Oid)>> {
        for ((release, commit), lineage) in self.peeled.iter().zip(self.lineages).skip(tag + 1) {
            match lineage {
                Lineage::Contained => return Ok(Some((release, *commit))),
                Lineage::Parted { at } => {
                    // One of the same minor version is of the line of the tag itself.
                    let [place] = at[..] else { continue };
                    if minor(&release.version) == minor(&self.peeled[tag].0.version)
                        || !self.is_maintained_below(tag, release)
                    {
                        continue;
                    }
                    if lineage::is_beside(self.repo, *commit, place)? {
                        return Ok(Some((release, place)));
                    }
                    if is_on_first_parent_line(self.repo, self.peeled[tag].1, *commit)? {
                        return Ok(None);
                    }
                }
            }
        }
        Ok(None)
    }
}

fn is_parted_at(lineage: &Lineage, points: &[Oid]) -> bool {
    matches!(lineage, Lineage::Parted { at } if at == points)
}

/// Returns the first two numbers of a version.
fn minor(version: &str) -> Vec<u64> {
    numbers(version).into_iter().take(2).collect()
}

/// Returns the numbers of a version, without those of its pre-release and build.
fn numbers(version: &str) -> Vec<u64> {
    version.split(['-', '+']).next().into_iter().flat_map(|text| text.split('.')).flat_map(str::parse).collect()
}
