//! Lists trees (git-ls-tree(1)) in GitLab's order: directories, files, submodules.

use anyhow::{Context as _, Result};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use gix::{ObjectId, bstr::ByteSlice as _, object::tree::EntryKind as Mode};
use serde::{Deserialize, Serialize};

use super::{FetchedObjects, Repo, object, object_id, revision};
use crate::model::{
    Oid, Problem,
    repository::{EntryKind, TreeEntry, TreePage, TreeRequest, no_directory},
};

/// The most entries that are listed or compared. A few small trees can name any number of files.
const MAX_ENTRIES: usize = 2_000_000;

/// Refuses a number of entries that would take too much time and memory.
pub(super) fn check_count(entries: usize) -> Result<(), Problem> {
    if entries <= MAX_ENTRIES {
        return Ok(());
    }
    Err(Problem::new(format!("the tree has more than {MAX_ENTRIES} entries")))
}

/// Lists the entries of a directory, or everything below it.
///
/// # Errors
/// If the ref, the directory or the page token is unknown, or an object cannot be read.
pub(crate) fn tree(repo: &Repo, request: &TreeRequest) -> Result<TreePage> {
    let commit = revision::resolve_or_head(repo, request.reference.as_deref())?;
    let objects = repo.with_trees(vec![object_id(commit)])?;
    let path = request.path.trim_matches('/');
    let directory = find(objects, &object::root(objects, commit)?, path)?;
    let mut entries = list(objects, directory, path.as_bytes(), request.recursive)?;
    entries.sort_by_key(|entry| entry.kind);
    page(entries, request.page_token.as_deref(), request.per_page)
}

/// Returns the names of the directories in a directory (empty for the root); none if it does not exist.
pub(crate) fn directories(repo: &Repo, commit: Oid, path: &str) -> Result<Vec<String>> {
    names(repo, commit, path, &[Mode::Tree])
}

/// Returns the names of the files in a directory (empty for the root); none if it does not exist.
pub(crate) fn files(repo: &Repo, commit: Oid, path: &str) -> Result<Vec<String>> {
    names(repo, commit, path, &[Mode::Blob, Mode::BlobExecutable])
}

/// Returns the names of the files and symbolic links in a directory; none if it does not exist.
pub(crate) fn files_and_links(repo: &Repo, commit: Oid, path: &str) -> Result<Vec<String>> {
    names(repo, commit, path, &[Mode::Blob, Mode::BlobExecutable, Mode::Link])
}

/// Returns the names of the submodules in a directory (empty for the root); none if it does not exist.
pub(crate) fn submodules(repo: &Repo, commit: Oid, path: &str) -> Result<Vec<String>> {
    names(repo, commit, path, &[Mode::Commit])
}

/// A symbolic link of a directory.
#[derive(Debug)]
pub(crate) struct SymbolicLink {
    pub(crate) name: String,
    /// The path that it leads to, from its directory.
    pub(crate) target: String,
}

/// Returns the symbolic links in a directory (empty for the root); none if it does not exist.
pub(crate) fn links(repo: &Repo, commit: Oid, path: &str) -> Result<Vec<SymbolicLink>> {
    let objects = repo.with_trees(vec![object_id(commit)])?;
    let links = members(objects, commit, path, &[Mode::Link])?.into_iter().filter_map(|link| {
        let name = String::from_utf8(link.path).ok()?;
        Some(
            object::find(objects, link.id)
                .map(|target| SymbolicLink { name, target: target.data.to_str_lossy().into() }),
        )
    });
    links.collect()
}

/// Returns the paths of the files in each directory of a directory; none if it does not exist.
pub(crate) fn files_below(repo: &Repo, commit: Oid, path: &str) -> Result<Vec<String>> {
    let objects = repo.with_trees(vec![object_id(commit)])?;
    let root = object::root(objects, commit)?;
    let entry = object::entry(&root, path).with_context(|| format!("cannot look up `{path}`"))?;
    let Some(entry) = entry.filter(|entry| entry.mode().is_tree()) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for directory in children(objects, entry.object_id(), path.as_bytes())?.into_iter().rev() {
        if directory.mode == Mode::Tree {
            let files =
                children(objects, directory.id, &directory.path)?.into_iter().rev().filter(TreeMember::is_regular);
            found.extend(files.filter_map(|file| String::from_utf8(file.path).ok()));
        }
    }
    Ok(found)
}

fn names(repo: &Repo, commit: Oid, path: &str, modes: &[Mode]) -> Result<Vec<String>> {
    let members = members(repo.with_trees(vec![object_id(commit)])?, commit, path, modes)?;
    Ok(members.into_iter().filter_map(|member| String::from_utf8(member.path).ok()).collect())
}

/// Returns the entries of these kinds in a directory, each with its name as its path.
fn members(objects: FetchedObjects, commit: Oid, path: &str, modes: &[Mode]) -> Result<Vec<TreeMember>> {
    let root = object::root_id(objects, commit)?;
    let tree = if path.is_empty() {
        Some(root)
    } else {
        let found = object::at_path(objects, root, path).with_context(|| format!("cannot look up `{path}`"))?;
        found.filter(|found| found.mode.is_tree()).map(|found| found.id)
    };
    let mut members = tree.map_or(Ok(Vec::new()), |tree| children(objects, tree, b""))?;
    members.retain(|member| modes.contains(&member.mode));
    members.reverse();
    Ok(members)
}

