//! The changes of releases: sections in changelog files, versions in version files; and the notes of a section.

use std::path::{Path, PathBuf};

use indexmap::IndexSet;

use crate::{
    document::{Document, InsertOptions},
    git::{
        self, Repo,
        commit::{self, FileEdit},
    },
    model::{Date, Oid, Section, Version},
    pipeline::scope::changelog_file,
    sources::change_files::Consumption,
    version_files::VersionEdits,
};

/// The changes of a release in files: the section in the changelog file, the version in the version files.
#[derive(Debug)]
pub(super) struct FileEdits {
    pub(super) file: PathBuf,
    /// The section to insert or to replace; `None` if the file has it.
    pub(super) section: Option<NewSection>,
    /// The date of the section, if the file has it marked as unreleased.
    pub(super) date: Option<NewDate>,
    pub(super) version_edits: VersionEdits,
    /// What happens to the change files that the section lists.
    pub(super) consumption: Consumption,
}

impl FileEdits {
    /// Whether a commit has the section, however hooks formatted it, and the version in every version file. A filtered
    /// file counts as changed, because only git, which committed it, knows its content.
    pub(super) fn are_in(&self, repo: &Repo, commit: Oid, version: &Version) -> anyhow::Result<bool> {
        let is_missing = !has_released(repo, commit, &self.file, version)?;
        if is_missing && !commit::is_filtered(repo, &self.file)? {
            return Ok(false);
        }
        for path in self.version_edits.paths() {
            let content = git::file::read_at_commit(repo, commit, path)?.unwrap_or_default();
            let is_set = self.version_edits.apply(path, &content).is_ok_and(|new| new == content);
            if !is_set && !commit::is_filtered(repo, Path::new(path))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns every file that several releases may change, once.
pub(super) fn files<'a>(releases: &[&'a FileEdits]) -> Vec<&'a Path> {
    let of_release = |edits: &'a FileEdits| {
        let others = edits.version_edits.paths().chain(edits.consumption.paths()).map(Path::new);
        [edits.file.as_path()].into_iter().chain(others)
    };
    releases.iter().copied().flat_map(of_release).collect::<IndexSet<_>>().into_iter().collect()
}

/// Returns what the edits of several releases do to a file, in their order.
pub(super) fn edit(releases: &[&FileEdits], path: &Path, old: &[u8]) -> anyhow::Result<FileEdit> {
    let mut new = old.to_vec();
    for edits in releases {
        if path == edits.file
            && let Some(NewSection { section, options }) = &edits.section
        {
            let mut document = Document::parse(new);
            document.insert(section, path, options)?;
            new = document.into_bytes();
        }
        if let Some(date) = edits.date.as_ref().filter(|_| path == edits.file) {
            new = date.write(Document::parse(new)).into_bytes();
        }
        if let Some(path) = path.to_str() {
            new = edits.version_edits.apply(path, &new)?;
            match edits.consumption.apply(path, &new)? {
                Some(content) => new = content,
                None => return Ok(FileEdit::Delete),
            }
        }
    }
    Ok(Some(new).filter(|new| new != old).into())
}

/// The text of a section without the hashes of its heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReleaseNotes {
    /// The text of the heading, such as `1.2.0 (2024-03-09)`.
    pub title: String,
    /// The text below it, in Markdown.
    pub body: String,
}

impl ReleaseNotes {
    pub(crate) fn from_section(section: &Section) -> Self {
        let date = section.date.as_ref().map(|date| format!(" ({date})")).unwrap_or_default();
        Self { title: section.version.clone() + &date, body: section.body.clone() }
    }

    /// Returns the message of a tag: title, empty line, body.
    pub(crate) fn message(&self) -> String {
        format!("{}\n\n{}\n", self.title, self.body)
    }
}

/// A new section, and how it is inserted into the file.
#[derive(Debug)]
pub(super) struct NewSection {
    pub(super) section: Section,
    pub(super) options: InsertOptions,
}

/// The date that a section gets in place of its mark as unreleased.
#[derive(Debug)]
pub(super) struct NewDate {
    pub(super) version: String,
    pub(super) date: Date,
    /// The date as the configuration has it, for a file that shows no form of dates.
    pub(super) text: String,
}

impl NewDate {
    /// Writes the date into the document, which stays as it is if the section has one.
    pub(super) fn write(&self, document: Document) -> Document {
        document.with_date(&self.version, &self.date, &self.text).unwrap_or(document)
    }
}

/// Whether the file at a commit has the section of a version, not marked as unreleased.
pub(super) fn has_released(repo: &Repo, commit: Oid, file: &Path, version: &Version) -> anyhow::Result<bool> {
    let (document, version) = (changelog_file::read(repo, commit, file)?, version.to_string());
    Ok(document.section(&version).is_some() && !document.is_pending(&version))
}

/// Reads the section of a version from the file at a commit, however people edited it since it was made.
pub(super) fn find_notes(
    repo: &Repo,
    commit: Oid,
    file: &Path,
    version: &Version,
) -> anyhow::Result<Option<ReleaseNotes>> {
    Ok(notes_of(&changelog_file::read(repo, commit, file)?, version))
}

/// Returns the section of a version in a document.
pub(super) fn notes_of(document: &Document, version: &Version) -> Option<ReleaseNotes> {
    document.section(&version.to_string()).map(|found| ReleaseNotes {
        title: found.title.to_owned(),
        body: String::from_utf8_lossy(found.body).replace("\r\n", "\n"),
    })
}
