//! The content of a file by its id (git-cat-file(1)).

use anyhow::Result;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use gix::{ObjectId, object::Kind};

use super::{Repo, object, revision};
use crate::model::{
    Problem,
    repository::{Blob, NotFound},
};

/// The blob that `name` names, wrapped for JSON: an id, the beginning of one, or a path as in `HEAD:README.md`.
///
/// # Errors
///
/// Where it names no blob, or one that cannot be read.
pub fn blob(repo: &Repo, name: &str) -> Result<Blob> {
    let object = find(repo, name)?;
    Ok(Blob {
        size: object.data.len() as u64,
        encoding: "base64".to_owned(),
        content: STANDARD.encode(&object.data),
        sha: object.id.to_string(),
    })
}

/// The plain content of the blob that `name` names.
///
/// # Errors
///
/// Where it names no blob, or one that cannot be read.
pub fn raw(repo: &Repo, name: &str) -> Result<Vec<u8>> {
    Ok(find(repo, name)?.detach().data)
}

fn find<'repo>(repo: &'repo Repo, name: &str) -> Result<gix::Object<'repo>> {
    let absent = || Problem::from(NotFound::Blob(name.to_owned()));
    let (repo, name) = repo.with_blob(name)?;
    let id = match (revision::object(repo, &name), ObjectId::from_hex(name.as_bytes())) {
        (Ok(id), _) => id,
        // What a partial clone left out is not unknown, only elsewhere.
        (Err(_), Ok(id)) if object::is_partial(repo) => id,
        (Err(_), _) => return Err(absent().into()),
    };
    let object = object::find(repo, id)?;
    if object.kind == Kind::Blob { Ok(object) } else { Err(absent().into()) }
}
