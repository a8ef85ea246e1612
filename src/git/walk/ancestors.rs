//! The ancestors of a commit, read newest first and one at a time, so that a history may have any length.

use std::collections::HashMap;

use anyhow::Result;
use gix::{ObjectId, bstr::Finder, hashtable::HashSet};

use super::{
    commit_reader::{CommitHeader, HeaderReader},
    node::Queue,
};
use crate::{
    git::{Repo, decode::RawCommit, encoding::text, object_id, trailers},
    model::{CommitMessage, Oid},
};

/// A commit and all its ancestors in the order of git-log(1). A shallow clone's history ends at its boundary.
pub(in crate::git) struct Ancestors {
    links: HeaderReader,
    queue: Queue,
    /// The commits in the queue.
    waiting: HashMap<u32, CommitHeader>,
    met: HashSet<ObjectId>,
}

impl Ancestors {
    /// Begins the history of `tip`, which is its first commit.
    pub(in crate::git) fn new(repo: &Repo, tip: Oid) -> Result<Self> {
        let links = repo.header_reader()?;
        let mut history = Self { links, queue: Queue::default(), waiting: HashMap::new(), met: HashSet::default() };
        history.meet(object_id(tip))?;
        Ok(history)
    }

    fn meet(&mut self, id: ObjectId) -> Result<()> {
        if self.met.insert(id) {
            let commit = self.links.read(&id)?;
            let number = u32::try_from(self.met.len()).expect("a history has fewer than four billion commits");
            self.queue.push(commit.date, number);
            self.waiting.insert(number, commit);
        }
        Ok(())
    }
}

impl Iterator for Ancestors {
    type Item = Result<CommitHeader>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.queue.pop()?;
        let commit = self.waiting.remove(&number)?;
        let met = commit.parents.iter().try_for_each(|parent| self.meet(*parent));
        Some(met.map(|()| commit))
    }
}

/// Returns the history of `tip` up to the first commit that cannot be read.
fn readable(repo: &Repo, tip: Oid) -> impl Iterator<Item = CommitHeader> {
    Ancestors::new(repo, tip).into_iter().flatten().map_while(Result::ok)
}

/// Returns the messages of the history of `tip`, newest first, up to the first commit that cannot be read.
pub(crate) fn newest_messages(repo: &Repo, tip: Oid) -> impl Iterator<Item = CommitMessage> {
    readable(repo, tip).map(|commit| {
        let raw = RawCommit::parse(&commit.object);
        let message = raw.message();
        CommitMessage {
            text: text(message).into_owned(),
            trailers: trailers::parse(message),
            is_merge: commit.parents.len() > 1,
        }
    })
}

/// Whether one of the newest `commits` commits in the history of `tip` has a trailer `name`.
pub(crate) fn has_recent_trailer(repo: &Repo, tip: Oid, commits: usize, name: &str) -> bool {
    let name_bytes = Finder::new(name);
    // Most messages do not contain the name; one beyond ASCII may have other bytes in a message of another encoding.
    let may_have = |object: &[u8]| !name.is_ascii() || name_bytes.find(object).is_some();
    let has = |object: &[u8]| trailers::collect(RawCommit::parse(object).message()).iter().any(|own| own.key == name);
    readable(repo, tip).take(commits).any(|commit| may_have(&commit.object) && has(&commit.object))
}
