//! The files that hold a version come in, the same files with the new version go out: only the value changes.
//!
//! Each format locates the value. The text is replaced there, and parsed again to check the result.

mod file_tree;
mod location;
pub(crate) mod present;
mod span;
pub(crate) mod workspace;
mod yaml_tree;

use std::{rc::Rc, str};

use anyhow::Context as _;
use indexmap::IndexMap;

pub(crate) use self::{
    file_tree::{FileTree, glob},
    present::values,
};
use self::{
    location::{ParsedFile, describe},
    present::PresentVersion,
    workspace::{RaisedRequirements, Workspace, WorkspaceEdit},
};
use crate::{
    config::{VersionFile, VersionLocator},
    model::{Problem, Warning},
};

/// The version files of a release, and the version that they get.
#[derive(Debug, Default)]
pub(crate) struct VersionEdits {
    version: String,
    /// The edits of each file, by its path from the top of the repository.
    files: IndexMap<String, Vec<Rc<FileEdit>>>,
    /// What a user should know about the workspaces.
    pub(crate) warnings: Vec<Warning>,
    /// The highest version that the files have now.
    present: Option<PresentVersion>,
}

#[derive(Debug)]
enum FileEdit {
    Value(VersionFile),
    /// Every file of a workspace that depends on the version.
    Workspace(Box<WorkspaceEdit>),
}

impl VersionEdits {
    /// Plans a version for these files. What other members of a workspace get in the same run is in `required`, as far as
    /// it has to be required from now on.
    pub(crate) fn plan(
        files: &[VersionFile],
        version: &str,
        required: &RaisedRequirements,
        tree: &dyn FileTree,
    ) -> anyhow::Result<Self> {
        let mut edits = Self { version: version.to_owned(), ..Self::default() };
        let of_values: Vec<VersionFile> =
            files.iter().filter(|file| !matches!(file.locator, VersionLocator::Workspace { .. })).cloned().collect();
        edits.present = present::highest(&of_values, tree);
        for file in files {
            let (edit, paths) = match &file.locator {
                VersionLocator::Workspace { kind, members } => {
                    let mut workspace = Workspace::load(*kind, &file.path, tree)?;
                    edits.note(&file.path, present::of_workspace(&workspace, members));
                    let edit = workspace.edit(members, version, required, tree)?;
                    edits.warnings.append(&mut workspace.warnings);
                    let paths = edit.paths.clone();
                    (FileEdit::Workspace(Box::new(edit)), paths)
                }
                _ => (FileEdit::Value(file.clone()), vec![file.path.clone()]),
            };
            let edit = Rc::new(edit);
            for path in paths {
                edits.files.entry(path).or_default().push(Rc::clone(&edit));
            }
        }
        Ok(edits)
    }

    fn note(&mut self, path: &str, version: Option<semver::Version>) {
        let Some(version) = version else { return };
        if self.present.as_ref().is_none_or(|known| known.version < version) {
            self.present = Some(PresentVersion { path: path.to_owned(), version });
        }
    }

    /// Returns the file with the highest version if it is a stable one above the new version, which would go back then.
    pub(crate) fn lowered(&self) -> Option<&PresentVersion> {
        let new = semver::Version::parse(&self.version).ok()?;
        self.present.as_ref().filter(|present| present.version.pre.is_empty() && present.version > new)
    }

    /// Returns the paths of the files from the top of the repository, each once.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    /// Returns the content of one of the files with the version set.
    pub(crate) fn apply(&self, path: &str, content: &[u8]) -> anyhow::Result<Vec<u8>> {
        let mut new = content.to_vec();
        let edits = self.files.get(path).map(Vec::as_slice).unwrap_or_default();
        let is_value = |edit: &Rc<FileEdit>| matches!(**edit, FileEdit::Value(_));
        for run in edits.chunk_by(|edit, next| is_value(edit) && is_value(next)) {
            let values: Vec<_> = run.iter().filter_map(|edit| edit.value()).collect();
            new = match &*run[0] {
                FileEdit::Value(_) => set(&new, path, &values, &self.version)?,
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
    fn value(&self) -> Option<&VersionFile> {
        match self {
            Self::Value(file) => Some(file),
            Self::Workspace(_) => None,
        }
    }
}

/// Returns the content of a file with this version set at all locations of it.
fn set(content: &[u8], path: &str, files: &[&VersionFile], version: &str) -> anyhow::Result<Vec<u8>> {
    if content.is_empty() {
        return Err(Problem::new(format!("the version file `{path}` is missing or empty"))
            .hint("commit it, or correct its path in `version_files:`, which is relative to the top of the repository")
            .into());
    }
    let text = str::from_utf8(content).with_context(|| format!("the version file `{path}` is not valid UTF-8"))?;
    let parsed = ParsedFile::new(text);
    let mut found = Vec::new();
    for file in files {
        found.extend(parsed.find(file)?);
    }
    found.sort_by_key(|found| (found.span.start, found.span.end));
    let (mut new, mut end) = (String::with_capacity(text.len()), 0);
    // Several keys and regexes may lead to the same value.
    for found in &found {
        if found.span.start >= end {
            new.push_str(&text[end..found.span.start]);
            new.push_str(&like(&found.value, version));
            end = found.span.end;
        }
    }
    new.push_str(&text[end..]);
    let parsed = ParsedFile::new(&new);
    match files.iter().find(|file| {
        !parsed.find(file).is_ok_and(|found| {
            found.iter().all(|found| found.value.strip_prefix('v').unwrap_or(&found.value) == version)
        })
    }) {
        None => Ok(new.into_bytes()),
        Some(file) => Err(Problem::new(format!(
            "the version file `{path}` would not have {version} at {} afterwards",
            describe(file)
        ))
        .hint("use a key or regex that finds the version whatever its value is")
        .into()),
    }
}

/// Returns the version in the form of the old one: a `v` before it stays.
fn like(old: &str, version: &str) -> String {
    let is_marked = old.strip_prefix('v').is_some_and(|old| old.starts_with(|first: char| first.is_ascii_digit()));
    if is_marked { format!("v{version}") } else { version.to_owned() }
}

#[cfg(test)]
mod tests;
