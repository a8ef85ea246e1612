//! The paths that differ between two trees, in the order of git's raw diff (git-diff-tree(1)).

use std::cmp::Ordering;

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    objs::tree::{EntryRef, name_order},
};

use crate::git::{
    FetchedObjects, object,
    tree::{TreeMember, check_count, join_path},
};

/// A changed file, link or submodule: `old` is `None` if it is new, `new` is `None` if it was deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::git) struct TreeChange {
    pub(in crate::git) old: Option<TreeMember>,
    pub(in crate::git) new: Option<TreeMember>,
}

impl TreeChange {
    /// Whether the type changed, such as from a file to a link.
    pub(super) fn is_type_change(&self) -> bool {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => old.mode != new.mode && !(old.is_regular() && new.is_regular()),
            _ => false,
        }
    }
}

/// Finds the differences between two trees, `None` being empty. Pairs wait on the heap, as trees may nest deeply.
pub(in crate::git) fn changes(
    objects: FetchedObjects,
    old: Option<ObjectId>,
    new: Option<ObjectId>,
) -> Result<Vec<TreeChange>> {
    let (mut pending, mut found) = (vec![(Vec::new(), old, new)], Vec::new());
    while let Some((directory, old, new)) = pending.pop() {
        let old = old.map(|id| object::tree(objects, id)).transpose()?;
        let new = new.map(|id| object::tree(objects, id)).transpose()?;
        let (old, new) = (entries(old.as_ref())?, entries(new.as_ref())?);
        let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
        let first = pending.len();
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => name_order(a.filename, a.mode.is_tree(), b.filename, b.mode.is_tree()),
            };
            let (before, after) = (old.next_if(|_| order.is_le()), new.next_if(|_| order.is_ge()));
            let Some(entry) = before.or(after) else { break };
            if before.zip(after).is_some_and(|(a, b)| a.oid == b.oid && a.mode.kind() == b.mode.kind()) {
                continue;
            }
            let path = join_path(&directory, entry.filename);
            let member =
                |entry: &EntryRef| TreeMember { path: path.clone(), mode: entry.mode.kind(), id: entry.oid.to_owned() };
            let (before, after) = (before.map(member), after.map(member));
            if entry.mode.is_tree() {
                let id = |member: TreeMember| member.id;
                pending.push((path, before.map(id), after.map(id)));
            } else {
                found.push((path, TreeChange { old: before, new: after }));
                check_count(found.len())?;
            }
        }
        pending[first..].reverse();
    }
    // The bytewise order of whole paths is that of git, in which the name of a directory ends with a slash.
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(found.into_iter().map(|(_, change)| change).collect())
}

fn entries<'tree>(tree: Option<&'tree gix::Tree<'_>>) -> Result<Vec<EntryRef<'tree>>> {
    let Some(tree) = tree else { return Ok(Vec::new()) };
    Ok(tree.decode().with_context(|| format!("tree `{}` is broken", tree.id))?.entries)
}
