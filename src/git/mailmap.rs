//! `.mailmap`: the names and addresses people go by today (gitmailmap(5)).

use gix::{actor::SignatureRef, bstr::ByteSlice as _};

use super::{Repo, revision};
use crate::model::{Person, SharedText};

/// The corrections a repository knows.
#[derive(Debug)]
pub struct Mailmap {
    snapshot: gix::mailmap::Snapshot,
}

/// Reads `.mailmap` of the work tree (in a bare repository: of HEAD) and what `mailmap.file` and `mailmap.blob` name.
/// What cannot be read corrects nothing, as in git.
#[must_use]
pub fn load(repo: &Repo) -> Mailmap {
    let head = repo.server().and_then(|_| revision::resolve(repo, "HEAD").ok());
    let files = head.and_then(|head| repo.with_file(head, ".mailmap").ok());
    Mailmap { snapshot: files.unwrap_or(repo.gix()).open_mailmap() }
}

impl Mailmap {
    /// The person behind a name and an address; the same one where nothing is known.
    #[must_use]
    pub fn resolve(&self, person: &Person) -> Person {
        let signature = SignatureRef { name: (*person.name).into(), email: (*person.email).into(), time: "" };
        let Some(mapped) = self.snapshot.try_resolve_ref(signature) else { return person.clone() };
        let text = |mapped: Option<&gix::bstr::BStr>, own: &SharedText| {
            mapped.map_or_else(|| own.clone(), |mapped| mapped.to_str_lossy().into_owned().into())
        };
        Person { name: text(mapped.name, &person.name), email: text(mapped.email, &person.email) }
    }
}
