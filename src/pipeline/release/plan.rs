//! The plan of a release: every step with its state, and what blocks it.

use std::{
    collections::HashMap,
    path::{MAIN_SEPARATOR, Path},
};

use super::{
    PushPlan, ReleaseContext, ReleaseInputs, ReleaseNotes, ReleaseReport, ReleaseRequest,
    edits::{FileEdits, edit},
    execute::commit_request,
    hooks, notes,
    push::{self, LocalState},
    undo::CommitOrigin,
};
use crate::{
    api::Preview,
    config::ReleaseHooks,
    git::{
        commit::{self, FileChange},
        signing,
        tags::Tag,
    },
    model::{ForgeRelease, Oid, Problem, StepState, Version, Warning},
    pipeline::{ForgeLookup, tags::Tags},
};

/// How far each step of a release is.
#[derive(Clone, Copy, Debug)]
pub struct StepStates {
    /// The commit with the section and the version files.
    pub commit: StepState,
    /// The tag.
    pub tag: StepState,
    /// The push of branch and tag.
    pub push: StepState,
    /// The release that the forge shows.
    pub publish: StepState,
}

impl StepStates {
    /// Whether something is written into the repository.
    #[must_use]
    pub fn write_here(&self) -> bool {
        self.commit.is_planned() || self.tag.is_planned()
    }

    /// Whether nothing is left to do in the repository and on the remote.
    #[must_use]
    pub fn are_pushed(&self) -> bool {
        ![self.commit, self.tag, self.push].iter().any(|state| state.is_planned())
    }

    /// Whether nothing is left to do anywhere.
    #[must_use]
    pub fn are_finished(&self) -> bool {
        self.are_pushed() && !self.publish.is_planned()
    }
}

/// A release to be; nothing was written.
#[derive(Debug)]
pub struct ReleasePlan {
    /// The package; `None` for the whole repository.
    pub package: Option<String>,
    /// The version.
    pub version: Version,
    /// The tag.
    pub tag: String,
    /// The tag of the release before, if there is one.
    pub previous_tag: Option<String>,
    /// The branch.
    pub branch: String,
    /// The notes: the section of the file, else the one that is inserted into it.
    pub notes: ReleaseNotes,
    /// The commit that is released; until there is one, the tip of the branch.
    pub commit: Oid,
    /// What the commit changes.
    pub changes: Vec<FileChange>,
    /// What is pushed.
    pub push: PushPlan,
    /// What the forge is to show; `None` if the step is skipped or blocked.
    pub publish: Option<PublishPlan>,
    /// How far each step is.
    pub states: StepStates,
    /// The commands that run before and after the steps that are left.
    pub hooks: ReleaseHooks,
    /// What is in the way: a plan that has any cannot be executed.
    pub blockers: Vec<anyhow::Error>,
    /// What the user should know.
    pub warnings: Vec<Warning>,
    pub(super) edits: FileEdits,
    pub(super) message: String,
    pub(super) sign: bool,
    pub(super) origin: CommitOrigin,
}

/// A release on a forge, to be created or updated.
#[derive(Clone, Debug)]
pub struct PublishPlan {
    /// The release.
    pub release: ForgeRelease,
    /// The server.
    pub location: String,
    /// The requests for a release that is not there yet.
    pub requests: Vec<Preview>,
    /// The shell command that deletes the release.
    pub undo: String,
}

