//! `git count-objects` and the sizes of files.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::Oracle;

impl Oracle {
    /// The report of a repository that is freshly packed or freshly written: nothing in it is stale.
    pub fn health(&self) -> Value {
        let git = self.path.join(self.text(&["rev-parse", "--git-dir"]));
        let counts = self.text(&["count-objects", "-v"]);
        let count = |name: &str| -> u64 {
            counts.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap().parse().unwrap()
        };
        let packs = sizes(&git.join("objects/pack"));
        let ending = |end: &'static str| packs.iter().filter(move |(name, _)| name.ends_with(end));
        let packed: u64 = ending(".pack").map(|(_, size)| size).sum();
        let loose: u64 =
            (0..=255u8).flat_map(|fan| sizes(&git.join(format!("objects/{fan:02x}")))).map(|file| file.1).sum();
        json!({
            "size": sizes(&git).iter().map(|file| file.1).sum::<u64>(),
            "references": {
                "loose_count": sizes(&git.join("refs")).len(),
                "packed_size": fs::metadata(git.join("packed-refs")).map_or(0, |file| file.len()),
                "reference_backend": "REFERENCE_BACKEND_FILES",
            },
            "objects": {
                "size": packed + loose, "recent_size": packed + loose, "stale_size": 0, "keep_size": 0,
                "packfile_count": count("packs"), "reverse_index_count": ending(".rev").count(), "cruft_count": 0,
                "keep_count": 0, "loose_objects_count": count("count"), "stale_loose_objects_count": 0,
                "loose_objects_garbage_count": 0,
            },
            "commit_graph": {
                "commit_graph_chain_length": 0, "has_bloom_filters": false, "has_generation_data": false,
                "has_generation_data_overflow": false,
            },
            "bitmap": null, "multi_pack_index": null, "multi_pack_index_bitmap": null, "alternates": null,
            "is_object_pool": false, "last_full_repack": null, "updated_at": "2025-05-14T02:31:08.022Z",
        })
    }
}

/// The names and sizes of the files of a directory and of all directories in it.
fn sizes(directory: &Path) -> Vec<(String, u64)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().map(Result::unwrap) {
        match entry.metadata().unwrap() {
            data if data.is_dir() => found.extend(sizes(&entry.path())),
            data => found.push((entry.file_name().to_string_lossy().into_owned(), data.len())),
        }
    }
    found
}
