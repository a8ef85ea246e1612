//! The commits of a range. Each is read once and classified by itself, then together with the others and by the paths
//! it changes, also under the names that directories had before a move.

use std::{collections::BTreeSet, sync::Arc};

use crate::{
    config::Config,
    git::{self, MapCommit, Repo, WalkOptions, notes::Notes, paths::MovedDirectory},
    model::{Commit, CommitRef, Oid, Parents, Range, Warning},
    parallel,
    sources::{
        auto::{SourceCounts, TrailerUse, is_of_person},
        classified_commit::{Classification, ClassifiedCommit},
        classifier::{Classifier, Retention, SeenCommits},
        merge_request_reference::MergeRequestReference,
        merge_requests::MergeRequests,
        reverted::RevertedCommits,
    },
};

/// The commits of a range, and what their classification needs.
#[derive(Debug)]
pub(crate) struct RangeCommits {
    pub(crate) classifier: Arc<Classifier>,
    /// Newest first.
    pub(crate) commits: Vec<ClassifiedCommit>,
    pub(crate) parents: Parents,
    requests: MergeRequests,
    pub(crate) notes: Arc<Notes>,
}

impl RangeCommits {
    /// Walks a range and classifies each commit by itself; also returns the warnings about single commits.
    pub(crate) fn walk(
        repo: &Repo,
        range: Range,
        options: &WalkOptions,
        classifier: Classifier,
        notes: Notes,
    ) -> anyhow::Result<(Self, Vec<Warning>)> {
        let (classifier, notes) = (Arc::new(classifier), Arc::new(notes));
        let reading = commit_mapper(&classifier, &notes);
        let found = git::walk_with(repo, range, options, &reading)?;
        let git::WalkResult { commits, parents, mut warnings } = found;
        warnings.extend(notes.warnings());
        Ok((Self { classifier, commits, parents, requests: MergeRequests::default(), notes }, warnings))
    }

    /// Reads the newest commits in the history of `tip`, if there is one, until there are enough of people, at most a
    /// number of commits, or until one cannot be read. All are kept.
    pub(crate) fn newest(classifier: Classifier, repo: &Repo, tip: Option<Oid>, people: usize, most: usize) -> Self {
        // Each commit is read as if it was the only one, since what depends on others is asked of all.
        let read = |commit: CommitRef<'_>| classifier.read(&commit, &SeenCommits::default());
        let (mut found, mut of_people) = (0, 0);
        let is_enough = |classified: &ClassifiedCommit| {
            found += 1;
            of_people += usize::from(is_of_person(classified));
            of_people == people || found == most
        };
        let (commits, parents) = tip.map(|tip| git::newest(repo, tip, read, is_enough)).unwrap_or_default();
        Self {
            classifier: Arc::new(classifier),
            commits,
            parents,
            requests: MergeRequests::default(),
            notes: Arc::default(),
        }
    }

    /// Counts what the newest commits show about the source of entries; all were kept.
    pub(crate) fn counts(&self) -> SourceCounts {
        SourceCounts::count(&self.commits, &self.merge_requests())
    }

    /// Counts the commits with the trailer.
    pub(crate) fn trailers(&self) -> TrailerUse {
        let counted = self.commits.iter().filter(|commit| commit.has_trailer || !commit.is_merge);
        counted.map(|commit| commit.has_trailer).collect()
    }

    /// Returns the commits at some indexes, without their parents.
    pub(super) fn part(&self, indices: &[usize]) -> Self {
        Self {
            classifier: Arc::clone(&self.classifier),
            commits: indices.iter().map(|index| self.commits[*index].clone()).collect(),
            parents: Parents::default(),
            requests: MergeRequests::default(),
            notes: Arc::clone(&self.notes),
        }
    }

    /// Classifies each commit by itself again, under a configuration that has a source of entries. Every commit was
    /// kept until then.
    pub(crate) fn classify_under(&mut self, config: Arc<Config>) {
        let Classifier { trailer, forge, keep, .. } = &*self.classifier;
        let classifier = Classifier::new(trailer, config, *forge, *keep);
        parallel::for_each(&mut self.commits, |classified| classifier.read_again(classified));
        (self.classifier, self.requests) = (Arc::new(classifier), MergeRequests::default());
    }

    pub(crate) fn indices(&self, is_asked: impl Fn(&Classification) -> bool) -> Vec<usize> {
        (0..self.commits.len()).filter(|index| is_asked(&self.commits[*index].classification)).collect()
    }

    pub(super) fn reverted_commits(&self) -> RevertedCommits {
        RevertedCommits::find(&self.commits, &self.parents, &self.requests)
    }

    pub(crate) fn merge_request(&self, index: usize) -> Option<&MergeRequestReference> {
        self.requests.of(index, &self.commits, &self.parents)
    }

    pub(crate) fn merge_requests(&self) -> Vec<Option<&MergeRequestReference>> {
        self.requests.all(&self.commits, &self.parents)
    }

