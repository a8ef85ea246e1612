//! Output for people: tables of several resources, cards of one, and sizes.

use std::{
    fmt,
    io::{self, Write},
};

use anstyle::Style;
use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

use crate::model::printable;

const HEADING: Style = Style::new().dimmed();

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// A line of text, made of pieces with a style each.
#[derive(Clone, Default)]
pub(super) struct Cell {
    pieces: Vec<(String, Style)>,
}

impl Cell {
    pub(super) fn new(text: impl AsRef<str>) -> Self {
        Self { pieces: vec![(printable(text.as_ref()), Style::new())] }
    }

    pub(super) fn with_style(self, style: Style) -> Self {
        Self { pieces: self.pieces.into_iter().map(|(text, _)| (text, style)).collect() }
    }

    pub(super) fn and(mut self, other: Self) -> Self {
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

impl<T: fmt::Display> From<T> for Cell {
    fn from(value: T) -> Self {
        Self::new(value.to_string())
    }
}

pub(super) struct Table {
    columns: Vec<Align>,
    headings: Option<Vec<Cell>>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    pub(super) fn new<'a>(columns: impl IntoIterator<Item = (&'a str, Align)>) -> Self {
        let (names, columns) =
            columns.into_iter().map(|(heading, align)| (Cell::new(heading).with_style(HEADING), align)).unzip();
        Self { columns, headings: Some(names), rows: Vec::new() }
    }

    pub(super) fn without_headings<const N: usize>(columns: [Align; N]) -> Self {
        Self { columns: columns.into(), headings: None, rows: Vec::new() }
    }

    pub(super) fn row(&mut self, cells: impl Into<Vec<Cell>>) {
        self.rows.push(cells.into());
    }

    /// Writes the table, or nothing if it has no rows.
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let rows: Vec<&Vec<Cell>> = self.headings.iter().chain(&self.rows).collect();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| rows.iter().map(|row| row[column].width()).max().unwrap_or(0))
            .collect();
        rows.iter().try_for_each(|row| write_row(out, row, &self.columns, &widths))
    }
}

fn write_row(out: &mut impl Write, row: &[Cell], columns: &[Align], widths: &[usize]) -> io::Result<()> {
    // No spaces are written after the last text.
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

const TITLE: Style = Style::new().bold();
const NAME: Style = Style::new().dimmed();

/// Writes a title, and a line for each value that is not `None`.
pub(super) fn write_card(
    title: &str,
    fields: impl IntoIterator<Item = (&'static str, Option<Cell>)>,
    out: &mut impl Write,
) -> io::Result<()> {
    Cell::new(title).with_style(TITLE).write(out)?;
    writeln!(out)?;
    let mut table = Table::without_headings([Align::Left, Align::Left]);
    for (name, value) in fields {
        table.rows.extend(value.map(|value| vec![Cell::new(name).with_style(NAME), value]));
    }
    table.write(out)
}

fn yes_or_no(yes: bool) -> &'static str {
    if yes { "yes" } else { "no" }
}

/// Returns a size in the largest unit that it fills: `38.1 MiB`.
pub(super) fn human_size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let (mut tenths, mut unit) = (u128::from(bytes) * 10 / 1024, 0);
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, UNITS[unit])
}

/// A column of a table, or a field of a card: its heading, its alignment, and the source of its cells.
pub(crate) struct Column(&'static str, Align, Source);

/// The source of a cell. A value that the server did not send, or sent as another type, is omitted.
enum Source {
    /// The path of a field, which may be a field of another one: `project.path`.
    Path(&'static str),
    With(fn(&Value) -> Option<Cell>),
}

/// Creates a column of texts, or a field of a card.
pub(crate) const fn left(heading: &'static str, path: &'static str) -> Column {
    Column(heading, Align::Left, Source::Path(path))
}

pub(crate) const fn right(heading: &'static str, path: &'static str) -> Column {
    Column(heading, Align::Right, Source::Path(path))
}

/// Creates a column whose cells a function creates.
pub(crate) const fn computed(heading: &'static str, cell: fn(&Value) -> Option<Cell>) -> Column {
    Column(heading, Align::Left, Source::With(cell))
}

impl Column {
    fn cell(&self, row: &Value) -> Option<Cell> {
        match self.2 {
            Source::Path(path) => text_at(row, path).map(Cell::new),
            Source::With(cell) => cell(row),
        }
    }
}

/// Formats the value of a field for people, where `a.b` is the field `b` of `a`; `None` if it is missing or empty.
pub(crate) fn text_at(row: &Value, path: &str) -> Option<String> {
    let value = path.split('.').try_fold(row, |value, name| value.get(name))?;
    Some(match value {
        Value::Null => return None,
        Value::Bool(yes) => yes_or_no(*yes).to_owned(),
        other => plain(other),
    })
    .filter(|text| !text.is_empty())
}

/// Returns a text without quotes, and any other value as JSON.
pub(crate) fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Prints a table with a row for each resource.
pub(crate) fn print_table(columns: &[Column], rows: &[Value], out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new(columns.iter().map(|Column(heading, align, _)| (*heading, *align)));
    for row in rows {
        table.row(columns.iter().map(|column| column.cell(row).unwrap_or_default()).collect::<Vec<_>>());
    }
    table.write(out)
}

/// Prints a title, and a line for each field that the resource has.
pub(crate) fn print_card(title: &str, fields: &[Column], row: &Value, out: &mut impl Write) -> io::Result<()> {
    write_card(title, fields.iter().map(|field| (field.0, field.cell(row))), out)
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

    #[test]
    fn a_size_is_in_the_largest_unit_that_it_fills() {
        for (bytes, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.0 KiB"),
            (1536, "1.5 KiB"),
            (39_651_458, "37.8 MiB"),
            (u64::MAX, "16383.9 PiB"),
        ] {
            assert_eq!(human_size(bytes), text);
        }
    }
}
