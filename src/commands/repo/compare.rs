//! `tidings repo compare` and `repo merge-base`: the commits and diffs between refs, and where refs diverged.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::{
    commands::{
        Session,
        layout::{Align, Cell, Table, write_card},
    },
    model::{
        pluralize, printable_lines,
        repository::{CommitRecord, CompareRequest, Comparison, FileDiff},
    },
    repository::Repository,
};

const COMMIT: Style = AnsiColor::Yellow.on_default();

/// Compare two branches, tags or commits: the commits and the changed files between them.
///
/// The files are compared with those of the merge base, as in a merge request. Comparisons are limited as in GitLab:
/// hunks are omitted after 100 files, 5000 lines or 500 KB, and the list ends after 1000 files.
#[derive(clap::Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub(super) struct CompareArgs {
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

const COMPARE_EXAMPLES: &str = "\
Examples:
  tidings repo compare v1.1.0 v1.2.0                    what a release changed
  tidings repo compare main topic --format json         for machines
  tidings repo compare main topic --straight --no-limits
  tidings repo compare main topic --project group/app   from a server";

pub(super) fn compare(args: &CompareArgs, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
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
    let mut table = Table::without_headings([Align::Left, Align::Left, Align::Left]);
    for commit in commits {
        let id = Cell::new(&commit.short_id).with_style(COMMIT);
        table.row([id, Cell::new(&commit.author_name), Cell::new(printable_line(&commit.title))]);
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
#[derive(clap::Args)]
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

pub(super) fn merge_base(
    args: &MergeBaseArgs,
    repository: &dyn Repository,
    session: &mut Session,
) -> anyhow::Result<()> {
    let commit = repository.merge_base(&args.refs)?;
    let author = Some(format!("{} <{}>", commit.author_name, commit.author_email));
    let fields = [
        ("title", Some(Cell::new(&commit.title))),
        ("author", author.filter(|_| !commit.author_name.is_empty()).map(Cell::new)),
        ("date", Some(&commit.committed_date).filter(|date| !date.is_empty()).map(Cell::new)),
        ("page", commit.web_url.as_ref().map(Cell::new)),
    ];
    session.answer(&commit, |out| write_card(&commit.id, fields, out))
}

const FILE: Style = Style::new().bold();
const HUNK: Style = AnsiColor::Cyan.on_default();
const ADDED: Style = AnsiColor::Green.on_default();
const DELETED: Style = AnsiColor::Red.on_default();
/// The width of the longest bar, in characters.
const BAR: usize = 40;

/// The number of lines that a diff adds and deletes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct DiffStat {
    added: usize,
    deleted: usize,
}

impl DiffStat {
    fn from_diff(diff: &FileDiff) -> Self {
        hunks(diff).fold(Self::default(), |changes, line| match line.as_bytes().first() {
            Some(b'+') => Self { added: changes.added + 1, ..changes },
            Some(b'-') => Self { deleted: changes.deleted + 1, ..changes },
            _ => changes,
        })
    }

    fn and(self, other: Self) -> Self {
        Self { added: self.added + other.added, deleted: self.deleted + other.deleted }
    }

    fn total(self) -> usize {
        self.added + self.deleted
    }

    /// Returns the pluses and minuses of the bar, at least one of each if there are such lines.
    fn bar(self, most: usize) -> [String; 2] {
        let width = |count: usize| if most <= BAR { count } else { (count * BAR).div_ceil(most) };
        ["+".repeat(width(self.added)), "-".repeat(width(self.deleted))]
    }
}

/// Returns a line for each file: its name, the number of changed lines, and a bar.
fn stat(diffs: &[FileDiff]) -> Table {
    let changes: Vec<DiffStat> = diffs.iter().map(DiffStat::from_diff).collect();
    let most = changes.iter().map(|changes| changes.total()).max().unwrap_or(0);
    let mut table = Table::without_headings([Align::Left, Align::Right, Align::Left]);
    for (diff, changes) in diffs.iter().zip(changes) {
        let [added, deleted] = changes.bar(most);
        let bar = Cell::new(added).with_style(ADDED).and(Cell::new(deleted).with_style(DELETED));
        table.row([Cell::new(name(diff)), diffstat_cell(diff, changes), bar]);
    }
    table
}

fn diffstat_cell(diff: &FileDiff, changes: DiffStat) -> Cell {
    let text = match () {
        () if diff.too_large => "too large".to_owned(),
        () if diff.collapsed => "collapsed".to_owned(),
        () if is_binary(diff) => "binary".to_owned(),
        () => changes.total().to_string(),
    };
    Cell::new(text)
}

fn is_binary(diff: &FileDiff) -> bool {
    diff.diff.starts_with("Binary files ")
}

/// Returns the path, or both paths of a moved file, and other changes in parentheses.
fn name(diff: &FileDiff) -> String {
    let modes = diff.a_mode.as_deref().zip(diff.b_mode.as_deref());
    let path =
        if diff.renamed_file { format!("{} => {}", diff.old_path, diff.new_path) } else { diff.new_path.clone() };
    match () {
        () if diff.new_file => format!("{path} (new)"),
        () if diff.deleted_file => format!("{path} (deleted)"),
        () => match modes.filter(|(before, after)| before != after) {
            Some((before, after)) => format!("{path} ({before} => {after})"),
            None => path,
        },
    }
}

/// Writes the hunks of every file that has any.
fn write_hunks(diffs: &[FileDiff], out: &mut impl Write) -> io::Result<()> {
    for diff in diffs.iter().filter(|diff| !diff.diff.is_empty()) {
        writeln!(out, "\n{FILE}{}{FILE:#}", printable_line(&name(diff)))?;
        for line in hunks(diff) {
            let style = match line.as_bytes().first() {
                Some(b'@') => HUNK,
                Some(b'+') => ADDED,
                Some(b'-') => DELETED,
                _ => Style::new(),
            };
            writeln!(out, "{style}{}{style:#}", printable_line(line))?;
        }
    }
    Ok(())
}

/// Returns the lines of a diff without the header of a unified one.
fn hunks(diff: &FileDiff) -> impl Iterator<Item = &str> {
    let has_header = diff.diff.starts_with("--- ");
    diff.diff.lines().skip_while(move |line| has_header && !line.starts_with("@@"))
}

/// Makes a line safe for a terminal.
pub(super) fn printable_line(line: &str) -> String {
    printable_lines(line.strip_suffix('\r').unwrap_or(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diff(text: &str) -> FileDiff {
        FileDiff { diff: text.to_owned(), new_path: "a".to_owned(), ..FileDiff::default() }
    }

    #[test]
    fn the_lines_of_the_header_are_not_changes() {
        let unified = diff("--- a/a\n+++ b/a\n@@ -1,2 +1 @@\n-x\n--- a/a\n+z\n");
        assert_eq!(DiffStat::from_diff(&unified), DiffStat { added: 1, deleted: 2 });
        assert_eq!(hunks(&unified).collect::<Vec<_>>(), ["@@ -1,2 +1 @@", "-x", "--- a/a", "+z"]);
        assert_eq!(hunks(&diff("Binary files a/x and b/x differ\n")).count(), 1);
    }

    #[test]
    fn the_longest_bar_has_the_maximum_width() {
        assert_eq!(DiffStat { added: 2, deleted: 1 }.bar(3), ["++", "-"].map(str::to_owned));
        let [added, deleted] = DiffStat { added: 4000, deleted: 1 }.bar(4001);
        assert_eq!((added.len(), deleted.len()), (40, 1));
    }

    #[test]
    fn the_name_shows_other_changes() {
        let mode = |mode: &str| Some(mode.to_owned());
        let moved = FileDiff { old_path: "b".into(), renamed_file: true, ..diff("") };
        assert_eq!(name(&moved), "b => a");
        let executable = FileDiff { a_mode: mode("100644"), b_mode: mode("100755"), ..diff("") };
        assert_eq!(name(&executable), "a (100644 => 100755)");
    }

    #[test]
    fn escape_codes_do_not_reach_the_terminal() {
        assert_eq!(printable_line("+\ta\u{1b}[31m\r"), "+\ta\u{fffd}[31m");
    }
}