fn find(objects: FetchedObjects, root: &gix::Tree<'_>, path: &str) -> Result<ObjectId> {
    if path.is_empty() {
        return Ok(root.id);
    }
    let entry =
        root.lookup_entry(path.split('/').map(str::as_bytes)).with_context(|| format!("cannot look up `{path}`"))?;
    match entry {
        Some(entry) if entry.mode().is_tree() => Ok(object::tree(objects, entry.object_id())?.id),
        _ => Err(no_directory(path).into()),
    }
}

/// Lists the entries below a tree, each directory before its content. Trees may nest too deeply for recursion.
fn list(objects: FetchedObjects, tree: ObjectId, path: &[u8], recursive: bool) -> Result<Vec<TreeEntry>> {
    let mut listed = Vec::new();
    let mut pending = children(objects, tree, path)?;
    while let Some(child) = pending.pop() {
        listed.push(child.entry());
        let hint = "list one directory at a time, without `--recursive`";
        check_count(listed.len()).map_err(|problem| problem.hint(hint))?;
        if recursive && child.mode == Mode::Tree {
            pending.extend(children(objects, child.id, &child.path)?);
        }
    }
    Ok(listed)
}

/// A file, directory, link or submodule of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreeMember {
    /// The path from the root, of any bytes; empty for the root.
    pub(super) path: Vec<u8>,
    pub(super) mode: Mode,
    /// The ID of its object, or of the commit of a submodule.
    pub(super) id: ObjectId,
}

/// Returns the entries of the tree at `path`, last first.
pub(super) fn children(objects: FetchedObjects, tree: ObjectId, path: &[u8]) -> Result<Vec<TreeMember>> {
    let tree = object::tree(objects, tree)?;
    let decoded = tree.decode().with_context(|| format!("tree `{}` is broken", tree.id))?;
    Ok(decoded
        .entries
        .iter()
        .rev()
        .map(|entry| TreeMember {
            path: join_path(path, entry.filename),
            mode: entry.mode.kind(),
            id: entry.oid.to_owned(),
        })
        .collect())
}

/// Joins a directory and a name; the path of the root is empty.
pub(super) fn join_path(directory: &[u8], name: &[u8]) -> Vec<u8> {
    if directory.is_empty() { name.to_owned() } else { [directory, b"/", name].concat() }
}

impl TreeMember {
    pub(super) fn is_regular(&self) -> bool {
        matches!(self.mode, Mode::Blob | Mode::BlobExecutable)
    }

    pub(super) fn name(&self) -> &[u8] {
        self.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
    }

    fn entry(&self) -> TreeEntry {
        TreeEntry {
            id: self.id.to_string(),
            name: self.name().to_str_lossy().into_owned(),
            kind: match self.mode {
                Mode::Tree => EntryKind::Tree,
                Mode::Commit => EntryKind::Commit,
                Mode::Blob | Mode::BlobExecutable | Mode::Link => EntryKind::Blob,
            },
            path: self.path.to_str_lossy().into_owned(),
            mode: format!("{:06o}", self.mode as u32),
        }
    }
}

/// The content of a page token, in GitLab's format: JSON in Base64.
#[derive(Serialize, Deserialize)]
struct PageToken {
    file_name: String,
}

fn page(mut entries: Vec<TreeEntry>, token: Option<&str>, per_page: Option<usize>) -> Result<TreePage> {
    let start = token.map_or(Ok(0), |token| index_after(&entries, token))?;
    let count = per_page.unwrap_or(usize::MAX).min(entries.len() - start);
    let is_last = start + count == entries.len();
    let items: Vec<_> = entries.drain(start..start + count).collect();
    let next = items.last().filter(|_| !is_last).map(|last| PageToken { file_name: last.path.clone() });
    let next = next.map(|token| serde_json::to_string(&token)).transpose()?;
    Ok(TreePage { items, next: next.map(|json| STANDARD.encode(json)) })
}

/// Returns the index after the entry of a page token, which contains the entry's path, or is its ID.
fn index_after(entries: &[TreeEntry], token: &str) -> Result<usize> {
    let decoded = STANDARD.decode(token).ok().and_then(|json| serde_json::from_slice::<PageToken>(&json).ok());
    let found = entries
        .iter()
        .position(|entry| match &decoded {
            Some(decoded) => entry.path == decoded.file_name,
            None => entry.id == token,
        })
        .map(|index| index + 1);
    found.ok_or_else(|| Problem::new(format!("no entry of this list has the page token `{token}`")).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(names: &[&str]) -> Vec<TreeEntry> {
        let entry = |name: &&str| {
            let path = name.as_bytes().to_owned();
            TreeMember { path, mode: Mode::Blob, id: ObjectId::empty_blob(gix::hash::Kind::Sha1) }.entry()
        };
        names.iter().map(entry).collect()
    }

    #[test]
    fn there_is_a_limit_of_entries() {
        assert!(check_count(MAX_ENTRIES).is_ok());
        let problem = check_count(MAX_ENTRIES + 1).unwrap_err();
        assert_eq!(problem.to_string(), "the tree has more than 2000000 entries");
    }

    #[test]
    fn pages_put_together_are_the_list() {
        let all = entries(&["a", "b", "c", "d", "e"]);
        let (mut token, mut collected) = (None, Vec::new());
        loop {
            let page = page(all.clone(), token.as_deref(), Some(2)).unwrap();
            collected.extend(page.items);
            token = page.next;
            if token.is_none() {
                break;
            }
        }
        assert_eq!(collected, all);
    }

    #[test]
    fn a_token_that_means_no_entry_is_refused() {
        for token in ["zzz", "", "eyJmaWxlX25hbWUiOiJ6In0="] {
            assert!(page(entries(&["a"]), Some(token), None).is_err(), "{token}");
        }
    }
}
