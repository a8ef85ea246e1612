//! `tidings add --all`: inserts the sections of all releases, into one file or into those of all packages.

use std::{
    cell::RefCell,
    collections::HashMap,
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use serde_json::{Value, json};

use super::{args::Args, outcome::AddOutcome};
use crate::{
    commands::{Session, history_report::ReleaseMessages},
    config::HeadingRule,
    document::{Document, InsertOptions, Insertion},
    git::{
        Repo,
        commit::{self, CommitRequest},
    },
    model::{Problem, ProblemKind, Section, pluralize},
    pipeline::{self, Changelog, ChangelogRequest, Scope, SectionInputs},
};

/// The number of sections that are written without `--yes`.
const MAX_UNASKED: usize = 20;

/// The text that a new file begins with.
const TITLE: &[u8] = b"# Changelog\n";

pub(super) fn add(args: &Args, repo: &Repo, request: &ChangelogRequest, session: &mut Session) -> anyhow::Result<()> {
    let mut files = Vec::new();
    for scope in scopes(args, Scope::open(repo, request.clone())?, session)? {
        let scope = scope.with_changelog_file(args.file.as_deref());
        let read = FileReleases::read(args, &scope, session);
        files.push(if args.all_packages { read.with_context(|| scope.in_package())? } else { read? });
    }
    let Some(newest) = files.iter().filter_map(|file| file.sections.last()).map(|(section, _)| &section.version).next()
    else {
        return Err(Problem::new("nothing to add: no stable release found")
            .hint("run `tidings add --next` to add the section of the first release")
            .kind(ProblemKind::NothingToDo)
            .into());
    };
    let versions = if args.all_packages { "all packages" } else { &format!("all versions up to {newest}") };
    let message = args.commit_message(versions, newest);
    let written = RefCell::new(Reports::new());
    let paths: Vec<&Path> = files.iter().map(|file| file.file.as_path()).collect();
    let mut edit = |path: &Path, old: &[u8]| {
        let mut new = old.to_vec();
        for file in files.iter().filter(|file| file.file == path) {
            let report = file.insert(&mut new, args.replace)?;
            written.borrow_mut().insert(file.label(), report);
        }
        Ok(Some(new).filter(|new| new != old).into())
    };
    let is_large = files.iter().map(|file| file.sections.len()).sum::<usize>() > MAX_UNASKED;
    if is_large && !args.yes && !args.dry_run {
        let request =
            CommitRequest { branch: args.branch.as_deref(), files: &paths, message: &message, sign: args.sign };
        commit::preview(repo, &request, &mut edit)?;
        let count: usize = written.borrow().values().map(FileReport::count).sum();
        if count > MAX_UNASKED {
            return print_plan(&files, &written.borrow(), session);
        }
    }
    let done = args.put(repo, &paths, &message, &mut edit)?;
    answer(args, &files, &written.borrow(), &done, session)
}

/// Returns the scopes whose releases are added: of all packages, of the one at the top, or of the repository.
fn scopes<'r>(args: &Args, scope: Scope<'r>, session: &Session) -> anyhow::Result<Vec<Scope<'r>>> {
    if args.all_packages {
        return scope.configured_packages();
    }
    let config = scope.config();
    let (has_file, is_configured) = (config.has_file, !config.packages.is_empty());
    let packages = pipeline::detected_packages(&scope)?;
    let names = pipeline::quoted_names(&packages);
    let others = if is_configured {
        "use `--package NAME` for the file of one package, or `--all-packages` for those of all"
    } else if has_file {
        "set `packages` in the configuration; then `tidings add --all --all-packages` fills the file of each"
    } else {
        "run `tidings init` to make packages of them; then `tidings add --all --all-packages` fills the file of each"
    };
    match packages.into_iter().next() {
        Some(top) if top.is_of_top() => {
            session.note(&format!("the releases of {} are added, not those of {}", names[0], names[1..].join(", ")));
            session.note(&format!("hint: {others}"));
            Ok(vec![top])
        }
        Some(_) => Err(Problem::new(format!("the tags are of the packages {}", names.join(", "))).hint(others).into()),
        None => Ok(vec![scope]),
    }
}

/// The sections of all releases that belong into a file, the oldest first.
struct FileReleases {
    file: PathBuf,
    /// The package; `None` for the whole repository.
    package: Option<String>,
    sections: Vec<(Section, InsertOptions)>,
    /// The versions without entries.
    empty: Vec<String>,
    /// The files beside it that may have the sections of older versions.
    neighbours: Vec<String>,
}

