//! The content of a file by its ID (git-cat-file(1)).

use anyhow::Result;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use gix::{ObjectId, object::Kind};

use super::{Repo, object, revision};
use crate::model::{
    Problem,
    repository::{Blob, NotFound},
};

/// Whether git takes this content for binary: a NUL is among the first 8000 bytes.
pub(in crate::git) fn is_binary(content: &[u8]) -> bool {
    content[..content.len().min(8000)].contains(&0)
}

/// The blob of a name, with its content in Base64. The name is an ID, an abbreviated one, or a path as in `HEAD:README.md`.
///
/// # Errors
/// If there is no such blob, or it cannot be read.
pub fn blob(repo: &Repo, name: &str) -> Result<Blob> {
    let object = find(repo, name)?;
    Ok(Blob {
        size: object.data.len() as u64,
        encoding: "base64".to_owned(),
        content: STANDARD.encode(&object.data),
        sha: object.id.to_string(),
    })
}

/// The content of the blob of a name.
///
/// # Errors
/// As [`blob`].
pub fn raw(repo: &Repo, name: &str) -> Result<Vec<u8>> {
    Ok(find(repo, name)?.detach().data)
}

fn find<'repo>(repo: &'repo Repo, name: &str) -> Result<gix::Object<'repo>> {
    let absent = || Problem::from(NotFound::Blob(name.to_owned()));
    let (repo, name) = repo.with_blob(name)?;
    let id = match (revision::object(repo, &name), ObjectId::from_hex(name.as_bytes())) {
        (Ok(id), _) => id,
        // A blob that a partial clone left out is missing, not unknown.
        (Err(_), Ok(id)) if object::is_partial(repo) => id,
        (Err(_), _) => return Err(absent().into()),
    };
    let object = object::find(repo, id)?;
    if object.kind == Kind::Blob { Ok(object) } else { Err(absent().into()) }
}
