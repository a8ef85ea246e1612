//! Git over HTTP (gitprotocol-http(5)) through whatever client the caller brings: this room knows no HTTP library.

mod adapter;
mod exchange;
mod extra_headers;

use std::{cell::RefCell, io::Read, rc::Rc};

pub(in crate::git::fetch) use adapter::Adapter;
pub(in crate::git::fetch) use extra_headers::ExtraHeaders;

/// Sends one request and follows no redirect.
pub trait HttpClient {
    /// Sends `request`; any status is an answer.
    ///
    /// # Errors
    /// If no answer came.
    fn send(&self, request: HttpRequest) -> anyhow::Result<HttpResponse>;
}

/// A request: `GET` without a body, else `POST`.
#[derive(Clone, Debug, Default)]
pub struct HttpRequest {
    /// The whole URL, without user and password.
    pub url: String,
    /// Names and values, an `Authorization` among them.
    pub headers: Vec<(String, String)>,
    /// What is posted.
    pub body: Option<Vec<u8>>,
    /// Whether the response may be large, so that a time limit is for a sign of life and not for all of it.
    pub is_download: bool,
}

/// An answer; its body is read as it comes.
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// Names and values; a name may repeat.
    pub headers: Vec<(String, String)>,
    /// The body, decompressed.
    pub body: Box<dyn Read>,
}

impl HttpResponse {
    fn header<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let same = move |header: &&(String, String)| header.0.eq_ignore_ascii_case(name);
        self.headers.iter().filter(same).map(|header| header.1.as_str())
    }
}

/// Why an exchange failed, kept beside gix's own error, which would lose the hints.
pub(in crate::git::fetch) type Failure = Rc<RefCell<Option<anyhow::Error>>>;
