//! The merge requests that brought in the commits of a range, according to the merge commits alone.

use std::sync::OnceLock;

use super::{classified_commit::ClassifiedCommit, merge_request_reference::MergeRequestReference};
use crate::model::{Parent, Parents};

/// The merge requests of all commits of a walk, computed when the first one is needed.
///
/// A commit's merge request is named by the merge that first brought it in: the oldest that names one and reaches the
/// commit from its other parents, but not from its first. A merge or squashed commit has the one it names itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct MergeRequests {
    /// The index of the merge that brought each commit in; empty if no commit names a merge request.
    merged_by: OnceLock<Vec<Option<u32>>>,
}

impl MergeRequests {
    /// Returns the merge request of the commit at an index of a walk, given with the parents of each commit. All calls
    /// must be about the same walk.
    pub(crate) fn of<'a>(
        &self,
        index: usize,
        commits: &'a [ClassifiedCommit],
        parents: &Parents,
    ) -> Option<&'a MergeRequestReference> {
        let merged_by = self.merged_by.get_or_init(|| merges(commits, parents));
        commits[index].merge_request().or_else(|| commits[(*merged_by.get(index)?)? as usize].merge_request())
    }

    /// Returns the merge request of each commit.
    pub(crate) fn all<'a>(
        &self,
        commits: &'a [ClassifiedCommit],
        parents: &Parents,
    ) -> Vec<Option<&'a MergeRequestReference>> {
        (0..commits.len()).map(|index| self.of(index, commits, parents)).collect()
    }
}

fn merges(commits: &[ClassifiedCommit], parents: &Parents) -> Vec<Option<u32>> {
    if commits.iter().all(|commit| commit.merge_request().is_none()) {
        return Vec::new();
    }
    let mut walk = MergeWalk::new(parents);
    for merge in (0..commits.len()).rev().filter(|&index| commits[index].is_merge) {
        walk.mark_merged(merge, commits[merge].merge_request().is_some());
    }
    walk.merged_by
}

/// Walks the merged side of each merge, the oldest merge first. No commit is brought in twice, so that all walks together
/// take little more than one pass over the graph.
struct MergeWalk<'a> {
    parents: &'a Parents,
    chains: FirstParentChains,
    /// The merge with a merge request that brought each commit in.
    merged_by: Vec<Option<u32>>,
    /// The first merge of any kind that joined each commit to another line.
    joined_by: Vec<Option<u32>>,
    visited_by: Vec<Option<u32>>,
}

impl<'a> MergeWalk<'a> {
    fn new(parents: &'a Parents) -> Self {
        let none = vec![None; parents.len()];
        let chains = FirstParentChains::from_parents(parents);
        Self { parents, chains, merged_by: none.clone(), joined_by: none.clone(), visited_by: none }
    }

    fn mark_merged(&mut self, merge: usize, names_a_request: bool) {
        let first_parent = self.parents.first(merge).and_then(Parent::index);
        let by = u32::try_from(merge).expect("a walk has fewer than four billion commits");
        let merged = self.parents.of(merge).skip(1).filter_map(Parent::index);
        self.parents.visit(merged, |index| {
            let again = self.visited_by[index].replace(by) == Some(by);
            if again || self.merged_by[index].is_some() || self.was_on(first_parent, index) {
                return false;
            }
            self.merged_by[index] = names_a_request.then_some(by);
            self.joined_by[index].get_or_insert(by);
            true
        });
    }

    /// Whether the first-parent line of a merge had the commit already, as its own or through an earlier merge.
    fn was_on(&self, first_parent: Option<usize>, index: usize) -> bool {
        let on_line = |index| first_parent.is_some_and(|tip| self.chains.reach(tip, index));
        on_line(index) || self.joined_by[index].is_some_and(|merge| on_line(merge as usize))
    }
}

/// The lines of the commits: each commit is on one chain of first parents. A line ends at the commit of another line
/// from which it branched off, or at the edge of the range.
struct FirstParentChains {
    line: Vec<u32>,
    position: Vec<u32>,
    branched_off: Vec<Option<usize>>,
}

impl FirstParentChains {
    const NONE: u32 = u32::MAX;

    fn from_parents(parents: &Parents) -> Self {
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

    /// Whether `ancestor` is `tip`, or reachable from it through first parents.
    fn reach(&self, mut tip: usize, ancestor: usize) -> bool {
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
    use crate::sources::testing::{Child, child, parents, read};

    /// A history such as `5:4,3!7 4:1`: each commit with its parents, and the merge request that it names.
    fn history(text: &str) -> Vec<Child> {
        let commit = |commit: &str| {
            let (graph, request) = commit.split_once('!').unwrap_or((commit, ""));
            let (id, parents) = graph.split_once(':').unwrap();
            let parents: Vec<u8> = parents.split(',').map(|id| id.parse::<u8>().unwrap()).collect();
            let message =
                if request.is_empty() { "A".to_owned() } else { format!("A\n\nSee merge request !{request}") };
            child(id.parse().unwrap(), &parents, &message)
        };
        text.split(' ').map(commit).collect()
    }

    fn numbers(history: &[Child]) -> Vec<u64> {
        let commits: Vec<_> = history.iter().map(|child| child.commit.clone()).collect();
        let classified = read(&commits);
        let parents = parents(history);
        let requests = MergeRequests::default().all(&classified, &parents);
        requests.into_iter().map(|request| request.map_or(0, |request| request.number)).collect()
    }

    #[test]
    fn a_merge_brings_in_what_its_first_parent_did_not_have() {
        for (case, commits, expected) in [
            ("its side, and nothing below the fork", "5:4,3!7 4:1 3:2 2:1 1:0", &[7, 0, 7, 7, 0][..]),
            ("the first of nested merges counts", "7:1,6!9 6:5,4!8 5:1 4:1 1:0", &[9, 8, 9, 8, 0]),
            ("a merge without a request is looked through", "7:1,6!9 6:5,4 5:1 4:1 1:0", &[9, 9, 9, 9, 0]),
            (
                "merging main into a branch brings nothing of main in",
                "9:8,7!3 8:6 7:5,6 6:4 5:4 4:0",
                &[3, 0, 3, 0, 3, 0],
            ),
            ("what a plain merge put on main is not brought in again", "9:7,8!3 8:5 7:4,5 5:4 4:0", &[3, 3, 0, 0, 0]),
        ] {
            assert_eq!(numbers(&history(commits)), expected, "{case}");
        }
        let picked = "Fix\n\nSee merge request !2\n(cherry picked from commit abc)";
        let commits = [child(3, &[1, 2], "A\n\nSee merge request !5"), child(2, &[1], picked), child(1, &[], "Root")];
        assert_eq!(numbers(&commits), [5, 5, 0], "a picked commit");
    }

    #[test]
    fn chains_follow_first_parents_across_branch_points() {
        // Newest first: 5 merges 4 into 3; 4 branches off at 2; 3 - 2 - 1 - (outside).
        let history = history("5:3,4 4:2 3:2 2:1 1:0");
        let chains = FirstParentChains::from_parents(&parents(&history));
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
            assert_eq!(chains.reach(5 - tip, 5 - ancestor), expected, "{ancestor} on the line of {tip}");
        }
    }
}
