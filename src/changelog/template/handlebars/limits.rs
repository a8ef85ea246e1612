//! What keeps a Handlebars template in bounds: the library itself has none.
//!
//! Its parser and renderer recurse, and parsing takes time with the square of what is parsed, so the source is measured
//! before it is parsed.

use crate::model::{Position, Problem, SourceText};

/// The largest source, in bytes.
pub(super) const MAX_BYTES: usize = 16 * 1024;
/// How often each of these may stand in a source: whatever nests can nest no deeper.
const MAX_TIMES: [(&str, usize); 4] = [("{{", 1024), ("(", 512), ("[", 512), ("{", 2300)];
/// How many backslashes may stand in a row.
const MAX_BACKSLASHES: usize = 16;

/// Refuses a source that is too much for the library, or has what is not supported.
pub(super) fn measure(source: &SourceText) -> Result<(), Problem> {
    let text = &source.text;
    let refuse = |message: String| Err(Problem::new(format!("{}: {message}", source.name)));
    if text.len() > MAX_BYTES {
        return refuse(format!("a Handlebars template may have {MAX_BYTES} bytes, this one has {}", text.len()));
    }
    for (piece, most) in MAX_TIMES {
        let times = text.matches(piece).count();
        if times > most {
            return refuse(format!("a Handlebars template may have {most} times `{piece}`, this one has {times}"));
        }
    }
    if text.contains(&"\\".repeat(MAX_BACKSLASHES + 1)) {
        return refuse(format!("more than {MAX_BACKSLASHES} backslashes in a row"));
    }
    match text.match_indices("{{").find(|(offset, _)| is_partial(&text[offset + 2..])) {
        Some((offset, _)) => {
            let message = "partials (`{{> name}}`) and decorators (`{{* name}}`) are not supported";
            Err(source.borrow().problem(Position::of(text, offset), message))
        }
        None => Ok(()),
    }
}

/// Whether a tag pulls in another template: that could go on for ever.
fn is_partial(tag: &str) -> bool {
    let lead = |letter: char| letter.is_whitespace() || letter == '~';
    tag.trim_start_matches(lead).trim_start_matches('#').trim_start().starts_with(['>', '*'])
}
