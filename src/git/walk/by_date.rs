//! The walk without a commit-graph: by commit date, each commit read once, and its object kept for the decoding.
//!
//! Dates cannot prove that a commit is out of reach: clocks are skewed. So the walk goes on past the point where only
//! excluded commits wait, by git's own measure (five commits more, counted anew while a waiting one is as new as the
//! last that was picked) and by one more: as far back as the largest skew it has met.

use anyhow::Result;
use gix::{ObjectId, hashtable::HashMap};

use super::{
    Picked, Picks,
    objects::{Reader, Store},
    queue::Queue,
    too_long,
};
use crate::git::{
    Repo,
    decode::Raw,
    grafts::{Graft, Grafts},
};

/// How many excluded commits git still looks at when only such are left (`SLOP`).
const SLOP: u32 = 5;

/// A commit that was met: at first only by name, as somebody's parent.
#[derive(Debug)]
struct Node {
    id: ObjectId,
    date: u64,
    /// The oldest date among the descendants through which it was met, and its own.
    oldest_below: u64,
    parents: Vec<u32>,
    state: State,
    is_hidden: bool,
    object: Option<Box<[u8]>>,
}

/// How far a commit has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Named,
    Missing,
    Waiting,
    Taken,
}

struct Walk<'a> {
    reader: Reader,
    grafts: &'a Grafts,
    max_commits: usize,
    /// Whether a commit that is absent is out of the range, as one behind a URL is once the range was fetched.
    is_fetched: bool,
    nodes: Vec<Node>,
    by_id: HashMap<ObjectId, u32>,
    queue: Queue,
    /// Waiting commits that are not hidden.
    wanted_waiting: usize,
    /// Commits of `taken` that are not hidden.
    wanted_taken: usize,
    taken: Vec<u32>,
    /// Commits at which a shallow clone ends, with the parents they name.
    boundary: Vec<(u32, Vec<ObjectId>)>,
    largest_skew: u64,
    oldest_taken: u64,
}

/// The commits reachable from `to` and not from `hidden`, in order.
pub(super) fn pick(
    repo: &Repo,
    grafts: &Grafts,
    hidden: Option<ObjectId>,
    to: ObjectId,
    max_commits: usize,
) -> Result<Picks> {
    let mut walk = Walk::new(Store::of(repo).reader(), grafts, max_commits);
    walk.is_fetched = repo.server().is_some();
    if let Some(hidden) = hidden {
        let hidden = walk.node(hidden);
        walk.nodes[hidden as usize].is_hidden = true;
        walk.meet(hidden, u64::MAX)?;
    }
    let to = walk.node(to);
    walk.meet(to, u64::MAX)?;
    walk.run()?;
    Ok(walk.picks())
}

impl<'a> Walk<'a> {
    fn new(reader: Reader, grafts: &'a Grafts, max_commits: usize) -> Self {
        Self {
            reader,
            grafts,
            max_commits,
            is_fetched: false,
            nodes: Vec::new(),
            by_id: HashMap::default(),
            queue: Queue::default(),
            wanted_waiting: 0,
            wanted_taken: 0,
            taken: Vec::new(),
            boundary: Vec::new(),
            largest_skew: 0,
            oldest_taken: u64::MAX,
        }
    }

    fn run(&mut self) -> Result<()> {
        let (mut slop, mut last_taken) = (SLOP, u64::MAX);
        while let Some(commit) = self.queue.pop() {
            let node = &mut self.nodes[commit as usize];
            node.state = State::Taken;
            let (is_hidden, date, oldest_below) = (node.is_hidden, node.date, node.oldest_below);
            if is_hidden {
                self.hide_parents(commit);
            } else {
                last_taken = date;
                self.take(commit)?;
            }
            for parent in self.nodes[commit as usize].parents.clone() {
                self.meet(parent, oldest_below)?;
            }
            if is_hidden {
                slop = if self.is_open(last_taken) { SLOP } else { slop - 1 };
                if slop == 0 && self.is_closed_despite_skew() {
                    break;
                }
                slop = slop.max(1);
            }
        }
        Ok(())
    }

    fn take(&mut self, commit: u32) -> Result<()> {
        self.wanted_waiting -= 1;
        self.wanted_taken += 1;
        self.taken.push(commit);
        self.oldest_taken = self.oldest_taken.min(self.nodes[commit as usize].date);
        let is_final = self.queue.len() == self.wanted_waiting;
        if self.wanted_taken > self.max_commits {
            if is_final {
                return Err(too_long(self.max_commits).into());
            }
            self.nodes[commit as usize].object = None;
        }
        Ok(())
    }

