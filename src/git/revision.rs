//! Resolving what the user calls a commit: a tag, a branch, an id, `HEAD~2`, `v1.0^{}` (gitrevisions(7)).

use std::{error::Error, io};

use anyhow::{Context as _, Result};
use gix::object::Kind;

use super::{Repo, object, oid, shallow};
use crate::model::{Oid, Problem, repository::NotFound};

/// The commit that `spec` names, peeled. A tag goes before a branch of the same name, as in git.
///
/// # Errors
/// Where it names nothing, several things, or no commit.
pub fn resolve(repo: &Repo, spec: &str) -> Result<Oid> {
    if let Some(server) = repo.server() {
        return server.resolve(repo.gix(), spec);
    }
    let id = repo.gix().rev_parse_single(spec).map_err(|error| unknown(repo, spec, error.into()))?;
    let object = id.object().with_context(|| format!("the object of `{spec}` is not in this repository"))?;
    let peeled = object.peel_tags_to_end().with_context(|| format!("cannot follow the tag `{spec}`"))?;
    match peeled.kind {
        Kind::Commit => Ok(oid(&peeled.id)),
        other => Err(Problem::new(format!("`{spec}` is a {other}, not a commit")).into()),
    }
}

/// Says whether nothing or too much is known under this name, and where it might be.
fn unknown(repo: &Repo, spec: &str, cause: anyhow::Error) -> anyhow::Error {
    if spec.starts_with("HEAD") && object::is_empty(repo) {
        return Problem::from(NotFound::Commits).into();
    }
    if format!("{cause:#}").to_lowercase().contains("ambiguous") {
        let problem = Problem::new(format!("`{spec}` is ambiguous: several objects begin like this"));
        return problem.hint("give more digits of the id").into();
    }
    let problem = Problem::new(format!("unknown revision `{spec}`"));
    let hint = if repo.is_shallow() {
        shallow::unshallow_hint()
    } else {
        "`git fetch --tags` brings tags that are not here yet"
    };
    let problem = problem.hint(hint);
    if is_unreadable(&cause) { cause.context(problem) } else { problem.into() }
}

/// Whether something could not be read; that a name was looked for everywhere in vain is no news under `unknown`.
fn is_unreadable(cause: &anyhow::Error) -> bool {
    let failure = |cause: &(dyn Error + 'static)| cause.downcast_ref::<io::Error>().map(io::Error::kind);
    cause.chain().filter_map(failure).any(|kind| kind != io::ErrorKind::NotFound)
}
