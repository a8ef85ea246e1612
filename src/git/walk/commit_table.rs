//! The table of commits that walks have met: each has an index and is read once, from the commit-graph if it is there.

use std::{collections::VecDeque, num::NonZeroU32, ops::Range};

use anyhow::Result;
use gix::{
    ObjectId,
    commitgraph::{Graph, Position},
    hashtable::hash_table::HashTable,
};

use super::{
    commit_reader::{HeaderReader, Store},
    node::{HeaderSource, Node, SelectedCommit, State, UngraphedCommit},
};
use crate::{
    git::oid,
    model::{Parent, Parents, Problem},
};

/// A commit-graph without generations (as git wrote until 2.19) or with broken edges: the walk restarts without it.
#[derive(Debug, thiserror::Error)]
#[error("the commit-graph cannot be used")]
pub(super) struct UnusableGraph;

/// The most objects of commits outside the range that are kept: about as many as a walk meets after its last one.
const MAX_SPARE: usize = 64;

/// The most commits of a table that is kept for the next walk: with more of them reading some again costs less than
/// keeping all, which takes a hundred bytes each.
const MAX_KEPT: usize = 250_000;

/// Returns the error for a range that has more commits than the limit.
pub(super) fn too_many_commits(max_commits: usize) -> Problem {
    Problem::new(format!("the range has more than {max_commits} commits"))
        .hint("raise the limit with `--max-commits`, or start later with `--from`")
}

/// Every commit that was met. Any number of walks use the table in turn, and no header is read twice.
pub(in crate::git) struct CommitTable {
    pub(super) store: Store,
    headers: HeaderReader,
    graph: Option<Graph>,
    nodes: Vec<Node>,
    ungraphed_commits: Vec<UngraphedCommit>,
    /// Commits outside of the range whose objects are kept, by index in `ungraphed_commits`: they may be in the next range.
    spare: VecDeque<u32>,
    /// The parents of all nodes, one after the other.
    edges: Vec<u32>,
    /// The commits that are not in the commit-graph, by their IDs, which the nodes lead to.
    by_id: HashTable<u32>,
    /// By position in the commit-graph, one more than the index of a commit that was met. `None` is zero, so the
    /// memory of the other positions comes zeroed from the system and is never touched.
    by_position: Vec<Option<NonZeroU32>>,
    /// Commits at which a shallow clone ends, with the parents they name.
    boundary: Vec<(u32, Vec<ObjectId>)>,
    /// The commits whose state or hiding the current walk has changed.
    touched: Vec<u32>,
    /// By commit, its index in the range; valid only if the range has the commit at that index.
    indices: Vec<u32>,
    /// By commit, the oldest date among it and the descendants over which the walk first met it.
    pub(super) oldest_above: Vec<u64>,
    /// How many waiting commits are not hidden.
    pub(super) wanted_waiting: usize,
    /// How many visited commits are not hidden.
    pub(super) wanted_taken: usize,
}

impl CommitTable {
    /// Makes an empty table. It uses the commit-graph only if there are no grafts, which the graph does not know.
    pub(in crate::git) fn new(repo: &gix::Repository, store: &Store, headers: HeaderReader, with_graph: bool) -> Self {
        let is_usable = with_graph && headers.has_no_grafts();
        let graph = if is_usable { repo.commit_graph_if_enabled().ok().flatten() } else { None };
        let in_graph = graph.as_ref().map_or(0, |graph| graph.num_commits() as usize);
        Self {
            store: store.clone(),
            headers,
            graph,
            nodes: Vec::with_capacity(in_graph),
            ungraphed_commits: Vec::new(),
            spare: VecDeque::new(),
            edges: Vec::with_capacity(in_graph),
            by_id: HashTable::new(),
            by_position: vec![None; in_graph],
            boundary: Vec::new(),
            touched: Vec::new(),
            indices: Vec::new(),
            oldest_above: Vec::new(),
            wanted_waiting: 0,
            wanted_taken: 0,
        }
    }

    /// Resets what the walk before this one has marked.
    pub(super) fn begin(&mut self) {
        for commit in self.touched.drain(..) {
            let node = &mut self.nodes[commit as usize];
            (node.state, node.is_hidden) = (State::Seen, false);
        }
        (self.wanted_waiting, self.wanted_taken) = (0, 0);
    }

