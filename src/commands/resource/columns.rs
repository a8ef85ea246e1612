//! What is shown of a resource: columns of a table, fields of a card.

use std::io::{self, Write};

use serde_json::Value;

use crate::commands::layout::{Align, Card, Cell, Table, yes_or_no};

/// A heading, an alignment, and the source of the cells.
pub(in crate::commands) struct Column(&'static str, Align, Source);

/// The source of a cell. A value that the server did not send, or sent as another type, is omitted.
enum Source {
    /// A field, maybe of another one: `project.path`.
    Path(&'static str),
    With(fn(&Value) -> Option<Cell>),
}

/// A column of texts, or the field of a card.
pub(in crate::commands) const fn left(heading: &'static str, path: &'static str) -> Column {
    Column(heading, Align::Left, Source::Path(path))
}

/// A column of numbers.
pub(in crate::commands) const fn right(heading: &'static str, path: &'static str) -> Column {
    Column(heading, Align::Right, Source::Path(path))
}

/// A column whose cells a function creates.
pub(in crate::commands) const fn with(heading: &'static str, cell: fn(&Value) -> Option<Cell>) -> Column {
    Column(heading, Align::Left, Source::With(cell))
}

impl Column {
    fn cell(&self, row: &Value) -> Option<Cell> {
        match self.2 {
            Source::Path(path) => text(row, path).map(Cell::new),
            Source::With(cell) => cell(row),
        }
    }
}

/// Formats the value of a field for people, where `a.b` is the field `b` of `a`; `None` if it is missing or empty.
pub(in crate::commands) fn text(row: &Value, path: &str) -> Option<String> {
    let value = path.split('.').try_fold(row, |value, name| value.get(name))?;
    Some(match value {
        Value::Null => return None,
        Value::Bool(yes) => yes_or_no(*yes).to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    })
    .filter(|text| !text.is_empty())
}

/// Prints a table with a row for each resource.
pub(in crate::commands) fn table(columns: &[Column], rows: &[Value], out: &mut impl Write) -> io::Result<()> {
    let mut table = Table::new(columns.iter().map(|Column(heading, align, _)| (*heading, *align)));
    for row in rows {
        table.row(columns.iter().map(|column| column.cell(row).unwrap_or_default()).collect::<Vec<_>>());
    }
    table.write(out)
}

/// Prints a title, and a line for each field that the resource has.
pub(in crate::commands) fn card(title: &str, fields: &[Column], row: &Value, out: &mut impl Write) -> io::Result<()> {
    let card = Card::new(title);
    fields.iter().fold(card, |card, field| card.field(field.0, field.cell(row))).write(out)
}
