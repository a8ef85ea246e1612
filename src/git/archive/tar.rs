//! The tar archive as `git archive` writes it, byte for byte: ustar headers, and pax headers for what does not fit in.

use std::io::{self, Write};

use gix::object::tree::EntryKind;

use super::entry::{ArchiveEntry, ArchiveWriter};

const BLOCK: usize = 512;
/// The size of a record in bytes: the length of an archive is a multiple of it.
const RECORD: usize = 20 * BLOCK;
/// Eleven octal digits: the largest size and time of a header.
const LARGEST: u64 = 0o77_777_777_777;
/// The permissions that `tar.umask` in git-config(1) removes by default.
const UMASK: u32 = 0o002;

/// Fields of a header: start and length in bytes.
const NAME: (usize, usize) = (0, 100);
const LINK: (usize, usize) = (157, 100);
const PREFIX: (usize, usize) = (345, 155);

pub(super) struct Tar<W> {
    out: W,
    written: usize,
    time: u64,
}

impl<W: Write> Tar<W> {
    /// Begins an archive of a commit; every entry gets the time of the commit.
    pub(super) fn new(out: W, commit: &str, time: u64) -> io::Result<Self> {
        let mut tar = Self { out, written: 0, time: time.min(LARGEST) };
        let mut records = record("comment", commit.as_bytes());
        if time > LARGEST {
            records.extend(record("mtime", time.to_string().as_bytes()));
        }
        tar.member(b'g', b"pax_global_header", 0o666, &records)?;
        Ok(tar)
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        let tail = RECORD - self.written % RECORD;
        let tail = if tail < 2 * BLOCK { tail + RECORD } else { tail };
        self.out.write_all(&vec![0; tail])?;
        Ok(self.out)
    }

    fn member(&mut self, kind: u8, name: &[u8], mode: u32, content: &[u8]) -> io::Result<()> {
        let mut header = Header::new(kind, mode, content.len() as u64, self.time);
        header.put(NAME, name);
        self.blocks(&header.with_checksum())?;
        self.blocks(content)
    }

    /// Writes bytes, and zeros up to the end of their last block.
    fn blocks(&mut self, bytes: &[u8]) -> io::Result<()> {
        let filler = bytes.len().next_multiple_of(BLOCK) - bytes.len();
        self.out.write_all(bytes)?;
        self.out.write_all(&[0; BLOCK][..filler])?;
        self.written = (self.written + bytes.len() + filler) % RECORD;
        Ok(())
    }
}

impl<W: Write> ArchiveWriter for Tar<W> {
    fn add(&mut self, entry: &ArchiveEntry<'_>) -> io::Result<()> {
        let (flag, mode, content) = match entry.kind {
            EntryKind::Tree | EntryKind::Commit => (b'5', 0o777 & !UMASK, &[][..]),
            EntryKind::Link => (b'2', 0o777, &[][..]),
            EntryKind::Blob => (b'0', 0o666 & !UMASK, entry.content),
            EntryKind::BlobExecutable => (b'0', 0o777 & !UMASK, entry.content),
        };
        let size = content.len() as u64;
        let mut records = Vec::new();
        let mut header = Header::new(flag, mode, if size > LARGEST { 0 } else { size }, self.time);
        if let Some((prefix, name)) = split(entry.path) {
            header.put(PREFIX, prefix);
            header.put(NAME, name);
        } else {
            header.put(NAME, format!("{}.data", entry.id).as_bytes());
            records.extend(record("path", entry.path));
        }
        if entry.kind == EntryKind::Link && entry.content.len() > LINK.1 {
            header.put(LINK, format!("see {}.paxheader", entry.id).as_bytes());
            records.extend(record("linkpath", entry.content));
        } else if entry.kind == EntryKind::Link {
            header.put(LINK, entry.content);
        }
        if size > LARGEST {
            records.extend(record("size", size.to_string().as_bytes()));
        }
        if !records.is_empty() {
            self.member(b'x', format!("{}.paxheader", entry.id).as_bytes(), 0o666, &records)?;
        }
        self.blocks(&header.with_checksum())?;
        self.blocks(content)
    }
}

