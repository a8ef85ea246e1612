//! `tidings repo health`: the state of a repository's storage.

use crate::{
    commands::{
        Session,
        layout::{Card, human_size},
    },
    model::repository::{Bitmap, CommitGraph, Health},
    repository::Repository,
};

/// Report the state of a repository's storage.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Have the server create a report if it has none; a local report is always new.
    #[arg(long)]
    generate: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings repo health                                  of this repository
  tidings repo health --project group/app --generate   make a new one";

/// Runs `tidings repo health`.
pub(super) fn run(args: &Args, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    let health = repository.health(args.generate)?;
    if session.json() {
        return session.out.json(&health);
    }
    Ok(card(&health).write(&mut session.out)?)
}

fn card(health: &Health) -> Card {
    let card = Card::new(&format!("{} on disk", human_size(health.size)));
    rows(health).iter().fold(card, |card, (name, text)| card.field(name, Some(text)))
}

fn rows(health: &Health) -> Vec<(&'static str, String)> {
    let (refs, objects, graph) = (&health.references, &health.objects, &health.commit_graph);
    let stale = format!("{} loose, {} cruft packs", objects.stale_loose_objects_count, objects.cruft_count);
    let mut rows = vec![
        ("refs", format!("{} loose, {} packed", refs.loose_count, human_size(refs.packed_size))),
        ("objects", format!("{} in use, {} stale", human_size(objects.recent_size), human_size(objects.stale_size))),
        ("packs", format!("{}, {} of them kept", objects.packfile_count, objects.keep_count)),
        ("loose objects", objects.loose_objects_count.to_string()),
        ("stale", stale),
        ("commit-graph", commit_graph(graph)),
        ("bitmap", bitmap(health.bitmap.as_ref().or(health.multi_pack_index_bitmap.as_ref()))),
    ];
    if objects.loose_objects_garbage_count > 0 {
        rows.push(("garbage", format!("{} files", objects.loose_objects_garbage_count)));
    }
    if let Some(index) = &health.multi_pack_index {
        rows.push(("multi-pack index", format!("over {} packs", index.packfile_count)));
    }
    if let Some(alternates) = &health.alternates {
        rows.push(("borrows from", alternates.object_directories.join(", ")));
    }
    rows.extend(health.updated_at.clone().map(|moment| ("as of", moment)));
    rows
}

fn commit_graph(graph: &CommitGraph) -> String {
    let parts = [
        (graph.commit_graph_chain_length > 0).then(|| format!("a chain of {}", graph.commit_graph_chain_length)),
        graph.has_generation_data.then(|| "with generations".to_owned()),
        graph.has_bloom_filters.then(|| "with changed paths".to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        "none; run `git commit-graph write --reachable` for faster walks".to_owned()
    } else {
        parts.join(", ")
    }
}

fn bitmap(bitmap: Option<&Bitmap>) -> String {
    bitmap.map_or_else(|| "none".to_owned(), |bitmap| format!("version {}", bitmap.version))
}