/// What happened to the sections of a file.
#[derive(Default)]
struct FileReport {
    added: Vec<String>,
    replaced: Vec<String>,
    /// The versions that are in other files, and what says so.
    elsewhere: Vec<(String, String)>,
}

impl FileReport {
    fn count(&self) -> usize {
        self.added.len() + self.replaced.len()
    }
}

impl FileReleases {
    fn read(args: &Args, scope: &Scope, session: &mut Session) -> anyhow::Result<Self> {
        let (mut sections, mut empty, mut messages) = (Vec::new(), Vec::new(), ReleaseMessages::default());
        let keep = |inputs: SectionInputs| {
            let Changelog { history, release, section, insertion } = inputs.changelog()?;
            messages.add(&history);
            if section.date.is_some() && release.categories.is_empty() {
                empty.push(section.version);
            } else if section.date.is_some() {
                // Text that is written by hand below `Unreleased` belongs to no release that is tagged already.
                let options = InsertOptions { replace: args.replace, moves_unreleased: false, ..insertion };
                sections.push((section, options));
            }
            Ok(())
        };
        let progress = session.progress();
        progress.while_reading(scope.repo, || pipeline::releases(scope, args.since.as_ref(), keep))?;
        messages.print(session)?;
        sections.reverse();
        empty.reverse();
        let file = args.changelog_file(scope)?;
        let neighbours = pipeline::files_beside(scope.repo, &scope.request.range.to, &file)?;
        // The package at the top of a repository stands for the repository.
        let is_chosen = args.all_packages || args.options.range.config.package.is_some();
        let package = scope.package_name().filter(|_| is_chosen).map(str::to_owned);
        Ok(Self { file, package, sections, empty, neighbours })
    }

    fn label(&self) -> (PathBuf, Option<String>) {
        (self.file.clone(), self.package.clone())
    }

    /// Inserts the sections that belong into the file.
    fn insert(&self, text: &mut Vec<u8>, replaces: bool) -> anyhow::Result<FileReport> {
        let is_own_style = self.sections.iter().any(|(_, options)| options.rule == HeadingRule::File);
        // A new file with the program's own headings begins with a title, as files written by hand do.
        let has_opening = self.sections.iter().any(|(_, options)| !options.opening.is_empty());
        let is_titled = text.is_empty() && is_own_style && !has_opening;
        let mut document = Document::parse(if is_titled { TITLE } else { text.as_slice() });
        let mut elsewhere = document.elsewhere();
        elsewhere.add_files(self.neighbours.iter().map(String::as_str));
        let is_there = document.has_sections(self.sections.iter().map(|(section, _)| section.version.as_str()));
        let mut report = FileReport::default();
        let mut chosen = Vec::new();
        for ((section, options), is_there) in self.sections.iter().zip(is_there) {
            match elsewhere.place_of(&section.version).filter(|_| !is_there) {
                Some(place) => report.elsewhere.push((section.version.clone(), place.to_owned())),
                None if is_there && !replaces => {}
                None => chosen.push((section, options)),
            }
        }
        for (insertion, (section, _)) in document.insert_all(&chosen, &self.file)?.into_iter().zip(&chosen).rev() {
            match insertion {
                Insertion::Inserted => report.added.push(section.version.clone()),
                Insertion::Replaced => report.replaced.push(section.version.clone()),
                Insertion::Unchanged => {}
            }
        }
        if report.count() > 0 {
            *text = document.into_bytes();
        }
        Ok(report)
    }
}

type Reports = HashMap<(PathBuf, Option<String>), FileReport>;

/// Returns in words what is or would be done with a file: `add 3 versions to CHANGELOG.md, 1.0.0 to 1.2.0`.
fn describe(file: &FileReleases, report: &FileReport, [add, replace]: [&str; 2]) -> String {
    let name = file.file.display();
    let part = |verb: &str, versions: &[String], word: &str| {
        let count = pluralize(versions.len(), "version");
        (!versions.is_empty()).then(|| format!("{verb} {count} {word} {name}, {}", span(versions.iter().rev())))
    };
    let parts = [part(add, &report.added, "to"), part(replace, &report.replaced, "in")];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// Returns the first and last of some versions, which ascend.
fn span<'v>(mut versions: impl DoubleEndedIterator<Item = &'v String>) -> String {
    let first = versions.next().map_or("", String::as_str);
    versions.next_back().map_or_else(|| first.to_owned(), |last| format!("{first} to {last}"))
}

