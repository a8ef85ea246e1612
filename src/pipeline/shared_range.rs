//! The range that the packages of a repository share: each commit of it is read once, and its changed paths are looked
//! up once for all of them.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use super::{ChangelogRequest, LoadedConfig, entry_source, range_commits::RangeCommits, range_start, tags::Tags};
use crate::{
    changelog::{
        classification::Classification,
        classifier::{ClassifiedCommit, Retention},
        reverted::RevertedCommits,
    },
    config::{Config, EntrySource},
    git::{self, Repo},
    model::{Oid, OidMap, Parent, Range, Warning},
};

/// What packages share.
#[derive(Debug)]
pub(super) struct SharedHistory {
    /// The names of all tags, in ref order.
    pub(super) tags: Vec<String>,
    /// Nothing if the packages have no range in common that can be read, so that each reads its own.
    pub(super) range: Option<SharedRange>,
    /// What lists the commits, if the configuration leaves that to the history and it is not trailers.
    pub(super) source: Option<EntrySource>,
    /// The same in words.
    pub(super) source_remark: Option<String>,
}

impl SharedHistory {
    /// Reads what the packages of a configuration share.
    ///
    /// # Errors
    /// If the tags or the changed paths cannot be read.
    pub(super) fn read(
        repo: &Repo,
        settings: &LoadedConfig,
        (request, to): (&ChangelogRequest, Oid),
    ) -> anyhow::Result<Self> {
        let tags = git::tags::names(repo)?;
        let mut shared = Self { tags, range: None, source: None, source_remark: None };
        // The end of a shallow clone may lie in the ranges of some packages and not in those of others.
        if repo.asks_server() || repo.is_shallow() {
            return Ok(shared);
        }
        let range = Range { from: widest(repo, settings, &shared.tags, (request, to))?, to };
        let packages = packages(settings)?;
        let config = |settings: &LoadedConfig| Arc::clone(&packages.first().unwrap_or(settings).config);
        // What cannot be read is a failure of a package, which reports it.
        let walked = RangeCommits::walk(config(settings), repo, request, (range, Retention::Listed));
        let Ok((mut commits, warnings)) = walked else { return Ok(shared) };
        // One source of entries for all packages.
        let is_open = settings.config.source == EntrySource::Auto && !commits.commits.is_empty();
        if is_open
            && let Some((source, remark)) = entry_source::guess(repo, &settings.config, &commits, (request, range))
        {
            commits.judge_under(Arc::new(Config { source, ..Config::clone(&config(settings)) }));
            (shared.source, shared.source_remark) = (Some(source), remark);
        }
        let changed = changed(repo, &commits, &packages)?;
        shared.range = Some(SharedRange::new(range, commits, changed, warnings));
        Ok(shared)
    }
}

/// The widest range that any of the packages has, read for all of them.
#[derive(Debug)]
pub(super) struct SharedRange {
    range: Range,
    /// Every commit, as it is by itself.
    all: RangeCommits,
    places: OidMap<usize>,
    /// By the paths of a package, the places of the commits that may be listed and change one of them.
    changed: HashMap<Vec<String>, Vec<usize>>,
    /// The places of commits that take back one of the range, and of these.
    reverts: Vec<usize>,
    reverted: RevertedCommits,
    /// What there is to report of single commits.
    pub(super) warnings: Vec<Warning>,
}

/// What a package has of the shared range: the commits that may concern it.
pub(super) struct PackageRange {
    /// These commits, judged.
    pub(super) range: RangeCommits,
    /// Their places in the shared range.
    pub(super) places: Vec<usize>,
    /// How many commits the range has.
    pub(super) len: usize,
    /// Whether the history of the range has its start.
    pub(super) has_start: bool,
}

impl SharedRange {
    fn new(range: Range, all: RangeCommits, changed: HashMap<Vec<String>, Vec<usize>>, warnings: Vec<Warning>) -> Self {
        let places: OidMap<usize> = all.commits.iter().map(|judged| judged.id).zip(0..).collect();
        let reverts = reverts(&all.commits, &places);
        let reverted = all.reverted();
        Self { range, all, places, changed, reverts, reverted, warnings }
    }

    /// What a package has of it, if it has the package's range.
    pub(super) fn package(
        &self,
        (paths, trailer): (&[String], &str),
        range: Range,
        keep: Retention,
    ) -> Option<PackageRange> {
        if range.to != self.range.to || trailer != self.all.classifier.trailer || keep != Retention::Listed {
            return None;
        }
        let changed = self.changed.get(paths)?;
        let (older, has_start) = self.older(range.from)?;
        let is_newer = |place: &usize| older.as_ref().is_none_or(|older| !older[*place]);
        let own: BTreeSet<usize> = changed.iter().chain(&self.reverts).copied().filter(is_newer).collect();
        let places: Vec<usize> = own.into_iter().collect();
        let mut range = self.all.part(&places);
        let in_paths: Vec<bool> = places.iter().map(|place| changed.binary_search(place).is_ok()).collect();
        range.classifier.classify(&mut range.commits, &self.reverted, Some(&in_paths));
        let older = older.map_or(0, |older| older.into_iter().filter(|is_older| *is_older).count());
        Some(PackageRange { range, places, len: self.all.commits.len() - older, has_start })
    }

