//! Storing a received pack in a repository.

use std::{
    fs,
    io::{self, BufRead, Read},
    path::Path,
};

use anyhow::Result;
use gix::{
    hash::Kind,
    odb::pack::{Bundle, bundle::write::Options},
    progress::Discard,
};

use crate::interrupt;

/// Writes a pack and its index into a directory of packs, and returns the number of its objects.
pub(in crate::git) fn store(pack: &mut dyn BufRead, directory: &Path, hash: Kind) -> Result<u32> {
    let base: Option<gix::OdbHandle> = None;
    let (stop, options) = (interrupt::flag(), Options::default());
    let written = Bundle::write_to_directory(pack, Some(directory), &mut Discard, stop, base, hash, options)?;
    if let Some(keep) = written.keep_path {
        fs::remove_file(keep)?;
    }
    Ok(written.index.num_objects)
}

/// Counts the bytes that are read through it, and reports their number.
pub(super) struct CountingReader<'a, R> {
    pub(super) reader: R,
    pub(super) bytes: u64,
    pub(super) report: &'a dyn Fn(u64),
}

impl<R> CountingReader<'_, R> {
    fn count(&mut self, read: usize) {
        self.bytes += read as u64;
        (self.report)(self.bytes);
    }
}

impl<R: Read> Read for CountingReader<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.count(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for CountingReader<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.reader.consume(amount);
        self.count(amount);
    }
}
