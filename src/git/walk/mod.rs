//! The commits of a range, exactly those and in the order of `git log from..to`, decoded on all cores.

mod ancestors;
mod by_date;
mod by_generation;
mod commit_table;
mod decode_pool;
mod header;
mod node;
mod objects;
mod queue;

pub(in crate::git) use ancestors::Ancestors;
pub use ancestors::{NewestMessage, newest_messages};
pub(in crate::git) use header::{CommitHeader, HeaderReader};
pub(in crate::git) use queue::Queue;

use std::{collections::HashSet, sync::Arc};

use anyhow::Result;
use gix::ObjectId;

use self::{
    commit_table::{CommitTable, UnusableGraph},
    decode_pool::DecodePool,
    objects::Store,
};
use super::{Repo, object_id, oid, shallow};
use crate::model::{Commit, CommitRef, Oid, Parents, Problem, Range, Warning};

/// How far a walk may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkOptions {
    /// The most commits a range may have, those without a trailer included.
    pub max_commits: usize,
    /// Take what is there where a shallow clone ends inside the range.
    pub allow_shallow: bool,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { max_commits: 15_000, allow_shallow: false }
    }
}

/// What is made of each commit, on the thread that decodes it: what it does not keep takes no memory.
pub type MapCommit<T> = Arc<dyn Fn(CommitRef<'_>) -> T + Send + Sync>;

/// What a walk found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkResult<T = Commit> {
    /// What was made of each commit of the range, newest first: by commit date, never a parent before all its children
    /// were met (git-log(1)).
    pub commits: Vec<T>,
    /// The parents of each, as the history has them.
    pub parents: Parents,
    /// Broken commits, and a range that may be short.
    pub warnings: Vec<Warning>,
}

/// A commit of the range, before it is decoded.
#[derive(Debug)]
struct SelectedCommit {
    /// Which commit of the history it is.
    number: u32,
    id: ObjectId,
    /// Its object, where the walk had to read it anyway.
    object: Option<Box<[u8]>>,
}

/// What a walk learnt besides the commits it picked.
#[derive(Debug)]
struct SelectionResult {
    /// The numbers of the commits of the range, in order.
    commits: Vec<u32>,
    /// The places of those that were picked before they turned out to be outside the range.
    late: HashSet<usize>,
    /// Whether a shallow clone ends inside the range.
    is_cut_off: bool,
}

/// Walks a range and keeps its commits whole.
///
/// # Errors
/// As [`walk_with`].
pub fn walk(repo: &Repo, range: Range, options: &WalkOptions) -> Result<WalkResult> {
    walk_with(repo, range, options, &(Arc::new(|commit: CommitRef<'_>| commit.to_shared()) as MapCommit<Commit>))
}

/// Walks a range and reads each commit. Only commits are read, so that a partial clone serves; those behind a URL are
/// fetched first.
///
/// # Errors
/// Past the limit, where a commit is missing, and where a shallow clone ends inside the range.
pub fn walk_with<T: Send + 'static>(
    repo: &Repo,
    range: Range,
    options: &WalkOptions,
    reading: &MapCommit<T>,
) -> Result<WalkResult<T>> {
    repo.ensure_range(range)?;
    let mut warnings = Vec::new();
    let store = Store::of(repo);
    let (outcome, parents, decoding) = with_commit_graph(repo, &store, |mut history| {
        let mut decoding = DecodePool::new(&store, reading);
        let outcome =
            select(&mut history, range.from, &[range.to], options.max_commits, &mut |commit| decoding.push(commit))?;
        let parents = history.parents_among(&outcome.commits);
        Ok((outcome, parents, decoding))
    })?;
    if outcome.is_cut_off {
        if !options.allow_shallow {
            return Err(shallow::shallow_error(repo).into());
        }
        warnings.push(
            Warning::new("the history of this shallow clone ends inside the range").hint(shallow::unshallow_hint(repo)),
        );
    }
    let commits = decoding.finish(&outcome.late, &mut warnings)?;
    Ok(WalkResult { commits, parents, warnings })
}

/// The ids of a range of any length, newest first; the history of a shallow clone ends where the clone does.
pub(in crate::git) fn ids(repo: &Repo, range: Range) -> Result<Vec<Oid>> {
    with_commit_graph(repo, &Store::of(repo), |mut history| {
        let outcome = select(&mut history, range.from, &[range.to], usize::MAX, &mut drop)?;
        Ok(outcome.commits.into_iter().map(|commit| oid(&history.id(commit))).collect())
    })
}

/// The commits reachable from `tips` and not from `end`, newest first, with their parents; of any length.
pub(in crate::git) fn beside(repo: &Repo, end: Oid, tips: &[Oid]) -> Result<(Vec<Oid>, Parents)> {
    with_commit_graph(repo, &Store::of(repo), |mut history| {
        let outcome = select(&mut history, Some(end), tips, usize::MAX, &mut drop)?;
        let parents = history.parents_among(&outcome.commits);
        Ok((outcome.commits.into_iter().map(|commit| oid(&history.id(commit))).collect(), parents))
    })
}

/// Runs a walk over the commit-graph; from the beginning without one where there is none that can be used.
fn with_commit_graph<T>(repo: &Repo, store: &Store, mut run: impl FnMut(CommitTable) -> Result<T>) -> Result<T> {
    let mut links = HeaderReader::new(store, repo)?;
    let graph = if links.has_no_grafts() { repo.gix().commit_graph_if_enabled().ok().flatten() } else { None };
    if let Some(graph) = &graph {
        let done = run(CommitTable::new(&mut links, Some(graph)));
        if !done.as_ref().is_err_and(anyhow::Error::is::<UnusableGraph>) {
            return done;
        }
    }
    run(CommitTable::new(&mut links, None))
}

/// Picks the commits of a range, by generation where these are known, else by date.
fn select(
    history: &mut CommitTable,
    from: Option<Oid>,
    tips: &[Oid],
    max_commits: usize,
    picked: &mut dyn FnMut(SelectedCommit),
) -> Result<SelectionResult> {
    let hidden = from.map(|from| history.index_of(object_id(from)));
    let tips: Vec<u32> = tips.iter().map(|tip| history.index_of(object_id(*tip))).collect();
    if let Some(hidden) = hidden {
        history.hide(hidden);
    }
    let mut commits = Vec::new();
    let mut hand_on = |commit: SelectedCommit| {
        commits.push(commit.number);
        picked(commit);
    };
    let late = if history.has_graph() {
        by_generation::select(history, hidden, &tips, max_commits, &mut hand_on)?;
        HashSet::new()
    } else {
        by_date::select(history, hidden, &tips, max_commits, &mut hand_on)?
    };
    let mut places = 0..;
    commits.retain(|_| places.next().is_none_or(|place| !late.contains(&place)));
    Ok(SelectionResult { commits, late, is_cut_off: history.is_cut_off() })
}

/// The service's own words for a range past the limit.
fn too_long(max_commits: usize) -> Problem {
    Problem::new(format!("the range has more than {max_commits} commits"))
        .hint("raise the limit with `--max-commits`, or start later with `--from`")
}
