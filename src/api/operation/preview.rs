//! A request as it would be sent, to be shown to people.

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    body::Body,
    endpoint::ApiRequest,
    secret::{Secret, mask},
};

/// A request that was not sent. Nothing in it is secret.
#[derive(Clone, Debug, Serialize)]
pub struct Preview {
    /// How it would be sent.
    pub method: &'static str,
    /// Where it would be sent.
    pub url: String,
    /// The headers that matter, the token masked.
    pub headers: IndexMap<&'static str, String>,
    /// The body: the JSON document, or the fields of the form; `null` without one.
    pub body: Value,
}

impl Preview {
    /// A call to `url`, with the header that carries the token, where there is one.
    pub(in crate::api) fn of(call: &ApiRequest, url: String, token: Option<(&'static str, String)>) -> Self {
        let kind = call.body.content_type().map(|kind| ("Content-Type", kind.to_owned()));
        let headers = token.into_iter().chain(kind).collect();
        Self { method: call.method.as_str(), url, headers, body: body(call) }
    }
}

fn body(call: &ApiRequest) -> Value {
    let document = match &call.body {
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
    masked(document, &call.secrets)
}

fn masked(value: Value, secrets: &[Secret]) -> Value {
    match value {
        Value::String(text) => Value::String(mask(&text, secrets)),
        Value::Array(list) => list.into_iter().map(|value| masked(value, secrets)).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, masked(value, secrets))).collect(),
        plain => plain,
    }
}
