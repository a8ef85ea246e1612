//! `tidings show`: prints the section of a version.

use std::io::Write as _;

use serde::Serialize;
use serde_json::{Value, json};

use super::{ChangelogOptions, Session};
use crate::{
    model::{Kind, Problem},
    pipeline::{self, Changelog, Start},
};

/// Print the changelog section of a version, or of what is unreleased.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The version of the section; without it: what is unreleased since the last stable tag.
    #[arg(value_name = "VERSION")]
    version: Option<String>,
    #[command(flatten)]
    options: ChangelogOptions,
    /// Exit with 5 when the section has no entries.
    #[arg(long)]
    fail_on_empty: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings show                          what is unreleased since the last stable tag
  tidings show 1.2.0                    the section of version 1.2.0
  tidings show 1.2.0 --to release-1.2   of another branch
  tidings show --first-release          the whole history
  tidings show 1.2.0 --format json      for machines";

/// Runs `tidings show`.
///
/// # Errors
///
/// Where the repository, the range or the template fails.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let request = args.options.request(args.version.as_deref())?;
    let repo = session.repo()?;
    let changelog = pipeline::changelog(&repo, &request)?;
    session.warn(&changelog.history.warnings)?;
    if session.json() {
        session.out.json(&document(&changelog))?;
    } else {
        session.out.write_all(changelog.section.notes().as_bytes())?;
    }
    if args.fail_on_empty && changelog.release.categories.is_empty() {
        return Err(Problem::new("the section has no entries").kind(Kind::Nothing).into());
    }
    Ok(())
}

/// The answer as one document; [`super::render`] takes it back as its context.
fn document(changelog: &Changelog) -> impl Serialize {
    let Changelog { history, release, section } = changelog;
    let entries: Vec<_> = release.categories.iter().flat_map(|category| &category.entries).collect();
    let categories: Vec<_> =
        release.categories.iter().map(|category| json!({ "title": category.title, "count": category.count })).collect();
    json!({
        "version": release.version,
        "date": release.date,
        "base": base(&history.start),
        "from": history.start.commit(),
        "to": history.to,
        "commits": history.commits.len(),
        "entries": entries,
        "categories": categories,
        "notes": section.notes(),
    })
}

fn base(start: &Start) -> Value {
    match start {
        Start::Base(base) => json!({ "tag": base.tag, "commit": base.commit, "reason": base.reason }),
        Start::Given { .. } | Start::Beginning => Value::Null,
    }
}
