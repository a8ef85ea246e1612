//! `tidings add`: puts the section of a version into the changelog file, and commits that one file.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::{
    ChangelogArgs, Session, WriteArgs,
    changelog_args::parse_version,
    completions,
    history_report::{self, nothing_listed},
    hosted,
    people::ServerLookup,
};
use crate::{
    changelog::document::{Document, InsertOptions, Insertion},
    config::{self, HeadingRule},
    git::{
        Repo,
        commit::{self, CommitRequest, CommitResult, FileChange},
    },
    model::{Problem, ProblemKind, Section, Version, pluralize},
    pipeline::{self, ChangelogRequest, DetectedSettings, LoadedConfig, SectionInputs},
};

/// Add a version's section to the changelog file and commit that file.
///
/// Other staged or modified files are not touched. A version that already has a section is left unchanged.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
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
    #[arg(long, value_name = "BRANCH", add = completions::branches())]
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
pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
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

/// All releases on their way into the changelog file.
struct AllReleases<'a> {
    since: Option<&'a Version>,
    file: Option<&'a Path>,
    message: Option<&'a str>,
    people: bool,
    target: ChangeTarget<'a>,
}

impl AllReleases<'_> {
    /// Adds the releases that are missing.
    fn add(&self, repo: &Repo, request: &ChangelogRequest, session: &mut Session) -> anyhow::Result<()> {
        let mut settings = LoadedConfig::load(repo, &request.settings)?;
        if let Some(package) = top_package(pipeline::detected_packages(&settings, repo, request)?, session)? {
            settings = package.settings;
        }
        let inputs =
            session.progress().while_reading(repo, || pipeline::releases(&settings, repo, request, self.since))?;
        let lookup = ServerLookup(session);
        let made = inputs.into_iter().map(|inputs| inputs.changelog(lookup.if_requested(self.people), repo));
        let mut made = made.collect::<anyhow::Result<Vec<_>>>()?;
        history_report::print_once(made.iter().map(|changelog| &changelog.history), session)?;
        made.retain(|changelog| changelog.section.date.is_some());
        let file =
            self.file.map_or_else(|| settings.changelog_file(repo).map(PathBuf::from), |file| Ok(file.to_owned()))?;
        // From the oldest up: each goes above those that are there.
        let option = |options: InsertOptions| InsertOptions { moves_unreleased: false, ..options };
        let sections: Vec<(Section, InsertOptions)> =
            made.into_iter().rev().map(|changelog| (changelog.section, option(changelog.insertion))).collect();
        let Some((newest, _)) = sections.last() else {
            return Err(Problem::new("there is no stable release yet, so there is nothing to add")
                .hint("`tidings add --next` adds the section of the first release")
                .kind(ProblemKind::NothingToDo)
                .into());
        };
        let of = request.settings.package.as_ref().map(|package| format!(" of {package}")).unwrap_or_default();
        let message = format!("Add changelog for all versions up to {}{of}", newest.version);
        let message = self.message.unwrap_or(&message);
        let mut added = Vec::new();
        let done = self.target.put(repo, &file, message, &mut |old| insert(&sections, &file, old, &mut added))?;
        answer_all((&file, &added), &done, session)
    }
}

/// The package at the top of a repository, if its tags are of several packages.
fn top_package(packages: Vec<DetectedSettings>, session: &Session) -> anyhow::Result<Option<DetectedSettings>> {
    let names: Vec<String> = packages.iter().map(|package| format!("`{}`", package.name)).collect();
    let others =
        "`tidings add --all --package NAME` fills the file of each, once `tidings init` has made a package of it";
    match packages.into_iter().next() {
        Some(top) if top.is_top => {
            session.note(&format!("the releases of {} are added, not those of {}", names[0], names[1..].join(", ")));
            session.note(others);
            Ok(Some(top))
        }
        Some(_) => Err(Problem::new(format!("the tags are of the packages {}", names.join(", "))).hint(others).into()),
        None => Ok(None),
    }
}

/// What a new file begins with.
const TITLE: &[u8] = b"# Changelog\n";

