//! A changelog file and a section come in, the file with the section in its place goes out: no other byte changes.

mod category_levels;
mod dates;
mod definitions;
mod elsewhere;
mod entry_style;
mod gitlab;
mod heading_text;
mod insertion;
mod line_categories;
mod links;
pub(crate) mod merge;
mod merge_items;
mod notes;
mod outline;
mod parts;
mod pending;
mod placement;
mod refusal;
mod replacement;
mod section_edits;
mod series_groups;
mod style;
mod subheading;
mod unreleased;
mod unreleased_update;
mod version_index;
mod version_key;

use std::ops::Range;

pub(crate) use self::entry_style::EntryStyle;
pub(crate) use self::notes::SectionSpan;
pub(crate) use self::{notes::DocumentSection, section_edits::InsertOptions};

/// A changelog file, of any bytes.
///
/// The headings of versions are read in the many forms that people write them in, and a new section takes the form of
/// the others. GitLab's own rule only knows *release headers*: `## VERSION` at the very start of a line, except in
/// fenced code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Document {
    bytes: Vec<u8>,
    lines: Vec<Line>,
}

/// The result of inserting a section into a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insertion {
    /// The section is new.
    Inserted,
    /// The section replaced the former one of the version.
    Replaced,
    /// The document was left as it was.
    Unchanged,
}

impl Document {
    /// Parses a document; all bytes are valid.
    #[must_use]
    pub(crate) fn parse(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        let lines = split(&bytes);
        Self { bytes, lines }
    }

    /// Returns the bytes of the document.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes of the document without a copy.
    #[must_use]
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns every line outside of fenced code, and the byte offset of its beginning.
    fn prose(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let prose = self.lines.iter().filter(|line| !line.fenced);
        prose.map(|line| (line.span.start, &self.bytes[line.span.clone()]))
    }

    fn trim(&self, span: Range<usize>) -> Range<usize> {
        span.start..span.start + self.bytes[span].trim_ascii_end().len()
    }

    fn splice(&mut self, span: Range<usize>, text: &str) {
        self.apply(vec![(span, text.to_owned())]);
    }

    /// Applies edits, which are in ascending order, and writes line ends as most lines have them.
    fn apply(&mut self, edits: Vec<(Range<usize>, String)>) {
        let line_end = line_end(&self.bytes);
        let mut bytes = Vec::with_capacity(self.bytes.len() + edits.iter().map(|(_, text)| text.len()).sum::<usize>());
        let mut at = 0;
        for (span, text) in edits {
            bytes.extend_from_slice(&self.bytes[at..span.start]);
            at = span.end;
            bytes.extend_from_slice(text.replace("\r\n", "\n").replace('\n', line_end).as_bytes());
        }
        bytes.extend_from_slice(&self.bytes[at..]);
        self.bytes = bytes;
        self.lines = split(&self.bytes);
    }

    /// Whether a piece of the document is this text, whatever its line ends.
    fn has_text(&self, span: Range<usize>, text: &str) -> bool {
        contents(&self.bytes[span]).eq(contents(text.as_bytes()))
    }

    /// Returns a line without its line end; `None` if it is not UTF-8.
    fn line(&self, at: usize) -> Option<&str> {
        let line = std::str::from_utf8(&self.bytes[self.lines.get(at)?.span.clone()]).ok()?;
        let line = line.strip_suffix('\n').unwrap_or(line);
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// Returns a line without its line end; `None` if it is code, a comment, front matter, or not UTF-8.
    fn text(&self, at: usize) -> Option<&str> {
        self.line(at).filter(|_| self.lines[at].is_prose())
    }

    fn is_blank(&self, at: usize) -> bool {
        is_blank(&self.bytes[self.lines[at].span.clone()])
    }

    /// Whether a line does not continue a paragraph.
    fn begins_paragraph(&self, at: usize) -> bool {
        at == 0 || self.is_blank(at - 1) || !self.lines[at - 1].is_prose()
    }

    fn ends_paragraph(&self, at: usize) -> bool {
        at + 1 == self.lines.len() || self.is_blank(at + 1) || !self.lines[at + 1].is_prose()
    }

    /// Returns the byte offset of a line; for an index after the last line, the end of the document.
    fn start_of(&self, at: usize) -> usize {
        self.lines.get(at).map_or(self.bytes.len(), |line| line.span.start)
    }
}

/// The byte order mark that some editors put before the first line; it is not part of the line.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One line: where it is in the bytes, its line feed included, and whether it may be a heading.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    /// From its first byte to after its line feed, or to the end of the document.
    span: Range<usize>,
    /// Whether it is in a fenced code block, the fences included.
    fenced: bool,
    commented: bool,
    /// Whether it is in front matter, or indented as code is.
    verbatim: bool,
}

