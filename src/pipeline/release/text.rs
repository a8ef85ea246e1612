//! What the text of a release comes from: the section that the file has, else the history.

use super::{Notes, late, notes, version::Chosen};
use crate::{
    git::Repo,
    model::{Oid, Section, Warning},
    pipeline::{Directory, Material},
};

/// Where the text is taken from.
#[derive(Debug)]
pub(super) enum Text {
    /// It stands in the file.
    Written(Notes, Vec<Warning>),
    /// It is made.
    New(Box<Material>),
}

impl Text {
    /// Takes the section that the file has at the released commit.
    pub(super) fn written(repo: &Repo, chosen: &Chosen, commit: Oid, is_tagged: bool) -> anyhow::Result<Option<Self>> {
        let Some(notes) = notes::find(repo, commit, &chosen.file, &chosen.version)? else { return Ok(None) };
        let late = if is_tagged { None } else { late::warning(repo, chosen, commit)? };
        let further = chosen.history.iter().flat_map(|history| history.warnings.clone());
        Ok(Some(Self::Written(notes, late.into_iter().chain(further).collect())))
    }

    /// Takes the history up to the released commit; what asked for the version is not read again.
    pub(super) fn new(repo: &Repo, chosen: &mut Chosen, commit: Oid) -> anyhow::Result<Self> {
        let mut request = chosen.request.clone();
        request.ends.to = commit.to_string();
        let material = match chosen.history.take() {
            Some(history) => Material::of(history, repo, request)?,
            None => Material::read(repo, request)?,
        };
        Ok(Self::New(Box::new(material)))
    }

    /// The notes, and the section to put into the file where it has none.
    pub(super) fn make(
        self,
        directory: Option<&dyn Directory>,
        repo: &Repo,
    ) -> anyhow::Result<(Notes, Option<Section>, Vec<Warning>)> {
        Ok(match self {
            Self::Written(notes, warnings) => (notes, None, warnings),
            Self::New(material) => {
                let changelog = material.changelog(directory, repo)?;
                (Notes::of(&changelog.section), Some(changelog.section), changelog.history.warnings)
            }
        })
    }
}
