//! The ancestors of a commit, read newest first and one at a time, so that a history may have any length.

use std::collections::HashMap;

use anyhow::Result;
use gix::{ObjectId, hashtable::HashSet};

use super::{
    commit_reader::{CommitHeader, HeaderReader},
    node::Queue,
};
use crate::{
    git::{FetchedCommits, Repo, decode::RawCommit, object_id, oid},
    model::{CommitRef, Oid, Parent, Parents},
};

/// A commit and all its ancestors in the order of git-log(1). A shallow clone's history ends at its boundary.
pub(in crate::git) struct Ancestors {
    headers: HeaderReader,
    queue: Queue,
    /// The commits in the queue.
    waiting: HashMap<u32, (ObjectId, CommitHeader)>,
    met: HashSet<ObjectId>,
}

impl Ancestors {
    /// Begins the history of `tip`, which is its first commit.
    pub(in crate::git) fn new(commits: &FetchedCommits, tip: Oid) -> Result<Self> {
        let headers = commits.header_reader()?;
        let mut history = Self { headers, queue: Queue::default(), waiting: HashMap::new(), met: HashSet::default() };
        history.meet(object_id(tip))?;
        Ok(history)
    }

    fn meet(&mut self, id: ObjectId) -> Result<()> {
        if self.met.insert(id) {
            let commit = self.headers.read(&id)?;
            let number = u32::try_from(self.met.len()).expect("a history has fewer than four billion commits");
            self.queue.push(commit.date, number);
            self.waiting.insert(number, (id, commit));
        }
        Ok(())
    }
}

impl Iterator for Ancestors {
    type Item = Result<(ObjectId, CommitHeader)>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.queue.pop()?;
        let (id, commit) = self.waiting.remove(&number)?;
        let met = commit.parents.iter().try_for_each(|parent| self.meet(*parent));
        Some(met.map(|()| (id, commit)))
    }
}

/// How many generations of commits are fetched to show the habits of a project.
const GENERATIONS: u32 = 1_000;

/// Reads the newest commits in the history of `tip`, in the order of git-log(1), until `is_enough` says so of one, or a
/// commit cannot be read. Returns the value of each commit, and the parents of each. Of a shallow clone they are read from
/// its remote, if that can be asked: the few that are here would show habits that the project does not have.
pub(crate) fn newest<T>(
    repo: &Repo,
    tip: Oid,
    mut read: impl FnMut(CommitRef<'_>) -> T,
    mut is_enough: impl FnMut(&T) -> bool,
) -> (Vec<T>, Parents) {
    let fetched = if repo.is_shallow() && repo.origin().is_some() {
        repo.with_newest(&[object_id(tip)], GENERATIONS).ok().flatten()
    } else {
        None
    };
    let commits = fetched.unwrap_or_else(|| repo.own_commits());
    let (mut ids, mut found, mut parents) = (Vec::new(), Vec::new(), Vec::new());
    for (id, commit) in Ancestors::new(&commits, tip).into_iter().flatten().map_while(Result::ok) {
        let value = read(RawCommit::parse(&commit.object).commit(&id).0);
        let is_last = is_enough(&value);
        ids.push(id);
        found.push(value);
        parents.push(commit.parents);
        if is_last {
            break;
        }
    }
    let indices: HashMap<ObjectId, usize> = ids.into_iter().zip(0..).collect();
    let mut graph = Parents::with_capacity(parents.len());
    for own in parents {
        graph.push(
            own.iter().map(|id| indices.get(id).map_or_else(|| Parent::Outside(oid(id)), |at| Parent::Inside(*at))),
        );
    }
    (found, graph)
}
