//! Packages of one repository, each with its own paths, tags and changelog file.

use crate::model::VersionFile;

/// The default changelog file.
pub const CHANGELOG: &str = "CHANGELOG.md";

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
