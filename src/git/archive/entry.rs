//! The entries of an archive: the members of a tree to select, and the trait of formats that write them.

use std::io;

use gix::object::tree::EntryKind;

use crate::git::tree::TreeMember;

/// A format, to which entries are added one by one.
pub(super) trait ArchiveWriter {
    fn add(&mut self, entry: &ArchiveEntry<'_>) -> io::Result<()>;
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ArchiveEntry<'a> {
    /// The path in the archive, any bytes; a directory's ends with a slash.
    pub(super) path: &'a [u8],
    /// The kind of object; a submodule becomes an empty directory.
    pub(super) kind: EntryKind,
    pub(super) id: &'a str,
    /// The bytes of a file, or the target of a link.
    pub(super) content: &'a [u8],
}

impl ArchiveEntry<'_> {
    pub(super) fn is_directory(&self) -> bool {
        matches!(self.kind, EntryKind::Tree | EntryKind::Commit)
    }
}

#[derive(Debug)]
pub(super) struct Selection {
    /// The file or directory to archive; empty for everything.
    path: String,
    exclude: Vec<String>,
}

impl Selection {
    pub(super) fn new(path: &str, exclude: &[String]) -> Self {
        let plain = |path: &str| path.trim_matches('/').to_owned();
        let exclude = exclude.iter().map(|path| plain(path)).filter(|path| !path.is_empty()).collect();
        Self { path: plain(path), exclude }
    }

    /// Returns every path that the selection names.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        let path = Some(self.path.as_str()).filter(|path| !path.is_empty());
        path.into_iter().chain(self.exclude.iter().map(String::as_str))
    }

    /// Whether a member is selected, or is a directory above something that is.
    pub(super) fn selects(&self, member: &TreeMember) -> bool {
        let (path, taken) = (member.path.as_slice(), self.path.as_bytes());
        let is_in = |path: &[u8], directory: &[u8]| path == directory || is_below(path, directory);
        let is_taken = is_in(path, taken) || (member.mode == EntryKind::Tree && is_below(taken, path));
        is_taken && !self.exclude.iter().any(|excluded| is_in(path, excluded.as_bytes()))
    }
}

/// Whether a path is in a directory, at any depth; every path is in the root.
pub(super) fn is_below(path: &[u8], directory: &[u8]) -> bool {
    directory.is_empty() || path.strip_prefix(directory).is_some_and(|rest| rest.starts_with(b"/"))
}

#[cfg(test)]
mod tests {
    use gix::ObjectId;

    use super::*;

    fn takes(selection: &Selection, path: &str, mode: EntryKind) -> bool {
        let id = ObjectId::empty_blob(gix::hash::Kind::Sha1);
        selection.selects(&TreeMember { path: path.as_bytes().to_owned(), mode, id })
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
