//! A file that has the version in it.

/// Where in a file the version stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionFile {
    /// The file, from the top of the repository.
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
}
