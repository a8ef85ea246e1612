//! The hunks of a unified diff, byte for byte as `git diff` prints them: three lines of context, Myers with git's
//! heuristics, and the enclosing function after the line numbers.

use std::io;

use gix::diff::blob::{
    Algorithm, InternedInput, UnifiedDiff, diff_with_slider_heuristics,
    unified_diff::{ConsumeHunk, ContextSize, DiffLineKind, HunkHeader},
};

const CONTEXT: u32 = 3;
/// The most bytes of the enclosing function's line that are shown.
const HEADING: usize = 80;

/// Returns the hunks between two texts; nothing if they are equal.
pub(in crate::git) fn hunks(old: &[u8], new: &[u8]) -> Vec<u8> {
    let input = InternedInput::new(old, new);
    let diff = diff_with_slider_heuristics(Algorithm::Myers, &input);
    let patch = Patch { old: old.split_inclusive(|byte| *byte == b'\n').collect(), text: Vec::new() };
    let written = UnifiedDiff::new(&diff, &input, patch, ContextSize::symmetrical(CONTEXT)).consume();
    written.expect("writing to memory cannot fail")
}

struct Patch<'a> {
    /// The lines of the old text, with their line ends.
    old: Vec<&'a [u8]>,
    text: Vec<u8>,
}

impl ConsumeHunk for Patch<'_> {
    type Out = Vec<u8>;

    fn consume_hunk(&mut self, header: HunkHeader, lines: &[(DiffLineKind, &[u8])]) -> io::Result<()> {
        let old = range(header.before_hunk_start, header.before_hunk_len);
        let new = range(header.after_hunk_start, header.after_hunk_len);
        self.text.extend_from_slice(format!("@@ -{old} +{new} @@").as_bytes());
        self.write_heading(header.before_hunk_start as usize - 1);
        for (kind, line) in lines {
            self.text.push(kind.to_prefix() as u8);
            self.text.extend_from_slice(line);
            if !line.ends_with(b"\n") {
                self.text.extend_from_slice(b"\n\\ No newline at end of file\n");
            }
        }
        Ok(())
    }

    fn finish(self) -> Vec<u8> {
        self.text
    }
}

impl Patch<'_> {
    /// Writes the nearest line above the hunk that looks like the start of a function.
    fn write_heading(&mut self, start: usize) {
        if let Some(line) = self.old[..start]
            .iter()
            .rev()
            .find(|line| line.first().is_some_and(|b| b.is_ascii_alphabetic() || b"_$".contains(b)))
        {
            let shown = &line[..line.len().min(HEADING)];
            let end = shown.iter().rposition(|byte| !b" \t\r\n".contains(byte)).map_or(0, |last| last + 1);
            self.text.push(b' ');
            self.text.extend_from_slice(as_far_as_utf8(&shown[..end]));
        }
        self.text.push(b'\n');
    }
}

/// Cuts a heading before its first invalid character, as git does.
fn as_far_as_utf8(heading: &[u8]) -> &[u8] {
    match std::str::from_utf8(heading) {
        Ok(_) => heading,
        Err(error) => &heading[..error.valid_up_to()],
    }
}

/// Formats the range of lines in a hunk's header; an empty range names the line above.
fn range(start: u32, count: u32) -> String {
    match count {
        0 => format!("{},0", start - 1),
        1 => start.to_string(),
        _ => format!("{start},{count}"),
    }
}
