//! The references of a server.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use anyhow::{Context as _, Result};
use gix::{
    ObjectId,
    bstr::{BString, ByteSlice as _},
    protocol::handshake::Ref,
};

use super::server::RemoteServer;
use crate::git::NOTES_REF;

/// The prefixes with which git looks up a short name, in this order (gitrevisions(7)).
const PREFIXES: [&str; 4] = ["", "refs/", "refs/tags/", "refs/heads/"];

/// The references that the server has listed so far, by full name.
#[derive(Debug)]
pub(super) struct References {
    known: BTreeMap<BString, RefTarget>,
    head: Option<RefTarget>,
    branch: Option<BString>,
}

#[derive(Clone, Copy, Debug)]
struct RefTarget {
    id: ObjectId,
    /// The object that an annotated tag leads to.
    peeled: Option<ObjectId>,
}

impl RefTarget {
    fn from_ref(reference: &Ref) -> Option<(BString, Self)> {
        let (name, id, peeled) = reference.unpack();
        Some((name.to_owned(), Self { id: id?.to_owned(), peeled: peeled.map(ToOwned::to_owned) }))
    }

    fn commit(&self) -> ObjectId {
        self.peeled.unwrap_or(self.id)
    }
}

impl References {
    /// Requests HEAD, the tags and the notes. A branch is requested by its name when it is read.
    pub(super) fn list(server: &mut RemoteServer) -> Result<Self> {
        let listed = server.references(&["HEAD", "refs/tags/", NOTES_REF])?;
        let head = listed.iter().find(|reference| reference.unpack().0 == "HEAD");
        let branch = head.and_then(|head| match head {
            Ref::Symbolic { target, .. } => Some(target.clone()),
            _ => None,
        });
        let head = head.and_then(RefTarget::from_ref).map(|(_, head)| head);
        let known: BTreeMap<_, _> =
            listed.iter().filter_map(RefTarget::from_ref).filter(|(name, _)| name != "HEAD").collect();
        Ok(Self { known, head, branch })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty() && self.head.is_none()
    }

    pub(super) fn contains(&self, commit: ObjectId) -> bool {
        self.known.values().chain(&self.head).any(|target| target.commit() == commit)
    }

    /// Writes the references into a bare repository, whose tags are listed later.
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

    /// Returns the commit that a short or full name points at, if it was listed.
    pub(super) fn find(&self, name: &str) -> Option<ObjectId> {
        if name == "HEAD" {
            return self.head.as_ref().map(RefTarget::commit);
        }
        let target = PREFIXES.iter().find_map(|prefix| self.known.get(format!("{prefix}{name}").as_bytes().as_bstr()));
        target.map(RefTarget::commit)
    }

    /// Requests a short or full name from the server, and returns the commit that it points at.
    pub(super) fn request(&mut self, name: &str, server: &mut RemoteServer) -> Result<Option<ObjectId>> {
        let names = PREFIXES.map(|prefix| format!("{prefix}{name}"));
        let listed = server.references(&names.each_ref().map(String::as_str))?;
        self.known.extend(listed.iter().filter_map(RefTarget::from_ref));
        Ok(self.find(name))
    }

    /// Returns the objects of the annotated tags.
    pub(super) fn tag_objects(&self) -> Vec<ObjectId> {
        self.known.values().filter(|target| target.peeled.is_some()).map(|target| target.id).collect()
    }

    /// Returns the commit that a tag points at, by the tag's name without `refs/tags/`.
    pub(super) fn tag(&self, name: &str) -> Option<ObjectId> {
        self.known.get(format!("refs/tags/{name}").as_bytes().as_bstr()).map(RefTarget::commit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(digit: char) -> ObjectId {
        ObjectId::from_hex(digit.to_string().repeat(40).as_bytes()).unwrap()
    }

    fn references(known: &[(&str, char, Option<char>)], head: Option<char>, branch: Option<&str>) -> References {
        let target = |object: char, peeled: Option<char>| RefTarget { id: id(object), peeled: peeled.map(id) };
        References {
            known: known.iter().map(|(name, object, peeled)| ((*name).into(), target(*object, *peeled))).collect(),
            head: head.map(|object| target(object, None)),
            branch: branch.map(Into::into),
        }
    }

    #[test]
    fn a_name_is_looked_up_as_git_does() {
        let all = [
            ("refs/heads/main", '1', None),
            ("refs/heads/v1", '2', None),
            ("refs/tags/v1", 'a', Some('3')),
            ("refs/tags/v2", '4', None),
            ("refs/notes/commits", '5', None),
        ];
        let found = references(&all, Some('1'), Some("refs/heads/main"));
        for (name, expected) in [
            ("HEAD", Some('1')),
            ("main", Some('1')),
            ("v1", Some('3')),
            ("heads/v1", Some('2')),
            ("refs/heads/v1", Some('2')),
            ("v2", Some('4')),
            ("commits", None),
            ("v3", None),
        ] {
            assert_eq!(found.find(name), expected.map(id), "{name}");
        }
        assert_eq!([found.tag("v1"), found.tag("main")], [Some(id('3')), None]);
        assert_eq!(found.tag_objects(), [id('a')]);
        for (commit, is_there) in [('1', true), ('3', true), ('4', true), ('a', false), ('6', false)] {
            assert_eq!(found.contains(id(commit)), is_there, "{commit}");
        }
        assert!(!found.is_empty() && !references(&all, None, None).is_empty());
        let detached = references(&[], Some('6'), None);
        assert!(!detached.is_empty() && detached.contains(id('6')) && references(&[], None, None).is_empty());
    }

    #[test]
    fn references_are_written_as_git_packs_them() {
        let directory = tempfile::tempdir().unwrap();
        let written = |references: &References| {
            references.write(directory.path()).unwrap();
            ["packed-refs", "HEAD"].map(|name| fs::read_to_string(directory.path().join(name)).unwrap())
        };
        let [one, two, three] = ['1', '2', '3'].map(id);
        let sorted = "# pack-refs with: peeled fully-peeled sorted \n";
        let tag = [("refs/tags/v1", '2', Some('3'))];
        let on_branch = references(&tag, Some('1'), Some("refs/heads/next"));
        assert_eq!(
            written(&on_branch),
            [
                format!("{sorted}{one} refs/heads/next\n{two} refs/tags/v1\n^{three}\n"),
                "ref: refs/heads/next\n".to_owned()
            ]
        );
        let of_tag = format!("{sorted}{two} refs/tags/v1\n^{three}\n");
        assert_eq!(written(&references(&tag, Some('1'), None)), [of_tag.clone(), format!("{one}\n")]);
        assert_eq!(written(&references(&tag, None, None)), [of_tag, "ref: refs/heads/main\n".to_owned()]);
    }
}