impl Line {
    fn is_prose(&self) -> bool {
        !(self.fenced || self.commented || self.verbatim)
    }
}

/// Splits at line feeds; a carriage return stays at the end of its line.
fn split(bytes: &[u8]) -> Vec<Line> {
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

/// Returns the line end that most lines have; `\n` if both are equally frequent.
fn line_end(bytes: &[u8]) -> &'static str {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n"));
    let (windows, all) =
        lines.fold((0, 0), |(windows, all), line| (windows + usize::from(line.ends_with(b"\r\n")), all + 1));
    if windows * 2 > all { "\r\n" } else { "\n" }
}

/// Returns the lines of a text without their line ends.
fn contents(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

/// The fence of a code block: three or more backticks or tildes, indented by at most three spaces (`CommonMark` 4.5).
#[derive(Clone, Copy)]
struct Fence {
    mark: u8,
    len: usize,
    /// Whether only white space follows, so that it may close a block.
    bare: bool,
}

fn fence(line: &[u8]) -> Option<Fence> {
    // A list item may begin with a fence.
    let line = line.strip_prefix(b"- ").or_else(|| line.strip_prefix(b"* ")).unwrap_or(line);
    let indent = line.iter().take_while(|byte| **byte == b' ').count();
    let mark = *line.get(indent).filter(|mark| indent < 4 && matches!(mark, b'`' | b'~'))?;
    let len = line[indent..].iter().take_while(|byte| **byte == mark).count();
    let rest = &line[indent + len..];
    let inline = mark == b'`' && rest.contains(&b'`');
    (len >= 3 && !inline).then(|| Fence { mark, len, bare: is_blank(rest) })
}

/// Marks fenced code. An unclosed fence hides nothing: a heading in doubtful code is better than a missed one.
fn mark_fences(bytes: &[u8], lines: &mut [Line]) {
    let fences: Vec<(usize, Fence)> =
        lines.iter().enumerate().filter_map(|(index, line)| Some((index, fence(&bytes[line.span.clone()])?))).collect();
    let mut rest = fences.as_slice();
    let mut unclosed: Vec<Fence> = Vec::new();
    while let Some(((start, open), after)) = rest.split_first() {
        rest = after;
        // If no fence closes a shorter one, none closes a longer one, so no document is searched twice in vain.
        if unclosed.iter().any(|fence| fence.mark == open.mark && fence.len <= open.len) {
            continue;
        }
        match after.iter().position(|(_, close)| close.bare && close.mark == open.mark && close.len >= open.len) {
            None => unclosed.push(*open),
            Some(position) => {
                lines[*start..=after[position].0].iter_mut().for_each(|line| line.fenced = true);
                rest = &after[position + 1..];
            }
        }
    }
}

/// Marks front matter: `---` or `+++` around lines that begin with a key as in `key: value` or `key = value`.
fn mark_front_matter(bytes: &[u8], lines: &mut [Line]) {
    let content = |line: &Line| bytes[line.span.clone()].trim_ascii_end();
    let Some(mark) = lines.first().map(content).filter(|mark| matches!(*mark, b"---" | b"+++")) else { return };
    let Some(end) = lines.iter().skip(1).position(|line| content(line) == mark) else { return };
    let first = lines[1..=end].iter().map(content).find(|line| !line.is_empty() && !line.starts_with(b"#"));
    if first.is_some_and(|line| {
        let end = line.iter().position(|byte| matches!(byte, b':' | b'=' | b']')).unwrap_or_default();
        end > 0 && line[..end].iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-. [\"'".contains(byte))
    }) {
        lines[..end + 2].iter_mut().for_each(|line| line.verbatim = true);
    }
}

/// Marks comments that begin a line, to the line in which they end. A comment that is never closed hides nothing.
fn mark_comments(bytes: &[u8], lines: &mut [Line]) {
    let mut at = 0;
    while let Some(open) = (at..lines.len()).find(|at| {
        let line = &lines[*at];
        line.is_prose() && bytes[line.span.clone()].trim_ascii_start().starts_with(b"<!--")
    }) {
        let Some(close) = (open..lines.len())
            .find(|at| bytes[lines[*at].span.clone()].windows(b"-->".len()).any(|part| part == b"-->"))
        else {
            return;
        };
        lines[open..=close].iter_mut().for_each(|line| line.commented = true);
        at = close + 1;
    }
}

#[cfg(test)]
mod heading_lines_tests;
#[cfg(test)]
mod tests;
