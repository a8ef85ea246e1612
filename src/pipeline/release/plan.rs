//! A release thought through: every step with its state, and what stands in the way.

use std::path::Path;

use super::{PushStep, ReleaseNotes, ReleaseRequest, edition::FileEdits, push};
use crate::{
    git::{
        Repo,
        commit::{self, FileChange},
        signing,
        tag::Tag,
    },
    model::{Oid, StepState, Version, Warning},
};

/// A release to be; nothing was written.
#[derive(Debug)]
pub struct ReleasePlan {
    /// The version.
    pub version: Version,
    /// The tag.
    pub tag: String,
    /// The branch.
    pub branch: String,
    /// The notes: the section of the file, else the one that goes into it.
    pub notes: ReleaseNotes,
    /// The commit that is released; until there is one, the tip of the branch.
    pub commit: Oid,
    /// Whether the commit is to be made.
    pub commit_state: StepState,
    /// What the commit changes.
    pub changes: Vec<FileChange>,
    /// Whether the tag is to be made.
    pub tag_state: StepState,
    /// What is pushed, and whether it still has to be.
    pub push: PushStep,
    /// What stands in the way: a plan that has any cannot be carried out.
    pub blockers: Vec<anyhow::Error>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    pub(super) edition: FileEdits,
    pub(super) message: String,
    pub(super) sign: bool,
}

impl ReleasePlan {
    /// Whether nothing is left to do here and on the remote.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        ![self.commit_state, self.tag_state, self.push.state].iter().any(|state| state.is_planned())
    }

    /// What is pushed, as `git push` is told it.
    #[must_use]
    pub fn refs(&self) -> Vec<String> {
        let commit = if self.commit_state.is_planned() { "<new commit>".to_owned() } else { self.commit.to_string() };
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
        let is_to_come = self.push.state == StepState::Blocked && self.tag_state != StepState::Skipped;
        self.push.has_tag || self.push.tag || is_to_come
    }

    /// Finds out which steps are done, and what stands in the way of the others.
    pub(super) fn inspect(&mut self, repo: &Repo, request: &ReleaseRequest, existing: Option<Tag>) {
        let steps = request.steps;
        if steps.commit {
            self.inspect_files(repo, existing.is_some());
        }
        if steps.tag {
            self.tag_state = StepState::of(existing.is_some());
        }
        if self.commit_state.is_planned() {
            self.or_block(commit::check(repo, &self.commit_request(&[])));
        } else if self.tag_state.is_planned() {
            self.or_block(commit::check_identity(repo));
        }
        if self.tag_state.is_planned() {
            self.or_block(signing::is_enabled(repo, signing::TAG));
        }
        if steps.push {
            let here = push::LocalState {
                branch: &self.branch,
                commit: self.commit,
                will_commit: self.commit_state.is_planned(),
                has_section: steps.commit,
                tag: &self.tag,
                existing,
                tagged: steps.tag || existing.is_some(),
            };
            let push = push::plan_push(repo, request, here);
            self.push = self.or_block(push).unwrap_or(PushStep { state: StepState::Blocked, ..PushStep::SKIPPED });
        } else if let Some(tag) = existing {
            self.push.has_tag = push::has_tag(repo, request, (&self.branch, &self.tag), tag);
        }
    }

    fn inspect_files(&mut self, repo: &Repo, is_tagged: bool) {
        self.commit_state = StepState::of(is_tagged);
        if is_tagged {
            return;
        }
        let files = self.edition.files();
        let mut edit = |path: &Path, old: &[u8]| self.edition.edit(path, old);
        let preview = commit::preview(repo, &self.commit_request(&files), &mut edit);
        let Some(changes) = self.or_block(preview) else {
            self.commit_state = StepState::Blocked;
            return;
        };
        self.commit_state = StepState::of(changes.is_empty());
        self.warnings.extend(self.edition.placement_warning(&changes));
        self.changes = changes;
    }

    /// The value, where nothing stands in its way; else it is one more obstacle.
    pub fn or_block<T>(&mut self, checked: anyhow::Result<T>) -> Option<T> {
        checked.map_err(|obstacle| self.blockers.push(obstacle)).ok()
    }
}
