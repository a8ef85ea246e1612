//! A release as the repository tells of it: what is read before the remote or anybody else is asked.

use super::{Plan, Push, ReleaseRequest, edition::Edition, existing, obstacle, text::Text, version, version::Chosen};
use crate::{
    git::{
        Repo,
        commit::{self, Branch},
        tag::Tag,
    },
    model::{Oid, StepState, VersionFile},
    pipeline::{Directory, Settings},
};

/// Which version is released, from where, and what its text comes from.
#[derive(Debug)]
pub struct Outline {
    branch: String,
    chosen: Chosen,
    existing: Option<Tag>,
    commit: Oid,
    text: Text,
    version_files: Vec<VersionFile>,
}

impl Outline {
    /// Reads all that a release takes of the history.
    ///
    /// # Errors
    ///
    /// Where there is no such branch, the version or the section cannot be found, the tag stands for something else, or
    /// nothing asks for a release.
    pub fn read(repo: &Repo, request: &ReleaseRequest) -> anyhow::Result<Self> {
        let Branch { name, tip } = commit::branch(repo, request.branch.as_deref())?;
        let branch = name.ok_or_else(obstacle::detached)?;
        let settings = Settings::load(repo, &request.changelog.settings)?;
        let mut chosen = version::choose(repo, request, tip, &settings)?;
        let existing = existing::find(repo, request, &chosen, (&branch, tip))?;
        let commit = existing.and_then(|tag| tag.commit).unwrap_or(tip);
        let is_tagged = existing.is_some();
        let is_renewed = request.replace && !is_tagged;
        let written = if is_renewed { None } else { Text::written(repo, &chosen, commit, is_tagged)? };
        let text = written.map_or_else(|| Text::new(repo, &mut chosen, commit), Ok)?;
        let version_files =
            if request.steps.version_files { settings.config.version_files.clone() } else { Vec::new() };
        Ok(Self { branch, chosen, existing, commit, text, version_files })
    }

    /// Plans the release, with all that stands in its way. A directory is asked as for any section.
    ///
    /// # Errors
    ///
    /// Where the section cannot be made.
    pub fn plan(
        self,
        directory: Option<&dyn Directory>,
        repo: &Repo,
        request: &ReleaseRequest,
    ) -> anyhow::Result<Plan> {
        let Self { branch, chosen, existing, commit, text, version_files } = self;
        let (notes, section, warnings) = text.make(directory, repo)?;
        let mut plan = Plan {
            message: request.message(&chosen.version),
            edition: Edition { file: chosen.file, section, version: chosen.version.to_string(), version_files },
            version: chosen.version,
            tag: chosen.tag,
            branch,
            notes,
            commit,
            committing: StepState::LeftOut,
            changes: Vec::new(),
            tagging: StepState::LeftOut,
            push: Push::LEFT_OUT,
            obstacles: Vec::new(),
            warnings,
            sign: request.sign,
        };
        plan.look(repo, request, existing);
        Ok(plan)
    }
}
