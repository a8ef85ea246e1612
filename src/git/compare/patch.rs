//! The hunks of a unified diff, to the byte as `git diff` prints them: three lines of context, Myers with git's
//! heuristics, the enclosing function after the hunk's numbers.

use gix::diff::blob::{Algorithm, Diff, Hunk, InternedInput, diff_with_slider_heuristics};

const CONTEXT: u32 = 3;
/// How much of the enclosing function's line is shown, in bytes.
const HEADING: usize = 80;

/// The hunks between two texts; empty if they are equal.
pub(in crate::git) fn hunks(old: &[u8], new: &[u8]) -> Vec<u8> {
    let input = InternedInput::new(old, new);
    let diff: Diff = diff_with_slider_heuristics(Algorithm::Myers, &input);
    let patch = Patch { old: lines(old), new: lines(new) };
    let mut text = Vec::new();
    let mut near: Vec<Hunk> = Vec::new();
    for change in diff.hunks() {
        if near.last().is_some_and(|last| change.before.start - last.before.end > 2 * CONTEXT) {
            patch.write_hunk(&near, &mut text);
            near.clear();
        }
        near.push(change);
    }
    patch.write_hunk(&near, &mut text);
    text
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The lines of the two texts, with their line ends.
struct Patch<'text> {
    old: Vec<&'text [u8]>,
    new: Vec<&'text [u8]>,
}

impl Patch<'_> {
    /// Writes changes that share their context as one hunk.
    fn write_hunk(&self, changes: &[Hunk], text: &mut Vec<u8>) {
        let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return };
        let lead = first.before.start.min(CONTEXT);
        let tail = CONTEXT.min(count(&self.old) - last.before.end);
        let (start, end) = (first.before.start - lead, last.before.end + tail);
        let old = range(start, end - start);
        let new = range(first.after.start - lead, last.after.end + tail + lead - first.after.start);
        text.extend_from_slice(format!("@@ -{old} +{new} @@").as_bytes());
        self.write_heading(start, text);
        let mut line = start;
        for change in changes {
            write_lines(b' ', &self.old[index(line)..index(change.before.start)], text);
            write_lines(b'-', &self.old[index(change.before.start)..index(change.before.end)], text);
            write_lines(b'+', &self.new[index(change.after.start)..index(change.after.end)], text);
            line = change.before.end;
        }
        write_lines(b' ', &self.old[index(line)..index(end)], text);
    }

    /// Writes the nearest line above the hunk that looks like the head of a function.
    fn write_heading(&self, start: u32, text: &mut Vec<u8>) {
        let is_heading = |line: &&&[u8]| line.first().is_some_and(|b| b.is_ascii_alphabetic() || b"_$".contains(b));
        if let Some(line) = self.old[..index(start)].iter().rev().find(is_heading) {
            let shown = &line[..line.len().min(HEADING)];
            let end = shown.iter().rposition(|byte| !b" \t\r\n".contains(byte)).map_or(0, |last| last + 1);
            text.push(b' ');
            text.extend_from_slice(as_far_as_utf8(&shown[..end]));
        }
        text.push(b'\n');
    }
}

/// The heading up to its first invalid character, as in git.
fn as_far_as_utf8(heading: &[u8]) -> &[u8] {
    match std::str::from_utf8(heading) {
        Ok(_) => heading,
        Err(error) => &heading[..error.valid_up_to()],
    }
}

fn write_lines(sign: u8, lines: &[&[u8]], text: &mut Vec<u8>) {
    for line in lines {
        text.push(sign);
        text.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            text.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

/// The range of lines in a hunk's header: counted from one, but an empty range names the line above.
fn range(start: u32, count: u32) -> String {
    match count {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        _ => format!("{},{count}", start + 1),
    }
}

fn count(lines: &[&[u8]]) -> u32 {
    u32::try_from(lines.len()).unwrap_or(u32::MAX)
}

fn index(line: u32) -> usize {
    line as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(old: &str, new: &str) -> String {
        String::from_utf8(hunks(old.as_bytes(), new.as_bytes())).unwrap()
    }

    #[test]
    fn equal_texts_have_no_hunks() {
        assert_eq!(text("same\n", "same\n"), "");
        assert_eq!(text("", ""), "");
    }

    #[test]
    fn a_new_file_is_one_hunk_from_line_zero() {
        assert_eq!(text("", "a\nb"), "@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n");
    }

    #[test]
    fn a_hunk_names_the_enclosing_function() {
        let old = "fn main() {  \n  1\n  2\n  3\n  4\n  5\n}\n";
        let new = old.replace("  5\n", "  6\n");
        assert_eq!(text(old, &new), "@@ -3,5 +3,5 @@ fn main() {\n   2\n   3\n   4\n-  5\n+  6\n }\n");
    }

    #[test]
    fn changes_six_lines_apart_share_a_hunk() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let heads = |new: &str| text(old, new).matches("@@ -").count();
        assert_eq!(heads("a\n2\n3\n4\n5\n6\n7\nb\n9\n"), 1);
        assert_eq!(heads("a\n2\n3\n4\n5\n6\n7\n8\nb\n"), 2);
    }
}
