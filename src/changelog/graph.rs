//! The graph of a walk: the parents of its commits, by index, and the chains of first parents.

use crate::model::{Parent, Parents};

/// The parents of the commits of a walk, and their chains of first parents.
pub(super) struct RangeGraph<'a> {
    parents: &'a Parents,
    lines: FirstParentChains,
}

impl<'a> RangeGraph<'a> {
    pub(super) fn of(parents: &'a Parents) -> Self {
        Self { lines: FirstParentChains::of(parents), parents }
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn parents(&self, index: usize) -> impl Iterator<Item = usize> {
        self.parents.of(index).filter_map(Parent::index)
    }

    /// The parents that a merge has merged: all but the first.
    pub(super) fn merged_parents(&self, index: usize) -> impl Iterator<Item = usize> {
        self.parents.of(index).skip(1).filter_map(Parent::index)
    }

    pub(super) fn first_parent(&self, index: usize) -> Option<usize> {
        self.parents.first(index).and_then(Parent::index)
    }

    /// Whether `ancestor` is `tip`, or reachable from it through first parents.
    pub(super) fn is_first_parent_ancestor(&self, ancestor: usize, tip: usize) -> bool {
        self.lines.reach(tip, ancestor)
    }
}

/// Every commit is on exactly one line, a chain of first parents. A line ends at the commit of another line at which it
/// branched off, or at the edge of the range.
struct FirstParentChains {
    line: Vec<u32>,
    position: Vec<u32>,
    branched_off: Vec<Option<usize>>,
}

impl FirstParentChains {
    const NONE: u32 = u32::MAX;

    fn of(parents: &Parents) -> Self {
        let mut lines =
            Self { line: vec![Self::NONE; parents.len()], position: vec![0; parents.len()], branched_off: Vec::new() };
        for start in 0..parents.len() {
            if lines.line[start] == Self::NONE {
                lines.draw(start, parents);
            }
        }
        lines
    }

    fn draw(&mut self, start: usize, parents: &Parents) {
        let line = u32::try_from(self.branched_off.len()).expect("a walk has fewer than four billion commits");
        let mut next = Some(start);
        let mut position = 0;
        while let Some(index) = next.filter(|&index| self.line[index] == Self::NONE) {
            self.line[index] = line;
            self.position[index] = position;
            position += 1;
            next = parents.first(index).and_then(Parent::index);
        }
        self.branched_off.push(next);
    }

    fn reach(&self, tip: usize, ancestor: usize) -> bool {
        let mut tip = tip;
        while self.line[tip] != self.line[ancestor] {
            match self.branched_off[self.line[tip] as usize] {
                Some(index) => tip = index,
                None => return false,
            }
        }
        self.position[tip] <= self.position[ancestor]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changelog::testing::{child, parents};

    #[test]
    fn lines_follow_first_parents_across_branch_points() {
        // Newest first: 5 merges 4 into 3; 4 branches off at 2; 3 - 2 - 1 - (outside).
        let history =
            [child(5, &[3, 4], ""), child(4, &[2], ""), child(3, &[2], ""), child(2, &[1], ""), child(1, &[0], "")];
        let parents = parents(&history);
        let graph = RangeGraph::of(&parents);
        let index = |id: usize| 5 - id;
        for (ancestor, tip, expected) in [
            (3, 5, true),
            (4, 5, false),
            (1, 5, true),
            (2, 4, true),
            (1, 4, true),
            (3, 4, false),
            (5, 3, false),
            (4, 4, true),
        ] {
            assert_eq!(
                graph.is_first_parent_ancestor(index(ancestor), index(tip)),
                expected,
                "{ancestor} on the line of {tip}"
            );
        }
        assert_eq!(graph.merged_parents(0).collect::<Vec<_>>(), [1]);
        assert_eq!(graph.first_parent(4), None, "outside the range");
    }
}
