//! The reverted commits of a range, by the forms that git and the forges write.

use std::collections::HashSet;

use super::{
    classified_commit::ClassifiedCommit, merge_request_reference::MergeRequestReference, merge_requests::MergeRequests,
    reverts::RevertTarget,
};
use crate::model::{Oid, OidMap, Parent, Parents};

/// The reverted commits of a walk, in any form.
#[derive(Clone, Debug, Default)]
pub(crate) struct RevertedCommits {
    /// The commit that reverts each of them.
    pub(super) by: OidMap<Oid>,
    /// The merge requests that only revert.
    pub(super) reverting: HashSet<MergeRequestReference>,
}

impl RevertedCommits {
    /// Finds the reverted commits of a walk, newest first.
    ///
    /// A revert counts if it is walked before the commit that it reverts, and is not reverted itself. The revert of a
    /// merge reverts everything that the merge brought in.
    pub(crate) fn find(commits: &[ClassifiedCommit], parents: &Parents, requests: &MergeRequests) -> Self {
        let mut reverted = Self::default();
        if commits.iter().all(|commit| commit.mentions().revert_targets.is_empty()) {
            return reverted;
        }
        let requests = requests.all(commits, parents);
        let resolver = TargetResolver { commits, parents, requests: &requests };
        for (index, commit) in commits.iter().enumerate() {
            if reverted.by.contains_key(&commit.id) {
                continue;
            }
            for target in commit.mentions().revert_targets.iter().flat_map(|target| resolver.resolve(target)) {
                if target > index {
                    reverted.by.insert(commits[target].id, commit.id);
                }
            }
        }
        let reverts: HashSet<Oid> = reverted.by.values().copied().collect();
        let mut others: HashSet<&MergeRequestReference> = HashSet::new();
        for (commit, request) in commits.iter().zip(&requests).filter(|(commit, _)| !commit.is_merge) {
            let Some(request) = *request else { continue };
            if reverts.contains(&commit.id) {
                reverted.reverting.insert(request.clone());
            } else {
                others.insert(request);
            }
        }
        reverted.reverting.retain(|request| !others.contains(request));
        reverted
    }
}

/// The walk in which targets of reverts are looked up.
struct TargetResolver<'a> {
    commits: &'a [ClassifiedCommit],
    parents: &'a Parents,
    requests: &'a [Option<&'a MergeRequestReference>],
}

impl TargetResolver<'_> {
    /// Returns the indexes of all commits that a target names; empty if it is not in the range.
    fn resolve(&self, target: &RevertTarget) -> Vec<usize> {
        match target {
            RevertTarget::Commit(digits) => self.commit(digits).map(|index| self.brought_in(index)).unwrap_or_default(),
            RevertTarget::MergeRequest(wanted) => {
                let requests = self.requests.iter().enumerate();
                requests
                    .filter(|(_, request)| {
                        request.is_some_and(|request| {
                            let is_other_project =
                                matches!((&request.path, &wanted.path), (Some(a), Some(b)) if a != b);
                            request.number == wanted.number && !is_other_project
                        })
                    })
                    .map(|(index, _)| index)
                    .collect()
            }
        }
    }

    /// Returns the only commit whose ID begins with these digits.
    fn commit(&self, digits: &str) -> Option<usize> {
        let mut found = (0..self.commits.len()).filter(|index| self.commits[*index].id.starts_with(digits));
        found.next().filter(|_| found.next().is_none())
    }

    /// Returns a commit, and for a merge the commits reached from its other parents but not from its first parent.
    fn brought_in(&self, index: usize) -> Vec<usize> {
        if self.parents.is_empty() || !self.commits[index].is_merge {
            return vec![index];
        }
        let mut seen = vec![false; self.parents.len()];
        let mut mark = |index: usize| !std::mem::replace(&mut seen[index], true);
        self.parents.visit(self.parents.first(index).and_then(Parent::index), &mut mark);
        let mut brought_in = vec![index];
        self.parents.visit(self.parents.of(index).skip(1).filter_map(Parent::index), |index| {
            let is_new = mark(index);
            brought_in.extend(is_new.then_some(index));
            is_new
        });
        brought_in
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        config::{Config, EntrySource},
        sources::testing::{Child, child, classifier, oid, parents, read_by},
    };

    fn reverted(history: &[Child]) -> Vec<Option<Oid>> {
        let classifier = classifier(Config { source: EntrySource::Conventional, ..Config::default() });
        let commits = read_by(&classifier, &history.iter().map(|child| child.commit.clone()).collect::<Vec<_>>());
        let reverted = RevertedCommits::find(&commits, &parents(history), &MergeRequests::default());
        commits.iter().map(|commit| reverted.by.get(&commit.id).copied()).collect()
    }

    #[test]
    fn a_merge_request_is_reverted_with_its_commits_unless_the_revert_is_itself() {
        let history = |top: &str| {
            [
                child(9, &[8], top),
                child(8, &[7], "Revert it\n\nReverts harbor/pilot!7\n"),
                child(7, &[6, 5], "Merge\n\nSee merge request harbor/pilot!7\n"),
                child(6, &[4], "Main"),
                child(5, &[4], "Side"),
                child(4, &[0], "Fork"),
            ]
        };
        let by = Some(oid(8));
        assert_eq!(reverted(&history("Later")), [None, None, by, None, by, None]);
        let again = reverted(&history("Again\n\nThis reverts commit 0808080808.\n"));
        assert_eq!(again, [None, Some(oid(9)), None, None, None, None]);
    }
}
