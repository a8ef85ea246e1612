//! The story of a release: version, section, commit, tag, push. It is planned first, from what the repository and the
//! remote have, and then carried out from wherever a former run stopped.

mod carry;
mod edition;
mod existing;
mod late;
mod notes;
mod obstacle;
mod prepared;
mod remote;
mod version;

use std::path::{Path, PathBuf};

pub use notes::Notes;
pub use remote::Push;

use self::{edition::Edition, prepared::Prepared};
use super::{Directory, Request, Settings, Wish};
use crate::{
    git::{
        Repo,
        commit::{self, Branch, Change},
        tag::Tag,
    },
    model::{Oid, StepState, Version, Warning},
};

/// A release to be made.
#[derive(Clone, Debug)]
pub struct ReleaseRequest {
    /// The version; `None` is the one the tip of the branch was made for, else the next one.
    pub version: Option<Version>,
    /// What the next version shall be, where none is given.
    pub wish: Wish,
    /// How the section is made; its version and its end are those of the release.
    pub changelog: Request,
    /// The tag; `None` is the version behind what stands before it in the last stable tag, `v` for a first release.
    pub tag: Option<String>,
    /// The branch; `None` is what `HEAD` points at.
    pub branch: Option<String>,
    /// The changelog file, from the top of the repository; `None` is the one the settings name.
    pub file: Option<PathBuf>,
    /// The message of the commit; `None` is `Release VERSION`, with the package if one is released.
    pub message: Option<String>,
    /// Renew a section that the file has, unless its version is tagged.
    pub replace: bool,
    /// Sign commit and tag, also where the settings of git do not ask for it.
    pub sign: bool,
    /// The remote; `None` is where the branch is pushed to.
    pub remote: Option<String>,
    /// What is to be done.
    pub steps: Steps,
}

impl ReleaseRequest {
    /// The message of the commit; packages may have the same versions.
    fn message(&self, version: &Version) -> String {
        self.message.clone().unwrap_or_else(|| match &self.changelog.settings.package {
            Some(package) => format!("Release {package} {version}"),
            None => format!("Release {version}"),
        })
    }
}

/// Which steps a release has.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a step of its own")]
pub struct Steps {
    /// Put the section into the changelog file, and commit that.
    pub commit: bool,
    /// Set the version in the version files, in the same commit.
    pub version_files: bool,
    /// Make a tag.
    pub tag: bool,
    /// Push branch and tag.
    pub push: bool,
}

/// A release thought through; nothing was written.
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
    edition: Edition,
    message: String,
    sign: bool,
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
        self.push.has_tag || self.push.tag
    }
}

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
    let chosen = version::choose(repo, request, tip, &settings)?;
    let existing = existing::find(repo, request, &chosen, (&branch, tip))?;
    let commit = existing.and_then(|tag| tag.commit).unwrap_or(tip);
    let is_new = existing.is_none();
    let found = if request.replace && is_new { None } else { Prepared::found(repo, &chosen, commit)? };
    let prepared = found.map_or_else(|| Prepared::render(directory, repo, &chosen, commit), Ok)?;
    let Prepared { notes, section, mut warnings } = prepared;
    if is_new && section.is_none() {
        warnings.extend(late::warning(repo, &chosen, commit)?);
    }
    let new = chosen.warnings.iter().filter(|warning| !warnings.contains(warning)).cloned().collect::<Vec<_>>();
    warnings.extend(new);
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

impl Plan {
    /// Finds out which steps are done, and what stands in the way of the others.
    fn look(&mut self, repo: &Repo, request: &ReleaseRequest, existing: Option<Tag>) {
        let steps = request.steps;
        if steps.commit {
            self.look_at_files(repo, existing.is_some());
        }
        if steps.tag {
            self.tagging = StepState::of(existing.is_some());
        }
        if self.committing.is_planned() || self.tagging.is_planned() {
            self.check(commit::check_identity(repo));
        }
        if steps.push {
            let here = remote::Here {
                branch: &self.branch,
                commit: self.commit,
                grows: self.committing.is_planned(),
                tag: &self.tag,
                existing,
                tagged: steps.tag || existing.is_some(),
            };
            let push = remote::compare(repo, request, here);
            self.push = self.check(push).unwrap_or(Push { state: StepState::Planned, ..Push::LEFT_OUT });
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
        if let Some(changes) = self.check(preview) {
            self.committing = StepState::of(changes.is_empty());
            self.changes = changes;
        }
    }

    /// The value, where nothing stands in its way; else it is one more obstacle.
    pub fn check<T>(&mut self, checked: anyhow::Result<T>) -> Option<T> {
        checked.map_err(|obstacle| self.obstacles.push(obstacle)).ok()
    }
}
