//! Planning a release: which steps are done, what the others change, and what blocks them.

use std::{collections::HashMap, path::Path};

use super::{
    ReleaseContext, ReleaseInputs, ReleaseRequest,
    edits::{self, FileEdits, NewSection, ReleaseNotes, has_released},
    inputs::{MadeNotes, ResolvedVersion},
    plan::{CommitOrigin, PushPlan, ReleasePlan, StepState, StepStates, commit_request, joint_message},
    present::shared_section,
};
use crate::{
    config::ReleaseHooks,
    document::Document,
    git::{
        commit::{self, FileChange, FileEdit},
        file::path_in_tree,
        revision, signing,
        tags::Tag,
    },
    model::{Oid, Problem, Warning},
    pipeline::{base::tags::Tags, scope::changelog_file},
    version_files::present::PresentVersion,
};

/// Returns the notes with the text below `Unreleased` in the file; `None` if nothing of it goes into the section.
fn notes_with_unreleased(new: &NewSection, file: Document) -> Option<ReleaseNotes> {
    if file.section(&new.section.version).is_some() {
        return None;
    }
    let (_, section) = file.move_unreleased(&new.section, new.options.generated.as_deref());
    (section.body != new.section.body).then(|| ReleaseNotes::from_section(&section))
}

impl ReleasePlan {
    /// Plans the release, with everything that blocks it. The plans in `earlier` go into the same commit.
    pub(crate) fn new(
        inputs: ReleaseInputs,
        context: &ReleaseContext,
        request: &ReleaseRequest,
        earlier: &[&Self],
    ) -> anyhow::Result<Self> {
        let ReleaseInputs { resolved, existing, commit, version_edits, source, mut remarks, above } = inputs;
        let ResolvedVersion { version, level, tag, previous_tag, file, tags, estimate, .. } = resolved;
        let MadeNotes { mut notes, section, date, mut warnings, consumption } = source.make(&file)?;
        warnings.extend(version_edits.warnings.iter().cloned());
        if let Some(new) = section.as_ref().filter(|new| new.options.moves_unreleased)
            && let Some(renewed) = notes_with_unreleased(new, changelog_file::read(context.scope.repo, commit, &file)?)
        {
            notes = renewed;
            remarks.push(format!("the text below `Unreleased` in `{}` goes into the section", file.display()));
        }
        let mut plan = Self {
            message: request.message.clone().or_else(|| context.scope.config().release.message.clone()),
            edits: FileEdits { file, section, date, version_edits, consumption },
            package: request.changelog.config_source.package.clone(),
            is_pre_release: tags.is_pre_release(&version),
            version,
            level,
            tag,
            previous_tag,
            branch: context.branch.clone(),
            notes,
            commit,
            changes: Vec::new(),
            push: PushPlan::default(),
            publish: None,
            states: StepStates::default(),
            hooks: ReleaseHooks::default(),
            blockers: Vec::new(),
            unknown_tag: None,
            warnings,
            remarks,
            sign: request.sign || context.scope.config().release.signs,
            origin: CommitOrigin::default(),
        };
        plan.blockers.extend(above.map(|last| plan.is_not_above(&last.tag).into()));
        if let Some(estimate) = &estimate {
            let hint =
                "name the version, choose its part with `--level`, or take the estimate with `--accept-estimate`";
            plan.blockers.push(estimate.refusal(&plan.version, hint).into());
        }
        plan.inspect(context, request, existing, &tags, earlier);
        let is_new = plan.states.commit.is_planned();
        let origin =
            if request.steps.commit { find_origin(context, &plan, is_new) } else { Ok(CommitOrigin::default()) };
        plan.origin = plan.or_block(origin).unwrap_or_default();
        plan.hooks = plan.or_block(select_hooks(context, request)).unwrap_or_default();
        Ok(plan)
    }

    /// Warns if the version of a file would go back; blocks the release unless its version `is_named`.
    fn keep_versions(&mut self, is_named: bool) {
        let Some(PresentVersion { path, version }) = self.edits.version_edits.lowered() else { return };
        let message = format!("`{path}` has {version}, which is above {}", self.version);
        if is_named {
            self.warnings.push(Warning::new(message).hint("`--no-version-files` leaves it as it is"));
        } else {
            let hint = format!("run `tidings release {version}`, or `tidings release {}` to lower it", self.version);
            self.blockers.push(Problem::new(message).hint(hint).into());
        }
    }

