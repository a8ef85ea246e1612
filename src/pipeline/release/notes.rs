//! The notes of a release, and the sections in the changelog file that they are read from.

use std::path::Path;

use crate::{
    changelog::document::{Document, InsertOptions},
    git::{self, Repo},
    model::{Oid, Section, Version},
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

/// A new section, and how it is inserted into the file.
#[derive(Debug)]
pub(super) struct NewSection {
    pub(super) section: Section,
    pub(super) options: InsertOptions,
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
