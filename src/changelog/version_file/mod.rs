//! Setting the version in a file: the value alone changes, everything around it stays to the byte.
//!
//! Each kind of file tells where the value stands; the text is cut there, and read again to see that it is right.

mod json;
mod key;
mod pattern;
mod toml;
pub mod workspace;
mod yaml;

use std::{ops::Range, path::Path, str};

use anyhow::{Context as _, anyhow};

use self::workspace::{Workspace, WorkspaceEdit};
use crate::model::{Problem, VersionFile, VersionLocator};

/// The version files of a release, and the version that they get.
#[derive(Debug, Default)]
pub struct VersionEdits {
    version: String,
    edits: Vec<FileEdit>,
}

#[derive(Debug)]
enum FileEdit {
    /// A value of one file.
    Value(VersionFile),
    /// Every file of a workspace that has to do with the version.
    Workspace(WorkspaceEdit),
}

impl VersionEdits {
    /// Finds the files that a version is set in.
    ///
    /// # Errors
    ///
    /// If a workspace cannot be read, or has something that cannot be set; the message names file and line.
    pub fn plan(files: &[VersionFile], version: &str, tree: &dyn FileTree) -> anyhow::Result<Self> {
        let edits = files.iter().map(|file| match &file.locator {
            VersionLocator::Workspace { kind, members } => {
                let workspace = Workspace::load(*kind, &file.path, tree)?;
                Ok(FileEdit::Workspace(workspace.edit(members, version, tree)?))
            }
            _ => Ok(FileEdit::Value(file.clone())),
        });
        Ok(Self { version: version.to_owned(), edits: edits.collect::<anyhow::Result<_>>()? })
    }

    /// The files, as they are named from the top of the repository; one may be there several times.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.edits.iter().flat_map(FileEdit::paths)
    }

    /// The content of one of them with the version in it.
    ///
    /// # Errors
    ///
    /// If the file does not exist or is not valid, or has no text at the place; the message names file and place.
    pub fn apply(&self, path: &str, content: &[u8]) -> anyhow::Result<Vec<u8>> {
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

/// A value, and where it stands without the quotes around it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct VersionSpan {
    span: Range<usize>,
    value: String,
}

/// The files of a repository at one point of its history; paths are from its top, `/` between their parts.
pub trait FileTree {
    /// The content of a file; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn read(&self, path: &str) -> anyhow::Result<Option<Vec<u8>>>;

    /// The names of the directories in a directory; the top is the empty path.
    ///
    /// # Errors
    ///
    /// If the directory cannot be read.
    fn directories(&self, path: &str) -> anyhow::Result<Vec<String>>;

    /// Whether a directory exists; one that cannot be read does not.
    fn has_directory(&self, path: &str) -> bool {
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", path));
        self.directories(parent).is_ok_and(|names| names.iter().any(|found| found == name))
    }
}

#[cfg(test)]
impl FileTree for std::collections::BTreeMap<&str, &str> {
    fn read(&self, path: &str) -> anyhow::Result<Option<Vec<u8>>> {
        Ok(self.get(path).map(|text| text.as_bytes().to_vec()))
    }

    fn directories(&self, path: &str) -> anyhow::Result<Vec<String>> {
        let below = |file: &&str| {
            let rest = if path.is_empty() { file } else { file.strip_prefix(path)?.strip_prefix('/')? };
            rest.split_once('/').map(|(name, _)| name.to_owned())
        };
        let mut names: Vec<_> = self.keys().filter_map(below).collect();
        names.dedup();
        Ok(names)
    }
}

/// The content of a file with this version in it.
///
/// # Errors
///
/// Where the file is missing, is not what its name says, or has no text at the place; the message names file and place.
fn set(content: &[u8], file: &VersionFile, version: &str) -> anyhow::Result<Vec<u8>> {
    let path = &file.path;
    if content.is_empty() {
        return Err(Problem::new(format!("the version file `{path}` is missing or empty"))
            .hint("`version_files:` in the settings names it; paths start at the top of the repository")
            .into());
    }
    let text = std::str::from_utf8(content).with_context(|| format!("the version file `{path}` is no UTF-8"))?;
    let mut new = text.to_owned();
    // From the end, so that the places before stay what they are.
    for found in find(text, file)?.into_iter().rev() {
        new.replace_range(found.span, &like(&found.value, version));
    }
    let is_set = |found: &VersionSpan| found.value.strip_prefix('v').unwrap_or(&found.value) == version;
    if find(&new, file).is_ok_and(|found| found.iter().all(is_set)) {
        return Ok(new.into_bytes());
    }
    Err(Problem::new(format!("the version file `{path}` would not have {version} at {} afterwards", place(file)))
        .hint("the place must be found whatever the version is")
        .into())
}

/// What stands in a file where the version is to be.
///
/// # Errors
///
/// Where the file is not what its name says, or has no text at the place.
pub fn values(content: &[u8], file: &VersionFile) -> anyhow::Result<Vec<String>> {
    let text = std::str::from_utf8(content)?;
    Ok(find(text, file)?.into_iter().map(|found| found.value).collect())
}

/// The version as the old one was written: a `v` before it stays.
fn like(old: &str, version: &str) -> String {
    let is_marked = old.strip_prefix('v').is_some_and(|old| semver::Version::parse(old).is_ok());
    if is_marked { format!("v{version}") } else { version.to_owned() }
}

fn find(text: &str, file: &VersionFile) -> anyhow::Result<Vec<VersionSpan>> {
    let at = || format!("cannot set the version in `{}` at {}", file.path, place(file));
    match &file.locator {
        VersionLocator::Regex(regex) => pattern::find(text, regex).with_context(at),
        VersionLocator::Key(dotted) => by_key(text, file, dotted).with_context(at).map(|found| vec![found]),
        VersionLocator::Workspace { .. } => Err(anyhow!("a workspace has no single place for its version")),
    }
}

fn by_key(text: &str, file: &VersionFile, dotted: &str) -> anyhow::Result<VersionSpan> {
    let keys = key::parse(dotted)?;
    let extension = Path::new(&file.path).extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    match extension.as_str() {
        "toml" => toml::find(text, &keys),
        "json" => json::find(text, &keys),
        "yml" | "yaml" => yaml::find(text, &keys),
        _ => Err(Problem::new("keys are known in files that end in `.toml`, `.json`, `.yml` and `.yaml`")
            .hint("name the place with `regex:` in place of `key:`, its one group being the version")
            .into()),
    }
}

fn place(file: &VersionFile) -> String {
    match &file.locator {
        VersionLocator::Key(key) => format!("the key `{key}`"),
        VersionLocator::Regex(regex) => format!("the regex `{regex}`"),
        VersionLocator::Workspace { .. } => "its members".to_owned(),
    }
}

/// A quoted or plain scalar as it is written, cut to what is between the quotes.
fn between_quotes(text: &str, span: Range<usize>, value: &str) -> anyhow::Result<VersionSpan> {
    let written = text.get(span.clone()).context("it stands nowhere")?;
    let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| written.starts_with(quotes));
    let width = quotes.map_or(0, str::len);
    if written.len() < 2 * width || written.contains('\n') {
        return Err(anyhow!("its value reaches over several lines"));
    }
    Ok(VersionSpan { span: span.start + width..span.end - width, value: value.to_owned() })
}

fn missing(key: &str) -> anyhow::Error {
    anyhow!("there is no `{key}`")
}

fn unlike(kind: &str) -> anyhow::Error {
    anyhow!("its value is {kind}, not a text")
}

#[cfg(test)]
mod tests;
