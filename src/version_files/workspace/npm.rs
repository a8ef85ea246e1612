//! `package.json`, `pnpm-workspace.yaml`, and the lock files of npm, pnpm, Bun and Yarn.

use std::ops::Range;

use indexmap::IndexMap;
use serde_json::value::RawValue;

use super::{
    edit::{Dependent, Replacement, WorkspaceEdit},
    manifest::{Dependency, Manifest, ManifestError, PEERS, Scope},
};
use crate::version_files::{
    span::{VersionSpan, strip_quotes},
    yaml_tree::YamlTree,
};

const DEVELOPMENT: &str = "devDependencies";

/// In the order of changesets: of a package in several tables, the last one says whether it is the one of the repository.
const TABLES: [&str; 4] = ["dependencies", DEVELOPMENT, PEERS, "optionalDependencies"];

type Object<'a> = IndexMap<String, &'a RawValue>;

pub(super) fn parse(text: &str) -> Result<Manifest, ManifestError> {
    let file = JsonFile { text };
    let root = file.root()?;
    let mut manifest = Manifest {
        name: file.string(&root, "name")?.map(|name| name.value),
        version: file.string(&root, "version")?,
        is_private: root.get("private").is_some_and(|value| value.get() == "true"),
        ..Manifest::default()
    };
    if let Some(members) = root.get("workspaces") {
        manifest.members = Some(file.members(members)?);
    }
    for table in TABLES {
        let Some(entries) = file.object(&root, table)? else { continue };
        for key in entries.keys() {
            let Some(found) = file.string(&entries, key)? else { continue };
            let (scheme, is_path) = (found.value.split_once(':').map(|(scheme, _)| scheme), found.value.contains('/'));
            let requirement = match scheme {
                Some("file" | "link" | "portal") => None,
                Some("workspace") if is_path => None,
                None | Some("workspace") if !is_path => Some(found),
                _ => continue, // a URL, or another package under this name
            };
            manifest.dependencies.push(Dependency {
                table: table.to_owned(),
                key: key.clone(),
                name: key.clone(),
                directory: None,
                requirement,
                scope: Scope::Own,
                is_development: table == DEVELOPMENT,
            });
        }
    }
    Ok(manifest)
}

/// Sets the versions of members, and what they require of each other, in a `package-lock.json` of any format.
pub(super) fn lock(text: &str, edit: &WorkspaceEdit) -> Result<Vec<Replacement>, ManifestError> {
    let file = JsonFile { text };
    let root = file.root()?;
    let mut list = Vec::new();
    if edit.sets_member("") {
        list.extend(file.string(&root, "version")?.map(|found| edit.set_version(found)));
    }
    file.members_by_place(&root, "packages", edit, &mut list)?;
    // The second format repeats the tree for npm 6, where a member is a package with a path.
    for (_, raw) in file.object(&root, "dependencies")?.into_iter().flatten() {
        let entry = file.parse(raw)?;
        if file.string(&entry, "version")?.is_some_and(|version| version.value.starts_with("file:")) {
            file.requirements(&entry, "requires", edit, false, &mut list)?;
        }
    }
    Ok(list)
}

/// Sets the versions of members, and what they require of each other, in a `bun.lock`, which is JSON with trailing
/// commas.
pub(super) fn bun_lock(text: &str, edit: &WorkspaceEdit) -> Result<Vec<Replacement>, ManifestError> {
    let strict = strip_trailing_commas(text);
    let file = JsonFile { text: &strict };
    let mut list = Vec::new();
    file.members_by_place(&file.root()?, "workspaces", edit, &mut list)?;
    Ok(list)
}

