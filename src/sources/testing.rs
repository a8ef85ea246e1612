//! Commits for the unit tests of the pure stages.

use std::sync::Arc;

use super::{
    classified_commit::{Classification, ClassifiedCommit},
    classifier::{Classifier, Retention, SeenCommits},
    merge_requests::MergeRequests,
    reverted::RevertedCommits,
};
use crate::{
    config::Config,
    model::{CommitRef, Forge, Oid, Parent, Parents, Person, Time, Trailer},
};

/// Returns the ID whose bytes are all `id`.
pub(crate) fn oid(id: u8) -> Oid {
    Oid::from_bytes(&[id; 20]).expect("20 bytes are an id")
}

/// Returns a commit with this message and the trailers of its last paragraph.
pub(crate) fn commit(id: u8, message: &str) -> CommitRef<'static> {
    let last_paragraph = message.trim_end().rsplit_once("\n\n").map_or("", |(_, paragraph)| paragraph);
    let trailer = |line: &str| {
        let (key, value) = line.split_once(": ")?;
        Some(Trailer { key: key.to_owned().into(), value: value.to_owned().into() })
    };
    CommitRef {
        id: oid(id),
        is_merge: false,
        author: Person { name: "Ida".into(), email: "ida@harbor.example".into() },
        committed: Time { seconds: 1_700_000_000, offset: 0 },
        message: message.to_owned().into(),
        trailers: last_paragraph.lines().filter_map(trailer).collect(),
    }
}

pub(crate) struct Child {
    pub(crate) commit: CommitRef<'static>,
    parents: Vec<Oid>,
}

pub(crate) fn child(id: u8, parents: &[u8], message: &str) -> Child {
    let commit = CommitRef { is_merge: parents.len() > 1, ..commit(id, message) };
    Child { commit, parents: parents.iter().map(|id| oid(*id)).collect() }
}

/// Returns the parents of a history, newest commit first.
pub(crate) fn parents(history: &[Child]) -> Parents {
    let index = |id: &Oid| history.iter().position(|child| child.commit.id == *id);
    let mut parents = Parents::default();
    for child in history {
        parents.push(child.parents.iter().map(|id| index(id).map_or(Parent::Outside(*id), Parent::Inside)));
    }
    parents
}

pub(crate) fn classifier(config: Config) -> Classifier {
    Classifier::new("Changelog", Arc::new(config), Some(Forge::GitLab), Retention::Listed)
}

/// Classifies each commit by itself.
pub(crate) fn read_by(classifier: &Classifier, commits: &[CommitRef<'_>]) -> Vec<ClassifiedCommit> {
    let seen = SeenCommits::default();
    commits.iter().map(|commit| classifier.read(commit, &seen)).collect()
}

/// Classifies each commit by itself, with the default configuration.
pub(crate) fn read(commits: &[CommitRef<'_>]) -> Vec<ClassifiedCommit> {
    read_by(&classifier(Config::default()), commits)
}

/// Classifies each commit as if it was the only one, while the source is open, and keeps it.
pub(crate) fn kept(commits: &[CommitRef<'_>]) -> Vec<ClassifiedCommit> {
    let open = Classifier { keep: Retention::All, ..classifier(Config::default()) };
    commits.iter().map(|commit| open.read(commit, &SeenCommits::default())).collect()
}

/// Returns commits with these messages, the first with the ID 1.
pub(crate) fn commits(messages: &[&str]) -> Vec<CommitRef<'static>> {
    messages.iter().zip(1..).map(|(message, id)| commit(id, message)).collect()
}

pub(crate) fn with_classifications(
    commits: &[CommitRef<'_>],
    classifications: &[Classification],
) -> Vec<ClassifiedCommit> {
    let classified = |(commit, classification): (&CommitRef<'_>, &Classification)| {
        let mut classified = classifier(Config::default()).read(commit, &SeenCommits::default());
        classified.commit = Some(Box::new(commit.to_shared()));
        classified.classification = classification.clone();
        classified
    };
    commits.iter().zip(classifications).map(classified).collect()
}

pub(crate) fn classify_by(
    classifier: &Classifier,
    commits: &[CommitRef<'_>],
    changed: Option<&[bool]>,
) -> Vec<Classification> {
    let mut commits = read_by(classifier, commits);
    let reverted = RevertedCommits::find(&commits, &Parents::default(), &MergeRequests::default());
    classifier.classify(&mut commits, &reverted, changed);
    commits.into_iter().map(|classified| classified.classification).collect()
}

pub(crate) fn classify_under(config: Config, commits: &[CommitRef<'_>]) -> Vec<Classification> {
    classify_by(&classifier(config), commits, None)
}

pub(crate) fn classify(commits: &[CommitRef<'_>]) -> Vec<Classification> {
    classify_under(Config::default(), commits)
}

/// Returns the classification of a commit that is listed under these categories.
pub(crate) fn listed(categories: &[&str]) -> Classification {
    Classification::Listed(categories.iter().map(|&category| category.to_owned()).collect())
}
