//! The range that the packages of a repository share, and the part of it that concerns each package.

use std::{
    cell::LazyCell,
    collections::{BTreeSet, HashMap},
};

use super::range_commits::RangeCommits;
use crate::{
    git::{Repo, paths::MovedDirectory},
    model::{Oid, OidMap, Parent, Range, Warning},
    sources::{
        classified_commit::{Classification, ClassifiedCommit},
        reverted::RevertedCommits,
    },
};

/// The paths of a package, and the start of its range.
type PathsAfter = (Vec<String>, Option<Oid>);

/// The widest range that any of the packages has, read for all of them.
#[derive(Debug)]
pub(crate) struct SharedRange {
    range: Range,
    /// Every commit, classified by itself.
    pub(crate) all: RangeCommits,
    indices: OidMap<usize>,
    /// By the paths of a package, the indexes of the commits that may be listed and change one of the paths.
    changed: HashMap<Vec<String>, Vec<usize>>,
    /// The indexes of further commits of a package, which change one of its paths under its name before a move in its
    /// range.
    before_move: HashMap<PathsAfter, Vec<usize>>,
    /// The indexes of the commits that revert one of the range, and of the reverted ones.
    reverts: Vec<usize>,
    reverted: RevertedCommits,
    /// The source of entries in words, if the history decided it and it is not trailers.
    pub(crate) source_remark: Option<String>,
    /// Warnings about single commits.
    pub(crate) warnings: Vec<Warning>,
}

/// The part of the shared range that may concern a package.
pub(crate) struct PackageRange {
    /// The commits, classified.
    pub(crate) range: RangeCommits,
    /// The indexes of the commits in the shared range.
    pub(crate) indices: Vec<usize>,
    /// The number of commits in the package's range.
    pub(crate) len: usize,
    /// Whether the start of the package's range is in the history of its end.
    pub(crate) has_start: bool,
}

impl SharedRange {
    pub(crate) fn new(range: Range, all: RangeCommits, changed: HashMap<Vec<String>, Vec<usize>>) -> Self {
        let indices: OidMap<usize> = all.commits.iter().map(|classified| classified.id).zip(0..).collect();
        let reverts = reverts(&all.commits, &indices);
        let reverted = all.reverted_commits();
        let (before_move, source_remark, warnings) = (HashMap::new(), None, Vec::new());
        Self { range, all, indices, changed, before_move, reverts, reverted, source_remark, warnings }
    }

    /// Finds, for each package's paths and range, the commits that change the paths under names from before a move.
    pub(crate) fn follow_moves<'a>(
        &mut self,
        repo: &Repo,
        packages: impl Iterator<Item = (&'a [String], Option<Oid>)>,
    ) -> anyhow::Result<()> {
        if !self.all.commits.iter().any(|classified| classified.classification.is_listed()) {
            // No commit has to be found.
            let keys = packages.map(|(paths, start)| (paths.to_vec(), start));
            self.before_move = keys.map(|key| (key, Vec::new())).collect();
            return Ok(());
        }
        let mut by_start: HashMap<Option<Oid>, BTreeSet<&[String]>> = HashMap::new();
        for (paths, start) in packages {
            by_start.entry(start).or_default().insert(paths);
        }
        let line = self.all.first_parent_line();
        let mut moves = Vec::new();
        for (start, lists) in by_start {
            let lists: Vec<&[String]> = lists.into_iter().collect();
            let found = MovedDirectory::find(repo, &line[..self.length_after(&line, start)], &lists)?;
            let keys = lists.into_iter().map(|paths| (paths.to_vec(), start));
            moves.extend(keys.zip(found));
        }
        self.before_move = self.find_before_moves(repo, &moves)?;
        Ok(())
    }

    /// Returns for each package the indexes of the commits that change one of its directories under its name before one
    /// of these moves. The trees of a commit are compared once for all packages.
    fn find_before_moves(
        &self,
        repo: &Repo,
        moves: &[(PathsAfter, Vec<MovedDirectory>)],
    ) -> anyhow::Result<HashMap<PathsAfter, Vec<usize>>> {
        let all: Vec<&MovedDirectory> = moves.iter().flat_map(|(_, moved)| moved).collect();
        let asked = if all.is_empty() { Vec::new() } else { self.all.indices(Classification::is_listed) };
        let pairs: Vec<_> = self.all.with_first_parents(&asked).collect();
        let found = MovedDirectory::find_changes(repo, &all, &pairs)?;
        let (mut by_package, mut first) = (HashMap::new(), 0);
        for (package, moved) in moves {
            let own = first..first + moved.len();
            first = own.end;
            let indices = asked
                .iter()
                .zip(&found)
                .filter(|(_, numbers)| numbers.iter().any(|number| own.contains(&(*number as usize))))
                .map(|(index, _)| *index);
            by_package.insert(package.clone(), indices.collect());
        }
        Ok(by_package)
    }

