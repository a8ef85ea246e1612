//! A file that has the version in it.

/// Where in a file the version stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionFile {
    /// The file, from the top of the repository; of a workspace the manifest of its root.
    pub path: String,
    /// The place in it.
    pub locator: VersionLocator,
}

/// How a place in a file is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VersionLocator {
    /// Keys separated by dots, in a file of TOML, JSON or YAML.
    Key(String),
    /// A pattern whose one group is the version, in any text.
    Regex(String),
    /// The manifests and the lock file of a workspace.
    Workspace {
        /// The tool that it is for.
        kind: WorkspaceKind,
        /// The members that get the version; empty for all that share the version of the workspace.
        members: Vec<String>,
    },
}

/// A kind of workspace: packages of one repository that require each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkspaceKind {
    /// Cargo.
    Cargo,
    /// npm, pnpm or Yarn.
    Npm,
}

impl WorkspaceKind {
    /// The words of the configuration.
    pub const NAMES: [(&str, Self); 4] =
        [("cargo", Self::Cargo), ("npm", Self::Npm), ("pnpm", Self::Npm), ("yarn", Self::Npm)];

    /// Its first word in the configuration.
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
