//! What takes the steps of a release back: shell commands, with the names of the release.

use super::plan::{ReleasePlan, ReleaseReport};
use crate::model::{StepState, shell_quoted};

/// The shell commands that take back each step, in the order to run them; empty if there is nothing to take back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UndoCommands {
    /// Before the push: takes the commit off the branch, with what it changed in files.
    pub commit: Vec<String>,
    /// Deletes the tag here.
    pub tag: Vec<String>,
    /// Deletes the tag on the remote, and reverts the commit with a new one.
    pub push: Vec<String>,
}

impl ReleasePlan {
    /// Lists what takes back the steps that are planned, or were taken; a commit that is still to be made has no ID.
    #[must_use]
    pub fn undo(&self, report: &ReleaseReport) -> UndoCommands {
        let states = report.states;
        let is_there = |state: StepState| !matches!(state, StepState::Skipped | StepState::Blocked);
        let has_branch = self.push.upstream.is_some() && !self.push.branch;
        let is_pushed = has_branch || matches!(states.push, StepState::Done | StepState::AlreadyDone);
        let mut undo = UndoCommands::default();
        let has_commit = is_there(states.commit) && self.origin.is_release;
        if has_commit && !is_pushed {
            undo.commit.extend(self.origin.parent.as_ref().map(|parent| {
                if self.origin.is_checked_out {
                    format!("git reset --keep {parent}")
                } else {
                    format!("git update-ref {} {parent}", shell_quoted(&format!("refs/heads/{}", self.branch)))
                }
            }));
        }
        if is_there(states.tag) {
            undo.tag.push(format!("git tag -d {}", shell_quoted(&self.tag)));
        }
        if let Some(upstream) = self.push.upstream.as_ref().filter(|_| is_there(states.push)) {
            let remote = shell_quoted(&upstream.shown());
            if self.push.tag || self.push.has_tag {
                let tag = shell_quoted(&format!("refs/tags/{}", self.tag));
                undo.push.push(format!("git push {remote} --delete {tag}"));
            }
            if has_commit {
                let switch =
                    (!self.origin.is_checked_out).then(|| format!("git switch {}", shell_quoted(&self.branch)));
                undo.push.extend(switch);
                undo.push.push(format!("git revert --no-edit {}", self.released_commit(report)));
                undo.push.push(format!("git push {remote} {}", shell_quoted(&format!("HEAD:{}", upstream.branch))));
            }
        }
        undo
    }

    /// The ID of the commit that is released, or a placeholder until it is made.
    #[must_use]
    pub fn released_commit(&self, report: &ReleaseReport) -> String {
        if report.states.commit.is_planned() { "<new commit>".to_owned() } else { report.commit.to_string() }
    }
}
