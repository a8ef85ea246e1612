//! `tidings repo compare`: what lies between two refs.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::diff::{DiffStat, shown, stat, write_hunks};
use crate::{
    commands::{
        Session,
        layout::{Align, Cell, Table},
    },
    model::{
        pluralize,
        repository::{CommitRecord, CompareRequest, Comparison},
    },
    repository::Repository,
};

const COMMIT: Style = AnsiColor::Yellow.on_default();

/// Compare two branches, tags or commits: the commits and the changed files between them.
///
/// The files are compared with those of the merge base, as a merge request shows them. As on the service, long
/// comparisons are cut short: after 100 files, 5000 lines or 500 KB the hunks are left out, and after 1000 files the list
/// ends.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Base of the comparison: a branch, tag or commit.
    #[arg(value_name = "FROM")]
    from: String,
    /// Head of the comparison: a branch, tag or commit.
    #[arg(value_name = "TO")]
    to: String,
    /// Compare the files of FROM themselves, not those of the merge base.
    #[arg(long)]
    straight: bool,
    /// Give the hunks of JSON answers the two header lines of a unified diff.
    #[arg(long)]
    unidiff: bool,
    /// The id of the project that has FROM; on a server only.
    #[arg(long, value_name = "ID", requires = "project")]
    from_project_id: Option<u64>,
    /// Show everything, however long; in a local repository only.
    #[arg(long, conflicts_with = "project")]
    no_limits: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings repo compare v1.1.0 v1.2.0                    what a release changed
  tidings repo compare main topic --format json         for machines
  tidings repo compare main topic --straight --no-limits
  tidings repo compare main topic --project group/app   from a server";

/// Runs `tidings repo compare`.
pub(super) fn run(args: &Args, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    let comparison = repository.compare(&CompareRequest {
        from: args.from.clone(),
        to: args.to.clone(),
        from_project_id: args.from_project_id,
        straight: args.straight,
        unidiff: args.unidiff,
        unlimited: args.no_limits,
    })?;
    if session.json() {
        return session.out.json(&comparison);
    }
    write(&comparison, &mut session.out)?;
    if comparison.compare_timeout {
        session.note("there are more files than are shown; in a local repository, --no-limits shows all");
    }
    Ok(())
}

fn write(comparison: &Comparison, out: &mut impl Write) -> io::Result<()> {
    if comparison.compare_same_ref {
        return writeln!(out, "both are the same commit");
    }
    commits(&comparison.commits).write(out)?;
    if !comparison.commits.is_empty() && !comparison.diffs.is_empty() {
        writeln!(out)?;
    }
    stat(&comparison.diffs).write(out)?;
    writeln!(out, "{}", summary(comparison))?;
    write_hunks(&comparison.diffs, out)
}

fn commits(commits: &[CommitRecord]) -> Table {
    let mut table = Table::bare([Align::Left, Align::Left, Align::Left]);
    for commit in commits {
        let id = Cell::new(&commit.short_id).styled(COMMIT);
        table.row([id, Cell::new(&commit.author_name), Cell::new(shown(&commit.title))]);
    }
    table
}

fn summary(comparison: &Comparison) -> String {
    let changes = comparison.diffs.iter().map(DiffStat::of).fold(DiffStat::default(), DiffStat::and);
    let (commits, files) = (pluralize(comparison.commits.len(), "commit"), pluralize(comparison.diffs.len(), "file"));
    format!("{commits}, {files} changed, {} added and {} deleted", pluralize(changes.added, "line"), changes.deleted)
}
