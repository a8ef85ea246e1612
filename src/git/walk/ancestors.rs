//! Everything a commit descends from, newest first and one commit at a time: for histories of any length.

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

/// A commit and all its ancestors in the order of git-log(1). The history of a shallow clone ends where the clone does.
pub(in crate::git) struct Ancestors {
    links: HeaderReader,
    queue: Queue,
    /// The commits in the queue.
    waiting: HashMap<u32, CommitHeader>,
    met: HashSet<ObjectId>,
}

impl Ancestors {
    /// The history of `tip`, itself included.
    pub(in crate::git) fn of(repo: &Repo, tip: Oid) -> Result<Self> {
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

/// A history as far as it can be read: enough to see what it is like.
fn readable(repo: &Repo, tip: Oid) -> impl Iterator<Item = CommitHeader> {
    Ancestors::of(repo, tip).into_iter().flatten().map_while(Result::ok)
}

/// The messages of a history, newest first, as far as it can be read.
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

/// Whether one of the newest commits of a history, so many of them, has a trailer of this name.
pub(crate) fn has_recent_trailer(repo: &Repo, tip: Oid, commits: usize, name: &str) -> bool {
    let name_bytes = Finder::new(name);
    // Most messages do not even have the name; in another encoding it may be spelt otherwise.
    let may_have = |object: &[u8]| !name.is_ascii() || name_bytes.find(object).is_some();
    let has = |object: &[u8]| trailers::collect(RawCommit::parse(object).message()).iter().any(|own| own.key == name);
    readable(repo, tip).take(commits).any(|commit| may_have(&commit.object) && has(&commit.object))
}
