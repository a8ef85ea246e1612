//! The health report of a repository: the state of its object store.

use serde::{Deserialize, Serialize};

/// Sizes and counts of a repository's storage. Sizes are bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Health {
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
pub struct HealthReferences {
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
pub struct HealthObjects {
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
pub struct CommitGraph {
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
pub struct Bitmap {
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
pub struct MultiPackIndex {
    /// The number of packs.
    pub packfile_count: u64,
    /// The version of the format.
    pub version: u64,
}

/// The object stores that objects are borrowed from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Alternates {
    /// The object directories, as the `alternates` file names them.
    pub object_directories: Vec<String>,
    /// The modification time of that file.
    pub last_modified: Option<RepackTime>,
}

/// A moment since the Unix epoch, UTC.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RepackTime {
    /// Whole seconds.
    pub seconds: i64,
    /// The remaining nanoseconds.
    pub nanos: u32,
}
