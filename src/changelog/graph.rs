//! The graph of a walk: commits by their place in it, their parents, and the lines that first parents form.

use std::collections::HashMap;

use crate::model::{Commit, Oid};

/// Parents and lines of the commits of a walk. A parent outside the range is `None`.
pub(super) struct Graph {
    parents: Vec<Vec<Option<usize>>>,
    lines: Lines,
}

impl Graph {
    pub(super) fn of(commits: &[Commit]) -> Self {
        let places: HashMap<Oid, usize> = commits.iter().zip(0..).map(|(commit, place)| (commit.id, place)).collect();
        let in_range = |commit: &Commit| commit.parents.iter().map(|parent| places.get(parent).copied()).collect();
        let parents: Vec<Vec<Option<usize>>> = commits.iter().map(in_range).collect();
        Self { lines: Lines::of(&parents), parents }
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn parents(&self, place: usize) -> impl Iterator<Item = usize> {
        self.parents[place].iter().copied().flatten()
    }

    /// The parents a merge brings in: all but the first.
    pub(super) fn merged_parents(&self, place: usize) -> impl Iterator<Item = usize> {
        self.parents[place].iter().skip(1).copied().flatten()
    }

    pub(super) fn first_parent(&self, place: usize) -> Option<usize> {
        first_parent(&self.parents[place])
    }

    /// Whether `ancestor` is `tip`, or reached from it through first parents alone.
    pub(super) fn is_on_line(&self, ancestor: usize, tip: usize) -> bool {
        self.lines.reach(tip, ancestor)
    }
}

fn first_parent(parents: &[Option<usize>]) -> Option<usize> {
    parents.first().copied().flatten()
}

/// Every commit lies on exactly one line: a run of first parents. A line ends at a commit of another one, where it
/// branched off, or at the edge of the range.
struct Lines {
    line: Vec<usize>,
    position: Vec<usize>,
    branched_off: Vec<Option<usize>>,
}

impl Lines {
    const NONE: usize = usize::MAX;

    fn of(parents: &[Vec<Option<usize>>]) -> Self {
        let mut lines =
            Self { line: vec![Self::NONE; parents.len()], position: vec![0; parents.len()], branched_off: Vec::new() };
        for start in 0..parents.len() {
            if lines.line[start] == Self::NONE {
                lines.draw(start, parents);
            }
        }
        lines
    }

    fn draw(&mut self, start: usize, parents: &[Vec<Option<usize>>]) {
        let line = self.branched_off.len();
        let mut next = Some(start);
        let mut position = 0;
        while let Some(place) = next.filter(|&place| self.line[place] == Self::NONE) {
            self.line[place] = line;
            self.position[place] = position;
            position += 1;
            next = first_parent(&parents[place]);
        }
        self.branched_off.push(next);
    }

    fn reach(&self, tip: usize, ancestor: usize) -> bool {
        let mut tip = tip;
        while self.line[tip] != self.line[ancestor] {
            match self.branched_off[self.line[tip]] {
                Some(place) => tip = place,
                None => return false,
            }
        }
        self.position[tip] <= self.position[ancestor]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changelog::testing::child;

    #[test]
    fn lines_follow_first_parents_across_branch_points() {
        // Newest first: 5 merges 4 into 3; 4 branches off at 2; 3 - 2 - 1 - (outside).
        let commits =
            [child(5, &[3, 4], ""), child(4, &[2], ""), child(3, &[2], ""), child(2, &[1], ""), child(1, &[0], "")];
        let graph = Graph::of(&commits);
        let place = |id: usize| 5 - id;
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
            assert_eq!(graph.is_on_line(place(ancestor), place(tip)), expected, "{ancestor} on the line of {tip}");
        }
        assert_eq!(graph.merged_parents(0).collect::<Vec<_>>(), [1]);
        assert_eq!(graph.first_parent(4), None, "outside the range");
    }
}
