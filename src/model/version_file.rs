//! Version files: the files whose version `release` sets.

/// A file whose version `release` sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionFile {
    /// The file, relative to the top of the repository; for a workspace, the manifest of its root.
    pub path: String,
    /// How the version in it is found.
    pub locator: VersionLocator,
}

/// How the version in a file is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionLocator {
    /// Keys separated by dots, in a file of TOML, JSON or YAML.
    Key(String),
    /// A pattern whose one group is the version, in any text.
    Regex(String),
    /// The manifests and the lock file of a workspace.
    Workspace {
        /// The tool of the workspace.
        kind: WorkspaceKind,
        /// The members that get the version; if empty, all that share the version of the workspace.
        members: Vec<String>,
    },
}

/// The tool of a workspace, which is a set of packages in one repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkspaceKind {
    /// Cargo.
    Cargo,
    /// npm, pnpm, Yarn or Bun.
    Npm,
}

impl WorkspaceKind {
    /// The names in the configuration.
    pub const NAMES: [(&str, Self); 5] =
        [("cargo", Self::Cargo), ("npm", Self::Npm), ("pnpm", Self::Npm), ("yarn", Self::Npm), ("bun", Self::Npm)];

    /// Its preferred name in the configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cargo => "cargo",
            Self::Npm => "npm",
        }
    }

    /// The name of a manifest.
    #[must_use]
    pub fn manifest(self) -> &'static str {
        match self {
            Self::Cargo => "Cargo.toml",
            Self::Npm => "package.json",
        }
    }
}
