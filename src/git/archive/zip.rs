//! The ZIP file as `git archive` writes it (APPNOTE.TXT), with 64-bit fields if 32 bits are not enough.

use std::io::{self, Write};

use chrono::{DateTime, Datelike as _, NaiveDateTime, Timelike as _};
use flate2::{Compression, Crc, write::DeflateEncoder};

use gix::object::tree::EntryKind;

use super::entry::{ArchiveEntry, ArchiveWriter};
use crate::git::file::is_binary;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END_64: u32 = 0x0606_4b50;
const LOCATOR_64: u32 = 0x0706_4b50;

/// The flag that names are UTF-8.
const UTF8: u16 = 1 << 11;
const DEFLATED: u16 = 8;
/// The version and system that made the file: Unix, so that file modes are read.
const UNIX: u16 = 0x0317;
const PLAIN: u16 = 10;
const WITH_64: u16 = 45;
const MAX_16: u64 = 0xffff;
const MAX_32: u64 = 0xffff_ffff;

pub(super) struct Zip<W> {
    out: W,
    offset: u64,
    entries: u64,
    directory: LittleEndianBuffer,
    commit: String,
    time: u64,
}

impl<W: Write> Zip<W> {
    /// Begins an archive of a commit; every entry gets the time of the commit.
    pub(super) fn new(out: W, commit: &str, time: u64) -> Self {
        Self { out, offset: 0, entries: 0, directory: LittleEndianBuffer::default(), commit: commit.to_owned(), time }
    }

    /// Writes the central directory, which ends the file.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let (start, size) = (self.offset, self.directory.0.len() as u64);
        let mut end = std::mem::take(&mut self.directory);
        if self.entries >= MAX_16 || start >= MAX_32 || size >= MAX_32 {
            end.u32(END_64).u64(44).u16(UNIX).u16(WITH_64).u32(0).u32(0);
            end.u64(self.entries).u64(self.entries).u64(size).u64(start);
            end.u32(LOCATOR_64).u32(0).u64(start + size).u32(1);
        }
        let entries = short(self.entries);
        end.u32(END).u16(0).u16(0).u16(entries).u16(entries).u32(long(size)).u32(long(start));
        end.u16(short(self.commit.len() as u64)).bytes(self.commit.as_bytes());
        self.out.write_all(&end.0)?;
        Ok(self.out)
    }

    fn local(&self, member: &StoredEntry<'_>) -> LittleEndianBuffer {
        let is_large = member.is_large();
        let mut extra = self.stamp();
        if is_large {
            extra.u16(1).u16(16).u64(member.size()).u64(member.stored_size());
        }
        let mut header = LittleEndianBuffer::default();
        header.u32(LOCAL);
        self.push_shared_fields(member, is_large, &extra, &mut header);
        header.bytes(member.entry.path).bytes(&extra.0);
        header
    }

    fn central_header(&self, member: &StoredEntry<'_>) -> LittleEndianBuffer {
        let (maker, attributes) = match member.entry.kind {
            EntryKind::Tree | EntryKind::Commit => (0, 16),
            EntryKind::Blob => (0, 0),
            EntryKind::BlobExecutable => (UNIX, 0o100_755 << 16),
            EntryKind::Link => (UNIX, 0o120_777 << 16),
        };
        let is_large = member.is_large() || self.offset >= MAX_32;
        let mut extra = self.stamp();
        if is_large {
            extra.u16(1).u16(24).u64(member.size()).u64(member.stored_size()).u64(self.offset);
        }
        let mut header = LittleEndianBuffer::default();
        header.u32(CENTRAL).u16(maker);
        self.push_shared_fields(member, is_large, &extra, &mut header);
        let is_text = !member.entry.is_directory() && !is_binary(member.entry.content);
        header.u16(0).u16(0).u16(is_text.into()).u32(attributes);
        header.u32(if is_large { u32::MAX } else { long(self.offset) });
        header.bytes(member.entry.path).bytes(&extra.0);
        header
    }

    /// Writes the fields that a local header and the central directory have in common.
    fn push_shared_fields(
        &self,
        member: &StoredEntry<'_>,
        is_large: bool,
        extra: &LittleEndianBuffer,
        header: &mut LittleEndianBuffer,
    ) {
        let (time, date) = dos(self.time);
        let size = |size| if is_large { u32::MAX } else { long(size) };
        header.u16(if is_large { WITH_64 } else { PLAIN }).u16(member.flags());
        header.u16(if member.deflated.is_some() { DEFLATED } else { 0 }).u16(time).u16(date);
        header.u32(member.crc).u32(size(member.stored_size())).u32(size(member.size()));
        header.u16(short(member.entry.path.len() as u64)).u16(short(extra.0.len() as u64));
    }

    /// Returns the extra field with the time in seconds, which is more exact than the DOS time.
    fn stamp(&self) -> LittleEndianBuffer {
        let mut extra = LittleEndianBuffer::default();
        extra.bytes(b"UT").u16(5).bytes(&[1]).u32(long(self.time));
        extra
    }
}

