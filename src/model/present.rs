//! What may be absent.

use std::io::{self, ErrorKind};

/// What was found; `None` where there is no such file or folder.
///
/// # Errors
///
/// The error it was given, any other one.
pub fn none_if_missing<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}