    /// Finds out which steps are done, and what blocks the others.
    fn inspect(
        &mut self,
        context: &ReleaseContext,
        request: &ReleaseRequest,
        existing: Option<Tag>,
        tags: &Tags,
        earlier: &[&Self],
    ) {
        let (repo, steps) = (context.scope.repo, request.steps);
        self.keep_versions(request.version.is_some());
        if self.edits.date.is_some() && !steps.commit {
            let message =
                format!("the section of {} in `{}` is marked as unreleased", self.version, self.edits.file.display());
            let hint = "omit `--no-commit`, so that the release gives it its date, or write the date and commit it";
            self.blockers.push(Problem::new(message).hint(hint).into());
        }
        if steps.commit {
            let is_committed = existing.is_some() || self.commit != context.scope.to;
            self.inspect_files(context, is_committed, earlier);
        }
        if steps.tag {
            self.states.tag = StepState::new(existing.is_some());
        }
        if self.states.commit.is_planned() {
            self.or_block(commit::check(repo, &commit_request(&[self], &[], &joint_message(&[self]))));
        } else if self.states.tag.is_planned() {
            self.or_block(commit::check_identity(repo));
        }
        if self.states.tag.is_planned() {
            self.or_block(signing::is_enabled(repo, signing::TAG));
        }
        if steps.push {
            // `None` if the remote could not be asked, which blocked an earlier plan.
            let push = context.remote(request).and_then(|remote| {
                remote.map(|remote| self.plan_push(context, remote, steps, existing, tags)).transpose()
            });
            self.states.push = match self.or_block(push).flatten() {
                Some(push) => {
                    let state = StepState::new(!push.branch && !push.tag);
                    self.push = push;
                    state
                }
                None => StepState::Blocked,
            };
        } else if let Some(tag) = existing {
            match context.remote(request) {
                Ok(remote) => self.push.has_tag = remote.is_some_and(|remote| remote.has_tag(&self.tag, tag)),
                Err(unknown) => self.unknown_tag = Some(unknown),
            }
        }
    }

    fn inspect_files(&mut self, context: &ReleaseContext, is_committed: bool, earlier: &[&Self]) {
        self.states.commit = StepState::new(is_committed);
        if is_committed {
            return;
        }
        let preview = self.preview(context, earlier);
        let Some(changes) = self.or_block(preview) else {
            self.states.commit = StepState::Blocked;
            return;
        };
        self.states.commit = StepState::new(changes.is_empty());
        self.changes = changes;
    }

    /// Returns the changes of the release on top of those of the earlier ones in the same commit.
    fn preview(&self, context: &ReleaseContext, earlier: &[&Self]) -> anyhow::Result<Vec<FileChange>> {
        if let Some(other) =
            earlier.iter().find(|other| other.edits.file == self.edits.file && other.version == self.version)
        {
            let names = [other, self].map(|plan| plan.package.as_deref().unwrap_or_default());
            return Err(shared_section(names, &self.version, &self.edits.file).into());
        }
        let files = edits::files(&[&self.edits]);
        let releases: Vec<&FileEdits> = earlier.iter().map(|plan| &plan.edits).collect();
        let mut before = HashMap::new();
        let mut edit_after = |path: &Path, old: &[u8]| {
            let base = match edits::edit(&releases, path, old)? {
                FileEdit::Keep => None,
                FileEdit::Write(base) => Some(base),
                // An earlier release of the commit deletes it.
                FileEdit::Delete => return Ok(FileEdit::Keep),
            };
            let new = edits::edit(&[&self.edits], path, base.as_deref().unwrap_or(old))?;
            let name = path_in_tree(path);
            before.extend(base.map(|base| (name, base)));
            Ok(new)
        };
        let message = joint_message(&[self]);
        let request = commit_request(&[self], &files, &message);
        let mut changes = commit::preview(context.scope.repo, &request, &mut edit_after)?;
        for change in &mut changes {
            change.before = before.remove(&change.file).or(change.before.take());
        }
        Ok(changes)
    }

    /// Returns the problem of a version that is not above the last one of its line.
    fn is_not_above(&self, last: &str) -> Problem {
        let (version, branch) = (&self.version, &self.branch);
        Problem::new(format!("{version} is not above `{last}`, the last release of `{branch}`"))
            .hint("choose a higher version, or choose the branch of an earlier version with `--branch`")
    }
}

/// Finds out which commit the branch pointed to before the release; `is_new` if the commit is still to be made.
fn find_origin(context: &ReleaseContext, plan: &ReleasePlan, is_new: bool) -> anyhow::Result<CommitOrigin> {
    let repo = context.scope.repo;
    let is_checked_out = context.is_checked_out();
    if is_new {
        return Ok(CommitOrigin { parent: Some(plan.commit.to_string()), is_release: true, is_checked_out });
    }
    let Some(before) = revision::first_parent(repo, plan.commit)? else { return Ok(CommitOrigin::default()) };
    let has_section = |commit: Oid| has_released(repo, commit, &plan.edits.file, &plan.version);
    let is_release = has_section(plan.commit)? && !has_section(before)?;
    let parent = (is_release && plan.commit == context.scope.to).then(|| before.to_string());
    Ok(CommitOrigin { parent, is_release, is_checked_out })
}

/// Returns the hooks of a release; refuses them if its branch is not checked out.
fn select_hooks(context: &ReleaseContext, request: &ReleaseRequest) -> anyhow::Result<ReleaseHooks> {
    let hooks = &context.scope.config().hooks;
    if !request.steps.hooks || (hooks.before.is_empty() && hooks.after.is_empty()) {
        return Ok(ReleaseHooks::default());
    }
    if context.is_checked_out() && request.changelog.config_source.revision.is_none() {
        return Ok(hooks.clone());
    }
    Err(Problem::new(format!(
        "the hooks cannot run, as `{}` and its configuration are not checked out",
        context.branch
    ))
    .hint(format!("run the command where `{}` is checked out, or skip the hooks with `--no-hooks`", context.branch))
    .into())
}
