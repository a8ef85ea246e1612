//! What the tags of a repository lead to, for many of them at once. The file of packed references is read once then, and
//! the directories of the others are listed once, where a look for each tag would open a file and search another one.

use std::collections::{HashMap, HashSet};

use anyhow::{Context as _, Result};
use gix::{ObjectId, bstr::ByteSlice as _, object::Kind};

use super::{Repo, oid, tags};
use crate::model::{Oid, none_if_missing};

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
        let text =
            none_if_missing(std::fs::read(&file)).with_context(|| format!("cannot read `{}`", file.display()))?;
        let mut packed = parse(&text.unwrap_or_default());
        let loose: HashSet<String> = tags::loose_names(directory)?.into_iter().collect();
        packed.retain(|name, _| !loose.contains(name));
        Ok(Self { repo, packed })
    }

    /// Returns the object that the reference of a tag points at, as [`tags::target`] does.
    pub(super) fn target(&self, name: &str) -> Result<Option<ObjectId>> {
        self.packed.get(name).map_or_else(|| tags::target(self.repo, name), |packed| Ok(Some(packed.target)))
    }

    /// Returns the commit that a tag leads to, as [`tags::peel`] does.
    pub(super) fn peel(&self, name: &str) -> Result<Option<Oid>> {
        let Some(PackedTag { target, peeled }) = self.packed.get(name).copied() else {
            return tags::peel(self.repo, name);
        };
        let id = peeled.unwrap_or(target);
        match self.repo.gix().try_find_header(id) {
            Ok(Some(header)) if header.kind() == Kind::Commit => Ok(Some(oid(&id))),
            _ => tags::peel(self.repo, name),
        }
    }
}

/// Returns the commits that tags lead to, as [`tags::peel`] does for each.
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
        let (Some(name), Ok(target)) = (name.strip_prefix(tags::TAGS.as_bytes()), ObjectId::from_hex(id)) else {
            continue;
        };
        if let Ok(name) = name.to_str() {
            found.insert(name.to_owned(), PackedTag { target, peeled: None });
            last = Some(name.to_owned());
        }
    }
    found
}
