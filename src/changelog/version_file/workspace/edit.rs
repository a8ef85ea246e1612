//! What members of a workspace get a version, and what that changes: plain data, and the values for each place.

use std::collections::HashMap;

use semver::Version;

use super::{manifest::ManifestError, requirement};
use crate::{
    changelog::version_file::{file_tree::join, location::VersionSpan},
    config::WorkspaceKind,
};

/// A text at a place, and what it becomes.
#[derive(Debug)]
pub(super) struct Replacement {
    pub(super) found: VersionSpan,
    pub(super) new: String,
}

/// A manifest that requires a member whose version is set.
#[derive(Debug)]
pub(super) struct Dependent {
    /// The directory of the manifest, from the root of the workspace.
    pub(super) directory: String,
    pub(super) table: String,
    pub(super) key: String,
    pub(super) name: String,
}

/// A version for members of a workspace, to be set in each file of it.
#[derive(Debug)]
pub(crate) struct WorkspaceEdit {
    pub(super) kind: WorkspaceKind,
    /// The directory of the workspace, from the top of the repository.
    pub(super) root: String,
    pub(super) version: String,
    pub(super) parsed: Version,
    /// The members by directory, with their names and the versions they had.
    pub(super) members: HashMap<String, (Option<String>, Option<Version>)>,
    /// Whether `workspace.package.version` is theirs.
    pub(super) sets_shared_version: bool,
    /// Whether requirements that allow the version stay: other members have versions of their own.
    pub(super) keeps_requirements: bool,
    pub(super) dependents: Vec<Dependent>,
    /// The files that change, from the top of the repository.
    pub paths: Vec<String>,
}

impl WorkspaceEdit {
    /// The member of a name with its old version, if its version is set.
    fn member(&self, name: &str) -> Option<&(Option<String>, Option<Version>)> {
        self.members.values().find(|(member, _)| member.as_deref() == Some(name))
    }

    /// Whether the version of the member of this name is set.
    pub(super) fn sets(&self, name: &str) -> bool {
        self.member(name).is_some()
    }

    /// The same of the member at a place in the workspace.
    pub(super) fn sets_member(&self, place: &str) -> bool {
        join(&self.root, place).is_some_and(|directory| self.members.contains_key(&directory))
    }

    pub(super) fn set_version(&self, found: VersionSpan) -> Replacement {
        Replacement { found, new: self.version.clone() }
    }

    /// What is required of a member, raised to the version if it must be.
    pub(super) fn set_requirement(&self, name: &str, found: VersionSpan) -> Result<Option<Replacement>, ManifestError> {
        let Some((_, old)) = self.member(name) else { return Ok(None) };
        let allows = |version| requirement::allows(self.kind, &found.value, version);
        // npm installs another version from the registry if the one of the workspace is not allowed.
        let is_foreign = self.kind == WorkspaceKind::Npm && old.as_ref().and_then(allows) == Some(false);
        let Some(allows) = allows(&self.parsed).filter(|allows| !is_foreign && (!*allows || !self.keeps_requirements))
        else {
            return Ok(None);
        };
        match requirement::raise(self.kind, &found.value, &self.parsed) {
            Some(new) => Ok(Some(Replacement { found, new })),
            None if allows => Ok(None),
            None => {
                let message = format!(
                    "the requirement `{}` does not allow {} of `{name}`, and has no single version to replace",
                    found.value, self.version
                );
                Err(ManifestError::new(Some(found.span), message))
            }
        }
    }
}
