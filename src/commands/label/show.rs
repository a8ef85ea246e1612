//! Labels as people see them, with a swatch of their colour.

use std::io::{self, Write};

use anstyle::{RgbColor, Style};

use crate::{
    api::labels::Label,
    commands::layout::{Align, Card, Cell, Table, yes_or_no},
};

pub(super) fn table(labels: &[Label], with_counts: bool, out: &mut impl Write) -> io::Result<()> {
    if with_counts { counted(labels).write(out) } else { plain(labels).write(out) }
}

fn plain(labels: &[Label]) -> Table {
    let (left, right) = (Align::Left, Align::Right);
    let headings =
        [("ID", right), ("COLOR", left), ("NAME", left), ("PRIORITY", right), ("OF", left), ("DESCRIPTION", left)];
    let mut table = Table::new(headings);
    for label in labels {
        let description = Cell::from(label.description.as_ref());
        let row =
            [label.id.into(), swatch(label), title(label), label.priority.into(), owner(label).into(), description];
        table.row(row);
    }
    table
}

fn counted(labels: &[Label]) -> Table {
    let (left, right) = (Align::Left, Align::Right);
    let counts = [("OPEN", right), ("CLOSED", right), ("REQUESTS", right)];
    let mut table = Table::new([("ID", right), ("COLOR", left), ("NAME", left), counts[0], counts[1], counts[2]]);
    for label in labels {
        let issues = [label.open_issues_count.into(), label.closed_issues_count.into()];
        let [open, closed] = issues;
        table.row([label.id.into(), swatch(label), title(label), open, closed, label.open_merge_requests_count.into()]);
    }
    table
}

pub(super) fn card(label: &Label, out: &mut impl Write) -> io::Result<()> {
    Card::new(&label.name)
        .field("id", Some(label.id))
        .field("color", label.color.as_ref().map(|_| swatch(label)))
        .field("description", label.description.as_deref().filter(|text| !text.is_empty()))
        .field("priority", label.priority)
        .field("of", Some(owner(label)).filter(|owner| !owner.is_empty()))
        .field("subscribed", label.subscribed.map(yes_or_no))
        .field("open issues", label.open_issues_count)
        .field("closed issues", label.closed_issues_count)
        .field("open merge requests", label.open_merge_requests_count)
        .write(out)
}

fn title(label: &Label) -> Cell {
    Cell::new(&label.name)
}

fn owner(label: &Label) -> &'static str {
    match label.is_project_label {
        Some(true) => "project",
        Some(false) => "group",
        None => "",
    }
}

/// The colour upon itself, as far as the terminal can.
fn swatch(label: &Label) -> Cell {
    let ground = rgb(label.color.as_deref());
    let style = Style::new().bg_color(ground.map(Into::into));
    let ink = rgb(label.text_color.as_deref()).filter(|_| ground.is_some());
    Cell::new(label.color.as_deref().unwrap_or_default()).styled(style.fg_color(ink.map(Into::into)))
}

fn rgb(hex: Option<&str>) -> Option<RgbColor> {
    let digits = hex?.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    Some(RgbColor(part(0)?, part(2)?, part(4)?))
}