impl ReleasePlan {
    /// Plans the release, with everything that blocks it; `earlier` ones go into the same commit. A forge is asked as for
    /// any section.
    ///
    /// # Errors
    ///
    /// If the section cannot be made.
    pub fn new(
        inputs: ReleaseInputs,
        lookup: Option<&dyn ForgeLookup>,
        context: &ReleaseContext,
        request: &ReleaseRequest,
        earlier: &[&Self],
    ) -> anyhow::Result<Self> {
        let ReleaseInputs { version, tag, previous_tag, existing, commit, file, version_edits, tags, source } = inputs;
        let (mut notes, section, warnings) = source.make(lookup, context.repo)?;
        if let Some(new) = section.as_ref().filter(|new| new.options.moves_unreleased) {
            let document = notes::document(context.repo, commit, &file)?;
            if document.section(&new.section.version).is_none() {
                notes = ReleaseNotes::from_section(&document.move_unreleased(&new.section).1);
            }
        }
        let skipped = StepState::Skipped;
        let mut plan = Self {
            message: message(request, &version),
            edits: FileEdits { file, section, version_edits },
            package: request.changelog.settings.package.clone(),
            version,
            tag,
            previous_tag,
            branch: context.branch.clone(),
            notes,
            commit,
            changes: Vec::new(),
            push: PushPlan::default(),
            publish: None,
            states: StepStates { commit: skipped, tag: skipped, push: skipped, publish: skipped },
            hooks: ReleaseHooks::default(),
            blockers: Vec::new(),
            warnings,
            sign: request.sign,
            origin: CommitOrigin::default(),
        };
        plan.inspect(context, request, (existing, &tags), earlier);
        let is_new = plan.states.commit.is_planned();
        let origin =
            if request.steps.commit { CommitOrigin::find(context, &plan, is_new) } else { Ok(CommitOrigin::default()) };
        plan.origin = plan.or_block(origin).unwrap_or_default();
        plan.hooks = plan.or_block(hooks::select(context, request)).unwrap_or_default();
        Ok(plan)
    }

    /// The plan as a report of which nothing is done yet.
    #[must_use]
    pub fn report(&self) -> ReleaseReport {
        ReleaseReport { commit: self.commit, states: self.states, published: None }
    }

    /// The package, if one is released, and the version.
    fn name(&self) -> String {
        let package = self.package.as_ref().map(|package| format!("{package} "));
        package.unwrap_or_default() + &self.version.to_string()
    }

    /// The refspecs of the push, `commit` being the released one.
    #[must_use]
    pub fn refspecs(&self, commit: &str) -> Vec<String> {
        let to = self.push.upstream.iter().filter(|_| self.push.branch);
        let branch = to.map(|to| format!("{commit}:{}", to.branch));
        branch.chain(self.push.tag.then(|| format!("refs/tags/{}", self.tag))).collect()
    }

    /// Whether the version is a pre-release.
    #[must_use]
    pub fn is_pre_release(&self) -> bool {
        !self.version.semver().pre.is_empty()
    }

    /// Whether the remote will have the tag.
    #[must_use]
    pub fn publishes_tag(&self) -> bool {
        let is_to_come = self.states.push == StepState::Blocked && self.states.tag != StepState::Skipped;
        self.push.has_tag || self.push.tag || is_to_come
    }

    /// Returns the value, or `None` after adding the failure to the blockers.
    pub fn or_block<T>(&mut self, result: anyhow::Result<T>) -> Option<T> {
        result.map_err(|blocker| self.blockers.push(blocker)).ok()
    }

    /// Finds out which steps are done, and what blocks the others.
    fn inspect(
        &mut self,
        context: &ReleaseContext,
        request: &ReleaseRequest,
        (existing, tags): (Option<Tag>, &Tags),
        earlier: &[&Self],
    ) {
        let (repo, steps) = (context.repo, request.steps);
        if steps.commit {
            self.inspect_files(context, existing.is_some(), earlier);
        }
        if steps.tag {
            self.states.tag = StepState::of(existing.is_some());
        }
        if self.states.commit.is_planned() {
            self.or_block(commit::check(repo, &commit_request(&[self], &[], &self.message)));
        } else if self.states.tag.is_planned() {
            self.or_block(commit::check_identity(repo));
        }
        if self.states.tag.is_planned() {
            self.or_block(signing::is_enabled(repo, signing::TAG));
        }
        if steps.push {
            let push = self.inspect_remote(context, request, (existing, tags));
            self.states.push = match self.or_block(push).flatten() {
                Some(push) => {
                    let state = StepState::of(!push.branch && !push.tag);
                    self.push = push;
                    state
                }
                None => StepState::Blocked,
            };
        } else if let Some(tag) = existing {
            let remote = context.remote(request).ok().flatten();
            self.push.has_tag = remote.is_some_and(|remote| remote.tag(&self.tag) == Some(tag.object));
        }
    }

