//! `.mailmap`: the current names and addresses of authors (gitmailmap(5)).

use gix::{actor::SignatureRef, bstr::ByteSlice as _, mailmap::Snapshot};

use super::{Repo, file, revision};
use crate::{
    bounded_read,
    model::{Person, SharedText},
};

const NAME: &str = ".mailmap";

/// The corrections of names and addresses.
#[derive(Debug)]
pub struct Mailmap {
    snapshot: Snapshot,
}

/// Loads `.mailmap` of the work tree (or of `HEAD` in a bare repository), `mailmap.file` and `mailmap.blob`. What cannot be
/// read is ignored, as in git.
#[must_use]
pub fn load(repo: &Repo) -> Mailmap {
    let config = repo.gix().config_snapshot();
    let blob = config.string("mailmap.blob").filter(|_| repo.server().is_none());
    let at_head = || file::at(repo, revision::resolve(repo, "HEAD").ok()?, NAME).ok()?;
    let own = match repo.work_tree() {
        // As in git, a link is not followed.
        Some(top) if top.join(NAME).is_symlink() => None,
        Some(_) => file::in_work_tree(repo, NAME).ok().flatten(),
        None if blob.is_some() => None,
        None => at_head(),
    };
    let blob = blob.and_then(|name| file::raw_blob(repo, &name.to_str_lossy()).ok());
    let named = config.trusted_path("mailmap.file").ok().flatten();
    let named = named.and_then(|path| bounded_read::read_regular_file(&path, "mailmap.file").ok().flatten());
    let mut snapshot = Snapshot::default();
    for content in [own, blob, named].into_iter().flatten() {
        snapshot.merge(gix::mailmap::parse_ignore_errors(&content));
    }
    Mailmap { snapshot }
}

impl Mailmap {
    /// The corrected name and address; unchanged if there is no correction.
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
