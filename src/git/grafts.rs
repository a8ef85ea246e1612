//! Commits with other parents than their objects have: at the boundary of a shallow clone they have none, and `info/grafts`
//! can declare any (gitrepository-layout(5)).

use std::{collections::HashMap, fs, path::Path};

use anyhow::{Context as _, Result};
use gix::ObjectId;

use crate::model::none_if_missing;

/// The parents that replace those of commits.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Grafts {
    parents: HashMap<ObjectId, Graft>,
}

/// What replaces the parents of a commit.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Graft {
    /// The clone ends here: the parents are not in this repository.
    Boundary,
    /// These are declared to be the parents.
    Parents(Vec<ObjectId>),
}

impl Grafts {
    /// Loads the shallow boundary and `info/grafts`; the boundary takes precedence, as in git.
    pub(super) fn load<'a>(common_dir: &Path, boundary: impl Iterator<Item = &'a ObjectId>) -> Result<Self> {
        let file = common_dir.join("info").join("grafts");
        let declared = none_if_missing(fs::read_to_string(&file));
        let declared = declared.with_context(|| format!("cannot read `{}`", file.display()))?.unwrap_or_default();
        // The last one wins when collected: of two lines for a commit, git takes the first.
        let declared = declared.lines().rev().filter_map(parse);
        Ok(Self { parents: declared.chain(boundary.map(|id| (*id, Graft::Boundary))).collect() })
    }

    /// Whether every commit has its own parents.
    pub(super) fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// The replacement for the parents of a commit, if there is one.
    pub(super) fn get(&self, id: &ObjectId) -> Option<&Graft> {
        self.parents.get(id)
    }
}

/// A commit and its parents; `None` for comments and malformed lines.
fn parse(line: &str) -> Option<(ObjectId, Graft)> {
    let ids: Option<Vec<ObjectId>> =
        line.split_ascii_whitespace().map(|id| ObjectId::from_hex(id.as_bytes()).ok()).collect();
    let ids = ids?;
    let (commit, parents) = ids.split_first()?;
    Some((*commit, Graft::Parents(parents.to_vec())))
}
