//! `tidings show`: prints the section of a version.

use std::io::Write as _;

use anyhow::Context as _;
use serde_json::{Value, json};

use super::{ChangelogOptions, Session, hosted, people::ServerDirectory, progress::Progress};
use crate::{
    git::{Repo, commit::Change},
    model::{Category, Date, Kind, Problem, kind},
    pipeline::{self, Changelog, Material, Start},
};

/// Print the changelog section of a version, or of what is unreleased.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Args {
    /// The version of the section; without it: what is unreleased since the last stable tag.
    #[arg(value_name = "VERSION")]
    version: Option<String>,
    /// Put it under the version that `tidings next` gives.
    #[arg(long, conflicts_with = "version")]
    next: bool,
    #[command(flatten)]
    options: ChangelogOptions,
    /// Each package of the settings, one after the other.
    #[arg(long, conflicts_with_all = ["package", "compare_local"])]
    all_packages: bool,
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
  tidings show 1.2.0 --package api      of a package of the settings
  tidings show --next --all-packages    of each that something asks a release of
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
        _ if hosted && args.all_packages => {
            Err(Problem::usage("`--all-packages` does not go with `--project`: a server knows no packages").into())
        }
        Some(version) if hosted && args.compare_local => compare(version, &args.options, session),
        Some(version) if hosted => {
            let notes = hosted::section(version, &args.options, session)?;
            hosted::print(version, &notes, session)
        }
        None if hosted && args.next => Err(Problem::usage("a server does not tell the next version")
            .hint("`tidings next --repo URL` finds it without a clone; then name it")
            .into()),
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
    let repo = session.repo()?;
    let making = Making { args, repo: &repo, progress: Progress::of(session), session };
    let sections = if args.all_packages { making.each_package()? } else { vec![making.section(None)?] };
    for section in &sections {
        session.warn(&section.changelog.history.warnings)?;
    }
    if session.json() {
        match sections.as_slice() {
            [section] if !args.all_packages => session.out.json(&section.document())?,
            sections => session.out.json(&sections.iter().map(Made::document).collect::<Vec<_>>())?,
        }
    } else {
        let text: Vec<String> = sections.iter().map(|section| section.text(args.all_packages)).collect();
        session.out.write_all(text.join("\n").as_bytes())?;
    }
    if args.fail_on_empty && sections.iter().all(|section| section.changelog.release.categories.is_empty()) {
        return Err(Problem::new("the section has no entries").kind(Kind::Nothing).into());
    }
    Ok(())
}

/// What sections are made with.
struct Making<'a> {
    args: &'a Args,
    repo: &'a Repo,
    session: &'a Session,
    progress: Progress,
}

impl Making<'_> {
    /// The sections of all packages; with `--next` of those that something asks a release of.
    fn each_package(&self) -> anyhow::Result<Vec<Made>> {
        let mut sections = Vec::new();
        for package in pipeline::packages(self.repo, &self.args.options.range.settings.place())? {
            match self.section(Some(&package)) {
                Err(error) if self.args.next && kind(&error) == Kind::Nothing => {}
                section => sections.push(section.with_context(|| format!("package `{package}`"))?),
            }
        }
        if sections.is_empty() { Err(pipeline::nothing().into()) } else { Ok(sections) }
    }

    /// The section of a package, else of what the options say.
    fn section(&self, package: Option<&str>) -> anyhow::Result<Made> {
        let Self { args, repo, session, progress } = self;
        let mut request = args.options.request(args.version.as_deref())?;
        request.settings.package = package.map(str::to_owned).or(request.settings.package);
        let package = request.settings.package.clone();
        let read = if args.next { Material::of_next } else { Material::read };
        let material = progress.reading(repo, || read(repo, request))?;
        let changelog = material.changelog(ServerDirectory(session).where_asked(args.options.people), repo)?;
        Ok(Made { package, changelog })
    }
}

/// A section, and the package it is of.
struct Made {
    package: Option<String>,
    changelog: Changelog,
}

/// Makes the section on the server and here, for the same date, and shows how they differ.
fn compare(version: &str, options: &ChangelogOptions, session: &mut Session) -> anyhow::Result<()> {
    let date = options.given_date()?.unwrap_or_else(Date::now);
    let options = ChangelogOptions { date: Some(date.to_string()), ..options.clone() };
    let theirs = hosted::section(version, &options, session)?;
    let mut request = options.request(Some(version))?;
    (request.host, request.project_path) = hosted::links(session)?;
    let repo = session.repo()?;
    let material = Progress::of(session).reading(&repo, || Material::read(&repo, request))?;
    let changelog = material.changelog(ServerDirectory(session).where_asked(options.people), &repo)?;
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

impl Made {
    fn text(&self, titled: bool) -> String {
        let package = self.package.as_ref().filter(|_| titled);
        let title = package.map(|package| format!("# {package}\n\n")).unwrap_or_default();
        title + &self.changelog.section.notes()
    }

    /// The answer as one document; [`super::render`] takes it back as its context.
    fn document(&self) -> Value {
        let Changelog { history, release, section } = &self.changelog;
        let entries: Vec<_> = release.categories.iter().flat_map(|category| &category.entries).collect();
        let counted = |category: &Category| json!({ "title": category.title, "count": category.count });
        let mut document = json!({
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
            "categories": release.categories.iter().map(counted).collect::<Vec<_>>(),
            "notes": section.notes(),
        });
        if let Some(package) = &self.package {
            document["package"] = package.as_str().into();
        }
        document
    }
}

fn base(start: &Start) -> Value {
    match start {
        Start::Base(base) => json!({ "tag": base.tag, "commit": base.commit, "reason": base.reason }),
        Start::Given { .. } | Start::Beginning => Value::Null,
    }
}
