//! Responses, and error responses in each of GitLab's forms.

use std::fmt::Display;

use serde_json::{Value, json};

/// A response.
#[derive(Clone, Debug)]
pub struct Response {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    pub delivery: Delivery,
}

/// How a response is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// With its length.
    Whole,
    /// In chunks, its length unknown.
    Chunked,
    /// Cut off in the middle.
    Truncated,
    /// Never.
    Withheld,
    /// Not at all: the connection is closed.
    Dropped,
}

impl Response {
    pub fn new(status: u16, kind: &str, body: impl Into<Vec<u8>>) -> Self {
        let headers = vec![("Content-Type".to_owned(), kind.to_owned())];
        Self { status, headers, body: body.into(), delivery: Delivery::Whole }
    }

    pub fn json(status: u16, document: &Value) -> Self {
        Self::new(status, "application/json", document.to_string())
    }

    pub fn text(status: u16, text: &str) -> Self {
        Self::new(status, "text/plain", text)
    }

    pub fn empty(status: u16) -> Self {
        Self { headers: Vec::new(), ..Self::text(status, "") }
    }

    #[must_use]
    pub fn header(mut self, name: &str, value: impl Display) -> Self {
        self.headers.push((name.to_owned(), format!("{value}")));
        self
    }

    #[must_use]
    pub fn delivered(self, delivery: Delivery) -> Self {
        Self { delivery, ..self }
    }

    /// `{"message": ...}`: the form of most refusals.
    pub fn message(status: u16, message: impl Into<Value>) -> Self {
        Self::json(status, &json!({ "message": message.into() }))
    }

    /// `{"error": ...}`: the form of wrong parameters and missing routes.
    pub fn error(status: u16, error: &str) -> Self {
        Self::json(status, &json!({ "error": error }))
    }

    /// 404 for a thing of this kind.
    pub fn not_found(kind: &str) -> Self {
        Self::message(404, format!("404 {kind} Not Found"))
    }

    /// 400 for a required parameter.
    pub fn missing(name: &str) -> Self {
        Self::error(400, &format!("{name} is missing"))
    }

    /// 400 for a value the model refuses.
    pub fn invalid(field: &str, why: &str) -> Self {
        Self::message(400, json!({ field: [why] }))
    }
}
