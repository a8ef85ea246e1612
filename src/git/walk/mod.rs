//! The commits of a range, exactly those and in the order of `git log from..to`, decoded on all cores.

mod ancestors;
mod by_date;
mod links;
mod objects;
mod parallel;
mod queue;

pub(in crate::git) use ancestors::Ancestors;
pub(in crate::git) use links::{Link, Links};
pub(in crate::git) use queue::Queue;

use anyhow::Result;
use gix::ObjectId;

use super::{Repo, object_id, oid, shallow};
use crate::model::{Commit, Oid, Problem, Range, Warning};

/// How far a walk may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkOptions {
    /// How many commits a range may have, those without a trailer too.
    pub max_commits: usize,
    /// Take what is there where a shallow clone ends inside the range.
    pub allow_shallow: bool,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { max_commits: 15_000, allow_shallow: false }
    }
}

/// What a walk found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// The range, newest first: by commit date, never a parent before all its children were met (git-log(1)).
    pub commits: Vec<Commit>,
    /// Broken commits, and a range that may be short.
    pub warnings: Vec<Warning>,
}

/// A commit of the range, before it is decoded.
#[derive(Debug)]
struct Picked {
    id: ObjectId,
    /// Its object, where the walk had to read it anyway.
    object: Option<Box<[u8]>>,
}

/// A range before it is decoded.
#[derive(Debug)]
struct Picks {
    commits: Vec<Picked>,
    /// Whether a shallow clone ends inside the range.
    is_cut_off: bool,
}

/// Walks a range. Only commits are read, so that a partial clone serves; those behind a URL are fetched first.
///
/// # Errors
/// Past the limit, where a commit is missing, and where a shallow clone ends inside the range.
pub fn walk(repo: &Repo, range: Range, options: &WalkOptions) -> Result<Walked> {
    let mut warnings: Vec<_> = repo.bring(range)?.into_iter().collect();
    let grafts = repo.grafts()?;
    let hidden = range.from.map(object_id);
    let picks = by_date::pick(repo, &grafts, hidden, object_id(range.to), options.max_commits)?;
    if picks.is_cut_off {
        if !options.allow_shallow {
            return Err(shallow::cut_off().into());
        }
        warnings.push(Warning::new("the history of this shallow clone ends inside the range").hint(shallow::cure()));
    }
    let commits = parallel::decode(repo, &picks.commits, &mut warnings)?;
    Ok(Walked { commits, warnings })
}

/// The ids of a range of any length, newest first; the history of a shallow clone ends where the clone does.
pub(in crate::git) fn ids(repo: &Repo, range: Range) -> Result<Vec<Oid>> {
    let hidden = range.from.map(object_id);
    let picks = by_date::pick(repo, &repo.grafts()?, hidden, object_id(range.to), usize::MAX)?;
    Ok(picks.commits.iter().map(|commit| oid(&commit.id)).collect())
}

/// The service's own words for a range past the limit.
fn too_long(max_commits: usize) -> Problem {
    Problem::new(format!("The commits range exceeds {max_commits} elements."))
        .hint("`--max-commits` allows more; `--from` names a later start")
}