    fn inspect_files(&mut self, context: &ReleaseContext, is_tagged: bool, earlier: &[&Self]) {
        self.states.commit = StepState::of(is_tagged);
        if is_tagged {
            return;
        }
        let preview = self.preview(context, earlier);
        let Some(changes) = self.or_block(preview) else {
            self.states.commit = StepState::Blocked;
            return;
        };
        self.states.commit = StepState::of(changes.is_empty());
        self.changes = changes;
    }

    /// What the release changes after the earlier ones of the same commit.
    fn preview(&self, context: &ReleaseContext, earlier: &[&Self]) -> anyhow::Result<Vec<FileChange>> {
        let is_same = |other: &&&Self| other.edits.file == self.edits.file && other.version == self.version;
        if let Some(other) = earlier.iter().find(is_same) {
            return Err(self.shares_section(other).into());
        }
        let files = self.edits.files();
        let files: Vec<&Path> = files.iter().map(AsRef::as_ref).collect();
        let mut before = HashMap::new();
        let mut edit_after = |path: &Path, old: &[u8]| {
            let base = edit(earlier, path, old)?;
            let new = self.edits.edit(path, base.as_deref().unwrap_or(old))?;
            let name = path.to_string_lossy().replace(MAIN_SEPARATOR, "/");
            before.extend(base.map(|base| (name, base)));
            Ok(new)
        };
        let request = commit_request(&[self], &files, &self.message);
        let mut changes = commit::preview(context.repo, &request, &mut edit_after)?;
        for change in &mut changes {
            change.before = before.remove(&change.file).or(change.before.take());
        }
        Ok(changes)
    }

    /// Two packages whose sections would be the same one.
    fn shares_section(&self, other: &Self) -> Problem {
        let names = [other, self].map(|plan| plan.package.as_deref().unwrap_or_default());
        let (file, version) = (self.edits.file.display(), &self.version);
        Problem::new(format!("`{}` and `{}` both have a section of {version} in `{file}`", names[0], names[1]))
            .hint("set `file` of each package in the configuration")
    }

    /// Plans the push; `None` if the remote could not be asked for an earlier plan.
    fn inspect_remote(
        &self,
        context: &ReleaseContext,
        request: &ReleaseRequest,
        (existing, tags): (Option<Tag>, &Tags),
    ) -> anyhow::Result<Option<PushPlan>> {
        let Some(remote) = context.remote(request)? else { return Ok(None) };
        let local = LocalState {
            commit: self.commit,
            will_commit: self.states.commit.is_planned(),
            has_section: request.steps.commit,
            tag: &self.tag,
            existing,
            tagged: request.steps.tag || existing.is_some(),
            tags,
        };
        push::plan_push(context, remote, local).map(Some)
    }
}

/// Returns the message of the commit; packages may have the same versions.
fn message(request: &ReleaseRequest, version: &Version) -> String {
    request.message.clone().unwrap_or_else(|| match &request.changelog.settings.package {
        Some(package) => format!("Release {package} {version}"),
        None => format!("Release {version}"),
    })
}

/// Returns the message of the one commit of several releases.
#[must_use]
pub fn joint_message(plans: &[&ReleasePlan]) -> String {
    /// What fits into the title of a commit.
    const MAX_TITLE: usize = 72;
    let Some((first, others)) = plans.split_first() else { return String::new() };
    if others.iter().all(|other| other.message == first.message) {
        return first.message.clone();
    }
    let names: Vec<_> = plans.iter().map(|plan| plan.name()).collect();
    let title = format!("Release {}", names.join(", "));
    if title.chars().count() <= MAX_TITLE {
        return title;
    }
    format!("Release {} packages\n\n- {}", plans.len(), names.join("\n- "))
}
