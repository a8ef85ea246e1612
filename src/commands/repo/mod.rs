//! `tidings repo`: reads a local repository or one on a server.

mod archive;
mod compare;
mod contributors;
mod diff;
mod files;
mod health;

use std::time::SystemTime;

use clap::Subcommand;

use super::{Server, Session};
use crate::{
    api::{Endpoint, Operation, repository as endpoints},
    model::repository::{ArchiveRequest, CompareRequest, ContributorsRequest, TreeRequest},
    repository::{HostedRepository, LocalRepository, Repository},
};

/// Read trees, files, archives and comparisons of a repository.
///
/// The repository is that of the current directory, or the one given with `--repo`; no server is needed. With
/// `--project`, the same is read from the server.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Tree(files::TreeArgs),
    Blob(files::BlobArgs),
    Archive(archive::Args),
    Compare(compare::Args),
    Contributors(contributors::Args),
    MergeBase(compare::MergeBaseArgs),
    Health(health::Args),
}

/// The operations of these commands, and of `show` and `add` with `--project`.
#[must_use]
pub fn operations() -> Vec<(&'static str, Operation)> {
    fn of<T>(endpoint: &Endpoint<T>) -> Operation {
        Operation::from(&endpoint.request)
    }
    let section = endpoints::SectionRequest::default();
    vec![
        ("repo tree", of(&endpoints::tree("", &TreeRequest::default()))),
        ("repo blob", of(&endpoints::blob("", ""))),
        ("repo blob --raw", of(&endpoints::raw_blob("", ""))),
        ("repo archive", of(&endpoints::archive("", &ArchiveRequest::default()))),
        ("repo compare", of(&endpoints::compare("", &CompareRequest::default()))),
        ("repo contributors", of(&endpoints::contributors("", &ContributorsRequest::default()))),
        ("repo merge-base", of(&endpoints::merge_base("", &[]))),
        ("repo health", of(&endpoints::health("", false))),
        ("show --project", of(&section.generate())),
        ("add --project", Operation::from(&section.commit(None, "", None))),
    ]
}

/// Runs `tidings repo`.
///
/// # Errors
/// If the repository cannot be opened or does not have what was requested.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    if session.global.server.project.is_some() {
        let server = Server::of(session)?;
        let hosted = HostedRepository::new(server.client(), server.project()?.to_owned());
        return run_on(&args.action, &hosted, session);
    }
    let local = LocalRepository::new(session.repo()?, SystemTime::now());
    run_on(&args.action, &local, session)
}

fn run_on(action: &Action, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    match action {
        Action::Tree(args) => files::tree(args, repository, session),
        Action::Blob(args) => files::blob(args, repository, session),
        Action::Archive(args) => archive::run(args, repository, session),
        Action::Compare(args) => compare::run(args, repository, session),
        Action::Contributors(args) => contributors::run(args, repository, session),
        Action::MergeBase(args) => compare::merge_base(args, repository, session),
        Action::Health(args) => health::run(args, repository, session),
    }
}