    /// Whether so many commits were met that the table is not worth the memory that it takes.
    pub(super) fn is_large(&self) -> bool {
        self.nodes.len() > MAX_KEPT
    }

    pub(super) fn has_graph(&self) -> bool {
        self.graph.is_some()
    }

    /// Returns a commit of the range for decoding, and hands over its object if the table has it.
    pub(super) fn select(&mut self, commit: u32) -> SelectedCommit {
        let object = match self.node(commit).source {
            HeaderSource::Graph(_) => None,
            HeaderSource::Object(index) => self.ungraphed_commits[index as usize].object.take(),
        };
        SelectedCommit { number: commit, id: self.id(commit), object }
    }

    pub(in crate::git) fn id(&self, commit: u32) -> ObjectId {
        match self.node(commit).source {
            HeaderSource::Graph(position) => self.graph().id_at(position).to_owned(),
            HeaderSource::Object(index) => self.ungraphed_commits[index as usize].id,
        }
    }

    /// Returns the parents of each picked commit: the index of one that was picked too, the object ID of any other.
    pub(in crate::git) fn parents_among(&mut self, picked: &[u32]) -> Parents {
        self.indices.resize(self.nodes.len(), 0);
        for (commit, index) in picked.iter().zip(0..) {
            self.indices[*commit as usize] = index;
        }
        let mut parents = Parents::with_capacity(picked.len());
        for commit in picked {
            let own = self.edges[self.parents(*commit)].iter();
            parents.push(own.map(|parent| self.parent_among(picked, *parent)));
        }
        parents
    }

    /// Returns a parent by its index among the picked commits, which `indices` has, else by its ID.
    fn parent_among(&self, picked: &[u32], parent: u32) -> Parent {
        let index = self.indices[parent as usize] as usize;
        if picked.get(index) == Some(&parent) { Parent::Inside(index) } else { Parent::Outside(oid(&self.id(parent))) }
    }

    fn graph(&self) -> &Graph {
        self.graph.as_ref().expect("only a graph has positions")
    }

    pub(super) fn node(&self, commit: u32) -> &Node {
        &self.nodes[commit as usize]
    }

    pub(super) fn node_mut(&mut self, commit: u32) -> &mut Node {
        &mut self.nodes[commit as usize]
    }

    /// Returns the edges of a commit that was read, for [`Self::parent`].
    pub(in crate::git) fn parents(&self, commit: u32) -> Range<usize> {
        self.node(commit).parents()
    }

    pub(in crate::git) fn parent(&self, edge: usize) -> u32 {
        self.edges[edge]
    }

    /// Returns the index of a commit, which is added to the table if it is new.
    pub(in crate::git) fn index_of(&mut self, id: ObjectId) -> u32 {
        if let Some(position) = self.graph.as_ref().and_then(|graph| graph.lookup(id)) {
            return node_at_position(&mut self.by_position, &mut self.nodes, position);
        }
        if let Some(known) = self.ungraphed(&id) {
            return known;
        }
        let Self { by_id, nodes, ungraphed_commits, .. } = self;
        ungraphed_commits.push(UngraphedCommit { id, object: None });
        let commit = add(nodes, HeaderSource::Object(next_index(ungraphed_commits) - 1)).get() - 1;
        by_id.insert_unique(hash(&id), commit, |other| ungraphed_id(nodes, ungraphed_commits, *other).map_or(0, hash));
        commit
    }

    /// Returns the index of a commit that is not in the commit-graph and was met.
    fn ungraphed(&self, id: &ObjectId) -> Option<u32> {
        let is_it = |commit: &u32| ungraphed_id(&self.nodes, &self.ungraphed_commits, *commit) == Some(id);
        self.by_id.find(hash(id), is_it).copied()
    }

    /// Reads a commit when the walk meets it for the first time. Returns whether the caller is to queue it.
    pub(super) fn enqueue(&mut self, commit: u32) -> Result<bool> {
        if self.node(commit).state != State::Seen {
            return Ok(false);
        }
        self.touched.push(commit);
        if !self.read_header(commit)? {
            self.node_mut(commit).state = State::Missing;
            return Ok(false);
        }
        self.node_mut(commit).state = State::Queued;
        if self.node(commit).is_hidden {
            self.hide_ancestors(commit);
        } else {
            self.wanted_waiting += 1;
        }
        Ok(true)
    }