    /// Returns the IDs of the commits at some indexes, each with the ID of its first parent.
    pub(crate) fn with_first_parents<'a>(
        &'a self,
        indices: &'a [usize],
    ) -> impl Iterator<Item = (Oid, Option<Oid>)> + 'a {
        let id = |index: usize| self.commits[index].id;
        indices.iter().map(move |index| (id(*index), self.parents.first(*index).map(|parent| parent.id(id))))
    }

    /// Returns the line of first parents from the newest commit down to the first one outside of the range.
    pub(super) fn first_parent_line(&self) -> Vec<Oid> {
        let mut line: Vec<Oid> = self.commits.first().map(|newest| newest.id).into_iter().collect();
        let mut parent = if line.is_empty() { None } else { self.parents.first(0) };
        while let Some(next) = parent {
            line.push(next.id(|index| self.commits[index].id));
            parent = next.index().and_then(|index| self.parents.first(index));
        }
        line
    }

    /// Returns the indexes of those commits that change one of these directories under its name before a move.
    pub(super) fn changed_before_move(
        &self,
        repo: &Repo,
        moved: &[MovedDirectory],
        indices: &[usize],
    ) -> anyhow::Result<BTreeSet<usize>> {
        let pairs: Vec<_> = self.with_first_parents(indices).collect();
        let found = MovedDirectory::find_changes(repo, &moved.iter().collect::<Vec<_>>(), &pairs)?;
        Ok(indices.iter().zip(found).filter(|(_, moves)| !moves.is_empty()).map(|(index, _)| *index).collect())
    }

    /// Classifies the commits together, and by the paths of the configuration. Trees are compared for commits that would be
    /// listed; for the others only if no commit is listed, or all are kept, because then the reason matters.
    pub(crate) fn classify_together(&mut self, repo: &Repo) -> anyhow::Result<()> {
        let (reverted, config) = (self.reverted_commits(), Arc::clone(&self.classifier.config));
        let (paths, keeps_all) = (config.paths.as_slice(), self.classifier.keep != Retention::Listed);
        if paths.is_empty() {
            self.classifier.classify(&mut self.commits, &reverted, None);
            return Ok(());
        }
        let mut in_paths = vec![true; self.commits.len()];
        let asked = self.indices(|classification| keeps_all || classification.is_listed());
        for (index, is_changed) in self.find_changes(repo, asked, paths)? {
            in_paths[index] = is_changed;
        }
        self.classifier.classify(&mut self.commits, &reverted, Some(&in_paths));
        if keeps_all || self.commits.iter().any(|classified| classified.classification.is_listed()) {
            return Ok(());
        }
        let is_open = |classification: &Classification| {
            !matches!(classification, Classification::OutsidePaths | Classification::RevertedBy(_))
        };
        for (index, _) in
            self.find_changes(repo, self.indices(is_open), paths)?.into_iter().filter(|(_, is_changed)| !is_changed)
        {
            self.commits[index].classification = Classification::OutsidePaths;
        }
        Ok(())
    }

    /// Returns for each of the commits at some indexes whether it changes one of these paths.
    pub(crate) fn find_changes(
        &self,
        repo: &Repo,
        asked: Vec<usize>,
        paths: &[String],
    ) -> anyhow::Result<Vec<(usize, bool)>> {
        let changed = git::paths::find_changes(repo, self.with_first_parents(&asked), paths)?;
        let mut found: Vec<_> = asked.into_iter().zip(changed).collect();
        let others: Vec<usize> = found.iter().filter(|(_, is_changed)| !is_changed).map(|(index, _)| *index).collect();
        if !others.is_empty() {
            let moved = MovedDirectory::find(repo, &self.first_parent_line(), &[paths])?.concat();
            let moved = self.changed_before_move(repo, &moved, &others)?;
            for (index, is_changed) in &mut found {
                *is_changed |= moved.contains(index);
            }
        }
        Ok(found)
    }
}

/// Returns the function that reads the commits of a walk for a classifier; a note replaces the message of its commit.
fn commit_mapper(classifier: &Arc<Classifier>, notes: &Arc<Notes>) -> MapCommit<ClassifiedCommit> {
    let (classifier, notes, seen) = (Arc::clone(classifier), Arc::clone(notes), SeenCommits::default());
    Arc::new(move || {
        let (classifier, notes, seen) = (Arc::clone(&classifier), Arc::clone(&notes), seen.clone());
        Box::new(move |commit| match notes.of(commit.id) {
            Some(note) => classifier.read(&note.correct(&commit), &seen).into_noted(),
            None => classifier.read(&commit, &seen),
        })
    })
}

/// Returns the function that reads commits whole, as the classifier saw them: corrected by notes and replacements.
pub(crate) fn corrected_commits(classifier: &Arc<Classifier>, notes: &Arc<Notes>) -> MapCommit<Commit> {
    let (classifier, notes) = (Arc::clone(classifier), Arc::clone(notes));
    Arc::new(move || {
        let (classifier, notes) = (Arc::clone(&classifier), Arc::clone(&notes));
        Box::new(move |commit| {
            let note = notes.of(commit.id);
            let commit = note.as_ref().map_or_else(|| commit.clone(), |note| note.correct(&commit));
            classifier.replace_title(&commit).unwrap_or(commit).to_shared()
        })
    })
}
