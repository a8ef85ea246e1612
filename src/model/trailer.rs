//! A trailer: one `Key: value` line of a commit message's last paragraph (git-interpret-trailers(1)).

use serde::{Deserialize, Serialize};

use super::Text;

/// A trailer as the service reads it: split at the first colon, the value trimmed and unfolded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trailer {
    /// The name before the colon, case kept.
    pub key: Text,
    /// The text behind the colon, folded lines joined by one space.
    pub value: Text,
}
