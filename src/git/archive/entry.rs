//! Which files of a tree are archived.

use gix::{ObjectId, object::tree::EntryKind};

/// A file or directory of the tree.
#[derive(Clone, Debug)]
pub(super) struct TreeMember {
    /// The path from the root; empty for the root.
    pub(super) path: Vec<u8>,
    pub(super) mode: EntryKind,
    pub(super) id: ObjectId,
    /// Whether placeholders in it are expanded.
    pub(super) is_expanded: bool,
}

impl TreeMember {
    pub(super) fn new(path: Vec<u8>, mode: EntryKind, id: ObjectId) -> Self {
        Self { path, mode, id, is_expanded: false }
    }

    pub(super) fn directory(path: Vec<u8>, id: ObjectId) -> Self {
        Self::new(path, EntryKind::Tree, id)
    }

    pub(super) fn expanded(self, is_expanded: bool) -> Self {
        Self { is_expanded, ..self }
    }

    /// Whether it is in a directory, at any depth.
    pub(super) fn is_below(&self, directory: &Self) -> bool {
        lies_in(&self.path, &directory.path)
    }
}

/// A part of a tree.
#[derive(Debug)]
pub(super) struct Selection {
    /// The file or directory that is taken; empty for everything.
    path: String,
    exclude: Vec<String>,
}

impl Selection {
    pub(super) fn new(path: &str, exclude: &[String]) -> Self {
        let plain = |path: &str| path.trim_matches('/').to_owned();
        let exclude = exclude.iter().map(|path| plain(path)).filter(|path| !path.is_empty()).collect();
        Self { path: plain(path), exclude }
    }

    /// Every path it names.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        let path = Some(self.path.as_str()).filter(|path| !path.is_empty());
        path.into_iter().chain(self.exclude.iter().map(String::as_str))
    }

    /// Whether a member is taken, or is a directory on the way to what is.
    pub(super) fn takes(&self, member: &TreeMember) -> bool {
        let (path, taken) = (member.path.as_slice(), self.path.as_bytes());
        let is_in = |path: &[u8], directory: &[u8]| path == directory || lies_in(path, directory);
        let is_taken = is_in(path, taken) || (member.mode == EntryKind::Tree && lies_in(taken, path));
        is_taken && !self.exclude.iter().any(|excluded| is_in(path, excluded.as_bytes()))
    }
}

/// Whether a path is in a directory, at any depth; everything is in the root.
fn lies_in(path: &[u8], directory: &[u8]) -> bool {
    directory.is_empty() || path.strip_prefix(directory).is_some_and(|rest| rest.starts_with(b"/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(selection: &Selection, path: &str, mode: EntryKind) -> bool {
        let id = ObjectId::empty_blob(gix::hash::Kind::Sha1);
        selection.takes(&TreeMember::new(path.as_bytes().to_owned(), mode, id))
    }

    #[test]
    fn a_selection_takes_what_is_below_and_the_folders_above() {
        let selection = Selection::new("/a/b/", &["a/b/c".to_owned()]);
        for (path, mode, expected) in [
            ("a", EntryKind::Tree, true),
            ("a", EntryKind::Blob, false),
            ("a/b", EntryKind::Tree, true),
            ("a/b/x", EntryKind::Blob, true),
            ("a/bc", EntryKind::Blob, false),
            ("a/b/c", EntryKind::Tree, false),
            ("a/b/c/d", EntryKind::Blob, false),
            ("a/b/cd", EntryKind::Blob, true),
        ] {
            assert_eq!(takes(&selection, path, mode), expected, "{path}");
        }
    }
}
