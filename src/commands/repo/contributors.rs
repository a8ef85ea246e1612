//! `tidings repo contributors`: the authors of a repository.

use crate::{
    commands::{
        Session,
        layout::{Align, Table},
    },
    model::repository::{Contributor, ContributorOrder, ContributorsRequest},
    repository::Repository,
};

/// List the authors of the newest 2000 commits that are not merges.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Branch, tag or commit [default: HEAD, on a server the default branch].
    #[arg(long = "ref", value_name = "REF")]
    reference: Option<String>,
    /// Sort key.
    #[arg(long, value_name = "KEY", default_value = "commits", value_parser = ["name", "email", "commits"])]
    order_by: String,
    /// Sort order.
    #[arg(long, value_name = "WAY", default_value = "asc", value_parser = ["asc", "desc"])]
    sort: String,
    /// Count all commits, not only the newest 2000; only in a local repository.
    #[arg(long, conflicts_with = "project")]
    all_commits: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings repo contributors --sort desc            most commits first
  tidings repo contributors --ref v1.2.0 --order-by name
  tidings repo contributors --all-commits          without the limit
  tidings repo contributors --project group/app    from a server";

/// Runs `tidings repo contributors`.
pub(super) fn run(args: &Args, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    let contributors = repository.contributors(&ContributorsRequest {
        reference: args.reference.clone(),
        order: match args.order_by.as_str() {
            "name" => ContributorOrder::Name,
            "email" => ContributorOrder::Email,
            _ => ContributorOrder::Commits,
        },
        descending: args.sort == "desc",
        all_commits: args.all_commits,
    })?;
    if session.json() {
        return session.out.json(&contributors);
    }
    Ok(table(&contributors).write(&mut session.out)?)
}

fn table(contributors: &[Contributor]) -> Table {
    let mut table = Table::new([("COMMITS", Align::Right), ("NAME", Align::Left), ("E-MAIL", Align::Left)]);
    for one in contributors {
        table.row([one.commits.into(), (&one.name).into(), (&one.email).into()]);
    }
    table
}
