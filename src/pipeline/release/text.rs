//! What the text of a release comes from: the section that the file has, else the history.

use super::{ReleaseNotes, late, notes, version::ResolvedVersion};
use crate::{
    git::Repo,
    model::{Oid, Section, Warning},
    pipeline::{ForgeLookup, SectionInputs},
};

/// Where the text is taken from.
#[derive(Debug)]
pub(super) enum NotesSource {
    /// It stands in the file.
    FromFile(ReleaseNotes, Vec<Warning>),
    /// It is made.
    Generated(Box<SectionInputs>),
}

impl NotesSource {
    /// Takes the section that the file has at the released commit.
    pub(super) fn written(
        repo: &Repo,
        chosen: &ResolvedVersion,
        commit: Oid,
        is_tagged: bool,
    ) -> anyhow::Result<Option<Self>> {
        let Some(notes) = notes::find(repo, commit, &chosen.file, &chosen.version)? else { return Ok(None) };
        let late = if is_tagged { None } else { late::warning(repo, chosen, commit)? };
        let further = chosen.history.iter().flat_map(|history| history.warnings.clone());
        Ok(Some(Self::FromFile(notes, late.into_iter().chain(further).collect())))
    }

    /// Takes the history up to the released commit; what asked for the version is not read again.
    pub(super) fn new(repo: &Repo, chosen: &mut ResolvedVersion, commit: Oid) -> anyhow::Result<Self> {
        let mut request = chosen.request.clone();
        request.range.to = commit.to_string();
        let material = match chosen.history.take() {
            Some(history) => SectionInputs::from_history(history, repo, request)?,
            None => SectionInputs::read(repo, request)?,
        };
        Ok(Self::Generated(Box::new(material)))
    }

    /// The notes, and the section to put into the file where it has none.
    pub(super) fn make(
        self,
        directory: Option<&dyn ForgeLookup>,
        repo: &Repo,
    ) -> anyhow::Result<(ReleaseNotes, Option<Section>, Vec<Warning>)> {
        Ok(match self {
            Self::FromFile(notes, warnings) => (notes, None, warnings),
            Self::Generated(material) => {
                let changelog = material.changelog(directory, repo)?;
                (ReleaseNotes::of(&changelog.section), Some(changelog.section), changelog.history.warnings)
            }
        })
    }
}
