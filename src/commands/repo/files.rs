//! `tidings repo tree`, `repo blob` and `repo archive`: directories and files of a commit.

use std::{
    io::{IsTerminal as _, Write as _},
    path::Path,
};

use anstyle::{AnsiColor, Style};
use anyhow::Context as _;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use clap::builder::{StringValueParser, TypedValueParser};

use super::compare::printable_line;
use crate::{
    commands::{
        Session,
        global_args::one_of,
        layout::{Align, Cell, Table, human_size, write_card},
    },
    model::{
        Problem,
        repository::{ArchiveFormat, ArchiveRequest, Blob, EntryKind, TreeEntry, TreeRequest},
    },
    repository::Repository,
};

const DIRECTORY: Style = AnsiColor::Blue.on_default().bold();
const SUBMODULE: Style = AnsiColor::Magenta.on_default();
const LINK: Style = AnsiColor::Cyan.on_default();
const PROGRAM: Style = AnsiColor::Green.on_default();

/// Returns a parser of paths from the root of the repository in the forms that shells complete: `.`, `./src`, on Windows
/// `src\lib`.
fn path() -> impl TypedValueParser<Value = String> {
    StringValueParser::new().map(|text| {
        let path = if cfg!(windows) { text.replace('\\', "/") } else { text };
        path.split('/').filter(|part| *part != ".").collect::<Vec<_>>().join("/")
    })
}

/// List a directory: directories first, then files, then submodules.
#[derive(clap::Args)]
#[command(after_help = TREE_EXAMPLES)]
pub(super) struct TreeArgs {
    /// Directory to list [default: the root].
    #[arg(value_name = "PATH", default_value = "", hide_default_value = true, value_parser = path())]
    path: String,
    /// Branch, tag or commit [default: HEAD, on a server the default branch].
    #[arg(long = "ref", value_name = "REF")]
    reference: Option<String>,
    /// List subdirectories, too.
    #[arg(short, long)]
    recursive: bool,
    /// Maximum number of entries to list.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    per_page: Option<u32>,
    /// Continue after the page that printed this token.
    #[arg(long, value_name = "TOKEN")]
    page_token: Option<String>,
}

const TREE_EXAMPLES: &str = "\
Examples:
  tidings repo tree                             the root of HEAD
  tidings repo tree src --ref v1.2.0 -r         everything below src in a tag
  tidings repo tree --per-page 20               20 entries, and a token for more
  tidings repo tree --project group/app docs    from a server";

pub(super) fn tree(args: &TreeArgs, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    let page = repository.tree(&TreeRequest {
        reference: args.reference.clone(),
        path: args.path.clone(),
        recursive: args.recursive,
        per_page: args.per_page.map(|rows| rows as usize),
        page_token: args.page_token.clone(),
    })?;
    session.answer(&page, |out| entries(&page.items).write(out))?;
    if let Some(token) = &page.next {
        session.note(&format!("there are more entries: use `--page-token {token}`"));
    }
    Ok(())
}

fn entries(entries: &[TreeEntry]) -> Table {
    let columns = [("MODE", Align::Left), ("TYPE", Align::Left), ("ID", Align::Left), ("PATH", Align::Left)];
    let mut table = Table::new(columns);
    for entry in entries {
        let (kind, style, sign) = match (entry.kind, entry.mode.as_str()) {
            (EntryKind::Tree, _) => ("tree", DIRECTORY, "/"),
            (EntryKind::Commit, _) => ("commit", SUBMODULE, ""),
            (EntryKind::Blob, "120000") => ("blob", LINK, ""),
            (EntryKind::Blob, "100755") => ("blob", PROGRAM, ""),
            (EntryKind::Blob, _) => ("blob", Style::new(), ""),
        };
        let id = entry.id.get(..8).unwrap_or(&entry.id);
        let path = Cell::new(format!("{}{sign}", entry.path)).with_style(style);
        table.row([(&entry.mode).into(), kind.into(), id.into(), path]);
    }
    table
}

