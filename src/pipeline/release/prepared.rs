//! What a release says: the section that the file has, else a rendered one.

use super::{Notes, notes, version::Chosen};
use crate::{
    git::Repo,
    model::{Oid, Section, Warning},
    pipeline::{self, Directory},
};

/// The notes of a release, and what is to be put into the file for them.
pub(super) struct Prepared {
    pub(super) notes: Notes,
    /// The section to put in; `None` where the file has it.
    pub(super) section: Option<Section>,
    pub(super) warnings: Vec<Warning>,
}

impl Prepared {
    /// Takes the section that the file has at `commit`.
    pub(super) fn found(repo: &Repo, chosen: &Chosen, commit: Oid) -> anyhow::Result<Option<Self>> {
        let notes = notes::find(repo, commit, &chosen.file, &chosen.version)?;
        Ok(notes.map(|notes| Self { notes, section: None, warnings: Vec::new() }))
    }

    /// Renders one that ends at `commit`.
    pub(super) fn render(
        directory: Option<&dyn Directory>,
        repo: &Repo,
        chosen: &Chosen,
        commit: Oid,
    ) -> anyhow::Result<Self> {
        let mut asked = chosen.request.clone();
        asked.ends.to = commit.to_string();
        let changelog = pipeline::changelog_asking(directory, repo, &asked)?;
        let warnings = changelog.history.warnings;
        Ok(Self { notes: Notes::of(&changelog.section), section: Some(changelog.section), warnings })
    }
}