/// Splits a path into the two fields of a header; `None` if it does not fit: 154 bytes before a slash, 100 after it.
fn split(path: &[u8]) -> Option<(&[u8], &[u8])> {
    if path.len() <= NAME.1 {
        return Some((b"", path));
    }
    let inner = path.strip_suffix(b"/").unwrap_or(path).len().min(PREFIX.1);
    let slash = (1..inner).rev().find(|index| path.get(*index) == Some(&b'/'))?;
    (path.len() - slash - 1 <= NAME.1).then(|| (&path[..slash], &path[slash + 1..]))
}

/// Formats a line of a pax header. It begins with its own length, which includes the digits of the length.
fn record(key: &str, value: &[u8]) -> Vec<u8> {
    let rest = key.len() + value.len() + 3;
    let mut length = rest + 1;
    while rest + length.to_string().len() > length {
        length += 1;
    }
    [format!("{length} {key}=").as_bytes(), value, b"\n"].concat()
}

struct Header([u8; BLOCK]);

impl Header {
    fn new(kind: u8, mode: u32, size: u64, time: u64) -> Self {
        let mut header = Self([0; BLOCK]);
        let text = |width: usize, number: u64| format!("{number:0width$o}");
        header.put((100, 8), text(7, mode.into()).as_bytes());
        header.put((108, 8), text(7, 0).as_bytes());
        header.put((116, 8), text(7, 0).as_bytes());
        header.put((124, 12), text(11, size).as_bytes());
        header.put((136, 12), text(11, time).as_bytes());
        header.put((156, 1), &[kind]);
        header.put((257, 8), b"ustar\x0000");
        header.put((265, 32), b"root");
        header.put((297, 32), b"root");
        header.put((329, 8), text(7, 0).as_bytes());
        header.put((337, 8), text(7, 0).as_bytes());
        header
    }

    fn put(&mut self, (start, length): (usize, usize), bytes: &[u8]) {
        let bytes = &bytes[..bytes.len().min(length)];
        self.0[start..start + bytes.len()].copy_from_slice(bytes);
    }

    /// Returns the header with its checksum, for which the checksum's own field counts as blanks.
    fn with_checksum(mut self) -> [u8; BLOCK] {
        let sum: u32 = self.0.iter().map(|byte| u32::from(*byte)).sum::<u32>() + 8 * u32::from(b' ');
        self.put((148, 8), format!("{sum:07o}").as_bytes());
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_counts_the_digits_of_its_own_length() {
        assert_eq!(record("path", b"x"), b"9 path=x\n");
        assert_eq!(record("a", b""), b"5 a=\n");
        assert_eq!(record("comment", &[b'a'; 87]).len(), 99);
        assert_eq!(record("comment", &[b'a'; 88]).len(), 101, "a third digit makes it longer by two");
    }

    #[test]
    fn a_long_path_is_split_at_a_slash_or_not_at_all() {
        let path = [&[b'a'; 90][..], b"/", &[b'b'; 90]].concat();
        assert_eq!(split(&path), Some((&path[..90], &path[91..])));
        let longest = [&[b'a'; 50][..], b"/", &[b'b'; 100]].concat();
        assert_eq!(split(&longest), Some((&longest[..50], &longest[51..])));
        assert_eq!(split(&[b'a'; 101]), None);
        assert_eq!(split(&[&[b'a'; 50][..], b"/", &[b'b'; 101]].concat()), None);
    }

    #[test]
    fn an_archive_is_whole_records_with_two_empty_blocks_at_least() {
        for entries in 0..25 {
            let mut tar = Tar::new(Vec::new(), "c", 0).unwrap();
            for _ in 0..entries {
                let entry = ArchiveEntry { path: b"f", kind: EntryKind::Blob, id: "", content: b"" };
                tar.add(&entry).unwrap();
            }
            let bytes = tar.finish().unwrap();
            assert_eq!(bytes.len() % RECORD, 0);
            assert!(bytes.ends_with(&[0; 2 * BLOCK]));
        }
    }
}
