//! How many objects and packs there are, and how much room they take (gitrepository-layout(5)).

use std::{path::Path, time::SystemTime};

use anyhow::Result;

use super::files::{self, FileInfo};
use crate::model::repository::HealthObjects;

/// Counts the packs in `packs` and the loose objects below `objects`.
pub(super) fn count(objects: &Path, packs: &[FileInfo], stale_before: SystemTime) -> Result<HealthObjects> {
    let mut counts = HealthObjects::default();
    count_packs(packs, &mut counts);
    for fan in 0..=u8::MAX {
        for file in files::list(&objects.join(format!("{fan:02x}")))? {
            count_loose(&file, stale_before, &mut counts);
        }
    }
    counts.recent_size = counts.size - counts.stale_size;
    Ok(counts)
}

fn count_packs(packs: &[FileInfo], counts: &mut HealthObjects) {
    for file in packs.iter().filter(|file| file.name.starts_with("pack-")) {
        let Some((pack, suffix)) = file.name.rsplit_once('.') else { continue };
        let size = || packs.iter().find(|file| file.name == format!("{pack}.pack")).map_or(0, |pack| pack.size);
        match suffix {
            "pack" => {
                counts.packfile_count += 1;
                counts.size += file.size;
            }
            "rev" => counts.reverse_index_count += 1,
            "keep" => {
                counts.keep_count += 1;
                counts.keep_size += size();
            }
            "mtimes" => {
                counts.cruft_count += 1;
                counts.stale_size += size();
            }
            _ => {}
        }
    }
}

fn count_loose(file: &FileInfo, stale_before: SystemTime, counts: &mut HealthObjects) {
    let is_id = matches!(file.name.len(), 38 | 62) && file.name.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_id {
        counts.loose_objects_garbage_count += 1;
        return;
    }
    counts.loose_objects_count += 1;
    counts.size += file.size;
    if file.modified < stale_before {
        counts.stale_loose_objects_count += 1;
        counts.stale_size += file.size;
    }
}
