//! What is released by itself, and the files that its version is in.

/// The default changelog file.
pub(crate) const CHANGELOG: &str = "CHANGELOG.md";

/// A part of a repository that is released separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// The paths that its commits change, as in [`Config::paths`](super::Config::paths).
    pub paths: Vec<String>,
    /// The prefix of its version tags.
    pub tag_prefix: String,
    /// Its changelog file.
    pub file: String,
    /// The files that its releases set the version in.
    pub version_files: Vec<VersionFile>,
}

impl Package {
    /// The default package of a name: the directory of that name, tags such as `NAME/v1.2.0`, and the changelog file in that
    /// directory.
    pub(super) fn named(name: &str) -> Self {
        let file = format!("{name}/{CHANGELOG}");
        Self { paths: vec![name.to_owned()], tag_prefix: format!("{name}/v"), file, version_files: Vec::new() }
    }

    /// The changelog file in the first directory of the paths: the part before a wildcard of a path that is not excluded.
    pub(super) fn default_file(&self) -> Option<String> {
        let included = self.paths.iter().find(|path| !path.starts_with([':', '!']))?;
        let parts: Vec<_> = included.split('/').take_while(|part| !part.contains(['*', '?', '['])).collect();
        let directory = parts.join("/");
        let directory = directory.trim_end_matches('/');
        (!directory.is_empty()).then(|| format!("{directory}/{CHANGELOG}"))
    }
}

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
