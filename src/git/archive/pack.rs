//! What an archive is made of, whatever its format.

use std::io;

/// A file, folder or link of an archive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'a> {
    /// The path in the archive, any bytes; a folder's ends with a slash.
    pub(super) path: &'a [u8],
    /// What it is.
    pub(super) kind: Kind,
    /// The object's full id.
    pub(super) id: &'a str,
    /// The bytes of a file, or the target of a link.
    pub(super) content: &'a [u8],
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A folder, or the place of a submodule.
    Folder,
    /// A plain file.
    File,
    /// An executable file.
    Program,
    /// A symbolic link.
    Link,
}

/// A format that takes entries one by one.
pub(super) trait Pack {
    /// Adds an entry.
    fn add(&mut self, entry: &Entry<'_>) -> io::Result<()>;
}