/// Puts the missing sections into a document, and notes their versions.
fn insert(
    sections: &[(Section, InsertOptions)],
    file: &Path,
    old: &[u8],
    added: &mut Vec<String>,
) -> anyhow::Result<Option<Vec<u8>>> {
    let is_own_style = sections.iter().any(|(_, options)| options.rule == HeadingRule::File);
    // A file of our own style begins with a title, as those that people write.
    let mut document = Document::parse(if old.is_empty() && is_own_style { TITLE } else { old });
    added.clear();
    for (section, options) in sections {
        if document.section(&section.version).is_none() {
            document.insert(section, file, options)?;
            added.push(section.version.clone());
        }
    }
    added.reverse();
    Ok((!added.is_empty()).then(|| document.into_bytes()))
}

fn answer_all((file, added): (&Path, &[String]), done: &AddOutcome, session: &mut Session) -> anyhow::Result<()> {
    relay(done, session);
    if session.json() {
        let mut document = document(file, done);
        document["versions"] = json!(added);
        return session.out.json(&document);
    }
    let (file, count) = (file.display(), pluralize(added.len(), "version"));
    let text = match done {
        AddOutcome::Nothing => format!("every release is already in {file}"),
        AddOutcome::Committed(committed) => format!("put {count} into {file}: commit {}", committed.id.short()),
        _ => format!("added {count} to {file} (not committed)"),
    };
    print(done, &text, session)
}

/// Where a change goes.
struct ChangeTarget<'a> {
    branch: Option<&'a str>,
    no_commit: bool,
    dry_run: bool,
    sign: bool,
}

/// Makes the new content of the file of the old one; `None` leaves the file alone.
type EditContent<'a> = &'a mut dyn FnMut(&[u8]) -> anyhow::Result<Option<Vec<u8>>>;

/// What became of the file.
enum AddOutcome {
    Nothing,
    Previewed(FileChange),
    Written(FileChange),
    Committed(CommitResult),
}

impl AddOutcome {
    fn change(&self) -> Option<&FileChange> {
        match self {
            Self::Nothing => None,
            Self::Previewed(change) | Self::Written(change) => Some(change),
            Self::Committed(committed) => committed.changes.first(),
        }
    }

    fn status(&self) -> &'static str {
        match self {
            Self::Nothing => "unchanged",
            Self::Previewed(_) => "shown",
            Self::Written(_) => "written",
            Self::Committed(_) => "committed",
        }
    }
}

impl ChangeTarget<'_> {
    /// Writes, previews or commits a change of the changelog file.
    fn put(&self, repo: &Repo, file: &Path, message: &str, edit: EditContent) -> anyhow::Result<AddOutcome> {
        let request = CommitRequest { branch: self.branch, files: &[file], message, sign: self.sign };
        let mut edit = |_: &Path, old: &[u8]| edit(old);
        let done = if self.no_commit {
            commit::write(repo, file, &mut edit)?.map(AddOutcome::Written)
        } else if self.dry_run {
            commit::check(repo, &request)?;
            commit::preview(repo, &request, &mut edit)?.pop().map(AddOutcome::Previewed)
        } else {
            commit::commit(repo, &request, &mut edit)?.map(AddOutcome::Committed)
        };
        Ok(done.unwrap_or(AddOutcome::Nothing))
    }
}

/// Relays what git and hooks had to say about the commit, and that no branch has it.
fn relay(done: &AddOutcome, session: &Session) {
    if let AddOutcome::Committed(committed) = done {
        session.relay(&committed.output);
        if committed.branch.is_none() {
            session.note(&detached(committed));
        }
    }
}

/// What became of the file, for machines.
fn document(file: &Path, done: &AddOutcome) -> Value {
    let committed = if let AddOutcome::Committed(committed) = done { Some(committed) } else { None };
    json!({
        "file": file.display().to_string(),
        "status": done.status(),
        "commit": committed.map(|committed| committed.id),
        "branch": committed.and_then(|committed| committed.branch.as_deref()),
        "diff": done.change().map(|change| String::from_utf8_lossy(&change.diff()).into_owned()),
    })
}

/// Prints the change if that is what was asked for, else a sentence.
fn print(done: &AddOutcome, text: &str, session: &mut Session) -> anyhow::Result<()> {
    match done {
        AddOutcome::Previewed(change) => session.out.bytes().write_all(&change.diff())?,
        _ => writeln!(session.out, "{text}")?,
    }
    Ok(())
}

fn detached(committed: &CommitResult) -> String {
    let id = committed.id.short();
    format!("`HEAD` is detached, so no branch has commit {id}; `git push origin HEAD:BRANCH` brings it to a remote one")
}
