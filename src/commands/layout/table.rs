//! Tables for people: columns as wide as they must be, control characters kept out of the terminal.

use std::io::{self, Write};

use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

use crate::model::printable;

const HEADING: Style = Style::new().dimmed();

/// Where a column's text stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::commands) enum Align {
    Left,
    Right,
}

/// A line of text, each piece of it in one style.
#[derive(Clone, Debug, Default)]
pub(in crate::commands) struct Cell {
    pieces: Vec<(String, Style)>,
}

impl Cell {
    pub(in crate::commands) fn new(text: impl AsRef<str>) -> Self {
        Self { pieces: vec![(printable(text.as_ref()), Style::new())] }
    }

    pub(in crate::commands) fn styled(self, style: Style) -> Self {
        Self { pieces: self.pieces.into_iter().map(|(text, _)| (text, style)).collect() }
    }

    /// This cell and right behind it another.
    pub(in crate::commands) fn and(mut self, other: Self) -> Self {
        self.pieces.extend(other.pieces);
        self
    }

    fn width(&self) -> usize {
        self.pieces.iter().map(|(text, _)| text.width()).sum()
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.pieces
            .iter()
            .filter(|(text, _)| !text.is_empty())
            .try_for_each(|(text, style)| write!(out, "{style}{text}{style:#}"))
    }
}

impl<T: ToString> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        Self::new(value.map(|value| value.to_string()).unwrap_or_default())
    }
}

impl From<u64> for Cell {
    fn from(value: u64) -> Self {
        Self::new(value.to_string())
    }
}

impl From<&str> for Cell {
    fn from(value: &str) -> Self {
        Self::new(value)
    }
}

impl From<&String> for Cell {
    fn from(value: &String) -> Self {
        Self::new(value)
    }
}

/// Rows under headings.
#[derive(Debug)]
pub(in crate::commands) struct Table {
    columns: Vec<Align>,
    headings: Option<Vec<Cell>>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(in crate::commands) fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Self {
        let (names, columns) =
            columns.into_iter().map(|(heading, align)| (Cell::new(heading).styled(HEADING), align)).unzip();
        Self { columns, headings: Some(names), rows: Vec::new() }
    }

    /// A table without headings.
    pub(in crate::commands) fn bare<const N: usize>(columns: [Align; N]) -> Self {
        Self { columns: columns.into(), headings: None, rows: Vec::new() }
    }

    pub(in crate::commands) fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        self.rows.push(cells.into());
    }

    /// Writes the table; nothing where it has no rows.
    pub(in crate::commands) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows: Vec<&Vec<Cell>> = self.headings.iter().chain(&self.rows).collect();
        let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.columns.len()).map(width).collect();
        rows.iter().try_for_each(|row| write_row(out, row, &self.columns, &widths))
    }
}

fn write_row(out: &mut impl Write, row: &[Cell], columns: &[Align], widths: &[usize]) -> io::Result<()> {
    // Nothing stands behind the last text, no spaces either.
    let filled = row.iter().rposition(|cell| cell.width() > 0).map_or(0, |last| last + 1);
    for (index, cell) in row[..filled].iter().enumerate() {
        let space = " ".repeat(widths[index].saturating_sub(cell.width()));
        out.write_all(if index == 0 { b"" } else { b"  " })?;
        if columns[index] == Align::Right {
            out.write_all(space.as_bytes())?;
        }
        cell.write(out)?;
        if columns[index] == Align::Left && index + 1 < filled {
            out.write_all(space.as_bytes())?;
        }
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_by_what_is_seen() {
        let mut table = Table::new([("N", Align::Right), ("NAME", Align::Left), ("NOTE", Align::Left)]);
        table.row([7.into(), "größe".into(), "x".into()]);
        table.row([12.into(), "日本".into(), "a\u{1b}[31m\nb".into()]);
        table.row([3.into(), "x".into(), "".into()]);
        let mut out = Vec::new();
        table.write(&mut anstream::StripStream::new(&mut out)).unwrap();
        let expected = " N  NAME   NOTE\n 7  größe  x\n12  日本   a\u{fffd}[31m b\n 3  x\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
