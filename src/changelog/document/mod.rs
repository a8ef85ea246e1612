//! The document: the changelog file, into which sections are put without touching a byte of the rest.

mod heading;
mod lines;
mod notes;

use std::ops::Range;

pub use notes::DocumentSection;

use self::lines::{BYTE_ORDER_MARK, Line, is_blank};
use crate::model::{Section, section::is_stripped, version_order};

/// A changelog file, of any bytes.
///
/// A *release header* is what the service takes for one, `## VERSION` at the very start of a line, except in fenced
/// code. Other headings (`## Unreleased`, `## [1.0.0]`) are text like any other when a section looks for its place.
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

    /// The document as it stands in the file.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The same without a copy.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Whether a release header of this version (without `v`) is there.
    #[must_use]
    pub fn contains(&self, version: &str) -> bool {
        self.header(version).is_some()
    }

    /// Puts a section before that of the next lower version, else at the end; does nothing where the version is there.
    ///
    /// The header gets a line of its own and an empty line before it, and the section the line end that most lines of
    /// the document have.
    pub fn insert(&mut self, section: &Section) -> Insertion {
        if self.contains(&section.version) {
            return Insertion::Unchanged;
        }
        match self.next_lower(&section.version) {
            Some(place) => self.splice(place..place, &(self.gap(place, false) + &section.to_string())),
            None => self.append(section),
        }
        Insertion::Inserted
    }

    /// Puts a section into the place of the version's former one, white space around it kept; inserts it where there
    /// is none. One that differs in line ends alone is left as it is: the new one might tip the balance between them.
    pub fn replace(&mut self, section: &Section) -> Insertion {
        let Some(header) = self.header(&section.version) else { return self.insert(section) };
        let span = self.trimmed(header..self.section_end(header));
        let text = section.to_string();
        let text = text.trim_end_matches(is_stripped);
        if lines::contents(&self.bytes[span.clone()]).eq(lines::contents(text.as_bytes())) {
            return Insertion::Unchanged;
        }
        self.splice(span, text);
        Insertion::Replaced
    }

    fn append(&mut self, section: &Section) {
        let end = self.bytes.len();
        let follows_release = self.releases().next().is_some();
        self.splice(end..end, &(self.gap(end, follows_release) + &section.notes()));
    }

    /// The line ends that part a header at `place` from what stands before it. Behind a release the service always
    /// writes one, so that empty lines at the end of a file stay and become one more.
    fn gap(&self, place: usize, follows_release: bool) -> String {
        let Some(last) = self.lines.iter().take_while(|line| line.span.start < place).last() else {
            return String::new();
        };
        let last = &self.bytes[last.span.clone()];
        let missing = usize::from(!last.ends_with(b"\n")) + usize::from(!is_blank(last));
        "\n".repeat(missing.max(usize::from(follows_release)))
    }

    /// Where the header stands of the highest version that is not above this one.
    fn next_lower(&self, version: &str) -> Option<usize> {
        let mut found: Option<(&str, usize)> = None;
        for (candidate, place) in self.releases() {
            // Of a version that is there twice the last place counts, of equal versions the first.
            let better =
                found.is_none_or(|(best, _)| candidate == best || version_order::compare(candidate, best).is_gt());
            if better && version_order::compare(candidate, version).is_le() {
                found = Some((candidate, place));
            }
        }
        found.map(|(_, place)| place)
    }

    /// The versions of the release headers, and where these stand. The service sees none behind a byte order mark.
    fn releases(&self) -> impl Iterator<Item = (&str, usize)> {
        let visible = self.prose().filter(|(place, _)| self.bytes[..*place] != *BYTE_ORDER_MARK);
        visible.filter_map(|(place, line)| Some((heading::strict_version(line)?, place)))
    }

    fn header(&self, version: &str) -> Option<usize> {
        self.prose().find(|(_, line)| heading::heads(line, version)).map(|(place, _)| place)
    }

    /// Every line that is no code, and where it begins.
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
        let text = self.with_line_ends(text);
        self.bytes.splice(span, text.into_bytes());
        self.lines = lines::split(&self.bytes);
    }
}

#[cfg(test)]
mod tests;
