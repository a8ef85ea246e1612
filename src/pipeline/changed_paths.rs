//! Which commits of a range change the paths of a section, also under the names that directories had before a move.

use std::{collections::BTreeSet, sync::Arc};

use super::range_commits::RangeCommits;
use crate::{
    changelog::{classified_commit::Classification, classifier::Retention, reverted::RevertedCommits},
    git::{self, Repo, paths::MovedDirectory},
    model::Oid,
};

impl RangeCommits {
    /// The IDs of the commits at some places, each with that of its first parent.
    pub(super) fn with_first_parents<'a>(
        &'a self,
        places: &'a [usize],
    ) -> impl Iterator<Item = (Oid, Option<Oid>)> + 'a {
        let id = |place: usize| self.commits[place].id;
        places.iter().map(move |place| (id(*place), self.parents.first(*place).map(|parent| parent.id(id))))
    }

    /// A line of first parents from the newest commit down, and the first one outside.
    pub(super) fn first_parent_line(&self) -> Vec<Oid> {
        let mut line: Vec<Oid> = self.commits.first().map(|newest| newest.id).into_iter().collect();
        let mut parent = if line.is_empty() { None } else { self.parents.first(0) };
        while let Some(next) = parent {
            line.push(next.id(|place| self.commits[place].id));
            parent = next.index().and_then(|place| self.parents.first(place));
        }
        line
    }

    /// The commits at some places that change one of these directories before it was moved.
    pub(super) fn changed_before_move(
        &self,
        repo: &Repo,
        moved: &[MovedDirectory],
        places: &[usize],
    ) -> anyhow::Result<BTreeSet<usize>> {
        let mut changed = BTreeSet::new();
        let pairs: Vec<_> = self.with_first_parents(places).collect();
        for moved in moved {
            let found = places.iter().zip(moved.changed(repo, &pairs)?);
            changed.extend(found.filter(|(_, is_changed)| *is_changed).map(|(place, _)| *place));
        }
        Ok(changed)
    }

    /// Judges the commits by each other and by paths. Trees are compared for commits that would be listed; for the others
    /// only if nothing is, or all are kept, so that it matters why.
    pub(super) fn judge_by_paths(&mut self, repo: &Repo, reverted: &RevertedCommits) -> anyhow::Result<()> {
        let config = Arc::clone(&self.classifier.config);
        let (paths, keeps_all) = (config.paths.as_slice(), self.classifier.keep == Retention::All);
        let mut in_paths = vec![true; self.commits.len()];
        let asked = self.places(|verdict| keeps_all || verdict.is_listed());
        for (place, is_changed) in self.changed(repo, asked, paths)? {
            in_paths[place] = is_changed;
        }
        self.classifier.classify(&mut self.commits, reverted, Some(&in_paths));
        if keeps_all || self.commits.iter().any(|judged| judged.verdict.is_listed()) {
            return Ok(());
        }
        let is_open =
            |verdict: &Classification| !matches!(verdict, Classification::OutsidePaths | Classification::RevertedBy(_));
        for (place, _) in
            self.changed(repo, self.places(is_open), paths)?.into_iter().filter(|(_, is_changed)| !is_changed)
        {
            self.commits[place].verdict = Classification::OutsidePaths;
        }
        Ok(())
    }

    /// Whether each of the commits at some places changes these paths.
    pub(super) fn changed(
        &self,
        repo: &Repo,
        asked: Vec<usize>,
        paths: &[String],
    ) -> anyhow::Result<Vec<(usize, bool)>> {
        let changed = git::paths::changed(repo, self.with_first_parents(&asked), paths)?;
        let mut found: Vec<_> = asked.into_iter().zip(changed).collect();
        let others: Vec<usize> = found.iter().filter(|(_, is_changed)| !is_changed).map(|(place, _)| *place).collect();
        if !others.is_empty() {
            let moved = MovedDirectory::find(repo, &self.first_parent_line(), &[paths])?.concat();
            let moved = self.changed_before_move(repo, &moved, &others)?;
            for (place, is_changed) in &mut found {
                *is_changed |= moved.contains(place);
            }
        }
        Ok(found)
    }
}
