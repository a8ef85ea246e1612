//! The paths that differ between two trees, in the order of git's raw diff (git-diff-tree(1)).

use std::cmp::Ordering;

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    objs::tree::{EntryRef, name_order},
};

use crate::git::{
    Repo, object,
    tree::{TreeMember, check_count, join},
};

/// A changed file, link or submodule: `old` is `None` if it is new, `new` is `None` if it was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreeChange {
    pub(super) old: Option<TreeMember>,
    pub(super) new: Option<TreeMember>,
}

impl TreeChange {
    /// Whether the kind changed, such as from a file to a link.
    pub(super) fn is_type_change(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => old.mode != new.mode && !(old.is_regular() && new.is_regular()),
            _ => false,
        }
    }
}

/// A step of the walk through two trees: a pair of subtrees to compare, or a change.
enum WalkStep {
    Descend { path: Vec<u8>, old: Option<ObjectId>, new: Option<ObjectId> },
    Found(TreeChange),
}

/// Finds the differences between two trees, `None` being empty. Steps are on the heap, as trees may nest deeply.
pub(super) fn changes(repo: &Repo, old: Option<ObjectId>, new: Option<ObjectId>) -> Result<Vec<TreeChange>> {
    let mut pending = vec![WalkStep::Descend { path: Vec::new(), old, new }];
    let mut found = Vec::new();
    while let Some(step) = pending.pop() {
        match step {
            WalkStep::Found(change) => {
                found.push(change);
                check_count(found.len())?;
            }
            WalkStep::Descend { path, old, new } => {
                let steps = compare(repo, &path, old, new)?;
                pending.extend(steps.into_iter().rev());
            }
        }
    }
    Ok(found)
}

fn compare(repo: &Repo, path: &[u8], old: Option<ObjectId>, new: Option<ObjectId>) -> Result<Vec<WalkStep>> {
    let old = old.map(|id| object::tree(repo, id)).transpose()?;
    let new = new.map(|id| object::tree(repo, id)).transpose()?;
    let (old, new) = (entries(old.as_ref())?, entries(new.as_ref())?);
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let mut steps = Vec::new();
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return Ok(steps),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => name_order(a.filename, a.mode.is_tree(), b.filename, b.mode.is_tree()),
        };
        let before = old.next_if(|_| order.is_le());
        let after = new.next_if(|_| order.is_ge());
        steps.extend(step(path, before, after));
    }
}

fn entries<'tree>(tree: Option<&'tree gix::Tree<'_>>) -> Result<Vec<EntryRef<'tree>>> {
    let Some(tree) = tree else { return Ok(Vec::new()) };
    Ok(tree.decode().with_context(|| format!("tree `{}` is broken", tree.id))?.entries)
}

/// Returns the step for two entries of the same name, of which one may be missing.
fn step(directory: &[u8], old: Option<&EntryRef<'_>>, new: Option<&EntryRef<'_>>) -> Option<WalkStep> {
    if old.zip(new).is_some_and(|(old, new)| old.oid == new.oid && old.mode.kind() == new.mode.kind()) {
        return None;
    }
    let path = join(directory, old.or(new)?.filename);
    if old.or(new)?.mode.is_tree() {
        let id = |entry: &EntryRef<'_>| entry.oid.to_owned();
        return Some(WalkStep::Descend { path, old: old.map(id), new: new.map(id) });
    }
    let file =
        |entry: &EntryRef<'_>| TreeMember { path: path.clone(), mode: entry.mode.kind(), id: entry.oid.to_owned() };
    Some(WalkStep::Found(TreeChange { old: old.map(file), new: new.map(file) }))
}
