//! One changed file as the service shows it.

use anyhow::Result;
use gix::{bstr::ByteSlice as _, object::tree::EntryKind};

use super::{
    patch,
    tree_change::{TreeChange, TreeFile},
};
use crate::{
    git::{Repo, content::is_binary, object, quote::quote},
    model::repository::{Extra, FileDiff},
};

/// The service's description of a change, with its hunks.
pub(super) fn file_diff(repo: &Repo, change: &TreeChange) -> Result<FileDiff> {
    let path = |file: &Option<TreeFile>| file.as_ref().map(|file| file.path.to_str_lossy().into_owned());
    let (old_path, new_path) = (path(&change.old), path(&change.new));
    let renamed_file = old_path.is_some() && new_path.is_some() && old_path != new_path;
    Ok(FileDiff {
        diff: text(repo, change)?,
        new_path: new_path.clone().or(old_path.clone()).unwrap_or_default(),
        old_path: old_path.or(new_path).unwrap_or_default(),
        a_mode: Some(mode(change.old.as_ref())),
        b_mode: Some(mode(change.new.as_ref())),
        new_file: change.old.is_none(),
        renamed_file,
        deleted_file: change.new.is_none(),
        generated_file: None,
        collapsed: false,
        too_large: false,
        extra: Extra::new(),
    })
}

/// Puts the two header lines of a unified diff in front of the hunks, if there are any.
pub(super) fn with_header(mut diff: FileDiff) -> FileDiff {
    if diff.diff.starts_with("@@") {
        let old = if diff.new_file { "/dev/null".to_owned() } else { format!("a/{}", diff.old_path) };
        let new = if diff.deleted_file { "/dev/null".to_owned() } else { format!("b/{}", diff.new_path) };
        diff.diff.insert_str(0, &format!("--- {old}\n+++ {new}\n"));
    }
    diff
}

fn mode(file: Option<&TreeFile>) -> String {
    file.map_or_else(|| "0".to_owned(), |file| format!("{:o}", file.mode as u32))
}

/// The hunks, or git's sentence on binary files.
fn text(repo: &Repo, change: &TreeChange) -> Result<String> {
    let (old, new) = (content(repo, change.old.as_ref())?, content(repo, change.new.as_ref())?);
    let text = if old == new {
        Vec::new()
    } else if is_binary(&old) || is_binary(&new) {
        let (old, new) = (label("a/", change.old.as_ref()), label("b/", change.new.as_ref()));
        format!("Binary files {old} and {new} differ\n").into_bytes()
    } else {
        patch::hunks(&old, &new)
    };
    Ok(text.to_str_lossy().into_owned())
}

/// What is compared: the bytes of a file, the target of a link, the commit of a submodule.
fn content(repo: &Repo, file: Option<&TreeFile>) -> Result<Vec<u8>> {
    match file {
        None => Ok(Vec::new()),
        Some(file) if file.mode == EntryKind::Commit => Ok(format!("Subproject commit {}\n", file.id).into_bytes()),
        Some(file) => Ok(object::find(repo, file.id)?.detach().data),
    }
}

fn label(side: &str, file: Option<&TreeFile>) -> String {
    file.map_or_else(|| "/dev/null".to_owned(), |file| quote(&[side.as_bytes(), &file.path].concat()))
}
