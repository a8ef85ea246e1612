//! `tidings note`: corrects the message of a commit that can no longer be changed.

use serde_json::json;

use super::{Session, session::read_text};
use crate::git::{NOTES_REF, note_edit, revision};

/// Correct the message of a commit for changelogs, without changing the commit.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The commit whose message is corrected.
    #[arg(value_name = "COMMIT")]
    commit: String,
    /// Take the corrected message from FILE instead of the editor; `-` is stdin.
    #[arg(long, short = 'F', value_name = "FILE", conflicts_with = "remove")]
    file: Option<std::path::PathBuf>,
    /// Remove the note, so that the commit's own message counts again.
    #[arg(long)]
    remove: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings note 1a2b3c4d             edit the message in the editor
  tidings note HEAD~2 --file -      read the corrected message from stdin
  tidings note 1a2b3c4d --remove    return to the commit's own message
  git push origin refs/notes/changelog

The note replaces the whole message: its first line is the title, and its last
paragraph has the trailers. The commit itself stays as it is. `tidings explain`
marks such commits `as noted`; `--no-notes` ignores notes.";

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let repo = session.local_repo()?;
    let commit = revision::resolve(&repo, &args.commit)?;
    if args.remove {
        note_edit::remove(&repo, commit)?;
    } else if let Some(file) = &args.file {
        note_edit::write(&repo, commit, &read_text(file)?)?;
    } else {
        note_edit::edit(&repo, commit)?;
    }
    let done = if args.remove { "removed the note of" } else { "noted the message of" };
    let text = format!("{done} {}; share it with `git push origin {}`", commit.short(), NOTES_REF);
    session.print_done(&json!({ "commit": commit, "ref": NOTES_REF, "removed": args.remove }), &text)
}
