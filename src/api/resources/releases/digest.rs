//! Whether a local file is the same as one on a server.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use sha2::{Digest as _, Sha256};

/// Size and digest of a file on a server.
#[derive(Clone, Debug, Default)]
pub(super) struct Fingerprint<'a> {
    pub(super) size: Option<u64>,
    /// The digest in hexadecimal digits, which older servers do not send.
    pub(super) sha256: Option<&'a str>,
}

impl Fingerprint<'_> {
    /// Whether a file has this size, and this digest if it is known.
    pub(super) fn is_of(&self, file: &Path) -> io::Result<bool> {
        if self.size != Some(file.metadata()?.len()) {
            return Ok(false);
        }
        self.sha256.map_or(Ok(true), |sha256| Ok(sha256_of(file)?.eq_ignore_ascii_case(sha256)))
    }
}

fn sha256_of(file: &Path) -> io::Result<String> {
    let (mut file, mut digest, mut buffer) = (File::open(file)?, Sha256::new(), vec![0; 64 << 10]);
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            count => digest.update(&buffer[..count]),
        }
    }
    Ok(digest.finalize().iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_and_digest_must_both_be_the_same() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "abc").unwrap();
        // FIPS 180-2, appendix B.1.
        let abc = "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD";
        let is = |size, sha256| Fingerprint { size, sha256 }.is_of(file.path()).unwrap();
        assert!(is(Some(3), Some(abc)));
        assert!(is(Some(3), None));
        assert!(!is(Some(3), Some("00")));
        assert!(!is(Some(4), Some(abc)));
        assert!(!is(None, Some(abc)));
    }
}
