//! What the tags of a repository lead to: one, or many of them at once. For many, the file of packed references is read once then, and
//! the directories of the others are listed once, where a look for each tag would open a file and search another one.

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::Path,
};

use anyhow::{Context as _, Result};
use gix::{ObjectId, bstr::ByteSlice as _, object::Kind};

use super::{Repo, object, oid};
use crate::model::{Oid, none_if_missing};

pub(super) const TAGS: &str = "refs/tags/";

/// The number of tags from which on the whole file of packed references is read for them.
const MANY: usize = 16;

/// A tag in the file of packed references.
#[derive(Clone, Copy, Debug)]
struct PackedTag {
    /// The object that the reference points at.
    target: ObjectId,
    /// The object that an annotated tag leads to, if the file names it.
    peeled: Option<ObjectId>,
}

/// The tags that only the file of packed references has.
#[derive(Debug)]
pub(super) struct TagTargets<'r> {
    repo: &'r Repo,
    packed: HashMap<String, PackedTag>,
}

impl<'r> TagTargets<'r> {
    /// Reads the references for a look at so many tags.
    pub(super) fn new(repo: &'r Repo, count: usize) -> Result<Self> {
        if count < MANY || repo.server().is_some() {
            return Ok(Self { repo, packed: HashMap::new() });
        }
        let directory = repo.gix().common_dir();
        let file = directory.join("packed-refs");
        let text = none_if_missing(fs::read(&file)).with_context(|| format!("cannot read `{}`", file.display()))?;
        let mut packed = parse(&text.unwrap_or_default());
        let loose: HashSet<String> = loose_names(directory)?.into_iter().collect();
        packed.retain(|name, _| !loose.contains(name));
        Ok(Self { repo, packed })
    }

    /// Returns the object that the reference of a tag points at, as [`target`] does.
    pub(super) fn target(&self, name: &str) -> Result<Option<ObjectId>> {
        self.packed.get(name).map_or_else(|| target(self.repo, name), |packed| Ok(Some(packed.target)))
    }

    /// Returns the commit that a tag leads to, as [`peel`] does.
    pub(super) fn peel(&self, name: &str) -> Result<Option<Oid>> {
        let Some(PackedTag { target, peeled }) = self.packed.get(name).copied() else {
            return peel(self.repo, name);
        };
        let id = peeled.unwrap_or(target);
        match self.repo.gix().try_find_header(id) {
            Ok(Some(header)) if header.kind() == Kind::Commit => Ok(Some(oid(&id))),
            _ => peel(self.repo, name),
        }
    }
}

/// Returns the commits that tags lead to, as [`peel`] does for each.
pub(crate) fn peel_all(repo: &Repo, names: &[&str]) -> Result<Vec<Option<Oid>>> {
    let targets = TagTargets::new(repo, names.len())?;
    names.iter().map(|name| targets.peel(name)).collect()
}

/// Parses the tags of a file of packed references: after the line of an annotated tag, one with `^` has the object that it
/// leads to.
fn parse(text: &[u8]) -> HashMap<String, PackedTag> {
    let (mut found, mut last) = (HashMap::new(), None);
    for line in text.lines() {
        if let Some(peeled) = line.strip_prefix(b"^") {
            let tag: Option<&mut PackedTag> = last.take().and_then(|name: String| found.get_mut(&name));
            if let Some(tag) = tag {
                tag.peeled = ObjectId::from_hex(peeled).ok();
            }
            continue;
        }
        last = None;
        let Some((id, name)) = line.split_once_str(" ") else { continue };
        let (Some(name), Ok(target)) = (name.strip_prefix(TAGS.as_bytes()), ObjectId::from_hex(id)) else {
            continue;
        };
        if let Ok(name) = name.to_str() {
            found.insert(name.to_owned(), PackedTag { target, peeled: None });
            last = Some(name.to_owned());
        }
    }
    found
}

/// Returns the commit that a tag leads to, through any number of annotated tags; `None` if the tag does not exist, or
/// leads to a tree, a blob, or an object that is missing.
///
/// # Errors
/// If the object of the tag is broken.
pub(crate) fn peel(repo: &Repo, name: &str) -> Result<Option<Oid>> {
    if let Some(server) = repo.server() {
        return Ok(server.tag(name));
    }
    let target = match own_reference(repo, name)? {
        // The file of packed references names the object that an annotated tag leads to.
        Some(tag) => Some(match tag.inner.peeled {
            Some(peeled) => peeled,
            None => followed(tag, name)?,
        }),
        None => None,
    };
    let peeled = target.map_or(Ok(None), |id| object::try_peel_tags(repo.own_objects(), id));
    let Some(peeled) = peeled.with_context(|| format!("cannot follow the tag `{name}`"))? else {
        return Ok(repo.origin().and_then(Repo::server).and_then(|server| server.tag(name)));
    };
    Ok((peeled.kind == Kind::Commit).then(|| oid(&peeled.id)))
}

/// Returns the object that the reference of a tag points at in this repository, or else in its remote.
pub(super) fn target(repo: &Repo, name: &str) -> Result<Option<ObjectId>> {
    if gix::validate::reference::name(format!("{TAGS}{name}").as_str().into()).is_err() {
        return Ok(None);
    }
    match own_target(repo, name)? {
        None => repo.origin().map_or(Ok(None), |origin| own_target(origin, name)),
        found => Ok(found),
    }
}

pub(super) fn own_target(repo: &Repo, name: &str) -> Result<Option<ObjectId>> {
    own_reference(repo, name)?.map(|tag| followed(tag, name)).transpose()
}

fn own_reference<'r>(repo: &'r Repo, name: &str) -> Result<Option<gix::Reference<'r>>> {
    let found = repo.gix().try_find_reference(&format!("{TAGS}{name}"));
    found.with_context(|| format!("cannot read the tag `{name}`"))
}

fn followed(mut tag: gix::Reference<'_>, name: &str) -> Result<ObjectId> {
    let target = tag.follow_to_object().with_context(|| format!("cannot follow the tag `{name}`"))?;
    Ok(target.detach())
}

/// Returns the names of the tags that are files of their own.
pub(super) fn loose_names(common_dir: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    loose(&common_dir.join(TAGS), &mut String::new(), &mut names)?;
    Ok(names)
}

/// Adds the tags in a directory and in those below it; `prefix` is its path below `refs/tags/`.
fn loose(directory: &Path, prefix: &mut String, names: &mut Vec<String>) -> Result<()> {
    let context = || format!("cannot read the directory `{}`", directory.display());
    for entry in none_if_missing(fs::read_dir(directory)).with_context(context)?.into_iter().flatten() {
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
