//! `tidings repo blob`: a file's content by its id.

use std::io::Write as _;

use anyhow::Context as _;
use base64::{Engine as _, engine::general_purpose::STANDARD};

use super::{diff::shown, size::human};
use crate::{
    commands::{Session, layout::Card},
    model::repository::Blob,
    repository::Repository,
};

/// Print a file by its blob id.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The blob's id; in a local repository also the beginning of one, or a path as in HEAD:README.md.
    #[arg(value_name = "SHA")]
    sha: String,
    /// Print the content alone, byte for byte.
    #[arg(long)]
    raw: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings repo blob HEAD:README.md                a file of the current commit
  tidings repo blob 79f7bbd2 --raw -o logo.png    the bytes themselves
  tidings repo blob 79f7bbd2 --format json        size, and content in Base64";

/// Runs `tidings repo blob`.
pub(super) fn run(args: &Args, repository: &dyn Repository, session: &mut Session) -> anyhow::Result<()> {
    if args.raw {
        return repository.raw_blob(&args.sha, &mut session.out.bytes());
    }
    let blob = repository.blob(&args.sha)?;
    if session.json() { session.out.json(&blob) } else { print(&args.sha, &blob, session) }
}

fn print(sha: &str, blob: &Blob, session: &mut Session) -> anyhow::Result<()> {
    // Some servers wrap the lines, as mail does.
    let lines: String = blob.content.split_ascii_whitespace().collect();
    let content = STANDARD.decode(lines).context("the content is no Base64")?;
    let sha = if blob.sha.is_empty() { sha } else { &blob.sha };
    Card::new(sha).field("size", Some(human(blob.size).as_str())).write(&mut session.out)?;
    match String::from_utf8(content) {
        Ok(text) if !text.contains('\0') => {
            for line in text.lines() {
                writeln!(session.out, "{}", shown(line))?;
            }
        }
        _ => session.note("the content is binary: --raw gives its bytes"),
    }
    Ok(())
}