    /// Returns the commit date of a commit whose header was read, in seconds since the epoch.
    pub(in crate::git) fn date(&self, commit: u32) -> u64 {
        self.node(commit).date
    }

    /// Returns the commit date of a commit, in seconds since the epoch; reads its header if necessary.
    pub(super) fn date_of(&mut self, id: ObjectId) -> Result<u64> {
        let commit = self.index_of(id);
        self.require_header(commit)?;
        Ok(self.date(commit))
    }

    /// Reads the date and parents of a commit unless they are known; `Err` if it is missing.
    pub(in crate::git) fn require_header(&mut self, commit: u32) -> Result<()> {
        if self.node(commit).is_read {
            return Ok(());
        }
        if !self.read_header(commit)? {
            return self.headers.read(&self.id(commit)).map(drop);
        }
        if let HeaderSource::Object(index) = self.node(commit).source {
            self.keep_spare(index);
        }
        Ok(())
    }

    /// Reads the date and parents of a commit unless they are known; `false` if it is missing and may be.
    fn read_header(&mut self, commit: u32) -> Result<bool> {
        if self.node(commit).is_read {
            return Ok(true);
        }
        let is_there = match self.node(commit).source {
            HeaderSource::Graph(position) => self.look_up(commit, position).map(|()| true)?,
            HeaderSource::Object(index) => self.read(commit, index)?,
        };
        self.node_mut(commit).is_read = is_there;
        Ok(is_there)
    }

    /// Marks a commit that left the queue as visited.
    pub(super) fn dequeue(&mut self, commit: u32) {
        let node = self.node_mut(commit);
        node.state = State::Visited;
        if node.is_hidden {
            self.hide_ancestors(commit);
        } else {
            self.wanted_waiting -= 1;
            self.wanted_taken += 1;
        }
    }

    fn look_up(&mut self, commit: u32, position: Position) -> Result<()> {
        let Self { graph, by_position, nodes, edges, .. } = self;
        let in_graph = graph.as_ref().expect("only a graph has positions").commit_at(position);
        if in_graph.generation() == 0 {
            return Err(UnusableGraph.into());
        }
        let parents_start = next_index(edges);
        for parent in in_graph.iter_parents() {
            edges.push(node_at_position(by_position, nodes, parent.map_err(|_| UnusableGraph)?));
        }
        let parents_end = next_index(edges);
        let (date, generation) = (in_graph.committer_timestamp(), in_graph.generation());
        let node = self.node_mut(commit);
        *node = Node { date, generation, parents_start, parents_end, ..*node };
        Ok(())
    }

    /// Reads a commit's date and parents from its object; `false` if it is missing and may be.
    fn read(&mut self, commit: u32, index: u32) -> Result<bool> {
        let is_hidden = self.node(commit).is_hidden;
        let id = self.ungraphed_commits[index as usize].id;
        let Some(header) = self.headers.read_in_range(&id, is_hidden)? else { return Ok(false) };
        let parents_start = next_index(&self.edges);
        for parent in header.parents {
            let parent = self.index_of(parent);
            self.edges.push(parent);
        }
        let parents_end = next_index(&self.edges);
        let node = self.node_mut(commit);
        *node = Node { date: header.date, parents_start, parents_end, ..*node };
        self.ungraphed_commits[index as usize].object = Some(header.object);
        if is_hidden {
            self.keep_spare(index);
        }
        if !header.cut_off.is_empty() {
            self.boundary.push((commit, header.cut_off));
        }
        Ok(true)
    }

    /// Hides the commit at which the range starts, before the walk.
    pub(super) fn hide(&mut self, commit: u32) {
        self.touched.push(commit);
        self.node_mut(commit).is_hidden = true;
    }

    /// Hides those ancestors of a hidden commit that this walk has met by now, and their parents. What it has not met
    /// may be known from an earlier walk, but goes on when its turn comes: else each of many ranges would hide them all.
    fn hide_ancestors(&mut self, commit: u32) {
        let mut pending = vec![commit];
        while let Some(commit) = pending.pop() {
            for edge in self.parents(commit) {
                let parent = self.edges[edge];
                if self.hide_one(parent) && self.node(parent).state != State::Seen {
                    pending.push(parent);
                }
            }
        }
    }

