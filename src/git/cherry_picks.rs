//! Commits of a range of which another history has a copy: made by `git cherry-pick -x`, or with the same author,
//! author date and title.

use std::collections::HashMap;

use anyhow::Result;
use gix::bstr::ByteSlice as _;

use super::{
    FetchedCommits, Repo,
    decode::RawCommit,
    lineage::{commits_beside, with_commits},
    object, object_id,
    trailers::PICKED,
};
use crate::model::{Oid, OidMap, Parents, Range};

/// The index of a commit's copy; the preferred variant comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CopyIndex {
    /// In the history of the base; the index is that of the first tip whose history has it.
    BeforeBase(usize),
    /// Not in the history of the base; the index is that of the first tip whose history has it.
    Elsewhere(usize),
}

/// Finds a copy of each of `commits`, which are all in `range`, in the history of one of `tips`, which may include
/// `base`. Copies in the history of the range do not count. Only commits outside that history are read, and fetched
/// from a remote repository.
pub(crate) fn copied_in(
    repo: &Repo,
    range: Range,
    commits: &[Oid],
    tips: &[Oid],
    base: Option<Oid>,
) -> Result<Vec<Option<CopyIndex>>> {
    let all = with_commits(repo, tips.iter().copied().chain([range.to]));
    let (fetched, beside, parents) = commits_beside(all, range.to, tips)?;
    let before_base = first_tips(&beside, &parents, base.as_slice());
    let mut first: HashMap<Vec<u8>, CopyIndex> = HashMap::new();
    for ((id, tip), of_base) in beside.iter().zip(first_tips(&beside, &parents, tips)).zip(before_base) {
        let is_before_base = base.is_some() && of_base == 0;
        let index = if is_before_base { CopyIndex::BeforeBase(tip) } else { CopyIndex::Elsewhere(tip) };
        for mark in marks(&fetched, *id)? {
            first.entry(mark).and_modify(|known| *known = index.min(*known)).or_insert(index);
        }
    }
    if first.is_empty() {
        return Ok(vec![None; commits.len()]);
    }
    let mark_copy = |marks: Vec<Vec<u8>>| marks.iter().filter_map(|mark| first.get(mark)).min().copied();
    // A shallow clone lacks some of them, or has some that its remote would not count as part of the range.
    let is_here = |id: &Oid| repo.gix().has_object(object_id(*id));
    let here = repo.own_commits();
    if commits.iter().all(is_here) {
        return commits.iter().map(|id| Ok(mark_copy(marks(&here, *id)?))).collect();
    }
    let there = with_commits(repo, commits.iter().copied()).with_range(range)?;
    commits.iter().map(|id| Ok(mark_copy(marks(if is_here(id) { &here } else { &there }, *id)?))).collect()
}

/// Returns for each commit the index of the first tip whose history has it.
fn first_tips(commits: &[Oid], parents: &Parents, tips: &[Oid]) -> Vec<usize> {
    let indices: OidMap<usize> = commits.iter().copied().zip(0..).collect();
    let mut first = vec![tips.len(); commits.len()];
    for (tip, number) in tips.iter().zip(0..) {
        parents.visit(indices.get(tip).copied(), |index| {
            let is_new = first[index] > number;
            first[index] = first[index].min(number);
            is_new
        });
    }
    first
}

/// Returns the marks that a commit shares with its copies: IDs of the originals; author, author date and title.
fn marks(commits: &FetchedCommits, id: Oid) -> Result<Vec<Vec<u8>>> {
    let object = object::commit(commits, id)?;
    let commit = RawCommit::parse(&object.data);
    let mut lines = commit.message().lines();
    let title = lines.next().unwrap_or_default();
    let mut marks = vec![id.to_string().into_bytes(), [commit.author_line(), b"\n", title].concat()];
    let picked = lines.filter_map(|line| line.trim_ascii().strip_prefix(PICKED)?.strip_suffix(b")"));
    marks.extend(picked.map(<[u8]>::to_ascii_lowercase));
    Ok(marks)
}
