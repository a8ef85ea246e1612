//! `tidings repo`: prints the content of a local repository or of one on a server.

mod compare;
mod files;
#[cfg(test)]
pub(crate) mod operations;

use clap::Subcommand;

use super::{
    Server, Session,
    global_args::one_of,
    layout::{Align, Table, human_size, write_card},
};
use crate::{
    model::repository::{
        Bitmap, CommitGraph, Contributor, ContributorOrder, ContributorsRequest, Health, RepositoryResponse,
    },
    repository::{HostedRepository, LocalRepository, Repository},
};

/// Read trees, files, archives and comparisons of a repository.
///
/// The repository is that of the current directory, or the one given with `--repo`; no server is needed. With
/// `--project`, the same is read from the server.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Tree(files::TreeArgs),
    Blob(files::BlobArgs),
    Archive(files::ArchiveArgs),
    Compare(compare::CompareArgs),
    Contributors(ContributorsArgs),
    MergeBase(compare::MergeBaseArgs),
    Health(HealthArgs),
}

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    if session.global.server.project.is_some() {
        let server = Server::from_session(session)?;
        let hosted = HostedRepository::new(server.client(), server.project()?.to_owned());
        return run_on(&args.action, &hosted, session);
    }
    let local = LocalRepository::new(session.repo()?);
    run_on(&args.action, &local, session)
}

fn run_on(action: &Action, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    match action {
        Action::Tree(args) => files::tree(args, repository, session),
        Action::Blob(args) => files::blob(args, repository, session),
        Action::Archive(args) => files::archive(args, repository, session),
        Action::Compare(args) => compare::compare(args, repository, session),
        Action::Contributors(args) => contributors(args, repository, session),
        Action::MergeBase(args) => compare::merge_base(args, repository, session),
        Action::Health(args) => health(args, repository, session),
    }
}

/// List the authors of the newest 2000 commits that are not merges.
#[derive(clap::Args)]
#[command(after_help = CONTRIBUTORS_EXAMPLES)]
struct ContributorsArgs {
    /// Branch, tag or commit [default: HEAD, on a server the default branch].
    #[arg(long = "ref", value_name = "REF")]
    reference: Option<String>,
    /// Sort key.
    #[arg(long, value_name = "KEY", default_value = "commits", value_parser = one_of(ContributorOrder::NAMES))]
    order_by: ContributorOrder,
    /// Sort order.
    #[arg(long, value_name = "WAY", default_value = "asc", value_parser = ["asc", "desc"])]
    sort: String,
    /// Count all commits, not only the newest 2000; only in a local repository.
    #[arg(long, conflicts_with = "project")]
    all_commits: bool,
}

const CONTRIBUTORS_EXAMPLES: &str = "\
Examples:
  tidings repo contributors --sort desc            most commits first
  tidings repo contributors --ref v1.2.0 --order-by name
  tidings repo contributors --all-commits          without the limit
  tidings repo contributors --project group/app    from a server";

fn contributors(args: &ContributorsArgs, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    let contributors = repository.contributors(&ContributorsRequest {
        reference: args.reference.clone(),
        order: args.order_by,
        descending: args.sort == "desc",
        all_commits: args.all_commits,
    })?;
    session.answer(&contributors, |out| table(&contributors).write(out))
}

fn table(contributors: &[Contributor]) -> Table {
    let mut table = Table::new([("COMMITS", Align::Right), ("NAME", Align::Left), ("E-MAIL", Align::Left)]);
    for one in contributors {
        let commits = one.commits.map(|commits| commits.to_string()).unwrap_or_default();
        table.row([commits.into(), (&one.name).into(), (&one.email).into()]);
    }
    table
}

/// Report the state of a repository's storage.
#[derive(clap::Args)]
#[command(after_help = HEALTH_EXAMPLES)]
struct HealthArgs {
    /// Have the server create a report if it has none; a local report is always new.
    #[arg(long)]
    generate: bool,
}

const HEALTH_EXAMPLES: &str = "\
Examples:
  tidings repo health                                  of this repository
  tidings repo health --project group/app --generate   make a new one";

fn health(args: &HealthArgs, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    let health = repository.health(args.generate)?;
    session.answer(&health, |out| {
        let fields = rows(&health).into_iter().map(|(name, text)| (name, Some(text.into())));
        write_card(&format!("{} on disk", human_size(health.size)), fields, out)
    })
}

fn rows(health: &RepositoryResponse<Health>) -> Vec<(&'static str, String)> {
    let (refs, objects, graph) = (&health.references, &health.objects, &health.commit_graph);
    let stale = format!("{} loose, {} cruft packs", objects.stale_loose_objects_count, objects.cruft_count);
    let known = [
        ("references", "refs", format!("{} loose, {} packed", refs.loose_count, human_size(refs.packed_size))),
        (
            "objects",
            "objects",
            format!("{} in use, {} stale", human_size(objects.recent_size), human_size(objects.stale_size)),
        ),
        ("objects", "packs", format!("{}, {} of them kept", objects.packfile_count, objects.keep_count)),
        ("objects", "loose objects", objects.loose_objects_count.to_string()),
        ("objects", "stale", stale),
        ("commit_graph", "commit-graph", commit_graph(graph)),
    ];
    let known = known.into_iter().filter(|(field, ..)| health.has(field));
    let mut rows: Vec<_> = known.map(|(_, name, text)| (name, text)).collect();
    let bitmaps = (health.bitmap.as_ref(), health.multi_pack_index_bitmap.as_ref());
    if health.has("objects") || bitmaps != (None, None) {
        rows.push(("bitmap", bitmap(bitmaps.0.or(bitmaps.1))));
    }
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
