//! The bodies of requests.

use std::path::PathBuf;

use serde_json::Value;

use super::fields::Fields;

/// The body of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Body {
    /// Nothing.
    #[default]
    None,
    /// A JSON document.
    Json(Value),
    /// `application/x-www-form-urlencoded`.
    Form(Fields),
    /// A file, streamed.
    File(PathBuf),
    /// `multipart/form-data`: fields, and one file that is streamed.
    Multipart {
        /// The fields before the file.
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
    /// The name of the file on the server.
    pub name: String,
    /// The local file.
    pub path: PathBuf,
}

impl Body {
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
