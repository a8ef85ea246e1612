//! The plan of a release, the report of its execution, and the commands that undo it: plain data.

use std::{collections::BTreeSet, path::Path};

use serde::Serialize;

use super::edits::{FileEdits, ReleaseNotes};
use crate::{
    api::{Preview, releases::PublishedRelease},
    config::ReleaseHooks,
    git::{
        commit::{CommitRequest, FileChange},
        remote::Upstream,
    },
    model::{BumpLevel, ForgeRelease, Oid, Thread, Version, Warning, shell_quoted},
    pipeline::packages::dependents::NewVersion,
};

/// The state of a step, according to the repository, the remote or the forge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum StepState {
    /// It will be done.
    Planned,
    /// It will be done once its blockers are gone.
    Blocked,
    /// This run did it.
    Done,
    /// It was done before.
    AlreadyDone,
    /// It was not asked for.
    #[default]
    Skipped,
}

impl StepState {
    /// Returns the state of a step that was asked for.
    pub(crate) fn new(already_done: bool) -> Self {
        if already_done { Self::AlreadyDone } else { Self::Planned }
    }

    /// Whether the step is still to be done, even if it is blocked now.
    pub(crate) fn is_planned(self) -> bool {
        matches!(self, Self::Planned | Self::Blocked)
    }
}

/// The state of each step of a release.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepStates {
    /// The commit with the section and the version files.
    pub commit: StepState,
    pub tag: StepState,
    /// The push of branch and tag.
    pub push: StepState,
    /// The release that the forge shows.
    pub publish: StepState,
}

impl StepStates {
    /// Whether something will be written into the local repository.
    pub(crate) fn write_here(self) -> bool {
        self.commit.is_planned() || self.tag.is_planned()
    }

    /// Whether nothing is left to do in the repository and on the remote.
    pub(crate) fn are_pushed(self) -> bool {
        ![self.commit, self.tag, self.push].iter().any(|state| state.is_planned())
    }

    /// Whether this run did something.
    pub(crate) fn has_done(self) -> bool {
        [self.commit, self.tag, self.push, self.publish].contains(&StepState::Done)
    }

    /// Whether nothing is left to do anywhere.
    pub(crate) fn are_finished(self) -> bool {
        self.are_pushed() && !self.publish.is_planned()
    }
}

/// A planned release, of which nothing is written yet.
#[derive(Debug)]
pub(crate) struct ReleasePlan {
    /// The package; `None` for the whole repository.
    pub package: Option<String>,
    pub version: Version,
    /// How far it raises the package; `None` if it was given.
    pub(crate) level: Option<BumpLevel>,
    /// Whether the forge marks the release as a pre-release.
    pub is_pre_release: bool,
    pub tag: String,
    /// The tag of the previous release, if there is one.
    pub previous_tag: Option<String>,
    pub branch: String,
    /// The notes: the section of the file, else the one that is inserted into it.
    pub notes: ReleaseNotes,
    /// The commit that is released; until there is one, the tip of the branch.
    pub commit: Oid,
    /// The changes of the commit in files.
    pub changes: Vec<FileChange>,
    pub push: PushPlan,
    /// The forge release; `None` if the step is skipped or blocked.
    pub publish: Option<PublishPlan>,
    pub states: StepStates,
    /// The commands that run before and after the steps that are left.
    pub hooks: ReleaseHooks,
    /// The reasons why the plan cannot be executed yet.
    pub blockers: Vec<anyhow::Error>,
    /// Why it is unknown whether the remote has the tag, which only matters for the forge release.
    pub unknown_tag: Option<anyhow::Error>,
    pub warnings: Vec<Warning>,
    /// Remarks on the base tag and the source of entries, a sentence each.
    pub remarks: Vec<String>,
    pub(super) edits: FileEdits,
    /// The given message of the commit.
    pub(super) message: Option<String>,
    pub(super) sign: bool,
    pub(super) origin: CommitOrigin,
}

/// The refs that are pushed to the remote.
#[derive(Clone, Debug, Default)]
pub(crate) struct PushPlan {
    /// The target of the push; `None` if nothing is pushed.
    pub upstream: Option<Upstream>,
    pub branch: bool,
    pub tag: bool,
    /// Whether the remote has the tag already.
    pub has_tag: bool,
}

/// A forge release to be created or updated.
#[derive(Clone, Debug)]
pub(crate) struct PublishPlan {
    pub release: ForgeRelease,
    pub location: String,
    /// The requests that create the release, if it does not exist yet.
    pub requests: Vec<Preview>,
    /// The shell command that deletes the release.
    pub undo: String,
    /// The requests and issues that are told, if that is asked for.
    pub told: BTreeSet<Thread>,
}

/// The result of executing a plan.
#[derive(Clone, Debug)]
pub(crate) struct ReleaseReport {
    pub commit: Oid,
    pub states: StepStates,
    pub published: Option<PublishedRelease>,
}

impl ReleaseReport {
    /// Returns the ID of the released commit, or a placeholder until it is made.
    pub(crate) fn released_commit(&self) -> String {
        if self.states.commit.is_planned() { "<new commit>".to_owned() } else { self.commit.to_string() }
    }
}

