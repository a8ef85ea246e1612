//! A release thought through: every step with its state, and what stands in the way.

use std::path::Path;

use super::{Notes, Push, ReleaseRequest, edition::Edition, remote};
use crate::{
    git::{
        Repo,
        commit::{self, Change},
        signing,
        tag::Tag,
    },
    model::{Oid, StepState, Version, Warning},
};

/// A release to be; nothing was written.
#[derive(Debug)]
pub struct Plan {
    /// The version.
    pub version: Version,
    /// The tag.
    pub tag: String,
    /// The branch.
    pub branch: String,
    /// The notes: the section of the file, else the one that goes into it.
    pub notes: Notes,
    /// The commit that is released; until there is one, the tip of the branch.
    pub commit: Oid,
    /// Whether the commit is to be made.
    pub committing: StepState,
    /// What the commit changes.
    pub changes: Vec<Change>,
    /// Whether the tag is to be made.
    pub tagging: StepState,
    /// What is pushed, and whether it still has to be.
    pub push: Push,
    /// What stands in the way: a plan that has any cannot be carried out.
    pub obstacles: Vec<anyhow::Error>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    pub(super) edition: Edition,
    pub(super) message: String,
    pub(super) sign: bool,
}

impl Plan {
    /// Whether nothing is left to do here and on the remote.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        ![self.committing, self.tagging, self.push.state].iter().any(|state| state.is_planned())
    }

    /// What is pushed, as `git push` is told it.
    #[must_use]
    pub fn refs(&self) -> Vec<String> {
        let commit = if self.committing.is_planned() { "<new commit>".to_owned() } else { self.commit.to_string() };
        self.push.refspecs(&commit, &self.tag)
    }

    /// Whether the version comes before a stable one.
    #[must_use]
    pub fn is_pre_release(&self) -> bool {
        !self.version.semver().pre.is_empty()
    }

    /// Whether the remote will have the tag.
    #[must_use]
    pub fn publishes_tag(&self) -> bool {
        let is_to_come = self.push.state == StepState::Blocked && self.tagging != StepState::LeftOut;
        self.push.has_tag || self.push.tag || is_to_come
    }

    /// Finds out which steps are done, and what stands in the way of the others.
    pub(super) fn look(&mut self, repo: &Repo, request: &ReleaseRequest, existing: Option<Tag>) {
        let steps = request.steps;
        if steps.commit {
            self.look_at_files(repo, existing.is_some());
        }
        if steps.tag {
            self.tagging = StepState::of(existing.is_some());
        }
        if self.committing.is_planned() {
            self.check(commit::check(repo, &self.commit_request(&[])));
        } else if self.tagging.is_planned() {
            self.check(commit::check_identity(repo));
        }
        if self.tagging.is_planned() {
            self.check(signing::is_asked(repo, signing::TAG));
        }
        if steps.push {
            let here = remote::Here {
                branch: &self.branch,
                commit: self.commit,
                grows: self.committing.is_planned(),
                written: steps.commit,
                tag: &self.tag,
                existing,
                tagged: steps.tag || existing.is_some(),
            };
            let push = remote::compare(repo, request, here);
            self.push = self.check(push).unwrap_or(Push { state: StepState::Blocked, ..Push::LEFT_OUT });
        } else if let Some(tag) = existing {
            self.push.has_tag = remote::has_tag(repo, request, (&self.branch, &self.tag), tag);
        }
    }

    fn look_at_files(&mut self, repo: &Repo, is_tagged: bool) {
        self.committing = StepState::of(is_tagged);
        if is_tagged {
            return;
        }
        let files = self.edition.files();
        let mut edit = |path: &Path, old: &[u8]| self.edition.edit(path, old);
        let preview = commit::preview(repo, &self.commit_request(&files), &mut edit);
        let Some(changes) = self.check(preview) else {
            self.committing = StepState::Blocked;
            return;
        };
        self.committing = StepState::of(changes.is_empty());
        self.warnings.extend(self.edition.misplacement(&changes));
        self.changes = changes;
    }

    /// The value, where nothing stands in its way; else it is one more obstacle.
    pub fn check<T>(&mut self, checked: anyhow::Result<T>) -> Option<T> {
        checked.map_err(|obstacle| self.obstacles.push(obstacle)).ok()
    }
}
