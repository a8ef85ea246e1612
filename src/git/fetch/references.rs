//! What the server calls its commits.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    bstr::{BString, ByteSlice as _},
    protocol::handshake::Ref,
};

use super::{
    FetchPhase, LazyRemote,
    request::{FetchRequest, ObjectFilter},
    server::RemoteServer,
};
use crate::{
    git::{NOTES_REF, Repo, oid, revision},
    model::{Oid, Problem},
};

/// Where git looks for a short name, in this order (gitrevisions(7)).
const PLACES: [&str; 4] = ["", "refs/", "refs/tags/", "refs/heads/"];

/// The references that were told, by their full names.
#[derive(Debug)]
pub(super) struct References {
    known: BTreeMap<BString, RefTarget>,
    head: Option<RefTarget>,
    /// The branch that HEAD names.
    branch: Option<BString>,
}

/// What a reference points at.
#[derive(Clone, Copy, Debug)]
struct RefTarget {
    id: ObjectId,
    /// What an annotated tag stands for in the end.
    peeled: Option<ObjectId>,
}

impl RefTarget {
    fn of(reference: &Ref) -> Option<(BString, Self)> {
        let (name, id, peeled) = reference.unpack();
        Some((name.to_owned(), Self { id: id?.to_owned(), peeled: peeled.map(ToOwned::to_owned) }))
    }

    fn commit(&self) -> ObjectId {
        self.peeled.unwrap_or(self.id)
    }
}

impl References {
    /// Asks for HEAD, the tags and the notes; branches are asked for by name when one is wanted.
    pub(super) fn list(server: &mut RemoteServer) -> Result<Self> {
        let told = server.references(&["HEAD", "refs/tags/", NOTES_REF])?;
        let head = told.iter().find(|reference| reference.unpack().0 == "HEAD");
        let branch = head.and_then(|head| match head {
            Ref::Symbolic { target, .. } => Some(target.clone()),
            _ => None,
        });
        let head = head.and_then(RefTarget::of).map(|(_, head)| head);
        let known: BTreeMap<_, _> = told.iter().filter_map(RefTarget::of).filter(|(name, _)| name != "HEAD").collect();
        Ok(Self { known, head, branch })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty() && self.head.is_none()
    }

    /// Whether one of them points at this commit.
    pub(super) fn has(&self, commit: ObjectId) -> bool {
        self.known.values().chain(&self.head).any(|target| target.commit() == commit)
    }

    /// Writes them into a bare repository, for everyone who lists tags.
    pub(super) fn write(&self, repository: &Path) -> Result<()> {
        let context = || format!("cannot write references to `{}`", repository.display());
        let mut packed = String::from("# pack-refs with: peeled fully-peeled sorted \n");
        let head = self.branch.as_ref().zip(self.head.as_ref());
        let mut all: BTreeMap<&BString, &RefTarget> = self.known.iter().collect();
        all.extend(head);
        for (name, target) in all {
            let _ = writeln!(packed, "{} {name}", target.id);
            if let Some(peeled) = target.peeled {
                let _ = writeln!(packed, "^{peeled}");
            }
        }
        let head = match (&self.branch, self.head) {
            (None, Some(head)) => format!("{}\n", head.id),
            (branch, _) => {
                format!("ref: {}\n", branch.as_ref().map_or("refs/heads/main".into(), |name| name.as_bstr()))
            }
        };
        fs::write(repository.join("packed-refs"), packed).with_context(context)?;
        fs::write(repository.join("HEAD"), head).with_context(context)
    }

    /// What a short or full name stands for, if it was told.
    fn find(&self, name: &str) -> Option<ObjectId> {
        if name == "HEAD" {
            return self.head.as_ref().map(RefTarget::commit);
        }
        let target = PLACES.iter().find_map(|place| self.known.get(format!("{place}{name}").as_bytes().as_bstr()));
        target.map(RefTarget::commit)
    }

