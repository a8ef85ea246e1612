//! A trailer: one `Key: value` line of a commit message's last paragraph (git-interpret-trailers(1)).

use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::{SharedText, TextArena};

/// A trailer as the service reads it: split at the first colon, the value trimmed and unfolded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trailer<T = SharedText> {
    /// The name before the colon, case kept.
    pub key: T,
    /// The text behind the colon, folded lines joined by one space.
    pub value: T,
}

impl<T: Deref<Target = str>> Trailer<T> {
    /// The same with its text among `texts`.
    #[must_use]
    pub fn in_arena(&self, texts: &mut TextArena) -> Trailer {
        Trailer { key: texts.add(&self.key), value: texts.add(&self.value) }
    }
}
