//! The document: the changelog file, into which sections are put without touching a byte of the rest.

mod dates;
mod definitions;
mod gitlab;
mod heading_text;
mod insertion;
mod lines;
mod links;
mod notes;
mod outline;
mod placement;
mod refusal;
mod style;
mod unreleased;
mod version_key;

use std::ops::Range;

pub use insertion::InsertOptions;
pub use notes::DocumentSection;

use self::lines::{Line, is_blank};

/// A changelog file, of any bytes.
///
/// The headings of versions are read in the many forms that people write them in, and a new section takes the form of
/// the others. GitLab's own rule knows *release headers* alone: `## VERSION` at the very start of a line, except in
/// fenced code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    bytes: Vec<u8>,
    lines: Vec<Line>,
}

/// What became of a section that was put into a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Insertion {
    /// It is new.
    Inserted,
    /// It took the place of the version's former section.
    Replaced,
    /// The document was left as it was.
    Unchanged,
}

impl Document {
    /// Reads a document; every text is one.
    #[must_use]
    pub fn parse(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        let lines = lines::split(&bytes);
        Self { bytes, lines }
    }

    /// The document as it is in the file.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same without a copy.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Every line that is not code, and where it begins.
    fn prose(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let prose = self.lines.iter().filter(|line| !line.fenced);
        prose.map(|line| (line.span.start, &self.bytes[line.span.clone()]))
    }

    /// The span without white space at its end.
    fn trimmed(&self, span: Range<usize>) -> Range<usize> {
        span.start..span.start + self.bytes[span].trim_ascii_end().len()
    }

    fn with_line_ends(&self, text: &str) -> String {
        match lines::line_end(&self.bytes) {
            "\n" => text.to_owned(),
            line_end => text.replace("\r\n", "\n").replace('\n', line_end),
        }
    }

    fn splice(&mut self, span: Range<usize>, text: &str) {
        self.apply(vec![(span, text.to_owned())]);
    }

    /// Replaces texts, given in ascending order, and writes line ends as most lines have them.
    fn apply(&mut self, edits: Vec<(Range<usize>, String)>) {
        let edits: Vec<_> = edits.into_iter().map(|(span, text)| (span, self.with_line_ends(&text))).collect();
        for (span, text) in edits.into_iter().rev() {
            self.bytes.splice(span, text.into_bytes());
        }
        self.lines = lines::split(&self.bytes);
    }

    /// Replaces a section without the white space at its end. One that differs in line ends alone is left as it is: the
    /// new one might tip the balance between them.
    fn replace_text(&mut self, span: Range<usize>, text: &str) -> Insertion {
        let span = self.trimmed(span);
        if lines::contents(&self.bytes[span.clone()]).eq(lines::contents(text.as_bytes())) {
            return Insertion::Unchanged;
        }
        self.splice(span, text);
        Insertion::Replaced
    }

    /// A line without its end; `None` if it is not UTF-8.
    fn line(&self, at: usize) -> Option<&str> {
        let line = std::str::from_utf8(&self.bytes[self.lines.get(at)?.span.clone()]).ok()?;
        let line = line.strip_suffix('\n').unwrap_or(line);
        Some(line.strip_suffix('\r').unwrap_or(line))
    }

    /// The same if it is neither code nor comment nor front matter.
    fn text(&self, at: usize) -> Option<&str> {
        self.line(at).filter(|_| self.lines[at].is_prose())
    }

    fn is_blank(&self, at: usize) -> bool {
        is_blank(&self.bytes[self.lines[at].span.clone()])
    }

    /// Whether no paragraph goes on in a line.
    fn begins_paragraph(&self, at: usize) -> bool {
        at == 0 || self.is_blank(at - 1) || !self.lines[at - 1].is_prose()
    }

    fn ends_paragraph(&self, at: usize) -> bool {
        at + 1 == self.lines.len() || self.is_blank(at + 1) || !self.lines[at + 1].is_prose()
    }

    /// Where a line begins; the end of the document after the last.
    fn start_of(&self, at: usize) -> usize {
        self.lines.get(at).map_or(self.bytes.len(), |line| line.span.start)
    }
}

#[cfg(test)]
mod tests;
