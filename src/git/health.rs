//! GitLab's health report of a repository's storage, computed from the files (gitrepository-layout(5)). A file that is
//! removed during the computation is ignored, since git may be running at the same time.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use anyhow::{Context as _, Result};

use super::Repo;
use crate::model::{
    Time, none_if_missing,
    repository::{
        Alternates, Bitmap, CommitGraph, Health, HealthObjects, HealthReferences, MultiPackIndex, RepackTime,
    },
};

/// The age from which a loose object is probably unreachable.
const STALE_AFTER: Duration = Duration::from_secs(10 * 24 * 60 * 60);
/// The largest header of a commit-graph with its table of contents: at most 255 entries of twelve bytes.
const MAX_HEADER: u64 = 8 + 256 * 12;

/// Reports the health of a repository.
///
/// # Errors
/// If a directory or file of the repository cannot be read.
pub(crate) fn health(repo: &Repo) -> Result<Health> {
    let now = SystemTime::now();
    let common = repo.gix().common_dir();
    let objects = repo.gix().objects.store_ref().path().to_owned();
    let packs = list(&objects.join("pack"))?;
    let stale_before = now.checked_sub(STALE_AFTER).unwrap_or(SystemTime::UNIX_EPOCH);
    Ok(Health {
        size: list_recursively(common)?.iter().map(|file| file.size).sum(),
        references: references(common)?,
        objects: count_objects(&objects, &packs, stale_before)?,
        commit_graph: commit_graph(&objects.join("info"))?,
        bitmap: bitmap(&packs, "pack-")?,
        multi_pack_index: multi_pack_index(&objects.join("pack").join("multi-pack-index"))?,
        multi_pack_index_bitmap: bitmap(&packs, "multi-pack-index-")?,
        alternates: alternates(&objects.join("info").join("alternates"))?,
        is_object_pool: false,
        last_full_repack: None,
        updated_at: Some(Time { seconds: repack_time(now).seconds, offset: 0 }.to_iso8601()),
    })
}

fn references(common: &Path) -> Result<HealthReferences> {
    let loose = list_recursively(&common.join("refs"))?;
    let packed = common.join("packed-refs");
    Ok(HealthReferences {
        loose_count: loose.iter().filter(|file| file.extension() != Some("lock")).count() as u64,
        packed_size: packed.metadata().map_or(0, |file| file.len()),
        reference_backend: "REFERENCE_BACKEND_FILES".to_owned(),
    })
}

fn alternates(file: &Path) -> Result<Option<Alternates>> {
    let Some(text) = read(file, u64::MAX)? else { return Ok(None) };
    let text = String::from_utf8_lossy(&text).into_owned();
    let directories = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned);
    let modified = file.metadata().and_then(|file| file.modified());
    let modified = modified.with_context(|| format!("cannot read `{}`", file.display()))?;
    Ok(Some(Alternates { object_directories: directories.collect(), last_modified: Some(repack_time(modified)) }))
}

fn repack_time(time: SystemTime) -> RepackTime {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seconds = i64::try_from(since.as_secs()).unwrap_or(i64::MAX);
    RepackTime { seconds, nanos: since.subsec_nanos() }
}

/// Counts the packs in `packs` and the loose objects below `objects`.
fn count_objects(objects: &Path, packs: &[FileInfo], stale_before: SystemTime) -> Result<HealthObjects> {
    let mut counts = HealthObjects::default();
    count_packs(packs, &mut counts);
    for first_byte in 0..=u8::MAX {
        for file in list(&objects.join(format!("{first_byte:02x}")))? {
            count_loose(&file, stale_before, &mut counts);
        }
    }
    counts.recent_size = counts.size - counts.stale_size;
    Ok(counts)
}

