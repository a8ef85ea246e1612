//! Regular expressions of the settings: RE2's language, compiled once.

use regex::{Regex, RegexBuilder};

use super::re2;

/// How large a compiled pattern may grow, in bytes: enough for any sane one, and `a{1000}{1000}` is refused.
const SIZE_LIMIT: usize = 1 << 20;

/// A compiled pattern; two are equal where their texts are.
#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    regex: Regex,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    ///
    /// A reason, where RE2 would refuse it, or one of its rare constructs has no counterpart here.
    pub fn parse(text: &str) -> Result<Self, String> {
        let regex = RegexBuilder::new(&re2::translate(text)?).size_limit(SIZE_LIMIT).build();
        Ok(Self { text: text.to_owned(), regex: regex.map_err(|error| reason(&error))? })
    }

    /// The text it was compiled from.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What searches for it.
    #[must_use]
    pub fn regex(&self) -> &Regex {
        &self.regex
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

/// The last line of the parser's report; the ones before it draw the pattern again.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}
