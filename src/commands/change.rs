//! `tidings change`: writes down a change as a file, in the form of the tool that the repository uses.

use serde_json::json;

use super::{Session, session::read_text};
use crate::{
    git::editor,
    model::{BumpLevel, Date, Problem},
    pipeline,
    sources::change_files::NewChange,
};

/// Write down a change as a change file (changesets, changie, towncrier and others).
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// What changed, in Markdown; `-` reads it from stdin [default: opens git's editor].
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// A package whose major version the change raises; may be repeated.
    #[arg(long, value_name = "PACKAGE")]
    major: Vec<String>,
    /// A package whose minor version the change raises; may be repeated.
    #[arg(long, value_name = "PACKAGE")]
    minor: Vec<String>,
    /// A package whose patch version the change raises; may be repeated.
    #[arg(long, value_name = "PACKAGE")]
    patch: Vec<String>,
    /// The kind of the change, where the tool has kinds, such as `bugfix` or `Added`.
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// The issue or request that the change belongs to, where the tool has a place for it.
    #[arg(long, value_name = "NUMBER")]
    issue: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  tidings change --minor core \"Add a crane\"          changesets, knope, Nx
  tidings change --minor core --patch web \"Add a crane\"
  tidings change --kind bugfix --issue 12 \"Mend it\"   towncrier
  tidings change --kind Fixed \"Mend it\"               changie, scriv
  tidings change --minor core                          in your editor
  git log -1 --format=%B | tidings change --patch core -

The file is written to the work tree; add it to the commit of the change. The
configuration of the tool says where it goes and what kinds there are.";

/// What the editor begins with.
const INSTRUCTION: &str = "\n\n<!-- Say above what changed, in Markdown. Without a text nothing is written. -->\n";

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let repo = session.local_repo()?;
    let levels = [(&args.major, BumpLevel::Major), (&args.minor, BumpLevel::Minor), (&args.patch, BumpLevel::Patch)];
    let packages = levels.into_iter().flat_map(|(names, level)| names.iter().map(move |name| (name.clone(), level)));
    let mut change = NewChange {
        packages: packages.collect(),
        kind: args.kind.clone(),
        issue: args.issue.as_deref().map(|issue| issue.trim_start_matches(['#', '!']).to_owned()),
        text: args.text.clone().unwrap_or_default(),
        date: Date::now(),
    };
    match args.text.as_deref() {
        Some("-") => change.text = read_text("-".as_ref())?,
        Some(_) => {}
        None => {
            // What the tool would refuse is refused before somebody writes a text.
            pipeline::change_file(&repo, &change)?;
            let edited = editor::edit(&repo, INSTRUCTION)?;
            change.text = edited.replace(INSTRUCTION.trim(), "").trim().into();
        }
    }
    if change.text.trim().is_empty() {
        return Err(Problem::usage("the change has no text").hint("say in a sentence what changed").into());
    }
    let path = pipeline::write_change(&repo, &change)?;
    session.print_done(&json!({ "file": path }), &format!("wrote {path}"))
}