    /// The commits that are reachable from the start of a package's range, if there are any, and whether the history of
    /// the range has that start; nothing if the shared range does not reach as far as the package's.
    fn older(&self, from: Option<Oid>) -> Option<(Option<Vec<bool>>, bool)> {
        let Some(from) = from.filter(|from| Some(*from) != self.range.from) else {
            let is_contained = |start| start == self.range.to || self.all.parents.outside().contains(&start);
            return (from == self.range.from).then(|| (None, from.is_some_and(is_contained)));
        };
        let mut older = vec![false; self.all.commits.len()];
        let mut pending = vec![*self.places.get(&from)?];
        let mut is_after_start = self.range.from.is_none();
        while let Some(place) = pending.pop() {
            if std::mem::replace(&mut older[place], true) {
                continue;
            }
            for parent in self.all.parents.of(place) {
                match parent {
                    Parent::Inside(parent) => pending.push(parent),
                    Parent::Outside(parent) => is_after_start |= Some(parent) == self.range.from,
                }
            }
        }
        is_after_start.then_some((Some(older), true))
    }

    /// All commits, as each is by itself.
    pub(super) fn all(&self) -> &RangeCommits {
        &self.all
    }

    /// The places of the commits that are not reachable from the start of a package's range.
    pub(super) fn places(&self, from: Option<Oid>) -> Vec<usize> {
        let older = self.older(from).and_then(|(older, _)| older);
        (0..self.all.commits.len()).filter(|place| older.as_ref().is_none_or(|older| !older[*place])).collect()
    }
}

fn packages(settings: &LoadedConfig) -> anyhow::Result<Vec<LoadedConfig>> {
    settings.config.packages.keys().map(|name| settings.package(name)).collect()
}

/// Where a range starts that has those of nearly all packages in it: after the oldest of their base tags.
fn widest(
    repo: &Repo,
    settings: &LoadedConfig,
    tags: &[String],
    (request, to): (&ChangelogRequest, Oid),
) -> anyhow::Result<Option<Oid>> {
    let mut starts = BTreeSet::new();
    for package in packages(settings)? {
        starts.insert(start(repo, &package, tags, (request, to))?);
    }
    if starts.contains(&None) { Ok(None) } else { git::oldest(repo, starts.into_iter().flatten()) }
}

/// Where the range of a package will start, as far as that is known before the history is read.
fn start(
    repo: &Repo,
    package: &LoadedConfig,
    tags: &[String],
    (request, to): (&ChangelogRequest, Oid),
) -> anyhow::Result<Option<Oid>> {
    if request.range.first_release {
        return Ok(None);
    }
    if let Some(from) = &request.range.from {
        return git::revision::resolve(repo, from).map(Some);
    }
    let tags = Tags::among(tags, repo, &package.config)?;
    let base = match &request.version {
        None => range_start::highest(repo, &tags)?,
        version => range_start::find_base(repo, &tags, version.as_ref(), to)?,
    };
    Ok(base.map(|base| base.commit))
}

/// Finds the commits that change the paths of each package, among those that may be listed.
fn changed(
    repo: &Repo,
    commits: &RangeCommits,
    packages: &[LoadedConfig],
) -> anyhow::Result<HashMap<Vec<String>, Vec<usize>>> {
    let mut changed: HashMap<Vec<String>, Vec<usize>> = HashMap::new();
    let scopes: Vec<&[String]> = packages.iter().map(|package| package.config.paths.as_slice()).collect();
    let asked = commits.places(Classification::is_listed);
    let found = git::paths::changed_scopes(repo, commits.with_first_parents(&asked), scopes.iter().copied())?;
    changed.extend(scopes.iter().map(|paths| (paths.to_vec(), Vec::new())));
    for (place, numbers) in asked.iter().zip(found) {
        for number in numbers {
            // Packages of the same paths are one here.
            let places = changed.get_mut(scopes[number as usize]);
            places.into_iter().filter(|places| places.last() != Some(place)).for_each(|places| places.push(*place));
        }
    }
    let lists: Vec<&[String]> = changed.keys().map(Vec::as_slice).collect();
    let moved = commits.moved(repo, &lists)?;
    for (places, moved) in changed.values_mut().zip(moved).filter(|(_, moved)| !moved.is_empty()) {
        let others: Vec<usize> = asked.iter().copied().filter(|place| places.binary_search(place).is_err()).collect();
        places.extend(commits.changed_before_move(repo, &moved, &others)?);
        places.sort_unstable();
    }
    Ok(changed)
}

/// The places of commits that take back one of the range, and of these.
fn reverts(commits: &[ClassifiedCommit], places: &OidMap<usize>) -> Vec<usize> {
    let of_reverts = |judged: &&ClassifiedCommit| judged.reverts().is_some_and(|id| places.contains_key(&id));
    let pairs = commits.iter().filter(of_reverts).map(|judged| (judged.id, judged.reverts()));
    let ids = pairs.flat_map(|(id, reverted)| [Some(id), reverted]).flatten();
    ids.filter_map(|id| places.get(&id).copied()).collect()
}
