//! `tidings add`: puts the section of a version into the changelog file, and commits that one file.

mod all;
mod change;

use std::path::{Path, PathBuf};

use serde_json::json;

use self::{
    all::AllReleases,
    change::{AddOutcome, ChangeTarget, document, print, relay},
};
use super::{
    ChangelogArgs, Session, WriteArgs,
    args::{candidates, parse_version},
    hosted,
    people::ServerLookup,
    verdict_counts::nothing_listed,
};
use crate::{
    changelog::document::{Document, InsertOptions, Insertion},
    config,
    git::{Repo, commit},
    model::{Problem, ProblemKind, Section, Version},
    pipeline::SectionInputs,
};

/// Add a version's section to the changelog file and commit that file.
///
/// Other staged or modified files are not touched. A version that already has a section is left unchanged.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Args {
    /// The version of the section.
    #[arg(value_name = "VERSION")]
    version: Option<String>,
    /// Use the next version, the one that `tidings next` prints.
    #[arg(long, conflicts_with = "version")]
    next: bool,
    /// Add every release that the file does not have; the versions in it are left as they are.
    #[arg(long, conflicts_with_all = ["version", "next", "replace", "fail_on_empty", "from", "first_release"])]
    all: bool,
    /// With `--all`, leave out versions below this one.
    #[arg(long, value_name = "VERSION", requires = "all", value_parser = parse_version)]
    since: Option<Version>,
    /// Commit to this branch; the range ends at its tip [default: the current branch].
    #[arg(long, value_name = "BRANCH", add = candidates::branches())]
    branch: Option<String>,
    /// Path of the changelog file, relative to the top of the repository [default: `file` in the configuration, else
    /// the only file named like a changelog, else `CHANGELOG.md`].
    #[arg(long, value_name = "PATH")]
    file: Option<PathBuf>,
    /// Commit message [default: `Add changelog for version VERSION[ of PACKAGE]`].
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,
    /// Write the file and commit nothing.
    #[arg(long, conflicts_with_all = ["branch", "message", "sign", "dry_run"])]
    no_commit: bool,
    /// Print the change as a diff and write nothing.
    #[arg(short = 'n', long)]
    dry_run: bool,
    /// Replace the version's existing section.
    #[arg(long)]
    replace: bool,
    /// Sign the commit even if `commit.gpgSign` is not set.
    #[arg(short = 'S', long)]
    sign: bool,
    #[command(flatten)]
    options: ChangelogArgs,
    /// If the section has no entries, add nothing and exit with code 5.
    #[arg(long)]
    fail_on_empty: bool,
}

const EXAMPLES: &str = "\
Examples:
  tidings add 1.2.0                       into CHANGELOG.md, as a commit here
  tidings add --next                      under the version of `tidings next`
  tidings add --all                       each release that it lacks
  tidings add 1.2.0 --dry-run             only show what would change
  tidings add 1.2.1 --branch release-1.2  on a branch that is not checked out
  tidings add 1.2.0 --replace             renew the section
  tidings add 1.2.0 --package api         into that package's changelog file
  tidings add 1.2.0 --project group/app   have the server commit it";

/// Runs `tidings add`.
///
/// # Errors
/// If the section cannot be made, or the file not be committed.
pub fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    if args.version.is_none() && !args.next && !args.all {
        return Err(Problem::usage("a version is required")
            .hint("name one, such as `tidings add 1.2.0`, or use `--next` or `--all`")
            .into());
    }
    if session.global.server.project.is_some() {
        return args.add_hosted(session);
    }
    let repo = session.local_repo()?;
    let mut options = args.options.clone();
    let branch = args.branch.as_deref().map(|branch| commit::branch(&repo, Some(branch))).transpose()?;
    options.range.to = options.range.to.or_else(|| branch.map(|branch| branch.tip.to_string()));
    let request = options.request(args.version.as_deref())?;
    if args.all {
        let file = args.file.as_deref();
        let (since, message, people) = (args.since.as_ref(), args.message.as_deref(), args.options.people);
        let addition = AllReleases { since, file, message, people, target: args.target() };
        return addition.add(&repo, &request, session);
    }
    let read = if args.next { SectionInputs::read_next } else { SectionInputs::read };
    let inputs = session.progress().while_reading(&repo, || read(&repo, request))?;
    let changelog = inputs.changelog(ServerLookup(session).if_requested(options.people), &repo)?;
    changelog.history.remarks().iter().for_each(|remark| session.note(remark));
    session.warn(&changelog.history.warnings)?;
    if changelog.release.categories.is_empty() {
        if args.fail_on_empty {
            return Err(Problem::new("the section has no entries").kind(ProblemKind::NothingToDo).into());
        }
        let (version, found) = (&changelog.section.version, nothing_listed(&changelog.history));
        session.note(&format!("the section of {version} has no entries: {found}"));
        session.note("hint: run `tidings explain` to see why, or use `--fail-on-empty` to add no such section");
    }
    let file = match &args.file {
        Some(file) => file.clone(),
        None => PathBuf::from(changelog.history.settings.changelog_file(&repo)?),
    };
    let options = InsertOptions { replace: args.replace, ..changelog.insertion };
    let addition = Addition { args, file: &file, section: &changelog.section, options };
    let done = addition.put(&repo)?;
    addition.answer(&done, session).map_err(|error| match &done {
        AddOutcome::Committed(made) => {
            error.context(format!("commit {} is made, but the answer cannot be written", made.id.short()))
        }
        _ => error,
    })
}