/// Print a file by its blob ID.
#[derive(clap::Args)]
#[command(after_help = BLOB_EXAMPLES)]
pub(super) struct BlobArgs {
    /// ID of the blob; in a local repository also the beginning of one, or a path as in HEAD:README.md.
    #[arg(value_name = "SHA")]
    sha: String,
    /// Print only the content, byte for byte.
    #[arg(long)]
    raw: bool,
}

const BLOB_EXAMPLES: &str = "\
Examples:
  tidings repo blob HEAD:README.md                a file of the current commit
  tidings repo blob 79f7bbd2 --raw -o logo.png    the bytes themselves
  tidings repo blob 79f7bbd2 --format json        size, and content in Base64";

pub(super) fn blob(args: &BlobArgs, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    if args.raw {
        return repository.raw_blob(&args.sha, &mut session.out.bytes());
    }
    let blob = repository.blob(&args.sha)?;
    if session.json() { session.out.json(&blob) } else { print_blob(&args.sha, &blob, session) }
}

fn print_blob(sha: &str, blob: &Blob, session: &mut Session) -> anyhow::Result<()> {
    // Some servers break the Base64 into lines.
    let lines: String = blob.content.split_ascii_whitespace().collect();
    let content = STANDARD.decode(lines).context("the content is not Base64")?;
    let sha = if blob.sha.is_empty() { sha } else { &blob.sha };
    write_card(sha, [("size", Some(human_size(blob.size).into()))], &mut session.out)?;
    match String::from_utf8(content) {
        Ok(text) if !text.contains('\0') => {
            for line in text.lines() {
                writeln!(session.out, "{}", printable_line(line))?;
            }
        }
        _ => session.note("the content is binary: use `--raw` to print it"),
    }
    Ok(())
}

/// Write the files of a commit into an archive.
///
/// A local archive is that of `git archive`: attributes such as export-ignore apply, and everything is in a directory
/// named after project, ref and commit. A file given with `-o` appears only when it is complete.
#[derive(clap::Args)]
#[command(after_help = ARCHIVE_EXAMPLES)]
pub(super) struct ArchiveArgs {
    /// Commit, tag or branch [default: HEAD, on a server the default branch].
    #[arg(long, value_name = "REF")]
    sha: Option<String>,
    /// Archive only this file or directory.
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true, value_parser = path())]
    path: String,
    /// Archive format [default: from the file name given with `-o`, else tar.gz].
    #[arg(long, value_name = "FORMAT", value_parser = one_of(ArchiveFormat::NAMES))]
    archive_format: Option<ArchiveFormat>,
    /// Exclude this file or directory; can be repeated.
    #[arg(long, value_name = "PATH", value_parser = path())]
    exclude_path: Vec<String>,
    /// Keep the pointers to large files (LFS) instead of the files.
    #[arg(long)]
    no_lfs: bool,
}

const ARCHIVE_EXAMPLES: &str = "\
Examples:
  tidings repo archive -o app.tar.gz                        the current commit
  tidings repo archive --sha v1.2.0 -o app.zip              a tag, as a ZIP file
  tidings repo archive --path docs --exclude-path docs/old -o docs.tar.bz2
  tidings repo archive --project group/app --sha main -o app.tar.gz";

pub(super) fn archive(args: &ArchiveArgs, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    let file = session.global.file();
    if file.is_none() && std::io::stdout().is_terminal() {
        return Err(Problem::usage("refusing to write an archive to a terminal")
            .hint("write it to a file with `-o FILE`, or into a pipe")
            .into());
    }
    let request = ArchiveRequest {
        reference: args.sha.clone(),
        path: args.path.clone(),
        exclude: args.exclude_path.clone(),
        format: args.archive_format.or_else(|| file.and_then(format_by_name)).unwrap_or_default(),
        lfs: !args.no_lfs,
    };
    let mut out = session.out.bytes();
    repository.archive(&request, &mut out)?;
    Ok(out.flush()?)
}

/// Returns the format that a file's name ends with.
fn format_by_name(file: &Path) -> Option<ArchiveFormat> {
    let name = file.file_name()?.to_str()?.to_ascii_lowercase();
    let is_suffix = |(suffix, _): &&(&str, ArchiveFormat)| name.ends_with(&format!(".{suffix}"));
    ArchiveFormat::NAMES.iter().find(is_suffix).map(|(_, format)| *format)
}
