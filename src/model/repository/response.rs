//! What a repository knows of something: as this program reads it, and as a server sent it.

use std::ops::Deref;

use serde::{Serialize, Serializer};
use serde_json::Value;

/// A value, and the body it was read from if a server sent it. As JSON it is what came, with every field and no other.
#[derive(Clone, Debug, PartialEq)]
pub struct RepositoryResponse<T> {
    value: T,
    body: Option<Value>,
}

impl<T> RepositoryResponse<T> {
    /// What a server sent.
    pub fn new(value: T, body: Value) -> Self {
        Self { value, body: Some(body) }
    }

    /// The body, if a server sent it.
    #[must_use]
    pub fn body(&self) -> Option<&Value> {
        self.body.as_ref()
    }
}

impl<T> From<T> for RepositoryResponse<T> {
    fn from(value: T) -> Self {
        Self { value, body: None }
    }
}

impl<T> Deref for RepositoryResponse<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Serialize> Serialize for RepositoryResponse<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.body {
            Some(body) => body.serialize(serializer),
            None => self.value.serialize(serializer),
        }
    }
}
