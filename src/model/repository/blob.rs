//! The content of a file, wrapped for JSON.

use serde::{Deserialize, Serialize};

use super::Extra;

/// A blob and its content in Base64.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Blob {
    /// The size of the content in bytes, before encoding.
    pub size: u64,
    /// How `content` is encoded: `base64`.
    pub encoding: String,
    /// The encoded content, without line breaks.
    pub content: String,
    /// The blob's full id.
    pub sha: String,
    /// What else a server says.
    #[serde(flatten)]
    pub extra: Extra,
}
