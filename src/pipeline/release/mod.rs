//! A release: commit, tag, push and publish.
//!
//! 1. A [`ReleaseRequest`] is what was asked for.
//! 2. The [`ReleaseContext`] is what all releases of a run share: configuration, tags, branch and remote, each read once.
//!    [`ReleaseInputs`] add what the repository says about one release: version, tag, and where its notes come from.
//! 3. A [`ReleasePlan`] has each step with its state, and what blocks it. It is plain data: nothing was written.
//! 4. [`execute()`] takes the plans step by step from where an earlier run stopped, and returns a [`ReleaseReport`] each.

mod by_forge;
mod by_request;
mod context;
mod edits;
mod execute;
mod inputs;
mod merged;
mod plan;
mod planner;
mod present;
mod push;

use std::path::PathBuf;

pub(crate) use self::{
    by_forge::ForgeCommitter,
    by_request::{ReleaseBranch, RequestDraft, delete, notice, push, without_notice},
    context::ReleaseContext,
    execute::{ExecutionResult, ReleaseEvent, execute},
    inputs::ReleaseInputs,
    plan::{PublishPlan, ReleasePlan, ReleaseReport, StepState, joint_message, message_of},
};
use super::{BumpOptions, ChangelogRequest};
use crate::model::Version;

/// A request for a release.
#[derive(Clone, Debug)]
pub(crate) struct ReleaseRequest {
    /// The version; `None` for the one that the tip of the branch was made for, else the next one.
    pub version: Option<Version>,
    /// How the next version is chosen if none is given.
    pub bump: BumpOptions,
    /// Whether to release a next version that is an estimate.
    pub accepts_estimate: bool,
    /// How the section is made; its version and its end are those of the release.
    pub changelog: ChangelogRequest,
    /// The tag; `None` for the version after the prefix of the last stable tag, `v` for a first release.
    pub tag: Option<String>,
    /// The branch; `None` for the one that `HEAD` points at.
    pub branch: Option<String>,
    /// The changelog file, from the top of the repository; `None` for the one that the configuration names.
    pub file: Option<PathBuf>,
    /// The message of the commit; `None` for `Release {version}`. The version is named with its package, if it has one.
    pub message: Option<String>,
    /// Whether to replace a section that the file has, unless its version is tagged.
    pub replace: bool,
    /// Whether to sign commit and tag even if git's configuration does not ask for it.
    pub sign: bool,
    /// The remote; `None` for the one that the branch is pushed to.
    pub remote: Option<String>,
    pub steps: StepSelection,
}

/// The steps that a release has.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a step of its own")]
pub(crate) struct StepSelection {
    /// Whether to insert the section into the changelog file and commit it.
    pub commit: bool,
    /// Whether to set the version in the version files, in the same commit.
    pub version_files: bool,
    pub tag: bool,
    pub push: bool,
    /// Whether to run the hooks of the configuration.
    pub hooks: bool,
}
