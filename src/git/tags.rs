//! Tags: listed by name alone, peeled only when one is used.

use std::{fs, path::Path};

use anyhow::{Context as _, Result};
use gix::bstr::ByteSlice as _;

use super::{Repo, decode::text, oid};
use crate::model::{Oid, none_if_missing};

const FOLDER: &str = "refs/tags/";

/// The names of all tags behind `refs/tags/`, in the order of the references (bytewise). Names alone are read: a file for
/// all that are packed, and folders for the others.
///
/// # Errors
/// Where the references cannot be read.
pub fn names(repo: &Repo) -> Result<Vec<String>> {
    let folder = repo.gix().common_dir();
    let mut names = packed(&folder.join("packed-refs"))?;
    loose(&folder.join(FOLDER), &mut String::new(), &mut names)?;
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

/// The tags of git's `packed-refs`: lines of an id, a space and a full name, between others.
fn packed(file: &Path) -> Result<Vec<String>> {
    let packed = none_if_missing(fs::read(file)).with_context(|| format!("cannot read `{}`", file.display()))?;
    let Some(packed) = packed else { return Ok(Vec::new()) };
    let mut names = Vec::with_capacity(packed.len() / 128);
    for line in packed.lines() {
        let name = line.find_byte(b' ').and_then(|space| line[space + 1..].strip_prefix(FOLDER.as_bytes()));
        names.extend(name.filter(|_| line[0].is_ascii_hexdigit()).map(|name| text(name).into_owned()));
    }
    Ok(names)
}

/// Adds the tags in a folder and in those below it; `prefix` is where the folder is behind `refs/tags/`.
fn loose(folder: &Path, prefix: &mut String, names: &mut Vec<String>) -> Result<()> {
    let context = || format!("cannot read the folder `{}`", folder.display());
    for entry in none_if_missing(fs::read_dir(folder)).with_context(context)?.into_iter().flatten() {
        let entry = entry.with_context(context)?;
        let own = prefix.len();
        prefix.push_str(&entry.file_name().to_string_lossy());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            prefix.push('/');
            loose(&entry.path(), prefix, names)?;
        } else if gix::validate::reference::name_partial(prefix.as_str().into()).is_ok() {
            names.push(prefix.clone());
        }
        prefix.truncate(own);
    }
    Ok(())
}

/// The commit a tag stands for, through as many annotated tags as it takes; `None` where there is no such tag, or where
/// it marks a tree or a blob.
///
/// # Errors
/// Where the tag's object is missing or broken.
pub fn peel(repo: &Repo, name: &str) -> Result<Option<Oid>> {
    if let Some(server) = repo.server() {
        return Ok(server.tag(name));
    }
    let full = format!("{FOLDER}{name}");
    let Some(mut tag) =
        repo.gix().try_find_reference(&full).with_context(|| format!("cannot read the tag `{name}`"))?
    else {
        return Ok(None);
    };
    let id = tag.peel_to_id().with_context(|| format!("cannot follow the tag `{name}`"))?;
    let kind = id.header().with_context(|| format!("cannot find the object of the tag `{name}`"))?.kind();
    Ok((kind == gix::object::Kind::Commit).then(|| oid(&id)))
}
