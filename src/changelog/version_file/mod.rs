//! Setting the version in a file: only the value changes, everything around it stays as it is.
//!
//! Each format locates the value. The text is replaced there, and parsed again to check the result.

mod file_tree;
mod location;
pub(crate) mod workspace;

use std::str;

use anyhow::Context as _;

pub(crate) use self::file_tree::FileTree;
use self::{
    location::{VersionSpan, describe, find},
    workspace::{Workspace, WorkspaceEdit},
};
use crate::{
    config::{VersionFile, VersionLocator},
    model::Problem,
};

/// The version files of a release, and the version that they get.
#[derive(Debug, Default)]
pub(crate) struct VersionEdits {
    version: String,
    edits: Vec<FileEdit>,
}

#[derive(Debug)]
enum FileEdit {
    Value(VersionFile),
    /// Every file of a workspace that depends on the version.
    Workspace(WorkspaceEdit),
}

impl VersionEdits {
    pub(crate) fn plan(files: &[VersionFile], version: &str, tree: &dyn FileTree) -> anyhow::Result<Self> {
        let edits = files.iter().map(|file| match &file.locator {
            VersionLocator::Workspace { kind, members } => {
                let workspace = Workspace::load(*kind, &file.path, tree)?;
                Ok(FileEdit::Workspace(workspace.edit(members, version, tree)?))
            }
            _ => Ok(FileEdit::Value(file.clone())),
        });
        Ok(Self { version: version.to_owned(), edits: edits.collect::<anyhow::Result<_>>()? })
    }

    /// Returns the paths of the files from the top of the repository; a path may occur several times.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.edits.iter().flat_map(FileEdit::paths)
    }

    /// Returns the content of one of the files with the version set.
    pub(crate) fn apply(&self, path: &str, content: &[u8]) -> anyhow::Result<Vec<u8>> {
        let mut new = content.to_vec();
        for edit in self.edits.iter().filter(|edit| edit.paths().contains(&path)) {
            new = match edit {
                FileEdit::Value(file) => set(&new, file, &self.version)?,
                FileEdit::Workspace(edit) => {
                    let text = str::from_utf8(&new).with_context(|| format!("`{path}` is not valid UTF-8"))?;
                    edit.apply(path, text)?.into_bytes()
                }
            };
        }
        Ok(new)
    }
}

impl FileEdit {
    fn paths(&self) -> Vec<&str> {
        match self {
            Self::Value(file) => vec![&file.path],
            Self::Workspace(edit) => edit.paths.iter().map(String::as_str).collect(),
        }
    }
}

/// Returns the content of a file with this version set.
fn set(content: &[u8], file: &VersionFile, version: &str) -> anyhow::Result<Vec<u8>> {
    let path = &file.path;
    if content.is_empty() {
        return Err(Problem::new(format!("the version file `{path}` is missing or empty"))
            .hint("commit it, or correct its path in `version_files:`, which is relative to the top of the repository")
            .into());
    }
    let text = str::from_utf8(content).with_context(|| format!("the version file `{path}` is not valid UTF-8"))?;
    let mut new = text.to_owned();
    // The last one is replaced first, so that the spans before it stay valid.
    for found in find(text, file)?.into_iter().rev() {
        new.replace_range(found.span, &like(&found.value, version));
    }
    let is_set = |found: &VersionSpan| found.value.strip_prefix('v').unwrap_or(&found.value) == version;
    if find(&new, file).is_ok_and(|found| found.iter().all(is_set)) {
        return Ok(new.into_bytes());
    }
    Err(Problem::new(format!("the version file `{path}` would not have {version} at {} afterwards", describe(file)))
        .hint("use a key or regex that finds the version whatever its value is")
        .into())
}

/// Returns the current values that the locator of a version file leads to.
pub(crate) fn values(content: &[u8], file: &VersionFile) -> anyhow::Result<Vec<String>> {
    let text = str::from_utf8(content)?;
    Ok(find(text, file)?.into_iter().map(|found| found.value).collect())
}

/// Returns the version in the form of the old one: a `v` before it stays.
fn like(old: &str, version: &str) -> String {
    let is_marked = old.strip_prefix('v').is_some_and(|old| old.starts_with(|first: char| first.is_ascii_digit()));
    if is_marked { format!("v{version}") } else { version.to_owned() }
}

#[cfg(test)]
mod tests;
