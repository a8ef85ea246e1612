//! A commit that a forge makes in place of this program, so that the forge signs it.

use super::Oid;

/// A commit on top of a branch of the forge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ForgeCommit {
    /// The branch, by its short name.
    pub branch: String,
    /// The commit that the branch points to.
    pub parent: Oid,
    pub message: String,
    pub edits: Vec<ForgeEdit>,
}

/// What a commit does to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ForgeEdit {
    /// The path from the top of the repository.
    pub path: String,
    /// The new content; `None` if the file is deleted.
    pub content: Option<Vec<u8>>,
    /// Whether the file did not exist.
    pub is_new: bool,
}
