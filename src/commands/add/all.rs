//! `--all`: puts every release that the changelog file does not have into it, in one commit.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::{AddOutcome, Args, relay};
use crate::{
    changelog::document::{Document, InsertOptions},
    commands::{Session, package_messages, people},
    git::Repo,
    model::{Problem, ProblemKind, Section, pluralize},
    pipeline::{self, ChangelogRequest, LoadedConfig},
};

/// Adds the releases that are missing.
pub(super) fn run(args: &Args, repo: &Repo, request: &ChangelogRequest, session: &mut Session) -> anyhow::Result<()> {
    let settings = LoadedConfig::load(repo, &request.settings)?;
    let asked = (&*session, &session.progress(), args.options.people);
    let read = || pipeline::releases(&settings, repo, request, args.since.as_ref());
    let mut made = people::releases(asked, repo, read)?;
    package_messages::print_once(made.iter().map(|changelog| &changelog.history), session)?;
    made.retain(|changelog| changelog.section.date.is_some());
    let file = args.file.clone().map_or_else(|| settings.changelog_file(repo).map(PathBuf::from), Ok)?;
    // From the oldest up: each goes above those that are there.
    let option = |options: InsertOptions| InsertOptions { moves_unreleased: false, ..options };
    let sections: Vec<(Section, InsertOptions)> =
        made.into_iter().rev().map(|changelog| (changelog.section, option(changelog.insertion))).collect();
    if sections.is_empty() {
        return Err(Problem::new("no tag is a release").kind(ProblemKind::NothingToDo).into());
    }
    let mut added = Vec::new();
    let message = args.message.clone().unwrap_or_else(|| message(args, &sections));
    let done = args.put(repo, &file, &message, &mut |old| insert(&sections, &file, old, &mut added))?;
    answer((&file, &added), &done, session)
}

/// Puts the missing sections into a document, and notes their versions.
fn insert(
    sections: &[(Section, InsertOptions)],
    file: &Path,
    old: &[u8],
    added: &mut Vec<String>,
) -> anyhow::Result<Option<Vec<u8>>> {
    let mut document = Document::parse(old);
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

fn message(args: &Args, sections: &[(Section, InsertOptions)]) -> String {
    let of = args.options.range.settings.package.as_ref().map(|package| format!(" of {package}")).unwrap_or_default();
    let newest = sections.last().map(|(section, _)| section.version.as_str()).unwrap_or_default();
    format!("Add changelog for all versions up to {newest}{of}")
}

fn answer((file, added): (&Path, &[String]), done: &AddOutcome, session: &mut Session) -> anyhow::Result<()> {
    relay(done, session);
    if session.json() {
        let mut document = super::document(file, done);
        document["versions"] = json!(added);
        return session.out.json(&document);
    }
    let (file, count) = (file.display(), pluralize(added.len(), "version"));
    let text = match done {
        AddOutcome::Nothing => format!("every release is already in {file}"),
        AddOutcome::Committed(committed) => format!("put {count} into {file}: commit {}", committed.id.short()),
        _ => format!("added {count} to {file} (not committed)"),
    };
    super::print(done, &text, session)
}