    /// Hides one commit. Returns whether it was not hidden before.
    fn hide_one(&mut self, commit: u32) -> bool {
        let node = &mut self.nodes[commit as usize];
        if std::mem::replace(&mut node.is_hidden, true) {
            return false;
        }
        self.touched.push(commit);
        match node.state {
            State::Queued => self.wanted_waiting -= 1,
            State::Visited => self.wanted_taken -= 1,
            State::Seen | State::Missing | State::Emitted => {}
        }
        if let HeaderSource::Object(index) = node.source
            && self.ungraphed_commits[index as usize].object.is_some()
        {
            self.keep_spare(index);
        }
        true
    }

    /// Keeps the object of a commit outside of the range for the next walk, and drops the oldest beyond [`MAX_SPARE`].
    fn keep_spare(&mut self, index: u32) {
        self.spare.push_back(index);
        if self.spare.len() > MAX_SPARE
            && let Some(first) = self.spare.pop_front()
        {
            self.ungraphed_commits[first as usize].object = None;
        }
    }

    /// Reads a commit of the history of the start, whether a walk has met it or not; `false` if it is not here.
    pub(super) fn read_hidden(&mut self, commit: u32) -> Result<bool> {
        self.hide_one(commit);
        let is_there = self.read_header(commit)?;
        if !is_there {
            self.node_mut(commit).state = State::Missing;
        }
        Ok(is_there)
    }

    /// Whether a missing commit is outside of every range.
    pub(super) fn is_excerpt(&self) -> bool {
        self.headers.is_fetched()
    }

    /// Whether a commit was met that is not here, and may be in the range.
    fn is_missing(&self, commit: u32) -> bool {
        self.node(commit).state == State::Missing && !self.node(commit).is_hidden
    }

    /// Returns the commits at which a shallow clone ends.
    pub(super) fn boundary_ids(&self) -> Vec<ObjectId> {
        self.headers.boundary()
    }

    /// Returns the parents that a commit names and that the boundary of a shallow clone cuts off.
    pub(super) fn cut_off_parents(&self, commit: u32) -> &[ObjectId] {
        self.boundary.iter().find(|(at, _)| *at == commit).map_or(&[], |(_, parents)| parents)
    }

    /// Whether the boundary of a shallow clone is inside the range, so that commits of the range may be missing.
    pub(super) fn is_cut_off_in_range(&self) -> bool {
        self.boundary.iter().any(|(commit, parents)| {
            self.node(*commit).state != State::Seen
                && !self.node(*commit).is_hidden
                && !parents.iter().all(|id| self.ungraphed(id).is_some_and(|commit| self.node(commit).is_hidden))
        }) || (!self.is_excerpt() && self.touched.iter().any(|commit| self.is_missing(*commit)))
    }
}

fn node_at_position(by_position: &mut [Option<NonZeroU32>], nodes: &mut Vec<Node>, position: Position) -> u32 {
    let next = by_position[position.0 as usize].get_or_insert_with(|| add(nodes, HeaderSource::Graph(position)));
    next.get() - 1
}

/// Returns the ID of a commit that is not in the commit-graph.
fn ungraphed_id<'a>(nodes: &[Node], ungraphed_commits: &'a [UngraphedCommit], commit: u32) -> Option<&'a ObjectId> {
    match nodes[commit as usize].source {
        HeaderSource::Graph(_) => None,
        HeaderSource::Object(index) => Some(&ungraphed_commits[index as usize].id),
    }
}

/// Returns the first eight bytes of an ID, which are spread as evenly as any hash.
fn hash(id: &ObjectId) -> u64 {
    id.as_slice().first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
}

/// Adds a commit. Returns how many there are now.
fn add(nodes: &mut Vec<Node>, source: HeaderSource) -> NonZeroU32 {
    nodes.push(Node::unread(source));
    NonZeroU32::new(next_index(nodes)).expect("one was just added")
}

/// Returns the index that the next item will get.
fn next_index<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).expect("a history has fewer than four billion commits")
}
