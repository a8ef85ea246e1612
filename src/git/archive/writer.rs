//! What an archive is made of, whatever its format.

use std::io;

/// A file, directory or link of an archive.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArchiveEntry<'a> {
    /// The path in the archive, any bytes; a directory's ends with a slash.
    pub(super) path: &'a [u8],
    /// What it is.
    pub(super) kind: ArchiveEntryKind,
    /// The object's full id.
    pub(super) id: &'a str,
    /// The bytes of a file, or the target of a link.
    pub(super) content: &'a [u8],
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArchiveEntryKind {
    /// A directory, or the place of a submodule.
    Directory,
    /// A plain file.
    File,
    /// An executable file.
    Executable,
    /// A symbolic link.
    Symlink,
}

/// A format that takes entries one by one.
pub(super) trait ArchiveWriter {
    /// Adds an entry.
    fn add(&mut self, entry: &ArchiveEntry<'_>) -> io::Result<()>;
}