fn count_packs(packs: &[FileInfo], counts: &mut HealthObjects) {
    for file in packs.iter().filter(|file| file.name.starts_with("pack-")) {
        let Some((pack, extension)) = file.name.rsplit_once('.') else { continue };
        let size = || packs.iter().find(|file| file.name == format!("{pack}.pack")).map_or(0, |pack| pack.size);
        match extension {
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

/// Inspects the commit-graph in `info/`: one file, or a chain of them (gitformat-commit-graph(5)).
fn commit_graph(info: &Path) -> Result<CommitGraph> {
    let directory = info.join("commit-graphs");
    let chain = read(&directory.join("commit-graph-chain"), u64::MAX)?.unwrap_or_default();
    let chain = String::from_utf8_lossy(&chain).into_owned();
    let layers = chain.lines().map(|id| directory.join(format!("graph-{id}.graph")));
    let mut graph = CommitGraph { commit_graph_chain_length: chain.lines().count() as u64, ..CommitGraph::default() };
    for file in std::iter::once(info.join("commit-graph")).chain(layers) {
        let header = read(&file, MAX_HEADER)?.unwrap_or_default();
        for chunk in chunks(&header) {
            match chunk {
                b"BIDX" => graph.has_bloom_filters = true,
                b"GDA2" => graph.has_generation_data = true,
                b"GDO2" => graph.has_generation_data_overflow = true,
                _ => {}
            }
        }
    }
    Ok(graph)
}

/// Returns the chunk IDs in the table of contents of a commit-graph.
fn chunks(header: &[u8]) -> impl Iterator<Item = &[u8]> {
    let count = header.strip_prefix(b"CGPH").and_then(|rest| rest.get(2)).map_or(0, |count| usize::from(*count));
    header.get(8..).unwrap_or_default().chunks_exact(12).take(count).map(|entry| &entry[..4])
}

/// Reads the header of a multi-pack index (gitformat-pack(5)).
fn multi_pack_index(file: &Path) -> Result<Option<MultiPackIndex>> {
    let Some(header) = read(file, 12)? else { return Ok(None) };
    let Some([version, _, _, _, packs @ ..]) = header.strip_prefix(b"MIDX") else { return Ok(None) };
    let packs = packs.try_into().map_or(0, u32::from_be_bytes);
    let (packfile_count, version) = (packs.into(), (*version).into());
    Ok(Some(MultiPackIndex { packfile_count, version }))
}

/// Reads the header of the first bitmap with this prefix (gitformat-bitmap(5)).
fn bitmap(packs: &[FileInfo], prefix: &str) -> Result<Option<Bitmap>> {
    let Some(file) = packs.iter().find(|file| file.name.starts_with(prefix) && file.extension() == Some("bitmap"))
    else {
        return Ok(None);
    };
    let header = read(&file.path, 8)?.unwrap_or_default();
    let Some([major, minor, _, flags]) = header.strip_prefix(b"BITM") else { return Ok(None) };
    Ok(Some(Bitmap {
        has_hash_cache: flags & 0x4 != 0,
        has_lookup_table: flags & 0x10 != 0,
        version: u16::from_be_bytes([*major, *minor]).into(),
    }))
}

/// A file of the repository; git's names of its own files are ASCII.
#[derive(Debug)]
struct FileInfo {
    path: PathBuf,
    name: String,
    size: u64,
    modified: SystemTime,
}

impl FileInfo {
    fn extension(&self) -> Option<&str> {
        self.name.rsplit_once('.').map(|(_, extension)| extension)
    }
}

/// Lists the files of a directory, sorted by name; none if it does not exist.
fn list(directory: &Path) -> Result<Vec<FileInfo>> {
    let mut files = entries(directory)?.0;
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// Lists the files in a directory and in all directories below it.
fn list_recursively(directory: &Path) -> Result<Vec<FileInfo>> {
    let (mut files, mut pending) = entries(directory)?;
    while let Some(directory) = pending.pop() {
        let (found, directories) = entries(&directory)?;
        files.extend(found);
        pending.extend(directories);
    }
    Ok(files)
}

fn entries(directory: &Path) -> Result<(Vec<FileInfo>, Vec<PathBuf>)> {
    let context = || format!("cannot read `{}`", directory.display());
    let (mut files, mut directories) = (Vec::new(), Vec::new());
    for entry in none_if_missing(fs::read_dir(directory)).with_context(context)?.into_iter().flatten() {
        let entry = entry.with_context(context)?;
        let Some(data) = none_if_missing(entry.metadata()).with_context(context)? else { continue };
        if data.is_dir() {
            directories.push(entry.path());
        } else {
            let name = entry.file_name().to_string_lossy().into_owned();
            let modified = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            files.push(FileInfo { path: entry.path(), name, size: data.len(), modified });
        }
    }
    Ok((files, directories))
}

/// Reads the first `limit` bytes of a file; `None` if it does not exist.
fn read(file: &Path, limit: u64) -> Result<Option<Vec<u8>>> {
    let bytes = fs::File::open(file).and_then(|opened| {
        let mut bytes = Vec::new();
        opened.take(limit).read_to_end(&mut bytes).map(|_| bytes)
    });
    none_if_missing(bytes).with_context(|| format!("cannot read `{}`", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_contents_has_as_many_entries_as_its_header_says() {
        let head = [&b"CGPH\x01\x01\x01\x00BIDX\0\0\0\0\0\0\0\0GDA2\0\0\0\0\0\0\0\0"[..], b"tail"].concat();
        assert_eq!(chunks(&head).collect::<Vec<_>>(), [b"BIDX"]);
        assert_eq!(chunks(b"CGPH").count(), 0);
        assert_eq!(chunks(b"anything else that is long enough").count(), 0);
    }
}
