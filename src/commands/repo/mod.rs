//! `tidings repo`: what is in a repository, from git alone or from a server.

mod archive;
mod blob;
mod compare;
mod contributors;
mod diff;
mod health;
mod merge_base;
pub(super) mod size;
mod tree;

use std::time::SystemTime;

use clap::Subcommand;

use super::{Server, Session};
use crate::{
    api::{
        self,
        repository::{
            AddChangelog, Compare, GenerateChangelog, GetArchive, GetBlob, GetHealth, GetMergeBase, GetRawBlob,
            ListContributors, ListTree,
        },
    },
    repository::{HostedRepository, LocalRepository, Repository},
};

/// Read trees, files, archives and comparisons of a repository.
///
/// Everything is read from the repository around the current folder, or from the one that `--repo` names, without any
/// server. With `--project`, the server answers instead, in the same words.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    operation: Action,
}

/// Each operation lives in a file of its own name.
#[derive(Debug, Subcommand)]
enum Action {
    Tree(tree::Args),
    Blob(blob::Args),
    Archive(archive::Args),
    Compare(compare::Args),
    Contributors(contributors::Args),
    MergeBase(merge_base::Args),
    Health(health::Args),
}

/// The operations of this area, with the command for each.
#[must_use]
pub fn operations() -> Vec<(&'static str, api::Operation)> {
    vec![
        ("repo tree", api::Operation::of::<ListTree>()),
        ("repo blob", api::Operation::of::<GetBlob>()),
        ("repo blob --raw", api::Operation::of::<GetRawBlob>()),
        ("repo archive", api::Operation::of::<GetArchive>()),
        ("repo compare", api::Operation::of::<Compare>()),
        ("repo contributors", api::Operation::of::<ListContributors>()),
        ("repo merge-base", api::Operation::of::<GetMergeBase>()),
        ("repo health", api::Operation::of::<GetHealth>()),
        ("show --project", api::Operation::of::<GenerateChangelog>()),
        ("add --project", api::Operation::of::<AddChangelog>()),
    ]
}

/// Runs `tidings repo`.
///
/// # Errors
///
/// Where the repository cannot be opened or does not have what was asked for.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    if session.global.server.project.is_some() {
        let server = Server::of(session)?;
        let hosted = HostedRepository::new(server.client(), server.project()?.to_owned());
        return ask(&args.operation, &hosted, session);
    }
    let local = LocalRepository::new(session.repo()?, SystemTime::now());
    ask(&args.operation, &local, session)
}

fn ask(operation: &Action, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    match operation {
        Action::Tree(args) => tree::run(args, repository, session),
        Action::Blob(args) => blob::run(args, repository, session),
        Action::Archive(args) => archive::run(args, repository, session),
        Action::Compare(args) => compare::run(args, repository, session),
        Action::Contributors(args) => contributors::run(args, repository, session),
        Action::MergeBase(args) => merge_base::run(args, repository, session),
        Action::Health(args) => health::run(args, repository, session),
    }
}