    /// Returns how many commits of the line of first parents are in the range after `start`, plus one outside.
    fn length_after(&self, line: &[Oid], start: Option<Oid>) -> usize {
        // If the start is on the line, the commits above it are not reachable from it.
        let at = start.and_then(|start| line.iter().position(|commit| *commit == start));
        at.or_else(|| {
            let older = self.find_older(start)?.0?;
            line.iter().position(|commit| self.indices.get(commit).is_some_and(|index| older[*index]))
        })
        .map_or(line.len(), |last| last + 1)
    }

    /// Returns the commits that may concern a package; `None` if the shared range does not contain the package's range.
    pub(crate) fn package(
        &self,
        repo: &Repo,
        paths: &[String],
        trailer: &str,
        range: Range,
    ) -> anyhow::Result<Option<PackageRange>> {
        if range.to != self.range.to || trailer != self.all.classifier.trailer {
            return Ok(None);
        }
        let (Some(changed), Some((older, has_start))) = (self.changed.get(paths), self.find_older(range.from)) else {
            return Ok(None);
        };
        let key = (paths.to_vec(), range.from);
        let moved = if let Some(known) = self.before_move.get(&key) {
            known.clone()
        } else {
            let line = self.all.first_parent_line();
            let found = MovedDirectory::find(repo, &line[..self.length_after(&line, range.from)], &[paths])?;
            self.find_before_moves(repo, &[(key.clone(), found.concat())])?.remove(&key).unwrap_or_default()
        };
        let changed: BTreeSet<usize> = changed.iter().chain(&moved).copied().collect();
        let is_newer = |index: &usize| older.as_ref().is_none_or(|older| !older[*index]);
        let own: BTreeSet<usize> = changed.iter().chain(&self.reverts).copied().filter(is_newer).collect();
        let indices: Vec<usize> = own.into_iter().collect();
        let mut range = self.all.part(&indices);
        let in_paths: Vec<bool> = indices.iter().map(|index| changed.contains(index)).collect();
        range.classifier.classify(&mut range.commits, &self.reverted, Some(&in_paths));
        let older = older.map_or(0, |older| older.into_iter().filter(|is_older| *is_older).count());
        Ok(Some(PackageRange { range, indices, len: self.all.commits.len() - older, has_start }))
    }

    /// Returns which commits are reachable from the start of a package's range (`None` if none are), and whether the
    /// start is in the history of the end; `None` if the package's range reaches further back than the shared one.
    fn find_older(&self, from: Option<Oid>) -> Option<(Option<Vec<bool>>, bool)> {
        let Some(from) = from.filter(|from| Some(*from) != self.range.from) else {
            return (from == self.range.from).then(|| {
                (None, from.is_some_and(|start| start == self.range.to || self.all.parents.outside().contains(&start)))
            });
        };
        let mut older = vec![false; self.all.commits.len()];
        let mut is_after_start = self.range.from.is_none();
        let is_start = |parent: Parent| matches!(parent, Parent::Outside(id) if Some(id) == self.range.from);
        self.all.parents.visit([*self.indices.get(&from)?], |index| {
            let is_new = !std::mem::replace(&mut older[index], true);
            is_after_start |= is_new && self.all.parents.of(index).any(is_start);
            is_new
        });
        is_after_start.then_some((Some(older), true))
    }

    /// Returns what finds the index of a commit that is not reachable from the start of a package's range.
    pub(crate) fn index_after(&self, start: Oid) -> impl Fn(&Oid) -> Option<usize> {
        let older = LazyCell::new(move || self.find_older(Some(start)).and_then(|(older, _)| older));
        move |commit| {
            let index = *self.indices.get(commit)?;
            older.as_ref().is_none_or(|older| !older[index]).then_some(index)
        }
    }

    /// Returns a commit as the parent that it is to others of this range.
    pub(crate) fn parent(&self, commit: Oid) -> Parent {
        self.indices.get(&commit).map_or(Parent::Outside(commit), |index| Parent::Inside(*index))
    }

    /// Returns the indexes of the commits that are not reachable from the start of a package's range.
    pub(crate) fn indices(&self, from: Option<Oid>) -> Vec<usize> {
        let older = self.find_older(from).and_then(|(older, _)| older);
        (0..self.all.commits.len()).filter(|index| older.as_ref().is_none_or(|older| !older[*index])).collect()
    }
}

/// Returns the indexes of the commits that revert one of the range, and of the reverted ones.
fn reverts(commits: &[ClassifiedCommit], indices: &OidMap<usize>) -> Vec<usize> {
    let pairs = commits
        .iter()
        .filter(|classified| classified.mentions().reverts.is_some_and(|id| indices.contains_key(&id)))
        .map(|classified| (classified.id, classified.mentions().reverts));
    let ids = pairs.flat_map(|(id, reverted)| [Some(id), reverted]).flatten();
    ids.filter_map(|id| indices.get(&id).copied()).collect()
}
