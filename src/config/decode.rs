//! The text of a configuration file.

use crate::model::{Position, Problem, Source};

/// The maximum size of the file, in bytes: room for thousands of packages.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// Decodes UTF-8 of a limited size, without a byte order mark.
pub(super) fn decode_text(bytes: &[u8], name: &str) -> Result<Source, Problem> {
    if bytes.len() > MAX_BYTES {
        let message = format!("`{name}` has {} bytes, more than the limit of {MAX_BYTES}", bytes.len());
        return Err(Problem::new(message).hint("move a long template to another file and set `template_file: PATH`"));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let text = String::from_utf8_lossy(bytes);
        Source::new(name, &*text).problem(Position::from_offset(&text, error.valid_up_to()), "invalid UTF-8")
    })?;
    Ok(Source::new(name, text.trim_start_matches('\u{feff}')))
}
