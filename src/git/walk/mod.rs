//! The commits of a range, exactly those of `git log from..to` and in its order, decoded on all cores.

mod again;
mod ancestors;
mod boundary;
mod commit_reader;
mod commit_table;
mod decode_pool;
mod node;
mod select;

#[cfg(any(test, fuzzing))]
use std::sync::Arc;

use anyhow::Result;
use gix::ObjectId;

pub(crate) use self::again::RangeReader;
pub(crate) use self::ancestors::newest;
pub(crate) use self::decode_pool::MapCommit;
pub(in crate::git) use self::{
    ancestors::Ancestors,
    commit_reader::{Grafts, HeaderReader, Store, load_grafts},
    commit_table::CommitTable,
    node::Queue,
};
use self::{
    boundary::CutOff,
    commit_table::UnusableGraph,
    decode_pool::{DecodePool, DecodedChunk, broken_headers},
    select::select,
};
use super::{FetchedCommits, Repo, object_id, oid};
use crate::model::{Commit, Oid, Parents, Range, Warning};

/// The limits of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WalkOptions {
    /// The most commits a range may have, those without a trailer included.
    pub max_commits: usize,
    /// Whether a range that the boundary of a shallow clone cuts off is used as far as it is there.
    pub allow_shallow: bool,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { max_commits: 15_000, allow_shallow: false }
    }
}

/// The commits that a walk found, and its warnings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WalkResult<T = Commit> {
    /// The value of each commit of the range, in the default order of git-log(1): the newest commit date first.
    pub commits: Vec<T>,
    /// The parents of each commit, after grafts are applied.
    pub parents: Parents,
    /// The warnings about commits with broken headers and about a range that may be incomplete.
    pub warnings: Vec<Warning>,
}

/// Walks a range and returns its commits whole.
///
/// # Errors
/// If the range has more commits than the limit, a commit is missing, or a shallow clone ends inside the range.
#[cfg(any(test, fuzzing))]
pub(crate) fn walk(repo: &Repo, range: Range, options: &WalkOptions) -> Result<WalkResult> {
    let reading: MapCommit<Commit> = Arc::new(|| Box::new(|commit| commit.to_shared()));
    walk_with(repo, range, options, &reading)
}

/// Walks a range and maps each commit to a value. It reads only commits, so a partial clone is enough. The commits of
/// a repository by URL are fetched first, and so are those that a clone lacks.
///
/// # Errors
/// If the range has more commits than the limit, a commit is missing, or a shallow clone ends inside the range.
pub(crate) fn walk_with<T: Send + 'static>(
    repo: &Repo,
    range: Range,
    options: &WalkOptions,
    reading: &MapCommit<T>,
) -> Result<WalkResult<T>> {
    if !options.allow_shallow
        && let Some(origin) = repo.origin_of_missing([Some(range.to), range.from].into_iter().flatten())
    {
        return walk_with(origin, range, options, reading);
    }
    let commits = repo.with_range(range)?;
    let (cut_off, mut walked) = read(&commits, range.from, &[range.to], options.max_commits, reading)?;
    let Some(cut_off) = cut_off else { return Ok(walked) };
    if options.allow_shallow {
        walked.warnings.insert(0, Warning::new(cut_off.describe()).hint(commits.unshallow_hint()));
        return Ok(walked);
    }
    match commits.origin() {
        Some(origin) => walk_with(origin, range, options, reading),
        None => Err(cut_off.error(&commits).into()),
    }
}

/// Reads `tips` and all their ancestors; a shallow clone's history ends at its boundary.
pub(in crate::git) fn walk_all<T: Send + 'static>(
    repo: &Repo,
    tips: &[Oid],
    reading: &MapCommit<T>,
) -> Result<WalkResult<T>> {
    Ok(read(&repo.own_commits(), None, tips, usize::MAX, reading)?.1)
}

