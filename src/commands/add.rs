//! `tidings add`: inserts the section of a version into the changelog file, and commits that one file.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};

use super::{
    ChangelogArgs, Server, Session,
    changelog_args::parse_version,
    completions,
    history_report::{self, no_entries, nothing_listed},
    hosted,
    people::ServerLookup,
};
use crate::{
    api::repository as endpoints,
    changelog::document::{Document, InsertOptions, Insertion},
    config::{self, HeadingRule},
    git::{
        Repo,
        commit::{self, CommitRequest, CommitResult, FileChange},
    },
    model::{Problem, ProblemKind, Section, Version, pluralize},
    pipeline::{self, ChangelogRequest, LoadedConfig, SectionInputs},
};

/// Add a version's section to the changelog file and commit that file.
///
/// Other staged or modified files are not touched. A version that already has a section is left unchanged.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Args {
    /// Version of the section.
    #[arg(value_name = "VERSION")]
    version: Option<String>,
    /// Use the version printed by `tidings next`.
    #[arg(long, conflicts_with = "version")]
    next: bool,
    /// Add every release that the file does not have; existing sections are left unchanged.
    #[arg(long, conflicts_with_all = ["version", "next", "replace", "fail_on_empty", "from", "first_release"])]
    all: bool,
    /// With `--all`, skip versions below this one.
    #[arg(long, value_name = "VERSION", requires = "all", value_parser = parse_version)]
    since: Option<Version>,
    /// Commit to this branch; the range ends at its tip [default: the current branch].
    #[arg(long, value_name = "BRANCH", add = completions::branches())]
    branch: Option<String>,
    /// Path of the changelog file, relative to the top of the repository [default: `file` in the configuration, else
    /// the only file named like a changelog, else `CHANGELOG.md`].
    #[arg(long, value_name = "PATH")]
    file: Option<PathBuf>,
    /// Commit message, in which `{version}` stands for the version [default: `Add changelog for version VERSION[ of PACKAGE]`].
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
  tidings add 1.2.0                       to CHANGELOG.md, in a new commit
  tidings add --next                      the section of the next version
  tidings add --all                       every release that the file lacks
  tidings add 1.2.0 --dry-run             print the change only
  tidings add 1.2.1 --branch release-1.2  on a branch that is not checked out
  tidings add 1.2.0 --replace             replace the existing section
  tidings add 1.2.0 --package api         to the changelog file of a package
  tidings add 1.2.0 --project group/app   let the server commit it";

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
    if args.all { args.add_all(&repo, &request, session) } else { args.add_one(&repo, request, session) }
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
            let message = format!("`{option}` cannot be used with `--project`: the server makes the commit");
            return Err(Problem::usage(message).hint("omit `--project` to make the commit here").into());
        }
        let version = self.version.as_deref().unwrap_or_default();
        if self.fail_on_empty && !self.dry_run {
            hosted::refuse_empty(&hosted::section(version, &self.options, session)?)?;
        }
        let file = self.file.as_deref().map_or(config::CHANGELOG.into(), Path::to_string_lossy);
        let server = Server::from_session(session)?;
        let fields = hosted::fields(version, &self.options)?;
        let fields = fields.add_given("branch", self.branch.as_ref()).add("file", &file);
        let fields = fields.add_given("message", self.given_message(version).as_ref());
        let request = endpoints::commit_section(server.project()?, fields);
        if server.send_change(session, &request, self.dry_run)?.is_some() {
            let project = server.project()?;
            let document = json!({ "version": version, "file": file, "status": "done", "project": project });
            session.answer(&document, |out| writeln!(out, "{project} has {version} in {file}"))?;
        }
        Ok(())
    }

    fn add_one(&self, repo: &Repo, request: ChangelogRequest, session: &mut Session) -> anyhow::Result<()> {
        let read = if self.next { SectionInputs::read_next } else { SectionInputs::read };
        let inputs = session.progress().while_reading(repo, || read(repo, request))?;
        let changelog = inputs.changelog(ServerLookup(session).if_requested(self.options.people), repo)?;
        let (history, section) = (&changelog.history, &changelog.section);
        history_report::print(history, session)?;
        let version = &section.version;
        if changelog.release.categories.is_empty() {
            if self.fail_on_empty {
                return Err(no_entries().into());
            }
            session.note(&format!("the section of {version} has no entries: {}", nothing_listed(history)));
            session.note("hint: run `tidings explain` to see why, or use `--fail-on-empty` to add no such section");
        }
        let file = self.changelog_file(&history.loaded, repo)?;
        let options = InsertOptions { replace: self.replace, ..changelog.insertion };
        let message = self.commit_message(&format!("version {}", self.version.as_ref().unwrap_or(version)), version);
        let done = self.put(repo, &file, &message, |old| {
            let mut document = Document::parse(old);
            let insertion = document.insert(section, &file, &options)?;
            Ok((insertion != Insertion::Unchanged).then(|| document.into_bytes()))
        })?;
        let mut document = json!({ "version": version });
        done.describe(&file, &mut document);
        // The printed section includes the text that was moved into it.
        let before = done.change().filter(|_| options.moves_unreleased).and_then(|change| change.before.clone());
        let moved = Document::parse(before.unwrap_or_default()).move_unreleased(section).1;
        document["notes"] = moved.notes().into();
        done.answer(&document, &self.sentence(version, &file, &done), session).map_err(|error| match &done {
            AddOutcome::Committed(made) => {
                error.context(format!("commit {} was created, but the output cannot be written", made.id.short()))
            }
            _ => error,
        })
    }

    fn sentence(&self, version: &str, file: &Path, done: &AddOutcome) -> String {
        let file = file.display();
        match done {
            AddOutcome::Nothing if self.replace => format!("the section of {version} in {file} is up to date"),
            AddOutcome::Nothing => format!("{version} is already in {file}"),
            AddOutcome::Previewed(_) | AddOutcome::Written(_) => format!("added {version} to {file} (not committed)"),
            AddOutcome::Committed(committed) => {
                let on = committed.branch.as_deref().map(|branch| format!(" on {branch}")).unwrap_or_default();
                format!("added {version} to {file}: commit {}{on}", committed.id.short())
            }
        }
    }

    /// Adds the releases that are missing, in one commit.
    fn add_all(&self, repo: &Repo, request: &ChangelogRequest, session: &mut Session) -> anyhow::Result<()> {
        let mut loaded = LoadedConfig::load(repo, &request.config_source)?;
        if let Some(top) = top_package(pipeline::detected_packages(&loaded, repo, request)?, session)? {
            loaded = top;
        }
        let read = || pipeline::releases(&loaded, repo, request, self.since.as_ref());
        let inputs = session.progress().while_reading(repo, read)?;
        let lookup = ServerLookup(session);
        let made = inputs.into_iter().map(|inputs| inputs.changelog(lookup.if_requested(self.options.people), repo));
        let mut made = made.collect::<anyhow::Result<Vec<_>>>()?;
        history_report::print_once(made.iter().map(|changelog| &changelog.history), session)?;
        made.retain(|changelog| changelog.section.date.is_some());
        let file = self.changelog_file(&loaded, repo)?;
        // Sections are inserted from the oldest on, because each goes above the existing ones.
        let option = |options: InsertOptions| InsertOptions { moves_unreleased: false, ..options };
        let sections: Vec<(Section, InsertOptions)> =
            made.into_iter().rev().map(|changelog| (changelog.section, option(changelog.insertion))).collect();
        let Some((newest, _)) = sections.last() else {
            return Err(Problem::new("nothing to add: no stable release found")
                .hint("run `tidings add --next` to add the section of the first release")
                .kind(ProblemKind::NothingToDo)
                .into());
        };
        let message = self.commit_message(&format!("all versions up to {}", newest.version), &newest.version);
        let mut added = Vec::new();
        let done = self.put(repo, &file, &message, |old| insert(&sections, &file, old, &mut added))?;
        let mut document = json!({});
        done.describe(&file, &mut document);
        document["versions"] = json!(added);
        let (file, count) = (file.display(), pluralize(added.len(), "version"));
        let text = match &done {
            AddOutcome::Nothing => format!("every release is already in {file}"),
            AddOutcome::Committed(committed) => format!("added {count} to {file}: commit {}", committed.id.short()),
            _ => format!("added {count} to {file} (not committed)"),
        };
        done.answer(&document, &text, session)
    }

    fn changelog_file(&self, loaded: &LoadedConfig, repo: &Repo) -> anyhow::Result<PathBuf> {
        self.file.clone().map_or_else(|| loaded.changelog_file(repo).map(PathBuf::from), Ok)
    }

    /// Returns the message of the commit. It names the package, because packages may have the same versions.
    fn commit_message(&self, versions: &str, newest: &str) -> String {
        let package = self.options.range.config.package.as_ref();
        let of = package.map(|package| format!(" of {package}")).unwrap_or_default();
        self.given_message(newest).unwrap_or_else(|| format!("Add changelog for {versions}{of}"))
    }

    fn given_message(&self, version: &str) -> Option<String> {
        self.message.as_ref().map(|message| message.replace("{version}", version))
    }

    /// Writes, previews or commits a change of the changelog file; `edit` returns `None` to leave the file as it is.
    fn put(
        &self,
        repo: &Repo,
        file: &Path,
        message: &str,
        mut edit: impl FnMut(&[u8]) -> anyhow::Result<Option<Vec<u8>>>,
    ) -> anyhow::Result<AddOutcome> {
        let request = CommitRequest { branch: self.branch.as_deref(), files: &[file], message, sign: self.sign };
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

/// Returns the configuration of the package at the top of a repository, if the tags are of several packages.
fn top_package(packages: Vec<(String, LoadedConfig)>, session: &Session) -> anyhow::Result<Option<LoadedConfig>> {
    let names: Vec<String> = packages.iter().map(|(name, _)| format!("`{name}`")).collect();
    let others =
        "`tidings add --all --package NAME` fills the file of each, once `tidings init` has made a package of it";
    match packages.into_iter().next() {
        Some((_, top)) if top.is_of_top() => {
            session.note(&format!("the releases of {} are added, not those of {}", names[0], names[1..].join(", ")));
            session.note(others);
            Ok(Some(top))
        }
        Some(_) => Err(Problem::new(format!("the tags are of the packages {}", names.join(", "))).hint(others).into()),
        None => Ok(None),
    }
}

/// The text that a new file begins with.
const TITLE: &[u8] = b"# Changelog\n";

/// Inserts the missing sections into a document, and sets `added` to their versions.
fn insert(
    sections: &[(Section, InsertOptions)],
    file: &Path,
    old: &[u8],
    added: &mut Vec<String>,
) -> anyhow::Result<Option<Vec<u8>>> {
    let is_own_style = sections.iter().any(|(_, options)| options.rule == HeadingRule::File);
    // A new file with the program's own headings begins with a title, as files written by hand do.
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

/// The result for the changelog file.
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

    /// Adds the result for the file to the JSON output.
    fn describe(&self, file: &Path, document: &mut Value) {
        let (status, committed) = match self {
            Self::Nothing => ("unchanged", None),
            Self::Previewed(_) => ("shown", None),
            Self::Written(_) => ("written", None),
            Self::Committed(committed) => ("committed", Some(committed)),
        };
        document["file"] = file.display().to_string().into();
        document["status"] = status.into();
        document["commit"] = json!(committed.map(|committed| committed.id));
        document["branch"] = json!(committed.and_then(|committed| committed.branch.as_deref()));
        document["diff"] = json!(self.change().map(|change| String::from_utf8_lossy(&change.diff()).into_owned()));
    }

    /// Prints the change for `--dry-run`, else a sentence. Relays the output of git and hooks about the commit, and
    /// reports if no branch has it.
    fn answer(&self, document: &Value, text: &str, session: &mut Session) -> anyhow::Result<()> {
        if let Self::Committed(committed) = self {
            session.relay(&committed.output);
            if committed.branch.is_none() {
                let id = committed.id.short();
                session.note(&format!(
                    "`HEAD` is detached, so no branch has commit {id}; push it to one with `git push origin HEAD:BRANCH`"
                ));
            }
        }
        session.answer(document, |out| match self {
            Self::Previewed(change) => out.bytes().write_all(&change.diff()),
            _ => writeln!(out, "{text}"),
        })
    }
}
