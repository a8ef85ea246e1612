//! The sections that `tidings add` puts into changelog files: that of a version, or those of the next versions of all
//! packages.

use std::{
    cell::RefCell,
    collections::BTreeSet,
    mem,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use indexmap::IndexSet;
use serde_json::{Value, json};

use super::{args::Args, outcome::AddOutcome};
use crate::{
    commands::{
        Session,
        history_report::{self, PackageMessages, no_entries, nothing_listed},
    },
    document::{Document, InsertOptions, Insertion},
    git::{
        Repo,
        commit::{self, FileEdit},
    },
    model::{Oid, strftime},
    pipeline::{self, Changelog, ChangelogRequest, PackageDependencies, Scope, SectionInputs},
    sources::change_files::Consumption,
};

pub(super) fn add(args: &Args, repo: &Repo, request: ChangelogRequest, session: &mut Session) -> anyhow::Result<()> {
    let read = || {
        let scope = Scope::open(repo, request)?.with_changelog_file(args.file.as_deref());
        if args.next {
            SectionInputs::read_next(scope.clone(), &PackageDependencies::new(&scope))
        } else {
            SectionInputs::read(scope)
        }
    };
    let inputs = session.progress().while_reading(repo, read)?;
    let section = AddedSection::make(args, inputs, commit::branch(repo, args.branch.as_deref())?.tip)?;
    let history = &section.changelog.history;
    history_report::print(history, session)?;
    if args.options.host.is_none() && section.has_entries {
        history_report::note_assumed_forge(history, repo, session);
    }
    section.check_estimate(args)?;
    section.check_entries(args, session)?;
    let version = section.version();
    let named = args.version.as_ref().map_or_else(|| version.to_owned(), ToString::to_string);
    let message = args.commit_message(&format!("version {named}"), version);
    let (done, _) = put(args, repo, std::slice::from_ref(&section), &message)?;
    let document = || {
        let mut document = json!({ "version": version });
        done.describe(&section.file.display().to_string(), &mut document);
        document["notes"] = section.notes(&done).into();
        document
    };
    done.answer(document, &sentence(args, &[version.to_owned()], &[&section], &done), session)
}

/// Adds the section of the next version of each package that is due for a release, in one commit.
pub(super) fn add_next_of_packages(
    args: &Args,
    repo: &Repo,
    request: ChangelogRequest,
    session: &mut Session,
) -> anyhow::Result<()> {
    let progress = session.progress();
    let packages = progress.while_reading(repo, || Scope::open(repo, request)?.packages())?;
    session.warn(&packages.warnings)?;
    let tip = commit::branch(repo, args.branch.as_deref())?.tip;
    let (mut read, mut sections, mut messages) = (packages.next_sections(), Vec::new(), PackageMessages::default());
    while let Some(inputs) = progress.while_reading(repo, || read.next().transpose())? {
        let context = inputs.history.scope.in_package();
        let section = AddedSection::make(args, inputs, tip).with_context(|| context.clone())?;
        messages.add(section.package(), &section.changelog.history, section.has_entries);
        section.check_estimate(args).and_then(|()| section.check_entries(args, session)).context(context)?;
        sections.push(section);
    }
    messages.print(session, "show", true)?;
    if sections.is_empty() {
        return Err(pipeline::nothing_to_release(pipeline::RUN_NEXT).into());
    }
    let names: Vec<String> = sections.iter().map(AddedSection::name).collect();
    let message = pipeline::release::message_of(args.message.as_deref().unwrap_or(MESSAGE), &names);
    let (done, changed) = put(args, repo, &sections, &message)?;
    let document = || {
        let mut document = json!({});
        done.describe("", &mut document);
        document["files"] = sections.iter().map(|section| section.document(&done)).collect();
        document
    };
    let added: Vec<&AddedSection> = changed.iter().map(|index| &sections[*index]).collect();
    let names: Vec<String> = changed.iter().map(|index| names[*index].clone()).collect();
    done.answer(document, &sentence(args, &names, &added, &done), session)
}

/// The message of a commit with the sections of several packages.
const MESSAGE: &str = "Add changelog for {version}";

/// A section, the file that it goes into, and what happens to the change files that it lists.
struct AddedSection<'r> {
    /// Without its entries, which take more memory than the files that are written.
    changelog: Changelog<'r>,
    has_entries: bool,
    file: PathBuf,
    options: InsertOptions,
    consumption: Consumption,
}

impl<'r> AddedSection<'r> {
    fn make(args: &Args, inputs: SectionInputs<'r>, tip: Oid) -> anyhow::Result<Self> {
        let mut changelog = inputs.changelog()?;
        let has_entries = !mem::take(&mut changelog.release.categories).is_empty();
        let file = args.changelog_file(&changelog.history.scope)?;
        changelog.take_generated(tip, &file)?;
        let options = InsertOptions {
            replace: args.replace,
            moves_unreleased: changelog.moves_into_added(tip, &file)?,
            ..changelog.insertion.clone()
        };
        let consumption = changelog.consumption(tip, &file, &options)?;
        Ok(Self { changelog, has_entries, file, options, consumption })
    }