/// Reads the commits reachable from `tips` and not from `from`. Returns what a shallow clone
/// cuts off of them, too.
fn read<T: Send + 'static>(
    commits: &FetchedCommits,
    from: Option<Oid>,
    tips: &[Oid],
    max_commits: usize,
    reading: &MapCommit<T>,
) -> Result<(Option<CutOff>, WalkResult<T>)> {
    let (outcome, parents, decoding) = with_table(commits, |history| {
        let mut decoding = DecodePool::new(&history.store, reading);
        let outcome = select(history, from, tips, max_commits, &mut |commit| decoding.push(commit))?;
        let parents = history.parents_among(&outcome.commits);
        Ok((outcome, parents, decoding))
    })?;
    let DecodedChunk { read: mut commits, broken } = decoding.finish()?;
    let in_range = |index: &usize| !outcome.late.contains(index);
    let warnings = broken.into_iter().filter(|(index, _)| in_range(index)).map(|(_, id)| broken_headers(id)).collect();
    let mut indices = 0..;
    commits.retain(|_| indices.next().as_ref().is_none_or(in_range));
    Ok((outcome.cut_off, WalkResult { commits, parents, warnings }))
}

/// Returns the object IDs of a range of any length, newest first; a shallow clone's history ends at its boundary.
pub(in crate::git) fn ids(commits: &FetchedCommits, range: Range) -> Result<Vec<Oid>> {
    Ok(reachable(commits, range.from, &[range.to])?.0)
}

/// Returns the commits reachable from `tips` and not from `from`, newest first, with their parents; without a limit.
pub(in crate::git) fn reachable(
    commits: &FetchedCommits,
    from: Option<Oid>,
    tips: &[Oid],
) -> Result<(Vec<Oid>, Parents)> {
    with_table(commits, |history| {
        let outcome = select(history, from, tips, usize::MAX, &mut drop)?;
        let parents = history.parents_among(&outcome.commits);
        Ok((outcome.commits.into_iter().map(|commit| oid(&history.id(commit))).collect(), parents))
    })
}

/// Returns the commit with the oldest date, the first of several; `None` if there are no commits.
pub(crate) fn oldest(repo: &Repo, commits: impl IntoIterator<Item = Oid>) -> Result<Option<Oid>> {
    let commits: Vec<Oid> = commits.into_iter().collect();
    with_table(&repo.own_commits(), |history| {
        let mut oldest: Option<(u64, Oid)> = None;
        for id in &commits {
            let date = history.date_of(object_id(*id))?;
            if oldest.is_none_or(|(other, _)| date < other) {
                oldest = Some((date, *id));
            }
        }
        Ok(oldest.map(|(_, id)| id))
    })
}

/// Returns the commit date of a commit, in seconds since 1970; `None` if the repository lacks it.
pub(crate) fn commit_date(repo: &Repo, commit: Oid) -> Result<Option<u64>> {
    let id = object_id(commit);
    if repo.gix().has_object(id) { date(&repo.own_commits(), id).map(Some) } else { Ok(None) }
}

/// Returns the commit date of a commit, in seconds since 1970.
pub(in crate::git) fn date(commits: &FetchedCommits, commit: ObjectId) -> Result<u64> {
    with_table(commits, |history| history.date_of(commit))
}

/// Runs `work` on the table of commits that the repository keeps for the next time, or again on a new one without the
/// commit-graph if that is unusable. With a server no table is kept, since fetches between two walks add commits; nor is
/// a large one.
pub(in crate::git) fn with_table<T>(
    commits: &FetchedCommits,
    mut work: impl FnMut(&mut CommitTable) -> Result<T>,
) -> Result<T> {
    let known = commits.history().take();
    let mut table = known.map_or_else(|| commits.commit_table(true), |known| Ok(*known))?;
    let mut done = work(&mut table);
    if done.as_ref().is_err_and(anyhow::Error::is::<UnusableGraph>) {
        table = commits.commit_table(false)?;
        done = work(&mut table);
    }
    if commits.server().is_none() && !table.is_large() {
        commits.history().replace(Some(Box::new(table)));
    }
    done
}
