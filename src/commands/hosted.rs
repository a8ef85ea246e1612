//! `show` and `add` with `--project`: the server finds the range and generates the section.

use std::io::Write as _;

use serde_json::{Value, json};

use super::{ChangelogArgs, Server, Session, history_report::no_entries};
use crate::{
    api::{
        Fields,
        repository::{self as endpoints, ChangelogData},
    },
    config::DEFAULT_TRAILER,
    git::commit::FileChange,
    model::{Date, Problem, ProblemKind, Version},
    pipeline::{Scope, SectionInputs},
};

/// Has the server generate the section of a version.
pub(super) fn section(version: &str, options: &ChangelogArgs, session: &Session) -> anyhow::Result<String> {
    let server = Server::from_session(session)?;
    let request = endpoints::section(server.project()?, fields(version, options)?);
    let data: ChangelogData = server.client().send(&request)?;
    server.finish_progress();
    Ok(data.notes)
}

pub(super) fn refuse_empty(notes: &str) -> Result<(), Problem> {
    let body = notes.lines().filter(|line| !line.starts_with("## ")).collect::<String>();
    match body.trim() {
        "" | "No changes." => Err(no_entries()),
        _ => Ok(()),
    }
}

/// Prints a section; values that only a local run knows are `null` in the document.
pub(super) fn print(version: &str, notes: &str, session: &mut Session) -> anyhow::Result<()> {
    let document = json!({
        "version": version.strip_prefix('v').unwrap_or(version),
        "tag": Value::Null, "date": Value::Null, "base": Value::Null, "from": Value::Null, "to": Value::Null, "commit_count": Value::Null,
        "entries": Value::Null, "categories": Value::Null,
        "notes": notes,
    });
    session.answer(&document, |out| out.bytes().write_all(notes.as_bytes()))
}

/// Returns the fields of a request for the section of a version. Values that are not given are left to the server.
pub(super) fn fields(version: &str, options: &ChangelogArgs) -> anyhow::Result<Fields> {
    version.parse::<Version>()?.require_semantic()?;
    refuse_local_options(options)?;
    let range = &options.range;
    Ok(Fields::new()
        .add("version", version)
        .add_given("from", range.from.as_ref())
        .add_given("to", range.to.as_ref())
        .add_given("date", options.given_date()?)
        .add("trailer", range.trailer.as_deref().unwrap_or(DEFAULT_TRAILER))
        .add_given("config_file", range.config.config_file.as_ref())
        .add_given("config_file_ref", range.config.config_ref.as_ref()))
}

/// Returns the host and path of the project on the server, for links.
fn links(session: &Session) -> anyhow::Result<(Option<String>, Option<String>)> {
    let server = Server::from_session(session)?;
    let path = Some(server.project()?.to_owned()).filter(|project| project.contains('/'));
    Ok((Some(server.client().base().url().origin()), path))
}

/// Refuses options that would have no effect, because the server decides.
fn refuse_local_options(options: &ChangelogArgs) -> anyhow::Result<()> {
    let given = [
        ("--first-release", options.range.first_release),
        ("--pre-releases", options.pre_releases),
        ("--package", options.range.config.package.is_some()),
        ("--template", options.template.is_some()),
        ("--host", options.host.is_some()),
        ("--forge", options.forge.is_some()),
        ("--project-path", options.project_path.is_some()),
        ("--allow-shallow", options.range.allow_shallow),
        ("--max-commits", options.range.max_commits.is_some()),
        ("--skip-released", options.range.skip_released),
        ("--no-skip-released", options.range.no_skip_released),
        ("--source", options.range.source.is_some()),
        ("--no-notes", options.range.no_notes),
        ("--people", options.people),
    ];
    let is_empty = |revision: &Option<String>| revision.as_ref().is_some_and(String::is_empty);
    if is_empty(&options.range.from) || is_empty(&options.range.to) {
        return Err(Problem::usage("`--from` and `--to` must not be empty").into());
    }
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => {
            Err(Problem::usage(format!("`{option}` cannot be used with `--project`: the server decides"))
                .hint("omit `--project` to generate the section from the local repository")
                .into())
        }
    }
}

/// Generates the section on the server and locally, for the same date, and prints how they differ.
pub(super) fn compare(version: &str, options: &ChangelogArgs, session: &mut Session) -> anyhow::Result<()> {
    let date = options.given_date()?.unwrap_or_else(Date::now);
    let options = ChangelogArgs { date: Some(date.to_string()), ..options.clone() };
    // These options apply to the local section alone.
    let mut for_server = ChangelogArgs { people: false, ..options.clone() };
    let range = &mut for_server.range;
    (range.max_commits, range.source, range.no_notes) = (None, None, false);
    let theirs = section(version, &for_server, session)?;
    let mut request = session.with_lookups(options.request(Some(version))?);
    (request.host, request.project_path) = links(session)?;
    let repo = session.whole_repo()?;
    let inputs = session.progress().while_reading(&repo, || SectionInputs::read(Scope::open(&repo, request)?))?;
    let changelog = inputs.changelog()?;
    session.warn(&changelog.history.warnings)?;
    let ours = changelog.section.notes().to_string();
    let diff = unified_diff(&theirs, &ours);
    let same = theirs == ours;
    session.answer(&json!({ "same": same, "server": theirs, "local": ours, "diff": diff }), |out| {
        out.write_all(diff.as_bytes())
    })?;
    if same {
        session.note("the server's section and the local one are the same");
        return Ok(());
    }
    Err(Problem::new("the server's section and the local one differ").kind(ProblemKind::CheckFailed).into())
}

fn unified_diff(theirs: &str, ours: &str) -> String {
    if theirs == ours {
        return String::new();
    }
    let change = FileChange { file: "section".to_owned(), before: Some(theirs.into()), after: Some(ours.into()) };
    String::from_utf8_lossy(&change.diff()).replacen("a/section", "server", 1).replacen("b/section", "local", 1)
}
