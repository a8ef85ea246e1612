//! `tidings repo tree`: lists a folder.

use anstyle::{AnsiColor, Style};

use crate::{
    commands::{
        Session,
        layout::{Align, Cell, Table},
    },
    model::repository::{EntryKind, TreeEntry, TreeRequest},
    repository::Repository,
};

const FOLDER: Style = AnsiColor::Blue.on_default().bold();
const SUBMODULE: Style = AnsiColor::Magenta.on_default();
const LINK: Style = AnsiColor::Cyan.on_default();
const PROGRAM: Style = AnsiColor::Green.on_default();

/// List a folder: folders first, then files, then submodules.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The folder; without it: the root.
    #[arg(value_name = "PATH", default_value = "", hide_default_value = true)]
    path: String,
    /// A branch, tag or commit; default: HEAD, on a server the default branch.
    #[arg(long = "ref", value_name = "REF")]
    reference: Option<String>,
    /// List everything below, too.
    #[arg(short, long)]
    recursive: bool,
    /// Maximum number of entries to list.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    per_page: Option<u32>,
    /// Continue after the page that printed this token.
    #[arg(long, value_name = "TOKEN")]
    page_token: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  tidings repo tree                             the root of HEAD
  tidings repo tree src --ref v1.2.0 -r         everything below src in a tag
  tidings repo tree --per-page 20               20 entries, and how to go on
  tidings repo tree --project group/app docs    from a server";

/// Runs `tidings repo tree`.
pub(super) fn run(args: &Args, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    let page = repository.tree(&TreeRequest {
        reference: args.reference.clone(),
        path: args.path.clone(),
        recursive: args.recursive,
        per_page: args.per_page.map(|rows| rows as usize),
        page_token: args.page_token.clone(),
    })?;
    if session.json() {
        match page.body() {
            Some(rows) => session.out.json(rows)?,
            None => session.out.json(&page.items)?,
        }
    } else {
        table(&page.items).write(&mut session.out)?;
    }
    if let Some(token) = &page.next {
        session.note(&format!("there is more: go on with --page-token {token}"));
    }
    Ok(())
}

fn table(entries: &[TreeEntry]) -> Table {
    let columns = [("MODE", Align::Left), ("TYPE", Align::Left), ("ID", Align::Left), ("PATH", Align::Left)];
    let mut table = Table::new(columns);
    for entry in entries {
        let (kind, style, sign) = match (entry.kind, entry.mode.as_str()) {
            (EntryKind::Tree, _) => ("tree", FOLDER, "/"),
            (EntryKind::Commit, _) => ("commit", SUBMODULE, ""),
            (EntryKind::Blob, "120000") => ("blob", LINK, ""),
            (EntryKind::Blob, "100755") => ("blob", PROGRAM, ""),
            (EntryKind::Blob, _) => ("blob", Style::new(), ""),
        };
        let id = entry.id.get(..8).unwrap_or(&entry.id);
        let path = Cell::new(format!("{}{sign}", entry.path)).styled(style);
        table.row([(&entry.mode).into(), kind.into(), id.into(), path]);
    }
    table
}