/// Returns the text with blanks in place of the commas that JSON does not allow.
fn strip_trailing_commas(text: &str) -> String {
    let (mut bytes, mut comma, mut is_text, mut is_escaped) = (text.as_bytes().to_vec(), None, false, false);
    for (index, byte) in text.bytes().enumerate() {
        if is_text {
            is_text = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
            continue;
        }
        match byte {
            b',' => comma = Some(index),
            b'}' | b']' => comma.take().into_iter().for_each(|index: usize| bytes[index] = b' '),
            _ if byte.is_ascii_whitespace() => {}
            _ => (comma, is_text) = (None, byte == b'"'),
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Sets what members require of each other in a `pnpm-lock.yaml`.
pub(super) fn pnpm_lock(text: &str, edit: &WorkspaceEdit) -> Result<Vec<Replacement>, ManifestError> {
    let mut list = Vec::new();
    let Ok(lock) = YamlTree::parse(text) else { return Ok(list) };
    for Dependent { directory, table, key, name } in &edit.dependents {
        let is_raised = edit.raises_member(directory);
        let directory = if directory.is_empty() { "." } else { directory };
        let indices =
            [["importers", directory, table, key, "specifier"], ["importers", directory, "specifiers", key, ""]];
        for keys in indices {
            let keys: Vec<_> = keys.into_iter().filter(|key| !key.is_empty()).map(str::to_owned).collect();
            let Ok(found) = lock.find(text, &keys) else { continue };
            list.extend(edit.requirement(table, name, found, is_raised)?);
        }
    }
    Ok(list)
}

pub(super) fn pnpm_members(text: &str) -> Vec<String> {
    let Ok(workspace) = YamlTree::parse(text) else { return Vec::new() };
    (0..)
        .map_while(|index| workspace.find(text, &["packages".to_owned(), index.to_string()]).ok())
        .map(|found| found.value)
        .collect()
}

struct JsonFile<'a> {
    text: &'a str,
}

impl<'a> JsonFile<'a> {
    fn root(&self) -> Result<Object<'a>, ManifestError> {
        let body = self.text.trim_start_matches('\u{feff}');
        serde_json::from_str(body).map_err(|error| {
            let line_start =
                body.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
            let offset = self.text.len() - body.len() + line_start + error.column().saturating_sub(1);
            ManifestError { offset, message: format!("invalid JSON: {error}") }
        })
    }

    fn span(&self, raw: &RawValue) -> Range<usize> {
        let start = raw.get().as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + raw.get().len()
    }

    fn parse(&self, raw: &'a RawValue) -> Result<Object<'a>, ManifestError> {
        serde_json::from_str(raw.get())
            .map_err(|_| ManifestError::new(Some(self.span(raw)), "the value must be an object"))
    }

    fn object(&self, parent: &Object<'a>, key: &str) -> Result<Option<Object<'a>>, ManifestError> {
        parent.get(key).map(|raw| self.parse(raw)).transpose()
    }

    fn string(&self, parent: &Object<'a>, key: &str) -> Result<Option<VersionSpan>, ManifestError> {
        let Some(raw) = parent.get(key) else { return Ok(None) };
        let span = self.span(raw);
        let Ok(value) = serde_json::from_str::<String>(raw.get()) else {
            return Err(ManifestError::new(Some(span), format!("`{key}` must be a string")));
        };
        let found = strip_quotes(self.text, span.clone(), &value);
        found.map(Some).map_err(|error| ManifestError::new(Some(span), format!("`{key}`: {error}")))
    }

    /// Reads a list of patterns, or an object that has it as `packages`.
    fn members(&self, raw: &'a RawValue) -> Result<Vec<String>, ManifestError> {
        let refusal = || ManifestError::new(Some(self.span(raw)), "`workspaces` must be a list of strings");
        let list = match self.parse(raw) {
            Ok(object) => *object.get("packages").ok_or_else(refusal)?,
            Err(_) => raw,
        };
        serde_json::from_str(list.get()).map_err(|_| refusal())
    }

    /// Sets versions and requirements in an object whose keys are the directories of members; those in `node_modules`
    /// are not part of the repository.
    fn members_by_place(
        &self,
        root: &Object<'a>,
        key: &str,
        edit: &WorkspaceEdit,
        list: &mut Vec<Replacement>,
    ) -> Result<(), ManifestError> {
        for (index, raw) in self.object(root, key)?.into_iter().flatten() {
            if index.split('/').any(|part| part == "node_modules") {
                continue;
            }
            let entry = self.parse(raw)?;
            if edit.sets_member(&index) {
                list.extend(self.string(&entry, "version")?.map(|found| edit.set_version(found)));
            }
            for table in TABLES {
                self.requirements(&entry, table, edit, edit.raises_member(&index), list)?;
            }
        }
        Ok(())
    }

    fn requirements(
        &self,
        entry: &Object<'a>,
        table: &str,
        edit: &WorkspaceEdit,
        is_raised: bool,
        list: &mut Vec<Replacement>,
    ) -> Result<(), ManifestError> {
        let Some(requirements) = self.object(entry, table)? else { return Ok(()) };
        for name in requirements.keys() {
            if let Some(found) = self.string(&requirements, name)? {
                list.extend(edit.requirement(table, name, found, is_raised)?);
            }
        }
        Ok(())
    }
}

const YARN_TABLES: [&str; 2] = ["dependencies:", "peerDependencies:"];

/// Sets what members require of each other in a `yarn.lock` since Yarn 2; their own versions are not in it. The file of
/// Yarn 1 does not list members of the workspace, so nothing in it depends on their versions.
pub(super) fn yarn_lock(text: &str, edit: &WorkspaceEdit) -> Result<Vec<Replacement>, ManifestError> {
    let mut list = Vec::new();
    let mut end = 0;
    let starts: Vec<usize> = text
        .split_inclusive('\n')
        .map(|line| {
            end += line.len();
            end - line.len()
        })
        .collect();
    let lines: Vec<(usize, &str)> = starts.into_iter().zip(text.split_inclusive('\n')).collect();
    for entry in lines.chunk_by(|_, (_, next)| !(!next.starts_with([' ', '#']) && !next.trim().is_empty())) {
        in_entry(entry, edit, &mut list)?;
    }
    Ok(list)
}

fn in_entry(lines: &[(usize, &str)], edit: &WorkspaceEdit, list: &mut Vec<Replacement>) -> Result<(), ManifestError> {
    let Some(((offset, key), rest)) = lines
        .split_first()
        .filter(|_| lines.iter().any(|(_, line)| line.starts_with("  resolution:") && line.contains("@workspace:")))
    else {
        return Ok(());
    };
    list.extend(set_key(key, *offset, edit)?);
    let mut is_open = false;
    for (offset, line) in rest {
        let Some(pair) = line.strip_prefix("    ") else {
            is_open = YARN_TABLES.contains(&line.trim());
            continue;
        };
        let Some((name, value)) = pair.split_once(": ").filter(|_| is_open && !pair.starts_with(' ')) else { continue };
        let start = offset + line.len() - value.len() + usize::from(value.starts_with('"'));
        let found = yarn_requirement(start, value.trim().trim_matches('"'));
        list.extend(edit.set_requirement(name.trim_matches('"'), found)?);
    }
    Ok(())
}

/// Raises the requirements in the key of an entry, such as `"mast@npm:^1.0.0, mast@workspace:packages/mast":`.
fn set_key(line: &str, offset: usize, edit: &WorkspaceEdit) -> Result<Option<Replacement>, ManifestError> {
    let key = line.trim_end().trim_end_matches(':').trim_matches('"');
    let start = offset + usize::from(line.starts_with('"'));
    let mut descriptors: Vec<String> = Vec::new();
    for descriptor in key.split(", ") {
        let at = descriptor.get(1..).and_then(|rest| rest.find('@')).map_or(descriptor.len(), |at| at + 2);
        let found = yarn_requirement(at, &descriptor[at..]);
        let range = found.span.clone();
        descriptors.push(match edit.set_requirement(descriptor[..at].trim_end_matches('@'), found)? {
            Some(raised) => format!("{}{}", &descriptor[..range.start], raised.new),
            None => descriptor.to_owned(),
        });
    }
    descriptors.sort();
    descriptors.dedup();
    let new = descriptors.join(", ");
    let found = VersionSpan { span: start..start + key.len(), value: key.to_owned() };
    Ok((new != key).then_some(Replacement { found, new }))
}

/// Returns a requirement without the protocol that Yarn writes before it.
fn yarn_requirement(start: usize, value: &str) -> VersionSpan {
    let bare = value.strip_prefix("npm:").unwrap_or(value);
    let start = start + value.len() - bare.len();
    VersionSpan { span: start..start + bare.len(), value: bare.to_owned() }
}
