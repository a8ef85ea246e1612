//! A release as the repository tells of it: what is read before the remote or anybody else is asked.

use super::{
    PushStep, ReleasePlan, ReleaseRequest, edition::FileEdits, existing, obstacle, text::NotesSource, version,
    version::ResolvedVersion,
};
use crate::{
    changelog::version_file::VersionEdits,
    git::{
        Repo,
        commit::{self, Branch},
        tag::Tag,
    },
    model::{Oid, StepState},
    pipeline::{CommitFiles, ForgeLookup, LoadedConfig},
};

/// Which version is released, from where, and what its text comes from.
#[derive(Debug)]
pub struct ReleaseInputs {
    branch: String,
    chosen: ResolvedVersion,
    existing: Option<Tag>,
    commit: Oid,
    text: NotesSource,
    version_edits: VersionEdits,
}

impl ReleaseInputs {
    /// Reads all that a release takes of the history.
    ///
    /// # Errors
    ///
    /// Where there is no such branch, the version or the section cannot be found, the tag stands for something else, or
    /// no unreleased change bumps the version.
    pub fn read(repo: &Repo, request: &ReleaseRequest) -> anyhow::Result<Self> {
        let Branch { name, tip } = commit::branch(repo, request.branch.as_deref())?;
        let branch = name.ok_or_else(obstacle::detached)?;
        let settings = LoadedConfig::load(repo, &request.changelog.settings)?;
        let mut chosen = version::resolve_version(repo, request, tip, &settings)?;
        let existing = existing::find(repo, request, &chosen, (&branch, tip))?;
        let commit = existing.and_then(|tag| tag.commit).unwrap_or(tip);
        let is_tagged = existing.is_some();
        let is_renewed = request.replace && !is_tagged;
        let written = if is_renewed { None } else { NotesSource::written(repo, &chosen, commit, is_tagged)? };
        let text = written.map_or_else(|| NotesSource::new(repo, &mut chosen, commit), Ok)?;
        let version_files = settings.config.version_files.as_slice();
        let version_files = if request.steps.version_files && !is_tagged { version_files } else { &[] };
        let files = CommitFiles { repo, commit: Some(commit) };
        let version_edits = VersionEdits::plan(version_files, &chosen.version.to_string(), &files)?;
        Ok(Self { branch, chosen, existing, commit, text, version_edits })
    }

    /// Plans the release, with all that stands in its way. A directory is asked as for any section.
    ///
    /// # Errors
    ///
    /// Where the section cannot be made.
    pub fn plan(
        self,
        directory: Option<&dyn ForgeLookup>,
        repo: &Repo,
        request: &ReleaseRequest,
    ) -> anyhow::Result<ReleasePlan> {
        let Self { branch, chosen, existing, commit, text, version_edits } = self;
        let (notes, section, warnings) = text.make(directory, repo)?;
        let mut plan = ReleasePlan {
            message: request.message(&chosen.version),
            edition: FileEdits { file: chosen.file, section, version_edits },
            version: chosen.version,
            tag: chosen.tag,
            branch,
            notes,
            commit,
            commit_state: StepState::Skipped,
            changes: Vec::new(),
            tag_state: StepState::Skipped,
            push: PushStep::SKIPPED,
            blockers: Vec::new(),
            warnings,
            sign: request.sign,
        };
        plan.inspect(repo, request, existing);
        Ok(plan)
    }
}
