//! The graph of a walk: commits by their place in it, their parents, and the lines that first parents form.

use super::judged::Judged;
use crate::model::{Oid, OidMap};

/// Parents and lines of the commits of a walk.
pub(super) struct Graph {
    parents: Parents,
    lines: Lines,
}

impl Graph {
    pub(super) fn of(commits: &[Judged]) -> Self {
        let parents = Parents::of(commits);
        Self { lines: Lines::of(&parents), parents }
    }

    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    pub(super) fn parents(&self, place: usize) -> impl Iterator<Item = usize> {
        self.parents.of_one(place).iter().copied().filter_map(in_range)
    }

    /// The parents a merge brings in: all but the first.
    pub(super) fn merged_parents(&self, place: usize) -> impl Iterator<Item = usize> {
        self.parents.of_one(place).iter().copied().skip(1).filter_map(in_range)
    }

    pub(super) fn first_parent(&self, place: usize) -> Option<usize> {
        self.parents.first(place)
    }

    /// Whether `ancestor` is `tip`, or reached from it through first parents alone.
    pub(super) fn is_on_line(&self, ancestor: usize, tip: usize) -> bool {
        self.lines.reach(tip, ancestor)
    }
}

/// The place of a parent outside the range.
const OUTSIDE: u32 = u32::MAX;

fn in_range(place: u32) -> Option<usize> {
    (place != OUTSIDE).then_some(place as usize)
}

/// The places of all parents, one commit's behind the other's.
struct Parents {
    places: Vec<u32>,
    ends: Vec<usize>,
}

impl Parents {
    fn of(commits: &[Judged]) -> Self {
        let known: OidMap<u32> = commits.iter().zip(0..).map(|(commit, place)| (commit.id, place)).collect();
        let place = |parent: &Oid| known.get(parent).copied().unwrap_or(OUTSIDE);
        let mut parents = Self { places: Vec::with_capacity(commits.len()), ends: Vec::with_capacity(commits.len()) };
        for commit in commits {
            parents.places.extend(commit.parents.iter().map(place));
            parents.ends.push(parents.places.len());
        }
        parents
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn of_one(&self, place: usize) -> &[u32] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.places[start..self.ends[place]]
    }

    fn first(&self, place: usize) -> Option<usize> {
        self.of_one(place).first().copied().and_then(in_range)
    }
}

/// Every commit lies on exactly one line: a run of first parents. A line ends at a commit of another one, where it
/// branched off, or at the edge of the range.
struct Lines {
    line: Vec<u32>,
    position: Vec<u32>,
    branched_off: Vec<Option<usize>>,
}

impl Lines {
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
        while let Some(place) = next.filter(|&place| self.line[place] == Self::NONE) {
            self.line[place] = line;
            self.position[place] = position;
            position += 1;
            next = parents.first(place);
        }
        self.branched_off.push(next);
    }

    fn reach(&self, tip: usize, ancestor: usize) -> bool {
        let mut tip = tip;
        while self.line[tip] != self.line[ancestor] {
            match self.branched_off[self.line[tip] as usize] {
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
    use crate::changelog::testing::{child, read};

    #[test]
    fn lines_follow_first_parents_across_branch_points() {
        // Newest first: 5 merges 4 into 3; 4 branches off at 2; 3 - 2 - 1 - (outside).
        let commits =
            [child(5, &[3, 4], ""), child(4, &[2], ""), child(3, &[2], ""), child(2, &[1], ""), child(1, &[0], "")];
        let graph = Graph::of(&read(&commits));
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