    /// Whether a commit may still wait that git would call interesting.
    fn is_open(&self, last_taken: u64) -> bool {
        self.wanted_waiting > 0 || self.queue.next_date().is_some_and(|next| next >= last_taken)
    }

    fn is_closed_despite_skew(&self) -> bool {
        self.queue.next_date().is_none_or(|next| next.saturating_add(self.largest_skew) < self.oldest_taken)
    }

    /// The index of a commit, by name only where it is new.
    fn node(&mut self, id: ObjectId) -> u32 {
        let Self { by_id, nodes, .. } = self;
        *by_id.entry(id).or_insert_with(|| {
            nodes.push(Node {
                id,
                date: 0,
                oldest_below: u64::MAX,
                parents: Vec::new(),
                state: State::Named,
                is_hidden: false,
                object: None,
            });
            u32::try_from(nodes.len() - 1).expect("a history has fewer than four billion commits")
        })
    }

    /// Reads a commit when it is met for the first time, and lets it wait for its turn.
    fn meet(&mut self, commit: u32, oldest_below: u64) -> Result<()> {
        if self.nodes[commit as usize].state != State::Named || !self.read(commit)? {
            return Ok(());
        }
        let node = &mut self.nodes[commit as usize];
        node.state = State::Waiting;
        node.oldest_below = node.date.min(oldest_below);
        if oldest_below != u64::MAX {
            self.largest_skew = self.largest_skew.max(node.date - node.oldest_below);
        }
        self.queue.push(node.date, commit);
        if node.is_hidden {
            self.hide_parents(commit);
        } else {
            self.wanted_waiting += 1;
        }
        Ok(())
    }

    /// Fills a commit in; `false` where it is missing and need not be there.
    fn read(&mut self, commit: u32) -> Result<bool> {
        let Node { id, is_hidden, .. } = self.nodes[commit as usize];
        let may_be_absent = is_hidden || self.is_fetched;
        let object = if may_be_absent { self.reader.try_read(&id)? } else { Some(self.reader.read(&id)?) };
        let Some(object) = object else {
            self.nodes[commit as usize].state = State::Missing;
            return Ok(false);
        };
        let raw = Raw::parse(object);
        let (date, own): (u64, Vec<ObjectId>) = (raw.commit_time(), raw.parents().collect());
        let object = (!is_hidden).then(|| object.into());
        let parents = match self.grafts.get(&id) {
            None => own,
            Some(Graft::Parents(declared)) => declared.clone(),
            Some(Graft::Boundary) => {
                self.boundary.push((commit, own));
                Vec::new()
            }
        };
        let parents = parents.into_iter().map(|parent| self.node(parent)).collect();
        let node = &mut self.nodes[commit as usize];
        (node.date, node.parents, node.object) = (date, parents, object);
        Ok(true)
    }

    /// Hides all ancestors of a hidden commit that are known by now.
    fn hide_parents(&mut self, commit: u32) {
        let mut pending = self.nodes[commit as usize].parents.clone();
        while let Some(commit) = pending.pop() {
            let node = &mut self.nodes[commit as usize];
            if std::mem::replace(&mut node.is_hidden, true) {
                continue;
            }
            node.object = None;
            match node.state {
                State::Waiting => self.wanted_waiting -= 1,
                State::Taken => self.wanted_taken -= 1,
                State::Named | State::Missing => {}
            }
            pending.extend_from_slice(&self.nodes[commit as usize].parents);
        }
    }

    fn picks(mut self) -> Picks {
        let is_cut_off = self.boundary.iter().any(|(commit, parents)| {
            !self.nodes[*commit as usize].is_hidden && !parents.iter().all(|parent| self.is_hidden(parent))
        });
        let nodes = &mut self.nodes;
        let wanted = self.taken.into_iter().filter_map(|commit| {
            let node = &mut nodes[commit as usize];
            (!node.is_hidden).then(|| Picked { id: node.id, object: node.object.take() })
        });
        Picks { commits: wanted.collect(), is_cut_off }
    }

    fn is_hidden(&self, id: &ObjectId) -> bool {
        self.by_id.get(id).is_some_and(|commit| self.nodes[*commit as usize].is_hidden)
    }
}
