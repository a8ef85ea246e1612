//! `tidings add`: inserts the section of a version into the changelog file, and commits that one file.

mod all;
mod args;
mod outcome;
mod unreleased;

use std::{io::Write as _, path::Path};

use serde_json::json;

pub(crate) use self::args::Args;
use self::outcome::AddOutcome;
use super::{
    Server, Session,
    history_report::{self, no_entries, nothing_listed},
    hosted,
};
use crate::{
    api::repository as endpoints,
    config,
    document::{Document, InsertOptions, Insertion},
    git::{
        Repo,
        commit::{self, FileEdit},
    },
    model::{Problem, strftime},
    pipeline::{ChangelogRequest, History, PackageDependencies, Scope, SectionInputs},
};

pub(crate) fn run(args: &Args, session: &mut Session) -> anyhow::Result<()> {
    if args.version.is_none() && !args.next && !args.all && !args.unreleased {
        return Err(Problem::usage("a version is required")
            .hint("name one, such as `tidings add 1.2.0`, or use `--next`, `--unreleased` or `--all`")
            .into());
    }
    if session.global.server.project.is_some() {
        return args.add_hosted(session);
    }
    let repo = session.repo_to_commit()?;
    let mut options = args.options.clone();
    let branch = args.branch.as_deref().map(|branch| commit::branch(&repo, Some(branch))).transpose()?;
    options.range.to = options.range.to.or_else(|| branch.map(|branch| branch.tip.to_string()));
    let request = session.with_lookups(options.request(args.version.as_deref())?);
    match args {
        Args { all: true, .. } => all::add(args, &repo, &request, session),
        Args { unreleased: true, .. } => unreleased::update(args, &repo, request, session),
        _ => args.add_one(&repo, request, session),
    }
}

impl Args {
    fn add_hosted(&self, session: &mut Session) -> anyhow::Result<()> {
        let local = [
            ("--no-commit", self.no_commit),
            ("--replace", self.replace),
            ("--sign", self.sign),
            ("--next", self.next),
            ("--all", self.all),
            ("--unreleased", self.unreleased),
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
        let fields = hosted::fields(version, &self.options)?
            .add_given("branch", self.branch.as_ref())
            .add("file", &file)
            .add_given("message", self.given_message(version).as_ref());
        let request = endpoints::commit_section(server.project()?, fields);
        if server.send_change(session, &request, self.dry_run)?.is_some() {
            let project = server.project()?;
            let document = json!({ "version": version, "file": file, "status": "done", "project": project });
            session.answer(&document, |out| writeln!(out, "{project} has {version} in {file}"))?;
        }
        Ok(())
    }

    fn read<'r>(&self, repo: &'r Repo, request: ChangelogRequest) -> anyhow::Result<SectionInputs<'r>> {
        let scope = Scope::open(repo, request)?.with_changelog_file(self.file.as_deref());
        if self.next {
            SectionInputs::read_next(scope.clone(), &PackageDependencies::new(&scope))
        } else {
            SectionInputs::read(scope)
        }
    }

    fn add_one(&self, repo: &Repo, request: ChangelogRequest, session: &mut Session) -> anyhow::Result<()> {
        let inputs = session.progress().while_reading(repo, || self.read(repo, request))?;
        let mut changelog = inputs.changelog()?;
        let file = self.changelog_file(&changelog.history.scope)?;
        let tip = commit::branch(repo, self.branch.as_deref())?.tip;
        changelog.take_generated(tip, &file)?;
        let (history, section) = (&changelog.history, &changelog.section);
        history_report::print(history, session)?;
        if self.options.host.is_none() && !changelog.release.categories.is_empty() {
            history_report::note_assumed_forge(history, repo, session);
        }
        let version = &section.version;
        // The version of a section in the file is the one that is released.
        if let Some(estimate) = history.estimate.as_ref().filter(|_| self.next) {
            return Err(estimate.refusal(version, format!("name the version, such as `tidings add {version}`")).into());
        }
        if changelog.release.categories.is_empty() {
            self.note_empty(history, version, session)?;
        }
        let options = InsertOptions {
            replace: self.replace,
            moves_unreleased: changelog.moves_into_added(tip, &file)?,
            ..changelog.insertion.clone()
        };
        let config = history.config();
        let date = strftime(&options.date, config.date_format());
        let message = self.commit_message(&format!("version {}", self.version.as_ref().unwrap_or(version)), version);
        let consumption = changelog.consumption(tip, &file, &options)?;
        let files: Vec<&Path> = [file.as_path()].into_iter().chain(consumption.paths().map(Path::new)).collect();
        let done = self.put(repo, &files, &message, &mut |path, old| {
            if path != file {
                let path = path.to_str().unwrap_or_default();
                return Ok(consumption.apply(path, old)?.map_or(FileEdit::Delete, FileEdit::Write));
            }
            let mut document = Document::parse(old);
            let insertion = document.insert(section, &file, &options)?;
            let dated = (!config.is_gitlab_file).then(|| document.with_date(version, &options.date, &date)).flatten();
            let is_changed = insertion != Insertion::Unchanged || dated.is_some();
            Ok(is_changed.then(|| dated.unwrap_or(document).into_bytes()).into())
        })?;
        let mut document = json!({ "version": version });
        done.describe(&file.display().to_string(), &mut document);
        document["notes"] = done.printed_section(section, &options).notes().into();
        done.answer(&document, &self.sentence(version, &file, &done), session).map_err(|error| match &done {
            AddOutcome::Committed(made) => {
                error.context(format!("commit {} was created, but the output cannot be written", made.id.short()))
            }
            _ => error,
        })
    }

    /// Says that a section has no entries, or refuses it.
    fn note_empty(&self, history: &History, version: &str, session: &Session) -> anyhow::Result<()> {
        if self.fail_on_empty {
            return Err(no_entries().into());
        }
        session.note(&format!("the section of {version} has no entries: {}", nothing_listed(history)));
        session.note("hint: run `tidings explain` to see why, or use `--fail-on-empty` to add no such section");
        Ok(())
    }

    fn sentence(&self, version: &str, file: &Path, done: &AddOutcome) -> String {
        let file = file.display();
        match done {
            AddOutcome::Nothing if self.replace => format!("the section of {version} in {file} is up to date"),
            AddOutcome::Nothing => format!("{version} is already in {file}"),
            AddOutcome::Planned | AddOutcome::Previewed(_) | AddOutcome::Written(_) => {
                format!("added {version} to {file} (not committed)")
            }
            AddOutcome::Committed(committed) => {
                let on = committed.branch.as_deref().map(|branch| format!(" on {branch}")).unwrap_or_default();
                format!("added {version} to {file}: commit {}{on}", committed.id.short())
            }
        }
    }
}
