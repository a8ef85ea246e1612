//! `show` and `add` on a project of a server: the server finds the range and makes the section.

use std::io::Write as _;

use serde_json::{Value, json};

use super::{ChangelogArgs, Server, Session, WriteArgs, args::MAX_COMMITS};
use crate::{
    api::{
        ApiRequest,
        repository::{AddChangelog, GenerateChangelog},
    },
    model::{Problem, ProblemKind, Version},
};

/// The section a server makes.
pub(super) fn section(version: &str, options: &ChangelogArgs, session: &Session) -> anyhow::Result<String> {
    let server = Server::of(session)?;
    let data = server.client().send(&generate(version, options, &server)?)?;
    server.finish_progress();
    Ok(data.notes)
}

/// Fails if a section has no entries.
pub(super) fn refuse_empty(notes: &str) -> Result<(), Problem> {
    let body = notes.lines().filter(|line| !line.starts_with("## ")).collect::<String>();
    match body.trim() {
        "" | "No changes." => Err(Problem::new("the section has no entries").kind(ProblemKind::NothingToDo)),
        _ => Ok(()),
    }
}

/// A section as it is printed; what only a local run knows is `null` in the document.
pub(super) fn print(version: &str, notes: &str, session: &mut Session) -> anyhow::Result<()> {
    let document = json!({
        "version": version.strip_prefix('v').unwrap_or(version),
        "date": Value::Null, "base": Value::Null, "from": Value::Null, "to": Value::Null, "commits": Value::Null,
        "entries": Value::Null, "categories": Value::Null,
        "notes": notes,
    });
    session.answer(&document, |out| out.bytes().write_all(notes.as_bytes()))
}

/// Where a server puts a section.
pub(super) struct ChangelogTarget<'a> {
    pub(super) branch: Option<&'a str>,
    pub(super) file: &'a str,
    pub(super) message: Option<&'a str>,
}

/// Has a server commit the section of a version.
pub(super) fn add(
    version: &str,
    options: &ChangelogArgs,
    place: &ChangelogTarget,
    write: WriteArgs,
    session: &mut Session,
) -> anyhow::Result<()> {
    let server = Server::of(session)?;
    let endpoint = AddChangelog {
        section: generate(version, options, &server)?,
        branch: place.branch.map(str::to_owned),
        file: Some(place.file.to_owned()),
        message: place.message.map(str::to_owned),
    };
    if server.send_change(session, &ApiRequest::of(&endpoint), write)?.is_some() {
        let (project, file) = (server.project()?, place.file);
        let document = json!({ "version": version, "file": file, "status": "done", "project": project });
        session.answer(&document, |out| writeln!(out, "{project} has {version} in {file}"))?;
    }
    Ok(())
}

fn generate(version: &str, options: &ChangelogArgs, server: &Server) -> anyhow::Result<GenerateChangelog> {
    version.parse::<Version>()?.require_semantic()?;
    refuse_local_options(options)?;
    Ok(GenerateChangelog {
        project: server.project()?.to_owned(),
        version: version.to_owned(),
        from: options.range.from.clone(),
        to: options.range.to.clone(),
        date: options.given_date()?.map(|date| date.to_string()),
        trailer: Some(options.range.trailer.clone()),
        config_file: options.range.settings.config_file.clone(),
        config_file_ref: options.range.settings.config_ref.clone(),
    })
}

/// The host and path that the server's links have.
pub(super) fn links(session: &Session) -> anyhow::Result<(Option<String>, Option<String>)> {
    let server = Server::of(session)?;
    let path = Some(server.project()?.to_owned()).filter(|project| project.contains('/'));
    Ok((Some(server.client().base().url().origin()), path))
}

/// What a server decides itself is not silently ignored.
fn refuse_local_options(options: &ChangelogArgs) -> anyhow::Result<()> {
    let given = [
        ("--first-release", options.range.first_release),
        ("--package", options.range.settings.package.is_some()),
        ("--template", options.template.is_some()),
        ("--host", options.host.is_some()),
        ("--project-path", options.project_path.is_some()),
        ("--allow-shallow", options.range.allow_shallow),
        ("--max-commits", options.range.max_commits != MAX_COMMITS),
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
                .hint("without `--project` the section is made here, from the repository")
                .into())
        }
    }
}
