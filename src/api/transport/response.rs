//! What comes back over the wire: a response, or why there is none.

use std::{
    fmt,
    io::{self, Read},
};

/// The head of a response and a stream of its body.
pub(in crate::api) struct WireResponse {
    pub(in crate::api) status: u16,
    pub(in crate::api) headers: Headers,
    pub(in crate::api) body: Box<dyn Read>,
}

impl fmt::Debug for WireResponse {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("WireResponse").field("status", &self.status).finish_non_exhaustive()
    }
}

/// The headers of a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(pub(in crate::api) Vec<(String, String)>);

impl FromIterator<(String, String)> for Headers {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(headers: T) -> Self {
        Self(headers.into_iter().collect())
    }
}

impl Headers {
    /// The value of the first header of a name; its case does not matter.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(present, _)| present.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The names and values in the order of the response.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of a header as a number.
    pub(in crate::api) fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.trim().parse().ok()
    }
}

/// A request that got no response.
#[derive(Clone, Debug)]
pub(in crate::api) struct TransportError {
    pub(in crate::api) stage: FailureStage,
    pub(in crate::api) message: String,
    pub(in crate::api) hint: Option<&'static str>,
}

/// How far a request came, which decides whether it is retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) enum FailureStage {
    /// Nothing was sent, and it may work later.
    Unsent,
    /// Something was sent, and what the server did is unknown.
    Broken,
    TimedOut,
    /// A retry would fail too.
    Permanent,
}

impl TransportError {
    pub(in crate::api) fn new(stage: FailureStage, message: impl Into<String>) -> Self {
        Self { stage, message: message.into(), hint: None }
    }

    pub(in crate::api) fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// The error for a body that cannot be read to its end.
    pub(in crate::api) fn reading(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::new(FailureStage::Broken, "the response was cut off"),
            io::ErrorKind::TimedOut => Self::new(FailureStage::TimedOut, "the response stalled")
                .hint("allow more time with `--timeout SECONDS`"),
            _ => Self::new(FailureStage::Broken, format!("cannot read the response: {error}")),
        }
    }
}
