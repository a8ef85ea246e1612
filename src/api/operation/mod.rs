//! Requests as values, which can be inspected before they are sent: method, path, query and body, and what a dry run
//! shows.

mod path;
pub(super) mod secret;

use std::{fmt, path::PathBuf, str::FromStr};

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Value, json};

pub(super) use self::path::decode;
pub(crate) use self::path::{Fields, Path};
pub(crate) use self::secret::Secret;
use self::secret::mask;
use crate::model::Problem;

/// The host that a request is sent to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ApiHost {
    #[default]
    Api,
    /// The host that files are uploaded to on GitHub.
    Uploads,
    /// The API of GraphQL beside the REST API.
    GraphQl,
    /// The pages for people, which files are downloaded from on Gitea.
    Pages,
}

/// A request to the API.
#[derive(Clone, Debug)]
pub(crate) struct ApiRequest {
    pub(crate) method: Method,
    pub(crate) site: ApiHost,
    pub(crate) path: Path,
    pub(crate) query: Fields,
    pub(crate) body: Body,
    /// The access that the request needs, in words that follow "this needs" in the hint for a 403.
    pub(crate) required_access: &'static str,
    /// Values of the body that are never shown: not by `--dry-run`, not in errors.
    pub(crate) secrets: Vec<Secret>,
    /// A hint at a condition that the server's error (400) does not name; empty if there is none.
    pub(crate) precondition: &'static str,
    /// The form of the request for older servers, sent if the server has no such route.
    pub(crate) legacy: Option<Box<ApiRequest>>,
}

impl ApiRequest {
    /// Creates a request without query and body.
    #[must_use]
    pub(crate) fn new(method: Method, path: Path) -> Self {
        Self {
            method,
            site: ApiHost::Api,
            path,
            query: Fields::new(),
            body: Body::None,
            required_access: "",
            secrets: Vec::new(),
            precondition: "",
            legacy: None,
        }
    }

    pub(crate) fn get(path: Path) -> Self {
        Self::new(Method::Get, path)
    }

    pub(crate) fn query(self, query: Fields) -> Self {
        Self { query, ..self }
    }

    /// Sets the body.
    #[must_use]
    pub(crate) fn body(self, body: Body) -> Self {
        Self { body, ..self }
    }

    pub(crate) fn access(self, required_access: &'static str) -> Self {
        Self { required_access, ..self }
    }

    /// Returns method and path: `PUT /projects/7/labels/bug`.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.method, self.path.as_str())
    }
}

/// A method of a request (RFC 9110, section 9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Method {
    /// Reads.
    #[default]
    Get,
    /// Reads only the head of a response.
    Head,
    /// Creates or triggers.
    Post,
    /// Replaces.
    Put,
    /// Changes in part.
    Patch,
    /// Removes.
    Delete,
}

impl Method {
    const ALL: [Self; 6] = [Self::Get, Self::Head, Self::Post, Self::Put, Self::Patch, Self::Delete];

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }

    /// Whether the method only reads, so that sending it again is harmless.
    pub(crate) const fn is_read(self) -> bool {
        matches!(self, Self::Get | Self::Head)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl FromStr for Method {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Self, Problem> {
        Self::ALL
            .into_iter()
            .find(|method| method.as_str().eq_ignore_ascii_case(text))
            .ok_or_else(|| Problem::usage("it must be GET, HEAD, POST, PUT, PATCH or DELETE"))
    }
}

/// A request that was not sent. Nothing in it is secret.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Preview {
    /// The method.
    pub method: &'static str,
    /// The URL.
    pub url: String,
    /// The relevant headers, the token masked.
    pub(crate) headers: IndexMap<&'static str, String>,
    /// The JSON document, or the fields of the form; `null` without one.
    pub(crate) body: Value,
}

impl Preview {
    /// Creates the preview of a request to `url`, with the header of the token, if there is one.
    pub(in crate::api) fn new(request: &ApiRequest, url: String, token: Option<(&'static str, String)>) -> Self {
        let kind = request.body.content_type().map(|kind| ("Content-Type", kind.to_owned()));
        let headers = token.into_iter().chain(kind).collect();
        Self { method: request.method.as_str(), url, headers, body: shown_body(request) }
    }
}

fn shown_body(request: &ApiRequest) -> Value {
    let document = match &request.body {
        Body::None => Value::Null,
        Body::Json(document) => document.clone(),
        Body::File(path) => json!(format!("@{}", path.display())),
        Body::Form(fields) => fields.iter().map(|(name, value)| (name.to_owned(), json!(value))).collect(),
        Body::Multipart { fields, file } => {
            let fields = fields.iter().map(|(name, value)| (name.to_owned(), json!(value)));
            let file = (file.field.clone(), json!(format!("@{} as {}", file.path.display(), file.name)));
            fields.chain([file]).collect()
        }
    };
    mask_value(document, &request.secrets)
}

fn mask_value(value: Value, secrets: &[Secret]) -> Value {
    match value {
        Value::String(text) => Value::String(mask(&text, secrets)),
        Value::Array(list) => list.into_iter().map(|value| mask_value(value, secrets)).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, mask_value(value, secrets))).collect(),
        plain => plain,
    }
}

/// The body of a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Body {
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
pub(crate) struct FilePart {
    pub(crate) field: String,
    /// The name of the file on the server.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
}

impl Body {
    /// Returns the media type, without the boundary of a multipart body.
    pub(crate) fn content_type(&self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Json(_) => Some("application/json"),
            Self::Form(_) => Some("application/x-www-form-urlencoded"),
            Self::File(_) => Some("application/octet-stream"),
            Self::Multipart { .. } => Some("multipart/form-data"),
        }
    }
}