impl<W: Write> ArchiveWriter for Zip<W> {
    fn add(&mut self, entry: &ArchiveEntry<'_>) -> io::Result<()> {
        if entry.path.len() as u64 > MAX_16 {
            return Err(io::Error::other("a path is too long for a ZIP file"));
        }
        let member = StoredEntry::new(entry)?;
        let header = self.local(&member).0;
        let directory = self.central_header(&member).0;
        self.directory.bytes(&directory);
        self.out.write_all(&header)?;
        self.out.write_all(member.content())?;
        self.offset += header.len() as u64 + member.stored_size();
        self.entries += 1;
        Ok(())
    }
}

/// An entry and its content as it is stored.
struct StoredEntry<'a> {
    entry: &'a ArchiveEntry<'a>,
    /// The deflated content, if it is smaller than the content.
    deflated: Option<Vec<u8>>,
    crc: u32,
}

impl<'a> StoredEntry<'a> {
    fn new(entry: &'a ArchiveEntry<'a>) -> io::Result<Self> {
        let is_file = matches!(entry.kind, EntryKind::Blob | EntryKind::BlobExecutable);
        let deflated = if is_file { deflate(entry.content)? } else { None };
        let mut crc = Crc::new();
        crc.update(entry.content);
        Ok(Self { entry, deflated, crc: crc.sum() })
    }

    fn content(&self) -> &[u8] {
        self.deflated.as_deref().unwrap_or(self.entry.content)
    }

    fn stored_size(&self) -> u64 {
        self.content().len() as u64
    }

    fn size(&self) -> u64 {
        self.entry.content.len() as u64
    }

    fn is_large(&self) -> bool {
        self.size().max(self.stored_size()) >= MAX_32
    }

    fn flags(&self) -> u16 {
        let path = self.entry.path;
        if path.is_ascii() || std::str::from_utf8(path).is_err() { 0 } else { UTF8 }
    }
}

fn deflate(content: &[u8]) -> io::Result<Option<Vec<u8>>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content)?;
    Ok(Some(encoder.finish()?).filter(|deflated| deflated.len() < content.len()))
}

/// Returns time and date in the DOS format, in UTC: in steps of two seconds, from 1980 to 2107.
fn dos(seconds: u64) -> (u16, u16) {
    let moment = i64::try_from(seconds).ok().and_then(|seconds| DateTime::from_timestamp(seconds, 0));
    let moment = moment.map_or(NaiveDateTime::default(), |moment| moment.naive_utc());
    let year = moment.year().clamp(1980, 2107) - 1980;
    let time = (moment.second() / 2) | (moment.minute() << 5) | (moment.hour() << 11);
    let date = moment.day() | (moment.month() << 5) | (u32::try_from(year).unwrap_or(0) << 9);
    (short(time.into()), short(date.into()))
}

#[derive(Default)]
struct LittleEndianBuffer(Vec<u8>);

impl LittleEndianBuffer {
    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn u16(&mut self, number: u16) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    fn u32(&mut self, number: u32) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }

    fn u64(&mut self, number: u64) -> &mut Self {
        self.bytes(&number.to_le_bytes())
    }
}

/// Returns the value of a 16-bit field; a number that does not fit becomes the largest value, which refers to ZIP64.
fn short(number: u64) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}

fn long(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dos_knows_the_years_from_1980() {
        assert_eq!(dos(1_700_000_000), (0xb1aa, 0x576e));
        assert_eq!(dos(0).1 >> 9, 0);
        assert_eq!(dos(u64::MAX).1 >> 9, 0);
    }

    #[test]
    fn what_does_not_shrink_is_stored() {
        assert_eq!(deflate(b"").unwrap(), None);
        assert_eq!(deflate(b"ab").unwrap(), None);
        assert!(deflate(&[b'a'; 1000]).unwrap().is_some());
    }

    #[test]
    fn more_entries_than_16_bits_count_get_a_64_bit_end() {
        let length = |entries| Zip { entries, ..Zip::new(Vec::new(), "c", 0) }.finish().unwrap().len();
        assert_eq!(length(1), 23);
        assert_eq!(length(MAX_16 + 1), 23 + 56 + 20);
    }
}
