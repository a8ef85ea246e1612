//! The commits of a range: each read once, judged by itself, and at last by the others.

use std::sync::Arc;

use super::request::ChangelogRequest;
use crate::{
    changelog::{
        classified_commit::{Classification, ClassifiedCommit},
        classifier::{Classifier, Retention, SeenCommits},
        merge_request_reference::MergeRequestReference,
        merge_requests::MergeRequests,
        reverted::RevertedCommits,
    },
    config::Config,
    git::{self, MapCommit, Repo},
    model::{Parents, Range, Warning},
    parallel,
};

/// The commits of a range, and what they are judged by.
#[derive(Debug)]
pub(super) struct RangeCommits {
    pub(super) classifier: Arc<Classifier>,
    /// Newest first.
    pub(super) commits: Vec<ClassifiedCommit>,
    /// The parents of each.
    pub(super) parents: Parents,
    requests: MergeRequests,
}

impl RangeCommits {
    /// Walks a range and judges each commit by itself; gives what there is to report of single commits as well.
    pub(super) fn walk(
        config: Arc<Config>,
        repo: &Repo,
        request: &ChangelogRequest,
        (range, keep): (Range, Retention),
    ) -> anyhow::Result<(Self, Vec<Warning>)> {
        let forge = request.project(repo, &config).forge();
        let classifier = Arc::new(Classifier::new(&request.trailer, config, forge, keep));
        let reading = reading(&classifier, repo, request)?;
        let found = git::walk_with(repo, range, &request.range.walk_options(), &reading)?;
        let git::WalkResult { commits, parents, warnings } = found;
        Ok((Self { classifier, commits, parents, requests: MergeRequests::default() }, warnings))
    }

    /// The commits at some places, without their parents.
    pub(super) fn part(&self, places: &[usize]) -> Self {
        Self {
            classifier: Arc::clone(&self.classifier),
            commits: places.iter().map(|place| self.commits[*place].clone()).collect(),
            parents: Parents::default(),
            requests: MergeRequests::default(),
        }
    }

    /// Judges each commit by itself again, under a configuration that says what lists them: while that was open, they
    /// were kept.
    pub(super) fn judge_under(&mut self, config: Arc<Config>) {
        let Classifier { trailer, forge, keep, .. } = &*self.classifier;
        let classifier = Classifier::new(trailer, config, *forge, *keep);
        parallel::for_each(&mut self.commits, |judged| classifier.read_again(judged));
        (self.classifier, self.requests) = (Arc::new(classifier), MergeRequests::default());
    }

    /// Judges the commits by each other and by the paths of the configuration.
    pub(super) fn judge_together(&mut self, repo: &Repo) -> anyhow::Result<()> {
        let reverted = self.reverted();
        if !self.classifier.config.paths.is_empty() {
            return self.judge_by_paths(repo, &reverted);
        }
        self.classifier.classify(&mut self.commits, &reverted, None);
        Ok(())
    }

    /// The places of the commits with such a verdict.
    pub(super) fn places(&self, is_asked: impl Fn(&Classification) -> bool) -> Vec<usize> {
        (0..self.commits.len()).filter(|place| is_asked(&self.commits[*place].verdict)).collect()
    }

    /// What is taken back.
    pub(super) fn reverted(&self) -> RevertedCommits {
        RevertedCommits::find(&self.commits, &self.parents, &self.requests)
    }

    /// The merge request of the commit at a place.
    pub(super) fn merge_request(&self, place: usize) -> Option<&MergeRequestReference> {
        self.requests.of(place, &self.commits, &self.parents)
    }

    /// The merge request of each commit.
    pub(super) fn merge_requests(&self) -> Vec<Option<&MergeRequestReference>> {
        self.requests.all(&self.commits, &self.parents)
    }
}

/// How a walk reads commits for a classifier: a note replaces the message of its commit.
fn reading(
    classifier: &Arc<Classifier>,
    repo: &Repo,
    request: &ChangelogRequest,
) -> anyhow::Result<MapCommit<ClassifiedCommit>> {
    let notes = Arc::new(request.notes(repo)?);
    let classifier = Arc::clone(classifier);
    Ok(Arc::new(move || {
        let (classifier, notes, mut seen) = (Arc::clone(&classifier), Arc::clone(&notes), SeenCommits::default());
        Box::new(move |commit| match notes.correct(&commit) {
            Some(corrected) => classifier.read(&corrected, &mut seen).into_noted(),
            None => classifier.read(&commit, &mut seen),
        })
    }))
}
