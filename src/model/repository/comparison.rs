//! What lies between two refs: commits and file differences.

use serde::{Deserialize, Serialize};

use super::{CommitRecord, Extra};

/// The answer of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Comparison {
    /// The newest of `commits`.
    pub commit: Option<CommitRecord>,
    /// The commits reachable from the end and not from the start, oldest first.
    pub commits: Vec<CommitRecord>,
    /// The differing files by destination path.
    pub diffs: Vec<FileDiff>,
    /// Whether `diffs` stops early because a limit was reached.
    pub compare_timeout: bool,
    /// Whether both refs are the same commit.
    pub compare_same_ref: bool,
    /// The comparison's page on the host; absent where the host is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub web_url: Option<String>,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The difference of one file.
#[allow(clippy::struct_excessive_bools, reason = "the service's answer has them")]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FileDiff {
    /// The hunks of a unified diff; empty for renames and mode changes alone, and where `collapsed` or `too_large`.
    pub diff: String,
    /// Whether the hunks were left out because of the size of the whole comparison.
    pub collapsed: bool,
    /// Whether the hunks were left out because of their own size.
    pub too_large: bool,
    /// The path after the change, or before it where the file was deleted.
    pub new_path: String,
    /// The path before the change, or after it where the file is new.
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
    /// Whether the file is made by a tool; `None` where that is not known.
    pub generated_file: Option<bool>,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}