/// The shell commands that undo each step, in the order to run them; empty if there is nothing to undo.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct UndoCommands {
    /// Before the push: removes the commit from the branch, with its changes in files.
    pub commit: Vec<String>,
    /// Deletes the local tag.
    pub tag: Vec<String>,
    /// Deletes the tag on the remote, and reverts the commit with a new one.
    pub push: Vec<String>,
}

/// The facts about the commit of a release that are needed to undo it.
#[derive(Clone, Debug, Default)]
pub(super) struct CommitOrigin {
    /// The revision that the branch pointed to before the commit, if the commit is its tip.
    pub(super) parent: Option<String>,
    /// Whether the commit was made for a release, and holds nothing else.
    pub(super) is_release: bool,
    pub(super) is_checked_out: bool,
}

impl ReleasePlan {
    /// Returns the version for the packages that depend on this one.
    pub(crate) fn new_version(&self) -> NewVersion {
        NewVersion { version: self.version.semver().clone(), level: self.level }
    }

    /// Returns a report of the plan in which nothing is done yet.
    pub(crate) fn report(&self) -> ReleaseReport {
        ReleaseReport { commit: self.commit, states: self.states, published: None }
    }

    /// Whether its commit was made for the release, as far as the repository shows.
    pub(crate) fn has_release_commit(&self) -> bool {
        self.origin.is_release
    }

    /// Returns the package, if one is released, and the version.
    pub(super) fn name(&self) -> String {
        release_name(self.package.as_deref(), &self.version)
    }

    /// Returns the refspecs of the push; `commit` is the released one.
    pub(crate) fn refspecs(&self, commit: &str) -> Vec<String> {
        let to = self.push.upstream.iter().filter(|_| self.push.branch);
        let branch = to.map(|to| format!("{commit}:{}", to.branch));
        branch.chain(self.push.tag.then(|| format!("refs/tags/{}", self.tag))).collect()
    }

    /// Whether the remote will have the tag.
    pub(crate) fn publishes_tag(&self) -> bool {
        let is_to_come = self.states.push == StepState::Blocked && self.states.tag != StepState::Skipped;
        self.push.has_tag || self.push.tag || is_to_come
    }

    /// Returns the value, or `None` after adding the failure to the blockers.
    pub(crate) fn or_block<T>(&mut self, result: anyhow::Result<T>) -> Option<T> {
        result.map_err(|blocker| self.blockers.push(blocker)).ok()
    }

    /// Returns the commands that undo the steps that are planned or were taken; a commit that is not made yet has no
    /// ID.
    pub(crate) fn undo(&self, report: &ReleaseReport) -> UndoCommands {
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
            let remote = shell_quoted(&upstream.display_name());
            if self.push.tag || self.push.has_tag {
                let tag = shell_quoted(&format!("refs/tags/{}", self.tag));
                undo.push.push(format!("git push {remote} --delete {tag}"));
            }
            if has_commit {
                let switch =
                    (!self.origin.is_checked_out).then(|| format!("git switch {}", shell_quoted(&self.branch)));
                undo.push.extend(switch);
                undo.push.push(format!("git revert --no-edit {}", report.released_commit()));
                undo.push.push(format!("git push {remote} {}", shell_quoted(&format!("HEAD:{}", upstream.branch))));
            }
        }
        undo
    }
}

/// Returns the message of the one commit of several releases: the given one, with their names for `{version}`.
pub(crate) fn joint_message(plans: &[&ReleasePlan]) -> String {
    let given = plans.first().and_then(|first| first.message.as_deref());
    message_of(given.unwrap_or(MESSAGE), &plans.iter().map(|plan| plan.name()).collect::<Vec<_>>())
}

/// Returns the package, if there is one, and the version.
pub(super) fn release_name(package: Option<&str>, version: &Version) -> String {
    package.map_or_else(|| version.to_string(), |package| format!("{package} {version}"))
}

/// Returns the title of the commit of releases with these names.
pub(super) fn title_of(given: Option<&str>, names: &[String]) -> String {
    message_of(given.unwrap_or(MESSAGE), names).lines().next().unwrap_or_default().to_owned()
}

/// The message of the commit of a release.
const MESSAGE: &str = "Release {version}";

/// Returns a message with these names for `{version}`; names that do not fit into the title are a list below it.
pub(crate) fn message_of(given: &str, names: &[String]) -> String {
    /// The maximum length of a commit's title, in characters.
    const MAX_TITLE: usize = 72;
    let message = given.replace("{version}", &names.join(", "));
    let title = message.lines().next().unwrap_or_default();
    if names.len() < 2 || message == given || title.chars().count() <= MAX_TITLE {
        return message;
    }
    let count = format!("{} packages", names.len());
    format!("{}\n\n- {}", given.replace("{version}", &count).trim_end(), names.join("\n- "))
}

pub(super) fn commit_request<'a>(
    plans: &[&'a ReleasePlan],
    files: &'a [&'a Path],
    message: &'a str,
) -> CommitRequest<'a> {
    let branch = plans.first().map(|plan| plan.branch.as_str());
    CommitRequest { branch, files, message, sign: plans.iter().any(|plan| plan.sign) }
}
