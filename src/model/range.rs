//! A range of history, and the parents of its commits.

use super::Oid;

/// The commits reachable from `to` and not from `from`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// The excluded commit, with all its ancestors; `None` for the whole history. It need not be an ancestor of `to`.
    pub from: Option<Oid>,
    /// The included commit, with its other ancestors.
    pub to: Oid,
}

/// The parents of each commit of a range, in the commit's own order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parents {
    /// The parents of one commit after another: an index in the range, or `u32::MAX` minus an index in `outside`.
    indexes: Vec<u32>,
    /// The end of each commit's parents in `indexes`.
    ends: Vec<u32>,
    outside: Vec<Oid>,
}

/// A parent of a commit of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parent {
    /// A commit of the range, at this index.
    Inside(usize),
    /// A commit outside of the range.
    Outside(Oid),
}

impl Parents {
    /// Creates an empty value with room for the parents of `commits` commits.
    pub(crate) fn with_capacity(commits: usize) -> Self {
        Self { indexes: Vec::with_capacity(commits), ends: Vec::with_capacity(commits), outside: Vec::new() }
    }

    /// Adds the parents of the next commit.
    pub(crate) fn push(&mut self, parents: impl IntoIterator<Item = Parent>) {
        for parent in parents {
            let index = match parent {
                Parent::Inside(index) => number(index),
                Parent::Outside(id) => {
                    self.outside.push(id);
                    u32::MAX - number(self.outside.len() - 1)
                }
            };
            self.indexes.push(index);
        }
        self.ends.push(number(self.indexes.len()));
    }

    /// Returns the parents that are not in the range; one can be repeated.
    pub(crate) fn outside(&self) -> &[Oid] {
        &self.outside
    }

    /// Returns the number of commits.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether the range has no commits.
    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns the parents of the commit at an index.
    pub(crate) fn of(&self, commit: usize) -> impl Iterator<Item = Parent> {
        let start = commit.checked_sub(1).map_or(0, |before| self.ends[before]);
        let indexes = &self.indexes[start as usize..self.ends[commit] as usize];
        indexes.iter().map(|index| match self.outside.get((u32::MAX - index) as usize) {
            Some(id) => Parent::Outside(*id),
            None => Parent::Inside(*index as usize),
        })
    }

    /// Returns the indexes of those parents of a commit that are in the range.
    pub(crate) fn inside(&self, commit: usize) -> impl Iterator<Item = usize> {
        self.of(commit).filter_map(Parent::index)
    }

    /// Visits commits, and the parents in the range of each for which `is_new` is true.
    pub(crate) fn visit(&self, from: impl IntoIterator<Item = usize>, mut is_new: impl FnMut(usize) -> bool) {
        let mut pending: Vec<usize> = from.into_iter().collect();
        while let Some(commit) = pending.pop() {
            if is_new(commit) {
                pending.extend(self.inside(commit));
            }
        }
    }

    /// Returns for each commit whether it descends from a commit outside of the range.
    pub(crate) fn descend_from(&self, ancestor: Oid) -> Vec<bool> {
        self.descend_from_any(|parent| matches!(parent, Parent::Outside(id) if id == ancestor))
    }

    /// Returns for each commit whether it descends from one of the ancestors.
    pub(crate) fn descend_from_any(&self, is_ancestor: impl Fn(Parent) -> bool) -> Vec<bool> {
        self.derive_from_parents(|commit, descends| {
            self.of(commit).any(|parent| {
                is_ancestor(parent) || parent.index().is_some_and(|parent| descends[parent] == Some(true))
            })
        })
    }

    /// Returns a value for each commit, made of those of its parents in the range: `make` gets the index of a commit and the
    /// values that are known so far, among which are those of its parents.
    pub(crate) fn derive_from_parents<T: Clone>(&self, make: impl Fn(usize, &[Option<T>]) -> T) -> Vec<T> {
        let mut known: Vec<Option<T>> = vec![None; self.len()];
        for commit in 0..self.len() {
            let mut pending = vec![commit];
            while let Some(next) = pending.last().copied() {
                if known[next].is_some() {
                    pending.pop();
                } else if let Some(parent) = self.inside(next).find(|parent| known[*parent].is_none()) {
                    pending.push(parent);
                } else {
                    known[next] = Some(make(next, &known));
                }
            }
        }
        known.into_iter().flatten().collect()
    }

    /// Returns the first parent of the commit at an index; `None` for a root commit.
    #[must_use]
    pub(crate) fn first(&self, commit: usize) -> Option<Parent> {
        self.of(commit).next()
    }
}

impl Parent {
    /// Returns the parent's index, if it is in the range.
    pub(crate) fn index(self) -> Option<usize> {
        match self {
            Self::Inside(index) => Some(index),
            Self::Outside(_) => None,
        }
    }

    /// Returns the parent's object ID; `at` returns the ID of the commit at an index.
    #[must_use]
    pub(crate) fn id(self, at: impl FnOnce(usize) -> Oid) -> Oid {
        match self {
            Self::Inside(index) => at(index),
            Self::Outside(id) => id,
        }
    }
}

fn number(index: usize) -> u32 {
    u32::try_from(index).expect("a range has fewer than four billion commits")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_commit_has_its_own_inside_and_outside() {
        let ids = [1, 2].map(|id| Oid::from_bytes(&[id; 20]).unwrap());
        let family = [
            vec![Parent::Inside(2), Parent::Outside(ids[0])],
            vec![],
            vec![Parent::Outside(ids[1]), Parent::Inside(1), Parent::Outside(ids[0])],
        ];
        let mut parents = Parents::with_capacity(family.len());
        for own in &family {
            parents.push(own.iter().copied());
        }
        let found: Vec<Vec<Parent>> = (0..parents.len()).map(|commit| parents.of(commit).collect()).collect();
        assert_eq!(found, family);
        assert_eq!(parents.first(1), None);
        assert_eq!(parents.first(0).and_then(Parent::index), Some(2));
    }
}
