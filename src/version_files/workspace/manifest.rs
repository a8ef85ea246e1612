//! The versions in a `Cargo.toml` or `package.json`, and where they are in the text.

use std::ops::Range;

use crate::{
    model::{Position, Problem, Source},
    version_files::span::VersionSpan,
};

/// The table of npm for what the user of a package brings along.
pub(super) const PEERS: &str = "peerDependencies";

/// A manifest as far as versions are concerned.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    /// The name of the package; `None` if the manifest is only that of a workspace.
    pub(super) name: Option<String>,
    pub(super) version: Option<VersionSpan>,
    /// Whether its version is that of the workspace.
    pub(super) inherits_version: bool,
    /// Whether it is never published, which makes the version of a root package a placeholder.
    pub(super) is_private: bool,
    /// The version that members inherit.
    pub(super) shared_version: Option<VersionSpan>,
    /// The patterns of the directories of members; `None` if it is not the root of a workspace.
    pub(super) members: Option<Vec<String>>,
    pub(super) exclude: Vec<String>,
    /// The dependencies that could be members of the same workspace.
    pub(super) dependencies: Vec<Dependency>,
}

/// A dependency that is, or could be, on a member of the same workspace.
#[derive(Clone, Debug)]
pub(super) struct Dependency {
    /// The keys of its table, separated by dots, such as `target.'cfg(unix)'.dependencies`.
    pub(super) table: String,
    pub(super) key: String,
    pub(super) name: String,
    /// The directory that its path leads to, from the top of the repository.
    pub(super) directory: Option<String>,
    /// The range of versions; `None` if any version will do.
    pub(super) requirement: Option<VersionSpan>,
    pub(super) scope: Scope,
    /// Whether it is only for development.
    pub(super) is_development: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Needed by the package itself.
    Own,
    /// A requirement that members may inherit (`[workspace.dependencies]`).
    Shared,
    /// Needed as the shared dependency of the same key says (`b.workspace = true`).
    Inherited,
}

/// An error in a manifest, and its byte offset.
#[derive(Debug)]
pub(super) struct ManifestError {
    pub(super) offset: usize,
    pub(super) message: String,
}

impl ManifestError {
    pub(super) fn new(span: Option<Range<usize>>, message: impl Into<String>) -> Self {
        Self { offset: span.map_or(0, |span| span.start), message: message.into() }
    }

    /// Returns the problem with the path, the line and the line itself.
    pub(super) fn in_file(&self, path: &str, text: &str) -> Problem {
        Source::new(path, text).problem(Position::from_offset(text, self.offset), &self.message)
    }
}
