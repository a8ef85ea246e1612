//! What a repository's storage looks like: the service's health report, read from the files themselves.

mod files;
mod index;
mod objects;

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use anyhow::{Context as _, Result};

use super::Repo;
use crate::model::{
    Time,
    repository::{Alternates, Extra, Health, HealthReferences, RepackTime},
};

/// A loose object that has not been touched for so long is likely unreachable.
const STALE_AFTER: Duration = Duration::from_secs(10 * 24 * 60 * 60);

/// The report of a repository as it is at the moment `now`.
///
/// # Errors
///
/// Where a folder or file of the repository cannot be read.
pub fn health(repo: &Repo, now: SystemTime) -> Result<Health> {
    let common = repo.gix().common_dir();
    let objects = repo.gix().objects.store_ref().path().to_owned();
    let packs = files::list(&objects.join("pack"))?;
    let stale_before = now.checked_sub(STALE_AFTER).unwrap_or(SystemTime::UNIX_EPOCH);
    Ok(Health {
        size: files::size(common)?,
        references: references(common)?,
        objects: objects::count(&objects, &packs, stale_before)?,
        commit_graph: index::commit_graph(&objects.join("info"))?,
        bitmap: index::bitmap(&packs, "pack-")?,
        multi_pack_index: index::multi_pack_index(&objects.join("pack").join("multi-pack-index"))?,
        multi_pack_index_bitmap: index::bitmap(&packs, "multi-pack-index-")?,
        alternates: alternates(&objects.join("info").join("alternates"))?,
        is_object_pool: false,
        last_full_repack: None,
        updated_at: Some(timestamp(now)),
        extra: Extra::new(),
    })
}

fn references(common: &Path) -> Result<HealthReferences> {
    let loose = files::list_deep(&common.join("refs"))?;
    let packed = common.join("packed-refs");
    Ok(HealthReferences {
        loose_count: loose.iter().filter(|file| file.suffix() != Some("lock")).count() as u64,
        packed_size: packed.metadata().map_or(0, |file| file.len()),
        reference_backend: "REFERENCE_BACKEND_FILES".to_owned(),
        extra: Extra::new(),
    })
}

fn alternates(file: &Path) -> Result<Option<Alternates>> {
    let Some(text) = files::read(file)? else { return Ok(None) };
    let text = String::from_utf8_lossy(&text).into_owned();
    let folders = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned);
    let changed = file.metadata().and_then(|file| file.modified());
    let changed = changed.with_context(|| format!("cannot read `{}`", file.display()))?;
    Ok(Some(Alternates {
        object_directories: folders.collect(),
        last_modified: Some(moment(changed)),
        extra: Extra::new(),
    }))
}

fn moment(time: SystemTime) -> RepackTime {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    RepackTime { seconds, nanos: since.subsec_nanos(), extra: Extra::new() }
}

/// ISO 8601 in UTC, to the second.
fn timestamp(time: SystemTime) -> String {
    Time { seconds: moment(time).seconds, offset: 0 }.to_iso8601()
}