    fn version(&self) -> &str {
        &self.changelog.section.version
    }

    fn package(&self) -> &str {
        self.changelog.history.scope.package_name().unwrap_or_default()
    }

    fn name(&self) -> String {
        format!("{} {}", self.package(), self.version())
    }

    /// Refuses a version that is an estimate: the version of a section in the file is the one that is released.
    fn check_estimate(&self, args: &Args) -> anyhow::Result<()> {
        let Some(estimate) = self.changelog.history.estimate.as_ref().filter(|_| args.next) else { return Ok(()) };
        let (version, package) = (self.version(), self.changelog.history.scope.package_name());
        let of = package.map(|package| format!(" --package {package}")).unwrap_or_default();
        Err(estimate.refusal(version, format!("name the version, such as `tidings add {version}{of}`")).into())
    }

    /// Says that the section has no entries, or refuses it.
    fn check_entries(&self, args: &Args, session: &Session) -> anyhow::Result<()> {
        let history = &self.changelog.history;
        if self.has_entries {
            return Ok(());
        }
        if args.fail_on_empty {
            return Err(no_entries().into());
        }
        if !args.all_packages {
            session.note(&format!("the section of {} has no entries: {}", self.version(), nothing_listed(history)));
            session.note("hint: run `tidings explain` to see why, or use `--fail-on-empty` to add no such section");
        }
        Ok(())
    }

    fn files(&self) -> impl Iterator<Item = &Path> {
        [self.file.as_path()].into_iter().chain(self.consumption.paths().map(Path::new))
    }

    fn edit(&self, path: &Path, old: &[u8]) -> anyhow::Result<FileEdit> {
        if path != self.file {
            let content = self.consumption.apply(path.to_str().unwrap_or_default(), old)?;
            return Ok(content.map_or(FileEdit::Delete, FileEdit::Write));
        }
        let config = self.changelog.history.config();
        let mut document = Document::parse(old);
        let insertion = document.insert(&self.changelog.section, path, &self.options)?;
        let date = strftime(&self.options.date, config.date_format());
        let dated = || document.with_date(self.version(), &self.options.date, &date);
        let dated = (!config.is_gitlab_file).then(dated).flatten();
        let is_changed = insertion != Insertion::Unchanged || dated.is_some();
        Ok(is_changed.then(|| dated.unwrap_or(document).into_bytes()).into())
    }

    /// Returns the section that was added, with the text that was moved into it.
    fn notes(&self, done: &AddOutcome) -> String {
        let file = self.file.to_str().unwrap_or_default();
        done.printed_section(file, &self.changelog.section, &self.options).notes().to_string()
    }

    fn document(&self, done: &AddOutcome) -> Value {
        let file = self.file.display().to_string();
        json!({ "package": self.package(), "version": self.version(), "file": file, "notes": self.notes(done) })
    }
}

/// Puts sections into their files, in their order; also returns the indexes of those that changed a file.
fn put(
    args: &Args,
    repo: &Repo,
    sections: &[AddedSection],
    message: &str,
) -> anyhow::Result<(AddOutcome, BTreeSet<usize>)> {
    let files: IndexSet<&Path> = sections.iter().flat_map(AddedSection::files).collect();
    let files: Vec<&Path> = files.into_iter().collect();
    let changed = RefCell::new(BTreeSet::new());
    let done = args.put(repo, &files, message, &mut |path, old| {
        let mut new = old.to_vec();
        for (index, section) in sections.iter().enumerate() {
            match section.edit(path, &new)? {
                FileEdit::Keep => {}
                FileEdit::Delete => return Ok(FileEdit::Delete),
                FileEdit::Write(content) if path == section.file => {
                    changed.borrow_mut().insert(index);
                    new = content;
                }
                FileEdit::Write(content) => new = content,
            }
        }
        Ok(Some(new).filter(|new| new != old).into())
    })?;
    Ok((done, changed.into_inner()))
}

/// Returns in words what happened to the sections with these names.
fn sentence(args: &Args, names: &[String], sections: &[&AddedSection], done: &AddOutcome) -> String {
    let added = names.iter().zip(sections).map(|(name, section)| format!("added {name} to {}", section.file.display()));
    let added = added.collect::<Vec<_>>().join("; ");
    match (done, sections) {
        (AddOutcome::Nothing, [section]) if args.replace => {
            format!("the section of {} in {} is up to date", names[0], section.file.display())
        }
        (AddOutcome::Nothing, [section]) => format!("{} is already in {}", names[0], section.file.display()),
        (AddOutcome::Nothing, _) => "nothing to add: every section is in its file already".to_owned(),
        (AddOutcome::Committed(committed), _) => {
            let on = committed.branch.as_deref().map(|branch| format!(" on {branch}")).unwrap_or_default();
            format!("{added}: commit {}{on}", committed.id.short())
        }
        _ => format!("{added} (not committed)"),
    }
}
