//! A section: one release in the changelog file. The program writes its heading, a template its body.

use std::fmt;

/// `## VERSION (DATE)`, an empty line, the body and an empty line, with LF line endings; unreleased changes have no date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The version of the heading.
    pub version: String,
    /// The date of the heading, already formatted; it may be empty.
    pub date: Option<String>,
    /// The rendered template, stripped.
    pub body: String,
}

impl Section {
    /// The section as `tidings show` prints it.
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

/// Whether Ruby's `strip`, and so GitLab, removes the character: ASCII white space and NUL, not Unicode spaces.
#[must_use]
pub fn is_stripped(character: char) -> bool {
    matches!(character, '\0' | '\t' | '\n' | '\x0b' | '\x0c' | '\r' | ' ')
}
