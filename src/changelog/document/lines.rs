//! The lines of a document, which of them are code, and how most of them end.

use std::ops::Range;

/// The byte order mark that some editors put before the first line; it is not part of the line.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One line: where it is in the bytes, its line feed included, and whether it may be a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// From its first byte to after its line feed, or to the end of the document.
    pub(super) span: Range<usize>,
    /// Within a fenced code block, the fences included.
    pub(super) fenced: bool,
    /// Within a comment.
    pub(super) commented: bool,
    /// Within front matter, or indented as code is.
    pub(super) verbatim: bool,
}

impl Line {
    /// Whether it is neither code nor comment nor front matter.
    pub(super) fn is_prose(&self) -> bool {
        !(self.fenced || self.commented || self.verbatim)
    }
}

/// Splits at line feeds; a carriage return stays at the end of its line.
pub(super) fn split(bytes: &[u8]) -> Vec<Line> {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let mut end = bytes.len() - text.len();
    let mut lines: Vec<Line> = text
        .split_inclusive(|byte| *byte == b'\n')
        .map(|line| {
            end += line.len();
            let verbatim = line.starts_with(b"    ") || line.starts_with(b"\t");
            Line { span: end - line.len()..end, fenced: false, commented: false, verbatim }
        })
        .collect();
    mark_fences(bytes, &mut lines);
    mark_front_matter(bytes, &mut lines);
    mark_comments(bytes, &mut lines);
    lines
}

/// The line end that most lines have: `\r\n`, or `\n` where there are as many or more of those.
pub(super) fn line_end(bytes: &[u8]) -> &'static str {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let (windows, all) =
        lines.fold((0, 0), |(windows, all), line| (windows + usize::from(line.ends_with(b"\r\n")), all + 1));
    if windows * 2 > all { "\r\n" } else { "\n" }
}

/// The lines of a text without their ends.
pub(super) fn contents(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

/// Whether a line shows nothing.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// The fence of a code block: three or more backticks or tildes, indented by at most three spaces (`CommonMark` 4.5).
#[derive(Clone, Copy)]
struct Fence {
    mark: u8,
    len: usize,
    /// Nothing but white space follows, so that it may close a block.
    bare: bool,
}

fn fence(line: &[u8]) -> Option<Fence> {
    // A list item may begin with one.
    let line = line.strip_prefix(b"- ").or_else(|| line.strip_prefix(b"* ")).unwrap_or(line);
    let indent = line.iter().take_while(|byte| **byte == b' ').count();
    let mark = *line.get(indent).filter(|mark| indent < 4 && matches!(mark, b'`' | b'~'))?;
    let len = line[indent..].iter().take_while(|byte| **byte == mark).count();
    let rest = &line[indent + len..];
    let inline = mark == b'`' && rest.contains(&b'`');
    (len >= 3 && !inline).then(|| Fence { mark, len, bare: is_blank(rest) })
}

/// A fence that is never closed hides nothing: better a header in doubtful code than a release that is not seen.
fn mark_fences(bytes: &[u8], lines: &mut [Line]) {
    let fences: Vec<(usize, Fence)> =
        lines.iter().enumerate().filter_map(|(index, line)| Some((index, fence(&bytes[line.span.clone()])?))).collect();
    let mut rest = fences.as_slice();
    let mut unclosed: Vec<Fence> = Vec::new();
    while let Some(((start, open), after)) = rest.split_first() {
        rest = after;
        // What closed no shorter fence closes no longer one, so no document is searched twice in vain.
        if unclosed.iter().any(|fence| fence.mark == open.mark && fence.len <= open.len) {
            continue;
        }
        let closes = |close: &Fence| close.bare && close.mark == open.mark && close.len >= open.len;
        match after.iter().position(|(_, close)| closes(close)) {
            None => unclosed.push(*open),
            Some(position) => {
                lines[*start..=after[position].0].iter_mut().for_each(|line| line.fenced = true);
                rest = &after[position + 1..];
            }
        }
    }
}

/// `---` or `+++` around lines that begin as `key: value` or `key = value` do.
fn mark_front_matter(bytes: &[u8], lines: &mut [Line]) {
    let content = |line: &Line| bytes[line.span.clone()].trim_ascii_end();
    let Some(mark) = lines.first().map(content).filter(|mark| matches!(*mark, b"---" | b"+++")) else { return };
    let Some(end) = lines.iter().skip(1).position(|line| content(line) == mark) else { return };
    let is_key = |line: &[u8]| {
        let end = line.iter().position(|byte| matches!(byte, b':' | b'=' | b']')).unwrap_or_default();
        end > 0 && line[..end].iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-. [\"'".contains(byte))
    };
    let first = lines[1..=end].iter().map(content).find(|line| !line.is_empty() && !line.starts_with(b"#"));
    if first.is_some_and(is_key) {
        lines[..end + 2].iter_mut().for_each(|line| line.verbatim = true);
    }
}

/// Comments that begin a line, to the end of the line that ends them. One that is never closed hides nothing.
fn mark_comments(bytes: &[u8], lines: &mut [Line]) {
    let contains = |line: &Line, mark: &[u8]| bytes[line.span.clone()].windows(mark.len()).any(|part| part == mark);
    let mut at = 0;
    while let Some(open) = (at..lines.len()).find(|at| {
        let line = &lines[*at];
        line.is_prose() && bytes[line.span.clone()].trim_ascii_start().starts_with(b"<!--")
    }) {
        let Some(close) = (open..lines.len()).find(|at| contains(&lines[*at], b"-->")) else { return };
        lines[open..=close].iter_mut().for_each(|line| line.commented = true);
        at = close + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fenced(text: &str) -> Vec<bool> {
        split(text.as_bytes()).iter().map(|line| line.fenced).collect()
    }

    #[test]
    fn a_block_reaches_to_the_first_fence_of_its_kind_and_length() {
        assert_eq!(fenced("a\n````md\n```\n~~~~\n````\nb\n"), [false, true, true, true, true, false]);
        assert_eq!(fenced("   ~~~ `x`\n ~~~~ \r\nb"), [true, true, false]);
    }

    #[test]
    fn what_is_no_fence_or_never_closed_hides_nothing() {
        assert_eq!(fenced("``\na\n``\n"), [false; 3]);
        assert_eq!(fenced("    ```\na\n```\n"), [false; 3]);
        assert_eq!(fenced("```a`b\n```\nc\n"), [false; 3]);
        assert_eq!(fenced("~~~\n```\na\n```\n~~~ no close\n"), [false, true, true, true, false]);
    }

    #[test]
    fn the_line_end_of_most_lines_counts() {
        assert_eq!(line_end(b"a\r\nb\r\nc\n"), "\r\n");
        assert_eq!(line_end(b"a\r\nb\n"), "\n");
        assert_eq!(line_end(b"a\rb"), "\n");
    }
}
