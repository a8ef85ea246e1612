//! A warning: something the user should know that does not stop the work.

use std::fmt;

/// What is odd, and what to do about it. `--strict` makes every warning an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What is odd: lower case, no final period.
    pub message: String,
    /// The way out, where there is one.
    pub hint: Option<String>,
}

impl Warning {
    /// A warning without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    /// The same warning with the way out.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}
