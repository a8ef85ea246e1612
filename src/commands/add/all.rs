//! `--all`: puts every release that the changelog file does not have into it, in one commit.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::change::{self, AddOutcome, ChangeTarget, relay};
use crate::{
    changelog::document::{Document, InsertOptions},
    commands::{Session, package_messages, people::ServerLookup},
    config::HeadingRule,
    git::Repo,
    model::{Problem, ProblemKind, Section, Version, pluralize},
    pipeline::{self, ChangelogRequest, DetectedSettings, LoadedConfig},
};

/// All releases on their way into the changelog file.
pub(super) struct AllReleases<'a> {
    pub(super) since: Option<&'a Version>,
    pub(super) file: Option<&'a Path>,
    pub(super) message: Option<&'a str>,
    pub(super) people: bool,
    pub(super) target: ChangeTarget<'a>,
}

impl AllReleases<'_> {
    /// Adds the releases that are missing.
    pub(super) fn add(&self, repo: &Repo, request: &ChangelogRequest, session: &mut Session) -> anyhow::Result<()> {
        let mut settings = LoadedConfig::load(repo, &request.settings)?;
        if let Some(package) = top_package(pipeline::detected_packages(&settings, repo, request)?, session)? {
            settings = package.settings;
        }
        let inputs =
            session.progress().while_reading(repo, || pipeline::releases(&settings, repo, request, self.since))?;
        let lookup = ServerLookup(session);
        let made = inputs.into_iter().map(|inputs| inputs.changelog(lookup.if_requested(self.people), repo));
        let mut made = made.collect::<anyhow::Result<Vec<_>>>()?;
        package_messages::print_once(made.iter().map(|changelog| &changelog.history), session)?;
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
        answer((&file, &added), &done, session)
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

fn answer((file, added): (&Path, &[String]), done: &AddOutcome, session: &mut Session) -> anyhow::Result<()> {
    relay(done, session);
    if session.json() {
        let mut document = change::document(file, done);
        document["versions"] = json!(added);
        return session.out.json(&document);
    }
    let (file, count) = (file.display(), pluralize(added.len(), "version"));
    let text = match done {
        AddOutcome::Nothing => format!("every release is already in {file}"),
        AddOutcome::Committed(committed) => format!("put {count} into {file}: commit {}", committed.id.short()),
        _ => format!("added {count} to {file} (not committed)"),
    };
    change::print(done, &text, session)
}
