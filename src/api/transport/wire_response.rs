//! What comes back over the wire, before anybody knows what it means.

use std::{fmt, io::Read};

/// The head of an answer and a stream of its body.
pub(in crate::api) struct WireResponse {
    pub(in crate::api) status: u16,
    pub(in crate::api) headers: Headers,
    pub(in crate::api) body: Box<dyn Read>,
}

impl fmt::Debug for WireResponse {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Reply").field("status", &self.status).finish_non_exhaustive()
    }
}

/// The headers of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(pub(in crate::api) Vec<(String, String)>);

impl FromIterator<(String, String)> for Headers {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(headers: T) -> Self {
        Self(headers.into_iter().collect())
    }
}

impl Headers {
    /// The value of the first header of this name, in whatever case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(present, _)| present.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The names and values, in the order they came.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of a header as a number.
    pub(in crate::api) fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.trim().parse().ok()
    }
}
