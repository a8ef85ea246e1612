//! The notes of a release: what its tag and its page on the host say.

use std::path::Path;

use crate::{
    changelog::document::Document,
    git::{self, Repo},
    model::{Oid, Section, Version},
};

/// A section without its heading's hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseNotes {
    /// The text of the heading, such as `1.2.0 (2024-03-09)`.
    pub title: String,
    /// What stands under it, in Markdown.
    pub body: String,
}

impl ReleaseNotes {
    /// The notes of a rendered section.
    #[must_use]
    pub fn of(section: &Section) -> Self {
        let date = section.date.as_ref().map(|date| format!(" ({date})")).unwrap_or_default();
        Self { title: section.version.clone() + &date, body: section.body.clone() }
    }

    /// The message of a tag: title, empty line, body.
    #[must_use]
    pub fn message(&self) -> String {
        format!("{}\n\n{}\n", self.title, self.body)
    }
}

/// The section of a version that the file has at a commit, however people edited it since it was made.
pub(super) fn find(repo: &Repo, commit: Oid, file: &Path, version: &Version) -> anyhow::Result<Option<ReleaseNotes>> {
    let document = document(repo, commit, file)?;
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    Ok(document.section(&version.to_string()).map(|found| ReleaseNotes {
        title: text(found.heading).trim_start_matches('#').trim().to_owned(),
        body: text(found.body).replace("\r\n", "\n"),
    }))
}

/// The changelog file as it is at a commit; empty where there is none.
pub(super) fn document(repo: &Repo, commit: Oid, file: &Path) -> anyhow::Result<Document> {
    let path = file.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    Ok(Document::parse(git::file::at(repo, commit, &path)?.unwrap_or_default()))
}
