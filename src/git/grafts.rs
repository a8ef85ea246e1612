//! Commits that have other parents than they say: the boundary of a shallow clone has none, and `info/grafts` may name
//! any (gitrepository-layout(5)).

use std::{collections::HashMap, fs, path::Path};

use anyhow::{Context as _, Result};
use gix::ObjectId;

use crate::model::none_if_missing;

/// The parents to take instead of a commit's own.
#[derive(Debug, Default)]
pub(in crate::git) struct Grafts {
    parents: HashMap<ObjectId, Graft>,
}

/// What stands in a commit's place in the history.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::git) enum Graft {
    /// The clone ends here: parents there are, but not in this repository.
    Boundary,
    /// Someone declared these to be the parents.
    Parents(Vec<ObjectId>),
}

impl Grafts {
    /// The shallow boundary and what `info/grafts` says; the boundary wins, as in git.
    pub(in crate::git) fn load<'a>(common_dir: &Path, boundary: impl Iterator<Item = &'a ObjectId>) -> Result<Self> {
        let file = common_dir.join("info").join("grafts");
        let declared = none_if_missing(fs::read_to_string(&file));
        let declared = declared.with_context(|| format!("cannot read `{}`", file.display()))?.unwrap_or_default();
        // What is collected last wins: of two lines for a commit git takes the first.
        let declared = declared.lines().rev().filter_map(parse);
        Ok(Self { parents: declared.chain(boundary.map(|id| (*id, Graft::Boundary))).collect() })
    }

    /// Whether every commit has the parents it names.
    pub(in crate::git) fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// What stands in the place of this commit's parents.
    pub(in crate::git) fn get(&self, id: &ObjectId) -> Option<&Graft> {
        self.parents.get(id)
    }
}

/// A commit and its parents; comments and broken lines are nothing.
fn parse(line: &str) -> Option<(ObjectId, Graft)> {
    let ids: Option<Vec<ObjectId>> =
        line.split_ascii_whitespace().map(|id| ObjectId::from_hex(id.as_bytes()).ok()).collect();
    let ids = ids?;
    let (commit, parents) = ids.split_first()?;
    Some((*commit, Graft::Parents(parents.to_vec())))
}