    /// The same, after asking the server.
    fn ask(&mut self, name: &str, server: &mut RemoteServer) -> Result<Option<ObjectId>> {
        let places = PLACES.map(|place| format!("{place}{name}"));
        let told = server.references(&places.each_ref().map(String::as_str))?;
        self.known.extend(told.iter().filter_map(RefTarget::of));
        Ok(self.find(name))
    }
}

impl LazyRemote {
    /// The commit that a tag, by its name behind `refs/tags/`, stands for.
    pub(in crate::git) fn tag(&self, name: &str) -> Option<Oid> {
        let references = self.references.borrow();
        references.known.get(format!("refs/tags/{name}").as_bytes().as_bstr()).map(|tag| oid(&tag.commit()))
    }

    /// The commit that `spec` names: a tag, a branch or a full id, which costs little; anything else takes the history
    /// it speaks of.
    pub(in crate::git) fn resolve(&self, history: &Repo, spec: &str) -> Result<Oid> {
        let (name, suffix) = spec.split_at(spec.find(['~', '^']).unwrap_or(spec.len()));
        let name = if ["", "@"].contains(&name) { "HEAD" } else { name };
        let revision = match ObjectId::from_hex(name.as_bytes()) {
            Ok(id) => self.checked(id)?,
            Err(_) => match self.named(name)? {
                Some(id) => id,
                None if is_abbreviated(name) => return self.search(history, name, spec),
                None => return Err(self.unknown(name).into()),
            },
        };
        if ["", "^{}", "^{commit}", "^0"].contains(&suffix) {
            return Ok(oid(&revision));
        }
        let named = format!("{revision}{suffix}");
        let known = || self.unknown(spec);
        if let Some(steps) = steps_back(suffix) {
            return revision::commit(&self.newest(&[revision], steps + 1)?, &named).with_context(known);
        }
        self.fetch_ancestors(history.gix(), revision)?;
        revision::commit(history, &named).with_context(known)
    }

    fn named(&self, name: &str) -> Result<Option<ObjectId>> {
        let known = self.references.borrow().find(name);
        match known {
            Some(id) => Ok(Some(id)),
            None => self.references.borrow_mut().ask(name, &mut self.server.borrow_mut()),
        }
    }

    /// A full id, once the server has shown it to be a commit. Servers of the old protocol speak of what their references
    /// name alone.
    pub(super) fn checked(&self, id: ObjectId) -> Result<ObjectId> {
        let (sends_any_object, is_v2) = {
            let server = self.server.borrow();
            (server.can_send_any_object(), server.is_v2())
        };
        let context = || self.unknown(&id.to_string());
        if sends_any_object {
            self.fetch_commit(id, ObjectFilter::NoTrees).with_context(context)?;
        } else if is_v2 {
            // A pack without objects, or a refusal.
            let wanted = FetchRequest { ids: &[id], haves: &[id], ..FetchRequest::default() };
            self.fetch_files(FetchPhase::Commits, wanted).with_context(context)?;
        }
        Ok(id)
    }

    /// The beginning of an id, looked for in the history of HEAD.
    fn search(&self, history: &Repo, name: &str, spec: &str) -> Result<Oid> {
        let head = self.named("HEAD")?.ok_or_else(|| self.unknown(name))?;
        self.fetch_ancestors(history.gix(), head)?;
        revision::commit(history, spec).with_context(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> Problem {
        Problem::new(format!("`{name}` is no tag, branch or commit of `{}`", self.url))
            .hint("`git ls-remote URL` lists what there is")
    }
}

/// How far a suffix leads back, if it is made of `^`, `^2` and `~3` alone.
fn steps_back(suffix: &str) -> Option<u32> {
    let mut steps: u32 = 0;
    for (place, sign) in suffix.match_indices(['^', '~']) {
        let rest = &suffix[place + 1..];
        let number = rest.split(['^', '~']).next().unwrap_or_default();
        let number: u32 = if number.is_empty() { 1 } else { number.parse().ok()? };
        steps = steps.checked_add(if sign == "^" { 1 } else { number })?;
    }
    Some(steps)
}

fn is_abbreviated(name: &str) -> bool {
    name.len() >= 4 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}