/// What goes where.
struct Addition<'a> {
    args: &'a Args,
    file: &'a Path,
    section: &'a Section,
    options: InsertOptions,
}

impl Args {
    fn add_hosted(&self, session: &mut Session) -> anyhow::Result<()> {
        let local = [
            ("--no-commit", self.no_commit),
            ("--replace", self.replace),
            ("--sign", self.sign),
            ("--next", self.next),
            ("--all", self.all),
        ];
        if let Some((option, _)) = local.iter().find(|(_, given)| *given) {
            let message = format!("`{option}` does not go with `--project`: the server makes the commit");
            return Err(Problem::usage(message).hint("without `--project` the commit is made here").into());
        }
        let version = self.version.as_deref().unwrap_or_default();
        if self.fail_on_empty && !self.dry_run {
            hosted::refuse_empty(&hosted::section(version, &self.options, session)?)?;
        }
        let file = self.file.as_deref().map_or(config::CHANGELOG.into(), Path::to_string_lossy);
        let place =
            hosted::ChangelogTarget { branch: self.branch.as_deref(), file: &file, message: self.message.as_deref() };
        hosted::add(version, &self.options, &place, WriteArgs { dry_run: self.dry_run }, session)
    }

    fn target(&self) -> ChangeTarget<'_> {
        let Self { no_commit, dry_run, sign, .. } = *self;
        ChangeTarget { branch: self.branch.as_deref(), no_commit, dry_run, sign }
    }

    /// The message of the commit; packages may have the same versions.
    fn commit_message(&self, version: &str) -> String {
        let of =
            self.options.range.settings.package.as_ref().map(|package| format!(" of {package}")).unwrap_or_default();
        self.message.clone().unwrap_or_else(|| format!("Add changelog for version {version}{of}"))
    }
}

impl Addition<'_> {
    fn put(&self, repo: &Repo) -> anyhow::Result<AddOutcome> {
        let Self { args, file, section, ref options } = *self;
        let message = args.commit_message(args.version.as_deref().unwrap_or(&section.version));
        args.target().put(repo, file, &message, &mut |old| {
            let mut document = Document::parse(old);
            let insertion = document.insert(section, file, options)?;
            Ok((insertion != Insertion::Unchanged).then(|| document.into_bytes()))
        })
    }

    fn answer(&self, done: &AddOutcome, session: &mut Session) -> anyhow::Result<()> {
        relay(done, session);
        if session.json() {
            let mut answer = json!({ "version": self.section.version });
            let rest = document(self.file, done);
            answer
                .as_object_mut()
                .into_iter()
                .for_each(|answer| answer.extend(rest.as_object().cloned().unwrap_or_default()));
            answer["notes"] = self.moved(done).notes().into();
            return session.out.json(&answer);
        }
        print(done, &self.sentence(done), session)
    }

    /// The section with what moved into it.
    fn moved(&self, done: &AddOutcome) -> Section {
        let before = done.change().filter(|_| self.options.moves_unreleased).and_then(|change| change.before.clone());
        Document::parse(before.unwrap_or_default()).move_unreleased(self.section).1
    }

    fn sentence(&self, done: &AddOutcome) -> String {
        let (version, file) = (&self.section.version, self.file.display());
        match done {
            AddOutcome::Nothing if self.args.replace => {
                format!("the section of {version} in {file} is up to date")
            }
            AddOutcome::Nothing => format!("{version} is already in {file}"),
            AddOutcome::Previewed(_) | AddOutcome::Written(_) => format!("added {version} to {file} (not committed)"),
            AddOutcome::Committed(committed) => {
                let on = committed.branch.as_deref().map(|branch| format!(" on {branch}")).unwrap_or_default();
                format!("put {version} into {file}: commit {}{on}", committed.id.short())
            }
        }
    }
}
