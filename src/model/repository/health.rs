//! The health report of a repository: what its object store looks like.

use serde::{Deserialize, Serialize};

use super::Extra;

/// Sizes and counts of a repository's storage. Sizes are bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Health {
    /// Everything the repository keeps on disk.
    pub size: u64,
    /// How refs are stored.
    pub references: HealthReferences,
    /// How objects are stored.
    pub objects: HealthObjects,
    /// The commit-graph, which makes walks fast.
    pub commit_graph: CommitGraph,
    /// The reachability bitmap of a pack.
    pub bitmap: Option<Bitmap>,
    /// The index over several packs.
    pub multi_pack_index: Option<MultiPackIndex>,
    /// The reachability bitmap of the multi-pack index.
    pub multi_pack_index_bitmap: Option<Bitmap>,
    /// Where objects are borrowed from.
    pub alternates: Option<Alternates>,
    /// Whether other repositories borrow objects from this one.
    pub is_object_pool: bool,
    /// When everything was last packed into one.
    pub last_full_repack: Option<RepackTime>,
    /// When the report was made.
    pub updated_at: Option<String>,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}

/// How refs are stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HealthReferences {
    /// Refs in files of their own.
    pub loose_count: u64,
    /// The size of the file that holds the others.
    pub packed_size: u64,
    /// `REFERENCE_BACKEND_FILES` or `REFERENCE_BACKEND_REFTABLE`.
    pub reference_backend: String,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}

/// How objects are stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct HealthObjects {
    /// All objects, packed and loose.
    pub size: u64,
    /// What is likely in use.
    pub recent_size: u64,
    /// What is likely unreachable: cruft packs and old loose objects.
    pub stale_size: u64,
    /// Packs that are never repacked.
    pub keep_size: u64,
    /// How many packs there are.
    pub packfile_count: u64,
    /// How many packs have a reverse index.
    pub reverse_index_count: u64,
    /// How many packs hold unreachable objects.
    pub cruft_count: u64,
    /// How many packs are never repacked.
    pub keep_count: u64,
    /// How many objects have a file of their own.
    pub loose_objects_count: u64,
    /// How many of those have not been touched for ten days.
    pub stale_loose_objects_count: u64,
    /// How many files lie among them that are none.
    pub loose_objects_garbage_count: u64,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The commit-graph (git-commit-graph(1)).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CommitGraph {
    /// How many files it is split into; zero without a chain.
    pub commit_graph_chain_length: u64,
    /// Whether it knows which paths a commit changed.
    pub has_bloom_filters: bool,
    /// Whether it has corrected commit dates.
    pub has_generation_data: bool,
    /// Whether some corrected commit date needs more than 31 bits.
    pub has_generation_data_overflow: bool,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A reachability bitmap (gitformat-bitmap(5)).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Bitmap {
    /// Whether it holds hashes of paths.
    pub has_hash_cache: bool,
    /// Whether it can be read in parts.
    pub has_lookup_table: bool,
    /// The version of the format.
    pub version: u64,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The index over several packs (git-multi-pack-index(1)).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MultiPackIndex {
    /// How many packs it covers.
    pub packfile_count: u64,
    /// The version of the format.
    pub version: u64,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Where objects are borrowed from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Alternates {
    /// The object folders, as the `alternates` file names them.
    pub object_directories: Vec<String>,
    /// When that file was last changed.
    pub last_modified: Option<RepackTime>,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A moment since the epoch, UTC.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RepackTime {
    /// Whole seconds.
    pub seconds: i64,
    /// The rest, in nanoseconds.
    pub nanos: u32,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}
