//! The files that make a repository fast, known by their heads: commit-graph, multi-pack index, bitmaps
//! (gitformat-commit-graph(5), gitformat-pack(5), gitformat-bitmap(5)).

use std::path::Path;

use anyhow::Result;

use super::files::{self, FileInfo};
use crate::model::repository::{Bitmap, CommitGraph, Extra, MultiPackIndex};

/// A head with its table of contents: at most 255 entries of twelve bytes.
const LONGEST_HEAD: u64 = 8 + 256 * 12;

/// The commit-graph in `info/`: one file, or a chain of them.
pub(super) fn commit_graph(info: &Path) -> Result<CommitGraph> {
    let folder = info.join("commit-graphs");
    let chain = files::read(&folder.join("commit-graph-chain"))?.unwrap_or_default();
    let chain = String::from_utf8_lossy(&chain).into_owned();
    let layers = chain.lines().map(|id| folder.join(format!("graph-{id}.graph")));
    let mut graph = CommitGraph { commit_graph_chain_length: chain.lines().count() as u64, ..CommitGraph::default() };
    for file in std::iter::once(info.join("commit-graph")).chain(layers) {
        let head = files::read_head(&file, LONGEST_HEAD)?.unwrap_or_default();
        for chunk in chunks(&head) {
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

/// The names in a commit-graph's table of contents.
fn chunks(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let count = head.strip_prefix(b"CGPH").and_then(|rest| rest.get(2)).map_or(0, |count| usize::from(*count));
    head.get(8..).unwrap_or_default().chunks_exact(12).take(count).map(|entry| &entry[..4])
}

/// What the head of a multi-pack index says.
pub(super) fn multi_pack_index(file: &Path) -> Result<Option<MultiPackIndex>> {
    let Some(head) = files::read_head(file, 12)? else { return Ok(None) };
    let Some([version, _, _, _, packs @ ..]) = head.strip_prefix(b"MIDX") else { return Ok(None) };
    let packs = packs.try_into().map_or(0, u32::from_be_bytes);
    let (packfile_count, version) = (packs.into(), (*version).into());
    Ok(Some(MultiPackIndex { packfile_count, version, extra: Extra::new() }))
}

/// What the head of the first bitmap says whose name begins so.
pub(super) fn bitmap(packs: &[FileInfo], beginning: &str) -> Result<Option<Bitmap>> {
    let is_bitmap = |file: &&FileInfo| file.name.starts_with(beginning) && file.suffix() == Some("bitmap");
    let Some(file) = packs.iter().find(is_bitmap) else { return Ok(None) };
    let head = files::read_head(&file.path, 8)?.unwrap_or_default();
    let Some([major, minor, _, flags]) = head.strip_prefix(b"BITM") else { return Ok(None) };
    Ok(Some(Bitmap {
        has_hash_cache: flags & 0x4 != 0,
        has_lookup_table: flags & 0x10 != 0,
        version: u16::from_be_bytes([*major, *minor]).into(),
        extra: Extra::new(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_contents_ends_where_it_says() {
        let head = [&b"CGPH\x01\x01\x01\x00BIDX\0\0\0\0\0\0\0\0GDA2\0\0\0\0\0\0\0\0"[..], b"tail"].concat();
        assert_eq!(chunks(&head).collect::<Vec<_>>(), [b"BIDX"]);
        assert_eq!(chunks(b"CGPH").count(), 0);
        assert_eq!(chunks(b"anything else that is long enough").count(), 0);
    }
}
