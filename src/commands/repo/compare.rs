//! `tidings repo compare` and `repo merge-base`: what is between refs, and where they diverged.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use super::diff::{DiffStat, shown, stat, write_hunks};
use crate::{
    commands::{
        Session,
        layout::{Align, Card, Cell, Table},
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
/// The files are compared with those of the merge base, as in a merge request. Comparisons are limited as in GitLab:
/// hunks are omitted after 100 files, 5000 lines or 500 KB, and the list ends after 1000 files.
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
    /// Begin the hunks in JSON with the two header lines of a unified diff.
    #[arg(long)]
    unidiff: bool,
    /// ID of the project that has FROM; only with `--project`.
    #[arg(long, value_name = "ID", requires = "project")]
    from_project_id: Option<u64>,
    /// Show everything, without limits; only in a local repository.
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
        session.note("not all files are shown; in a local repository, use `--no-limits` to show them");
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
    let changes = comparison.diffs.iter().map(DiffStat::from_diff).fold(DiffStat::default(), DiffStat::and);
    let (commits, files) = (pluralize(comparison.commits.len(), "commit"), pluralize(comparison.diffs.len(), "file"));
    format!("{commits}, {files} changed, {} added and {} deleted", pluralize(changes.added, "line"), changes.deleted)
}

/// Find the best common ancestor of two or more refs.
///
/// For more than two refs, it is that of the first and a hypothetical merge of the others, as in `git merge-base`.
#[derive(clap::Args, Debug)]
#[command(after_help = MERGE_BASE_EXAMPLES)]
pub(super) struct MergeBaseArgs {
    /// Branches, tags or commits.
    #[arg(value_name = "REF", num_args = 2.., required = true)]
    refs: Vec<String>,
}

const MERGE_BASE_EXAMPLES: &str = "\
Examples:
  tidings repo merge-base main topic                the start of a branch
  tidings repo merge-base main topic --format json  with the whole commit
  tidings repo merge-base v1.0.0 v2.0.0 --project group/app";

/// Runs `tidings repo merge-base`.
pub(super) fn merge_base(
    args: &MergeBaseArgs,
    repository: &dyn Repository,
    session: &mut Session,
) -> anyhow::Result<()> {
    let commit = repository.merge_base(&args.refs)?;
    if session.json() {
        return session.out.json(&commit);
    }
    Ok(card(&commit).write(&mut session.out)?)
}

fn card(commit: &CommitRecord) -> Card {
    let author = format!("{} <{}>", commit.author_name, commit.author_email);
    let is_known = !commit.author_name.is_empty();
    Card::new(&commit.id)
        .field("title", Some(commit.title.as_str()))
        .field("author", Some(author.as_str()).filter(|_| is_known))
        .field("date", Some(commit.committed_date.as_str()).filter(|date| !date.is_empty()))
        .field("page", commit.web_url.as_deref())
}
