//! One entry of a repository's tree.

use serde::{Deserialize, Serialize};

use super::Extra;

/// A file, folder or submodule of a tree, as `git ls-tree` lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeEntry {
    /// The object's full id.
    pub id: String,
    /// The last component of the path.
    pub name: String,
    /// What the entry is.
    #[serde(rename = "type")]
    pub kind: EntryKind,
    /// The path from the root of the repository.
    pub path: String,
    /// The file mode in six octal digits, such as `100644`.
    pub mode: String,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The kinds of tree entries, in the order in which the service lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// A folder.
    Tree,
    /// A file or a symbolic link.
    Blob,
    /// A submodule.
    Commit,
}
