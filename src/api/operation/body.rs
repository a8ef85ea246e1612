//! Bodies of requests.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use super::fields::Fields;

/// What a request carries.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Body {
    /// Nothing.
    #[default]
    None,
    /// A JSON document.
    Json(Value),
    /// `application/x-www-form-urlencoded`.
    Form(Fields),
    /// A file as it is, streamed.
    File(PathBuf),
    /// `multipart/form-data`: fields, and one file that is streamed.
    Multipart {
        /// The fields in front of the file.
        fields: Fields,
        /// The file's field.
        file: FilePart,
    },
}

/// A file to upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilePart {
    /// The name of the field.
    pub field: String,
    /// The name the service shall give the file.
    pub name: String,
    /// Where the file lies.
    pub path: PathBuf,
}

impl Body {
    /// A JSON document from plain data.
    ///
    /// Data that JSON cannot hold (a map with keys that are no text) becomes `null`; no body of the API is made of such.
    #[must_use]
    pub fn json(value: &impl Serialize) -> Self {
        Self::Json(serde_json::to_value(value).unwrap_or_default())
    }

    /// The media type, without the boundary of a multipart body.
    #[must_use]
    pub fn content_type(&self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Json(_) => Some("application/json"),
            Self::Form(_) => Some("application/x-www-form-urlencoded"),
            Self::File(_) => Some("application/octet-stream"),
            Self::Multipart { .. } => Some("multipart/form-data"),
        }
    }
}
