//! What an operation gave back.

use serde_json::Value;

use crate::api::transport::Headers;

/// The answer of an operation: its value, and everything the service sent.
#[derive(Clone, Debug)]
pub struct ApiResponse<T> {
    /// The answer, as far as its type knows it.
    pub value: T,
    /// The answer with every field the service sent; `null` where it sent nothing.
    pub raw: Value,
    /// The status: 200, 201, 204 or 304.
    pub status: u16,
    /// The headers.
    pub headers: Headers,
}

impl<T> ApiResponse<T> {
    /// Whether the thing was as asked for already, so that nothing was done (304).
    #[must_use]
    pub fn is_not_modified(&self) -> bool {
        self.status == 304
    }
}
