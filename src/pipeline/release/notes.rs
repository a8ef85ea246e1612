//! The notes of a release: the section that the changelog file has, else a new one.

use std::path::Path;

use super::{edits::NewSection, inputs::ResolvedVersion};
use crate::{
    changelog::{
        classifier::Retention,
        document::{Document, InsertOptions},
    },
    git::{self, Repo, revision},
    model::{Oid, Section, Version, Warning},
    pipeline::{self, ForgeLookup, SectionInputs},
};

/// The text of a section without the hashes of its heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseNotes {
    /// The text of the heading, such as `1.2.0 (2024-03-09)`.
    pub title: String,
    /// The text below it, in Markdown.
    pub body: String,
}

impl ReleaseNotes {
    /// The notes of a rendered section.
    #[must_use]
    pub fn from_section(section: &Section) -> Self {
        let date = section.date.as_ref().map(|date| format!(" ({date})")).unwrap_or_default();
        Self { title: section.version.clone() + &date, body: section.body.clone() }
    }

    /// The message of a tag: title, empty line, body.
    #[must_use]
    pub fn message(&self) -> String {
        format!("{}\n\n{}\n", self.title, self.body)
    }
}

/// Reads the section of a version from the file at a commit, however people edited it since it was made.
pub(super) fn find(repo: &Repo, commit: Oid, file: &Path, version: &Version) -> anyhow::Result<Option<ReleaseNotes>> {
    let document = document(repo, commit, file)?;
    Ok(document.section(&version.to_string()).map(|found| ReleaseNotes {
        title: found.title.to_owned(),
        body: String::from_utf8_lossy(found.body).replace("\r\n", "\n"),
    }))
}

/// Reads the changelog file at a commit; it is empty if there is no such file.
pub(super) fn document(repo: &Repo, commit: Oid, file: &Path) -> anyhow::Result<Document> {
    Ok(Document::parse(content(repo, commit, file)?))
}

/// Reads a file at a commit; it is empty if there is no such file.
pub(super) fn content(repo: &Repo, commit: Oid, file: &Path) -> anyhow::Result<Vec<u8>> {
    let path = file.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    Ok(git::file::at(repo, commit, &path)?.unwrap_or_default())
}

/// Where the notes come from.
#[derive(Debug)]
pub(super) enum NotesSource {
    /// The file has the section.
    FromFile(ReleaseNotes, Vec<Warning>),
    /// The section is still to be made.
    Generated(Box<SectionInputs>),
}

impl NotesSource {
    /// Takes the section that the file has at the released commit.
    pub(super) fn from_file(
        repo: &Repo,
        resolved: &ResolvedVersion,
        commit: Oid,
        is_tagged: bool,
    ) -> anyhow::Result<Option<Self>> {
        let Some(notes) = find(repo, commit, &resolved.file, &resolved.version)? else { return Ok(None) };
        let late = if is_tagged { None } else { late_changes(repo, resolved, commit)? };
        let further = resolved.history.iter().flat_map(|history| history.warnings.clone());
        Ok(Some(Self::FromFile(notes, late.into_iter().chain(further).collect())))
    }

    /// Takes the history up to the released commit; what the version followed from is not read again.
    pub(super) fn from_history(repo: &Repo, resolved: &mut ResolvedVersion, commit: Oid) -> anyhow::Result<Self> {
        let mut request = resolved.request.clone();
        request.range.to = commit.to_string();
        let inputs = match resolved.history.take() {
            Some(history) => SectionInputs::from_history(history, repo, request)?,
            None => SectionInputs::read_under(resolved.config.clone(), repo, request)?,
        };
        Ok(Self::Generated(Box::new(inputs)))
    }

    /// Makes the notes, and the section to insert if the file does not have it.
    pub(super) fn make(
        self,
        lookup: Option<&dyn ForgeLookup>,
        repo: &Repo,
    ) -> anyhow::Result<(ReleaseNotes, Option<NewSection>, Vec<Warning>)> {
        Ok(match self {
            Self::FromFile(notes, warnings) => (notes, None, warnings),
            Self::Generated(inputs) => {
                let changelog = inputs.changelog(lookup, repo)?;
                let options = InsertOptions { replace: true, ..changelog.insertion };
                let new = NewSection { section: changelog.section, options };
                (ReleaseNotes::from_section(&new.section), Some(new), changelog.history.warnings)
            }
        })
    }
}

/// Warns of changes between the commit that introduced the section and the one that is released: the tag has them, the
/// notes do not.
fn late_changes(repo: &Repo, resolved: &ResolvedVersion, commit: Oid) -> anyhow::Result<Option<Warning>> {
    let introduced = introducing_commit(repo, resolved, commit)?;
    if introduced == commit {
        return Ok(None);
    }
    let mut request = resolved.request.clone();
    request.range.from = Some(introduced.to_string());
    request.range.to = commit.to_string();
    request.range.first_release = false;
    let history = pipeline::history_under(resolved.config.clone(), repo, &request, Retention::Listed)?;
    let listed = history.commits.iter().filter(|judged| judged.verdict.is_listed());
    let listed = listed.filter_map(|judged| judged.commit.as_deref());
    let titles: Vec<_> = listed.map(|late| format!("{} {}", late.id.short(), late.subject())).collect();
    if titles.is_empty() {
        return Ok(None);
    }
    let (file, version) = (resolved.file.display(), &resolved.version);
    let titles = titles.join("; ");
    let message = format!("the section of {version} in `{file}` was written before these changes: {titles}");
    Ok(Some(Warning::new(message).hint("`--replace` renews the section; what was edited by hand in it is lost")))
}

/// Returns the oldest commit in a row of first parents that has the section.
fn introducing_commit(repo: &Repo, resolved: &ResolvedVersion, mut commit: Oid) -> anyhow::Result<Oid> {
    while let Ok(parent) = revision::resolve(repo, &format!("{commit}^")) {
        if find(repo, parent, &resolved.file, &resolved.version)?.is_none() {
            break;
        }
        commit = parent;
    }
    Ok(commit)
}
