//! Wiki pages as people see them.

use std::io::{self, Write};

use anstyle::Style;

use crate::{
    api::wikis::{Attachment, WikiPage},
    commands::layout::{Align, Card, Table},
    model::printable,
};

const SLUG: Style = Style::new().bold();

pub(super) fn table(pages: &[WikiPage], out: &mut impl Write) -> io::Result<()> {
    let left = Align::Left;
    let mut table = Table::new([("SLUG", left), ("FORMAT", left), ("TITLE", left)]);
    for page in pages {
        table.row([(&page.slug).into(), page.format.as_ref().into(), page.title.as_ref().into()]);
    }
    table.write(out)
}

/// Each page under its slug.
pub(super) fn contents(pages: &[WikiPage], out: &mut impl Write) -> io::Result<()> {
    for (index, page) in pages.iter().enumerate() {
        out.write_all(if index == 0 { b"" } else { b"\n" })?;
        writeln!(out, "{SLUG}{}{SLUG:#}", printable(&page.slug))?;
        for line in page.content.as_deref().unwrap_or_default().lines() {
            writeln!(out, "{}", printable(line))?;
        }
    }
    Ok(())
}

pub(super) fn card(page: &WikiPage, out: &mut impl Write) -> io::Result<()> {
    Card::new(page.title.as_deref().unwrap_or(&page.slug))
        .field("slug", Some(&page.slug))
        .field("format", page.format.as_ref())
        .write(out)
}

/// The link in Markdown, else whatever else tells where the file is.
pub(super) fn link(attachment: &Attachment, out: &mut impl Write) -> io::Result<()> {
    let link = attachment.link.as_ref();
    let markdown = link.and_then(|link| link.markdown.as_ref().or(link.url.as_ref()));
    writeln!(out, "{}", printable(markdown.or(attachment.file_path.as_ref()).map_or("", |text| text)))
}
