//! One thing for people: a line for each field it has.

use std::io::{self, Write};

use anstyle::Style;

use super::{Align, Cell, Table};

const TITLE: Style = Style::new().bold();
const NAME: Style = Style::new().dimmed();

/// A title and named values; what is absent is left out.
#[derive(Debug)]
pub(in crate::commands) struct Card {
    title: Cell,
    fields: Vec<(&'static str, Cell)>,
}

impl Card {
    pub(in crate::commands) fn new(title: &str) -> Self {
        Self { title: Cell::new(title).styled(TITLE), fields: Vec::new() }
    }

    pub(in crate::commands) fn field(mut self, name: &'static str, value: Option<impl Into<Cell>>) -> Self {
        self.fields.extend(value.map(|value| (name, value.into())));
        self
    }

    pub(in crate::commands) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let mut table = Table::bare([Align::Left]);
        table.row([self.title.clone()]);
        table.write(out)?;
        let mut table = Table::bare([Align::Left, Align::Left]);
        for (name, value) in &self.fields {
            table.row([Cell::new(name).styled(NAME), value.clone()]);
        }
        table.write(out)
    }
}
