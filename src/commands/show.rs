//! `tidings show`: prints the section of a version.

use std::io::Write as _;

use serde::Serialize;
use serde_json::{Value, json};

use super::{ChangelogOptions, Session, hosted};
use crate::{
    git::commit::Change,
    model::{Date, Kind, Problem},
    pipeline::{self, Changelog, Start},
};

/// Print the changelog section of a version, or of what is unreleased.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The version of the section; without it: what is unreleased since the last stable tag.
    #[arg(value_name = "VERSION")]
    version: Option<String>,
    /// Put it under the version that `tidings next` gives.
    #[arg(long, conflicts_with = "version")]
    next: bool,
    #[command(flatten)]
    options: ChangelogOptions,
    /// Exit with 5 when the section has no entries.
    #[arg(long)]
    fail_on_empty: bool,
    /// With `--project`: make the section here too, print how the two differ, and exit with 3 if they do.
    #[arg(long)]
    compare_local: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings show                          what is unreleased since the last stable tag
  tidings show 1.2.0                    the section of version 1.2.0
  tidings show --next                   under the version that `tidings next` gives
  tidings show 1.2.0 --to release-1.2   of another branch
  tidings show --first-release          the whole history
  tidings show 1.2.0 --format json      for machines
  tidings show 1.2.0 --project a/b      as the server makes it
  tidings show 1.2.0 --project a/b --compare-local";

/// Runs `tidings show`.
///
/// # Errors
///
/// Where the repository, the range or the template fails.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let hosted = session.global.server.project.is_some();
    match &args.version {
        Some(version) if hosted && args.compare_local => compare(version, &args.options, session),
        Some(version) if hosted => {
            let notes = hosted::section(version, &args.options, session)?;
            hosted::print(version, &notes, session)
        }
        None if hosted => Err(Problem::usage("a server makes the section of a version only")
            .hint("name one, such as `tidings show 1.2.0 --project group/app`")
            .into()),
        _ if args.compare_local => {
            Err(Problem::usage("`--compare-local` goes with `--project`: there is nothing to compare with").into())
        }
        _ => local(args, session),
    }
}

fn local(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    let mut request = args.options.request(args.version.as_deref())?;
    let repo = session.repo()?;
    if args.next {
        request = pipeline::under_next(&repo, &request)?;
    }
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

/// Makes the section on the server and here, for the same date, and shows how they differ.
fn compare(version: &str, options: &ChangelogOptions, session: &mut Session) -> anyhow::Result<()> {
    let date = options.given_date()?.unwrap_or_else(Date::now);
    let options = ChangelogOptions { date: Some(date.to_string()), ..options.clone() };
    let theirs = hosted::section(version, &options, session)?;
    let mut request = options.request(Some(version))?;
    (request.host, request.project_path) = hosted::links(session)?;
    let changelog = pipeline::changelog(&session.repo()?, &request)?;
    session.warn(&changelog.history.warnings)?;
    let ours = changelog.section.notes();
    let diff = unified(&theirs, &ours);
    let same = theirs == ours;
    session.answer(&json!({ "same": same, "server": theirs, "local": ours, "diff": diff }), |out| {
        out.write_all(diff.as_bytes())
    })?;
    if same {
        session.note("the server's section and the local one are the same");
        return Ok(());
    }
    Err(Problem::new("the server's section and the local one differ").kind(Kind::Found).into())
}

fn unified(theirs: &str, ours: &str) -> String {
    if theirs == ours {
        return String::new();
    }
    let change = Change { file: "section".to_owned(), before: Some(theirs.into()), after: ours.into() };
    String::from_utf8_lossy(&change.diff()).replacen("a/section", "server", 1).replacen("b/section", "local", 1)
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
        "previous_version": release.previous_version,
        "compare_url": release.compare_url,
        "project": release.project,
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
