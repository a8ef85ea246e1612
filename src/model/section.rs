//! A section: one release in the changelog file. The program writes its header, a template its body.

use std::fmt;

/// `## VERSION (DATE)`, an empty line, the body and an empty line, with LF line endings; what is unreleased has no date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The version of the header.
    pub version: String,
    /// The date of the header, already formatted; it may be empty.
    pub date: Option<String>,
    /// The rendered template, stripped.
    pub body: String,
}

impl Section {
    /// The section as it stands alone: what `tidings show` prints.
    #[must_use]
    pub fn notes(&self) -> String {
        let mut text = self.to_string();
        text.truncate(text.trim_end_matches(is_stripped).len());
        text.push('\n');
        text
    }
}

impl fmt::Display for Section {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "## {}", self.version)?;
        if let Some(date) = &self.date {
            write!(out, " ({date})")?;
        }
        write!(out, "\n\n{}\n\n", self.body)
    }
}

/// What Ruby's `strip` takes for white space, and so the service: ASCII space and NUL, no Unicode space.
#[must_use]
pub fn is_stripped(character: char) -> bool {
    matches!(character, '\0' | '\t' | '\n' | '\x0b' | '\x0c' | '\r' | ' ')
}
