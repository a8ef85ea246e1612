//! What is asked for: the arguments of a release, checked.

use std::path::PathBuf;

use crate::{
    model::Version,
    pipeline::{BumpOptions, ChangelogRequest},
};

/// A release to be made.
#[derive(Clone, Debug)]
pub struct ReleaseRequest {
    /// The version; `None` is the one the tip of the branch was made for, else the next one.
    pub version: Option<Version>,
    /// What the next version shall be, where none is given.
    pub bump: BumpOptions,
    /// How the section is made; its version and its end are those of the release.
    pub changelog: ChangelogRequest,
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
    pub steps: StepSelection,
}

impl ReleaseRequest {
    /// The message of the commit; packages may have the same versions.
    pub(super) fn message(&self, version: &Version) -> String {
        self.message.clone().unwrap_or_else(|| match &self.changelog.settings.package {
            Some(package) => format!("Release {package} {version}"),
            None => format!("Release {version}"),
        })
    }
}

/// Which steps a release has.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a step of its own")]
pub struct StepSelection {
    /// Put the section into the changelog file, and commit that.
    pub commit: bool,
    /// Set the version in the version files, in the same commit.
    pub version_files: bool,
    /// Make a tag.
    pub tag: bool,
    /// Push branch and tag.
    pub push: bool,
}
