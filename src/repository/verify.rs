//! The check whether an archive is complete. A server sends the status of its response before it has the whole archive.

use std::io::{self, Write};

use anyhow::{Result, ensure};
use bzip2::write::BzDecoder;
use flate2::write::GzDecoder;

use crate::model::repository::ArchiveFormat;

/// The end of a ZIP file: a record of 22 bytes and a comment of at most 64 KiB.
const ZIP_END: &[u8] = b"PK\x05\x06";
const MAX_ZIP_END: usize = 22 + 0xffff;
/// A tar archive ends with two blocks of zeros.
const TAR_END: usize = 1024;

/// Writes an archive to `out` and checks it at the same time.
pub(super) struct ArchiveVerifier<'out> {
    out: &'out mut dyn Write,
    check: Check,
}

enum Check {
    Tar(Tail),
    Zip(Tail),
    Gzip(GzDecoder<Tail>),
    Bzip2(BzDecoder<Tail>),
    /// What came cannot be decoded.
    Damaged,
}

impl<'out> ArchiveVerifier<'out> {
    pub(super) fn new(out: &'out mut dyn Write, format: ArchiveFormat) -> Self {
        let tar = || Tail::new(TAR_END);
        let check = match format {
            ArchiveFormat::Tar => Check::Tar(tar()),
            ArchiveFormat::TarGz => Check::Gzip(GzDecoder::new(tar())),
            ArchiveFormat::TarBz2 => Check::Bzip2(BzDecoder::new(tar())),
            ArchiveFormat::Zip => Check::Zip(Tail::new(MAX_ZIP_END)),
        };
        Self { out, check }
    }

    /// Fails if the archive is not complete.
    pub(super) fn finish(self) -> Result<()> {
        let is_complete = match self.check {
            Check::Tar(tail) => tail.is_end_of_tar(),
            Check::Zip(tail) => tail.0.windows(ZIP_END.len()).any(|bytes| bytes == ZIP_END),
            Check::Gzip(decoder) => decoder.finish().is_ok_and(|tail| tail.is_end_of_tar()),
            Check::Bzip2(mut decoder) => decoder.finish().is_ok_and(|tail| tail.is_end_of_tar()),
            Check::Damaged => false,
        };
        ensure!(
            is_complete,
            "the archive is not complete: the server stopped in the middle of it, or sent another format"
        );
        Ok(())
    }
}

impl Write for ArchiveVerifier<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let decoded = match &mut self.check {
            Check::Tar(tail) | Check::Zip(tail) => tail.write_all(bytes),
            Check::Gzip(decoder) => decoder.write_all(bytes),
            Check::Bzip2(decoder) => decoder.write_all(bytes),
            Check::Damaged => Ok(()),
        };
        if decoded.is_err() {
            self.check = Check::Damaged;
        }
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// The last bytes of a stream, at least as many as requested.
struct Tail(Vec<u8>, usize);

impl Tail {
    fn new(length: usize) -> Self {
        Self(Vec::new(), length)
    }

    fn is_end_of_tar(&self) -> bool {
        self.0.len() >= TAR_END && self.0[self.0.len() - TAR_END..].iter().all(|byte| *byte == 0)
    }
}

impl Write for Tail {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        if self.0.len() > 2 * self.1 {
            self.0.drain(..self.0.len() - self.1);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], format: ArchiveFormat) -> Result<()> {
        let mut out = Vec::new();
        let mut checked = ArchiveVerifier::new(&mut out, format);
        for piece in bytes.chunks(700) {
            checked.write_all(piece)?;
        }
        checked.finish()?;
        assert_eq!(out, bytes);
        Ok(())
    }

    /// The same files in all formats.
    fn archives() -> [(Vec<u8>, ArchiveFormat); 4] {
        let tar = [&[1; 5000][..], &[0; TAR_END]].concat();
        let zip = [&[1; 5000][..], ZIP_END, &[0; 18], b"comment"].concat();
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&tar).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(&tar).unwrap();
        [
            (tar, ArchiveFormat::Tar),
            (zip, ArchiveFormat::Zip),
            (gzip.finish().unwrap(), ArchiveFormat::TarGz),
            (bzip2.finish().unwrap(), ArchiveFormat::TarBz2),
        ]
    }

    #[test]
    fn an_archive_that_stops_in_the_middle_is_not_complete() {
        for (whole, format) in archives() {
            check(&whole, format).unwrap();
            let half = &whole[..whole.len() / 2];
            assert!(check(half, format).unwrap_err().to_string().contains("not complete"), "{format:?}");
        }
    }

    #[test]
    fn an_archive_in_another_format_is_refused() {
        for (bytes, sent) in archives() {
            for (_, format) in archives().into_iter().filter(|(_, format)| *format != sent) {
                let error = check(&bytes, format).unwrap_err().to_string();
                assert!(error.contains("sent another format"), "{sent:?} for {format:?}: {error}");
            }
        }
    }
}
