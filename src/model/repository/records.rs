//! What a repository holds, in the shape of GitLab's REST API.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::model::Trailers;

/// A file, directory or submodule of a tree, as `git ls-tree` lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeEntry {
    /// The object ID.
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
}

/// The kind of a tree entry, in the order in which GitLab lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// A directory.
    Tree,
    /// A file or a symbolic link.
    Blob,
    /// A submodule.
    Commit,
}

/// A blob and its content in Base64.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Blob {
    /// The size of the content in bytes, before encoding.
    pub size: u64,
    /// How `content` is encoded: `base64`.
    pub encoding: String,
    /// The encoded content, without line breaks.
    pub content: String,
    /// The object ID.
    pub sha: String,
}

/// A commit in GitLab's API. Dates are ISO 8601 with milliseconds and the commit's own offset.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CommitRecord {
    /// The object ID.
    pub id: String,
    /// The short ID: the first eight digits.
    pub short_id: String,
    /// The same as `committed_date`.
    pub created_at: String,
    /// The object IDs of the parents.
    pub parent_ids: Vec<String>,
    /// The first line of the message, not shortened.
    pub title: String,
    /// The whole message.
    pub message: String,
    /// The author's name.
    pub author_name: String,
    /// The author's address.
    pub author_email: String,
    /// When it was written.
    pub authored_date: String,
    /// The committer's name.
    pub committer_name: String,
    /// The committer's address.
    pub committer_email: String,
    /// When it was committed.
    pub committed_date: String,
    /// The trailers, a repeated one with its last value.
    pub trailers: Trailers,
    /// The trailers with every value.
    pub extended_trailers: IndexMap<String, Vec<String>>,
    /// The commit's page on the forge; `None` if the host is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
}

/// The commits and file differences between two refs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Comparison {
    /// The newest of `commits`.
    pub commit: Option<CommitRecord>,
    /// The commits reachable from the end and not from the start, oldest first.
    pub commits: Vec<CommitRecord>,
    /// The changed files, by destination path.
    pub diffs: Vec<FileDiff>,
    /// Whether `diffs` stops early because a limit was reached.
    pub compare_timeout: bool,
    /// Whether both refs are the same commit.
    pub compare_same_ref: bool,
    /// The comparison's page on the forge; `None` if the host is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
}

/// The diff of one file.
#[allow(clippy::struct_excessive_bools, reason = "GitLab's response has them")]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileDiff {
    /// The hunks of a unified diff; empty for pure renames and mode changes, and if `collapsed` or `too_large`.
    pub diff: String,
    /// Whether the hunks are omitted because of the size of the whole comparison.
    pub collapsed: bool,
    /// Whether the hunks are omitted because of their own size.
    pub too_large: bool,
    /// The path after the change, or before it if the file was deleted.
    pub new_path: String,
    /// The path before the change, or after it if the file is new.
    pub old_path: String,
    /// The octal mode before the change; `0` for a new file.
    pub a_mode: Option<String>,
    /// The octal mode after the change; `0` for a deleted file.
    pub b_mode: Option<String>,
    /// Whether the file is new.
    pub new_file: bool,
    /// Whether the file was moved.
    pub renamed_file: bool,
    /// Whether the file was deleted.
    pub deleted_file: bool,
    /// Whether the file is generated; `None` if that is not known.
    pub generated_file: Option<bool>,
}

/// An author and the number of their commits, without merges.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Contributor {
    /// The name in their newest commit that has one.
    pub name: String,
    /// Their e-mail address, by which commits are grouped.
    pub email: String,
    /// The number of their commits.
    pub commits: u64,
    /// Always zero, because GitLab no longer counts lines.
    pub additions: u64,
    /// Always zero, as `additions`.
    pub deletions: u64,
}
