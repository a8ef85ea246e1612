//! A warning: something the user should know that does not stop the work.

use std::fmt;

use super::message;

/// What is odd, and what to do about it, in a line each and safe to show. `--strict` makes every warning an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What is odd: lower case, no final period.
    pub message: String,
    /// The way out, where there is one.
    pub hint: Option<String>,
}

impl Warning {
    /// A warning without a hint.
    pub fn new(text: impl AsRef<str>) -> Self {
        Self { message: message(text.as_ref()), hint: None }
    }

    /// The same warning with the way out.
    #[must_use]
    pub fn hint(mut self, hint: impl AsRef<str>) -> Self {
        self.hint = Some(message(hint.as_ref()));
        self
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}
