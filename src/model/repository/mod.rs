//! The content of a repository besides its changelog, in the shape of GitLab's REST API, and the requests for it.

mod request;

use std::ops::Deref;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::Trailers;

pub(crate) use request::{
    ArchiveFormat, ArchiveRequest, CompareRequest, ContributorOrder, ContributorsRequest, TreePage, TreeRequest,
    no_blob, no_commits, no_directory, no_merge_base, nothing_to_archive, unknown_revisions,
};

/// A value, and the JSON that a server sent for it, if one did. It serializes to that JSON, unknown fields included.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RepositoryResponse<T> {
    value: T,
    body: Option<Value>,
}

impl<T> RepositoryResponse<T> {
    /// Creates a value that a server sent.
    pub(crate) fn new(value: T, body: Value) -> Self {
        Self { value, body: Some(body) }
    }

    /// Whether a field is known: a server may leave one out, whose value is then only a default.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.body.as_ref().is_none_or(|body| body.get(field).is_some_and(|sent| !sent.is_null()))
    }
}

impl<T> From<T> for RepositoryResponse<T> {
    fn from(value: T) -> Self {
        Self { value, body: None }
    }
}

impl<T> Deref for RepositoryResponse<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Serialize> Serialize for RepositoryResponse<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.body {
            Some(body) => body.serialize(serializer),
            None => self.value.serialize(serializer),
        }
    }
}

/// A file, directory or submodule of a tree, as `git ls-tree` lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TreeEntry {
    /// The object ID.
    pub id: String,
    /// The last component of the path.
    pub name: String,
    /// The kind of the entry.
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
pub(crate) enum EntryKind {
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
pub(crate) struct Blob {
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
pub(crate) struct CommitRecord {
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
pub(crate) struct Comparison {
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
#[expect(clippy::struct_excessive_bools, reason = "GitLab's response has them")]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct FileDiff {
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
pub(crate) struct Contributor {
    /// The name in their newest commit that has one.
    pub name: String,
    /// Their e-mail address, by which commits are grouped.
    pub email: String,
    /// The number of their commits; `None` if the server did not send it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits: Option<u64>,
    /// Always zero, because GitLab no longer counts lines.
    pub additions: u64,
    /// Always zero, as `additions`.
    pub deletions: u64,
}

/// Sizes and counts of a repository's storage. Sizes are bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Health {
    /// The size of the repository on disk.
    pub size: u64,
    /// The state of the refs.
    pub references: HealthReferences,
    /// The state of the objects.
    pub objects: HealthObjects,
    /// The state of the commit-graph.
    pub commit_graph: CommitGraph,
    /// The reachability bitmap of a pack.
    pub bitmap: Option<Bitmap>,
    /// The index over several packs.
    pub multi_pack_index: Option<MultiPackIndex>,
    /// The reachability bitmap of the multi-pack index.
    pub multi_pack_index_bitmap: Option<Bitmap>,
    /// The object stores that objects are borrowed from.
    pub alternates: Option<Alternates>,
    /// Whether other repositories borrow objects from this one.
    pub is_object_pool: bool,
    /// The time of the last repack into one pack.
    pub last_full_repack: Option<RepackTime>,
    /// The time of the report.
    pub updated_at: Option<String>,
}

/// The state of the refs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct HealthReferences {
    /// The number of refs in separate files.
    pub loose_count: u64,
    /// The size of the file of the packed refs.
    pub packed_size: u64,
    /// `REFERENCE_BACKEND_FILES` or `REFERENCE_BACKEND_REFTABLE`.
    pub reference_backend: String,
}

/// The state of the objects.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct HealthObjects {
    /// The size of all objects, packed and loose.
    pub size: u64,
    /// The size of what is likely in use.
    pub recent_size: u64,
    /// The size of what is likely unreachable: cruft packs and old loose objects.
    pub stale_size: u64,
    /// The size of packs that are never repacked.
    pub keep_size: u64,
    /// The number of packs.
    pub packfile_count: u64,
    /// The number of packs with a reverse index.
    pub reverse_index_count: u64,
    /// The number of packs of unreachable objects.
    pub cruft_count: u64,
    /// The number of packs that are never repacked.
    pub keep_count: u64,
    /// The number of objects in separate files.
    pub loose_objects_count: u64,
    /// The number of loose objects that have not been touched for ten days.
    pub stale_loose_objects_count: u64,
    /// The number of files among the loose objects that are not objects.
    pub loose_objects_garbage_count: u64,
}

/// The commit-graph (git-commit-graph(1)).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_field_names, reason = "these are the keys of the API")]
pub(crate) struct CommitGraph {
    /// The number of files it is split into; zero without a chain.
    pub commit_graph_chain_length: u64,
    /// Whether it records which paths a commit changed.
    pub has_bloom_filters: bool,
    /// Whether it records corrected commit dates.
    pub has_generation_data: bool,
    /// Whether a corrected commit date needs more than 31 bits.
    pub has_generation_data_overflow: bool,
}

/// A reachability bitmap (gitformat-bitmap(5)).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Bitmap {
    /// Whether it has hashes of paths.
    pub has_hash_cache: bool,
    /// Whether it can be read in parts.
    pub has_lookup_table: bool,
    /// The version of the format.
    pub version: u64,
}

/// The index over several packs (git-multi-pack-index(1)).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct MultiPackIndex {
    /// The number of packs.
    pub packfile_count: u64,
    /// The version of the format.
    pub version: u64,
}

/// The object stores that objects are borrowed from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Alternates {
    /// The object directories, as the `alternates` file names them.
    pub object_directories: Vec<String>,
    /// The modification time of that file.
    pub last_modified: Option<RepackTime>,
}

/// A moment since the Unix epoch, UTC.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct RepackTime {
    /// Whole seconds.
    pub seconds: i64,
    /// The remaining nanoseconds.
    pub nanos: u32,
}
