//! The story of a release: version, section, commit, tag, push. It is planned first, from what the repository and the
//! remote have, and then carried out from wherever a former run stopped.

mod carry;
mod edition;
mod existing;
mod late;
mod notes;
mod obstacle;
mod plan;
mod prepared;
mod remote;
mod request;
mod version;

pub use notes::Notes;
pub use plan::Plan;
pub use remote::Push;
pub use request::{ReleaseRequest, Steps};

use self::{edition::Edition, prepared::Prepared};
use super::{Directory, Settings};
use crate::{
    git::{
        Repo,
        commit::{self, Branch},
    },
    model::StepState,
};

/// Plans a release, with all that stands in its way. A directory is asked as for any section.
///
/// # Errors
///
/// Where there is no such branch, the version or the section cannot be made, the tag stands for something else, or nothing
/// asks for a release.
pub fn plan(directory: Option<&dyn Directory>, repo: &Repo, request: &ReleaseRequest) -> anyhow::Result<Plan> {
    let Branch { name, tip } = commit::branch(repo, request.branch.as_deref())?;
    let branch = name.ok_or_else(obstacle::detached)?;
    let settings = Settings::load(repo, &request.changelog.settings)?;
    let mut chosen = version::choose(repo, request, tip, &settings)?;
    let existing = existing::find(repo, request, &chosen, (&branch, tip))?;
    let commit = existing.and_then(|tag| tag.commit).unwrap_or(tip);
    let is_new = existing.is_none();
    let found = if request.replace && is_new { None } else { Prepared::found(repo, &chosen, commit)? };
    let prepared = found.map_or_else(|| Prepared::render(directory, repo, &chosen, commit), Ok)?;
    let Prepared { notes, section, mut warnings } = prepared;
    if is_new && section.is_none() {
        warnings.extend(late::warning(repo, &chosen, commit)?);
    }
    // The search for the next version read the same commits, and may have warned of the same.
    chosen.warnings.retain(|warning| !warnings.contains(warning));
    warnings.append(&mut chosen.warnings);
    let version_files = if request.steps.version_files { settings.config.version_files } else { Vec::new() };
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
