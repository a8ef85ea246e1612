//! Diffs for people: coloured hunks, and a line of pluses and minuses for each file.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::{
    commands::layout::{Align, Cell, Table},
    model::{printable_lines, repository::FileDiff},
};

const FILE: Style = Style::new().bold();
const HUNK: Style = AnsiColor::Cyan.on_default();
const ADDED: Style = AnsiColor::Green.on_default();
const DELETED: Style = AnsiColor::Red.on_default();
/// The width of the bar of the file with the most changes.
const BAR: usize = 40;

/// The number of lines that a diff adds and deletes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DiffStat {
    pub(super) added: usize,
    pub(super) deleted: usize,
}

impl DiffStat {
    pub(super) fn from_diff(diff: &FileDiff) -> Self {
        let lines = diff.diff.lines().skip_while(|line| !line.starts_with("@@"));
        lines.fold(Self::default(), |changes, line| match line.as_bytes().first() {
            Some(b'+') => Self { added: changes.added + 1, ..changes },
            Some(b'-') => Self { deleted: changes.deleted + 1, ..changes },
            _ => changes,
        })
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self { added: self.added + other.added, deleted: self.deleted + other.deleted }
    }

    fn total(self) -> usize {
        self.added + self.deleted
    }

    /// Pluses and minuses, at least one of each if there are any.
    fn bar(self, most: usize) -> [String; 2] {
        let width = |count: usize| if most <= BAR { count } else { (count * BAR).div_ceil(most) };
        ["+".repeat(width(self.added)), "-".repeat(width(self.deleted))]
    }
}

/// A line for each file: its name, how many lines changed, and a bar.
pub(super) fn stat(diffs: &[FileDiff]) -> Table {
    let changes: Vec<DiffStat> = diffs.iter().map(DiffStat::from_diff).collect();
    let most = changes.iter().map(|changes| changes.total()).max().unwrap_or(0);
    let mut table = Table::bare([Align::Left, Align::Right, Align::Left]);
    for (diff, changes) in diffs.iter().zip(changes) {
        let [added, deleted] = changes.bar(most);
        let bar = Cell::new(added).styled(ADDED).and(Cell::new(deleted).styled(DELETED));
        table.row([Cell::new(name(diff)), changed(diff, changes), bar]);
    }
    table
}

fn changed(diff: &FileDiff, changes: DiffStat) -> Cell {
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

/// The path, or both paths of a moved file, and other changes in parentheses.
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

/// The hunks of every file that has any.
pub(super) fn write_hunks(diffs: &[FileDiff], out: &mut impl Write) -> io::Result<()> {
    for diff in diffs.iter().filter(|diff| !diff.diff.is_empty()) {
        writeln!(out, "\n{FILE}{}{FILE:#}", shown(&name(diff)))?;
        for line in diff.diff.lines().filter(|line| !is_header(line, diff)) {
            let style = match line.as_bytes().first() {
                Some(b'@') => HUNK,
                Some(b'+') => ADDED,
                Some(b'-') => DELETED,
                _ => Style::new(),
            };
            writeln!(out, "{style}{}{style:#}", shown(line))?;
        }
    }
    Ok(())
}

/// Whether a line is in the header of a unified diff, which is omitted because the name was printed before.
fn is_header(line: &str, diff: &FileDiff) -> bool {
    let named = |path: &str| diff.diff.starts_with("--- ") && line.ends_with(path);
    (line.starts_with("--- ") && (named(&diff.old_path) || named("/dev/null")))
        || (line.starts_with("+++ ") && (named(&diff.new_path) || named("/dev/null")))
}

/// Makes a line safe for a terminal.
pub(super) fn shown(line: &str) -> String {
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
        let changes = DiffStat::from_diff(&diff("--- a/a\n+++ b/a\n@@ -1,2 +1 @@\n-x\n--- y\n+z\n"));
        assert_eq!(changes, DiffStat { added: 1, deleted: 2 });
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
        assert_eq!(shown("+\ta\u{1b}[31m\r"), "+\ta\u{fffd}[31m");
    }
}