/// Reports the versions that are left out, in a line for each reason.
fn note_left_out(file: &FileReleases, report: Option<&FileReport>, session: &Session) {
    if !file.empty.is_empty() {
        let count = pluralize(file.empty.len(), "version");
        session.note(&format!("left out {count} without changes: {}", span(file.empty.iter())));
    }
    let elsewhere = report.map(|report| report.elsewhere.as_slice()).unwrap_or_default();
    if let Some((_, place)) = elsewhere.last() {
        let (count, versions) =
            (pluralize(elsewhere.len(), "version"), span(elsewhere.iter().map(|(version, _)| version)));
        session.note(&format!("left out {count} whose sections are elsewhere according to {place}: {versions}"));
        session.note("hint: run `tidings add VERSION` to add one of them all the same");
    }
}

fn print_plan(files: &[FileReleases], written: &Reports, session: &mut Session) -> anyhow::Result<()> {
    let mut text = String::new();
    for file in files {
        let report = written.get(&file.label());
        note_left_out(file, report, session);
        if let Some(report) = report.filter(|report| report.count() > 0) {
            text += &(describe(file, report, ["add", "replace"]) + "\n");
        }
    }
    let document = document(files, written, &AddOutcome::Planned);
    session.answer(&document, |out| write!(out, "{text}"))?;
    session.note(
        "this is only a plan; run again with `--yes` (`-y`) to write the file, or with `--dry-run` to see the change",
    );
    Ok(())
}

fn document(files: &[FileReleases], written: &Reports, done: &AddOutcome) -> Value {
    let of_file = |file: &FileReleases, document: &mut Value| {
        let report = written.get(&file.label());
        let versions = |versions: fn(&FileReport) -> Vec<&str>| report.map(versions).unwrap_or_default();
        document["versions"] = json!(versions(|report| report.added.iter().map(String::as_str).collect()));
        document["replaced"] = json!(versions(|report| report.replaced.iter().map(String::as_str).collect()));
        document["without_changes"] = json!(file.empty);
        document["elsewhere"] =
            json!(versions(|report| report.elsewhere.iter().map(|(version, _)| version.as_str()).collect()));
    };
    let mut document = json!({});
    match files {
        [file] => {
            done.describe(&file.file.display().to_string(), &mut document);
            of_file(file, &mut document);
        }
        files => {
            done.describe("", &mut document);
            let list = files.iter().map(|file| {
                let mut document = json!({ "package": file.package, "file": file.file.display().to_string() });
                of_file(file, &mut document);
                document
            });
            document["files"] = list.collect();
        }
    }
    document
}

fn answer(
    args: &Args,
    files: &[FileReleases],
    written: &Reports,
    done: &AddOutcome,
    session: &mut Session,
) -> anyhow::Result<()> {
    let mut count = 0;
    let mut lines = Vec::new();
    for file in files {
        let report = written.get(&file.label());
        note_left_out(file, report, session);
        let Some(report) = report.filter(|report| report.count() > 0) else { continue };
        count += report.count();
        let name = file.file.display();
        let counts = [(report.added.len(), "added", "to"), (report.replaced.len(), "replaced", "in")];
        let words = counts
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(count, done, to)| format!("{done} {} {to} {name}", pluralize(count, "version")));
        lines.push(words.collect::<Vec<_>>().join(" and "));
        if args.dry_run && report.count() > MAX_UNASKED {
            session.note(&format!("it would {}", describe(file, report, ["add", "replace"])));
        }
    }
    if args.dry_run && !args.yes && count > MAX_UNASKED {
        session.note("that many sections are only written with `--yes` (`-y`)");
    }
    let end = match done {
        AddOutcome::Committed(committed) => format!(": commit {}", committed.id.short()),
        _ => " (not committed)".to_owned(),
    };
    let text = match (done, files) {
        (AddOutcome::Nothing, [file]) if args.replace => {
            format!("every release is up to date in {}", file.file.display())
        }
        (AddOutcome::Nothing, [file]) if written.values().all(|report| report.elsewhere.is_empty()) => {
            format!("every release is already in {}", file.file.display())
        }
        (AddOutcome::Nothing, _) => "nothing to add".to_owned(),
        _ => lines.join("; ") + &end,
    };
    done.answer(|| document(files, written, done), &text, session)
}
