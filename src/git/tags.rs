//! Tags: listed by name alone, peeled only when one is used.

use anyhow::{Context as _, Result};
use gix::bstr::ByteSlice as _;

use super::{Repo, oid};
use crate::model::Oid;

const FOLDER: &str = "refs/tags/";

/// The names of all tags behind `refs/tags/`, in the order of the references (bytewise).
///
/// # Errors
/// Where the references cannot be read.
pub fn names(repo: &Repo) -> Result<Vec<String>> {
    let context = "cannot list the tags";
    let references = repo.gix().references().context(context)?;
    let names = references.prefixed(FOLDER).context(context)?.filter_map(|tag| {
        let tag = tag.ok()?;
        Some(tag.name().as_bstr().strip_prefix(FOLDER.as_bytes())?.to_str_lossy().into_owned())
    });
    Ok(names.collect())
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
