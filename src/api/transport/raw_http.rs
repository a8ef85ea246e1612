//! HTTP requests that are not part of the API, such as those of git.

use std::{borrow::Cow, io::Read, time::Duration};

use super::{
    proxy::Proxies,
    wire::{Payload, Timeout, Transport, WireRequest},
};
use crate::{
    api::{operation::Method, server::Url},
    model::Problem,
};

/// Sends requests as they are: adds no credential, follows no redirect, and retries nothing.
#[derive(Debug)]
pub struct RawHttp {
    transport: Transport,
    timeout: Duration,
}

/// A response.
pub struct RawHttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The names and values of the headers.
    pub headers: Vec<(String, String)>,
    /// The body as a stream.
    pub body: Box<dyn Read>,
}

impl RawHttp {
    /// Uses these proxies, and `timeout` as the time limit.
    #[must_use]
    pub fn new(proxies: Proxies, timeout: Duration) -> Self {
        Self { transport: Transport::new(proxies), timeout }
    }

    /// Sends a `GET`, or a `POST` if there is a body. The time limit is for the whole response, or between two reads of a
    /// download.
    ///
    /// # Errors
    /// If the URL is not valid, or there is no response.
    pub fn send(
        &self,
        url: &str,
        headers: &[(String, String)],
        body: Option<Vec<u8>>,
        is_download: bool,
    ) -> std::result::Result<RawHttpResponse, Problem> {
        let url = Url::parse(url).map_err(|why| Problem::new(format!("cannot use the URL: {why}")))?;
        let method = if body.is_some() { Method::Post } else { Method::Get };
        let headers = headers.iter().map(|(name, value)| (Cow::from(name.clone()), value.clone())).collect();
        let payload = body.map_or(Payload::None, Payload::whole);
        let limit = if is_download { Timeout::Idle(self.timeout) } else { Timeout::Total(self.timeout) };
        let request = WireRequest { method, url: &url, headers, payload, limit };
        let response = self.transport.send(request).map_err(|error| {
            let problem = Problem::new(error.message);
            error.hint.into_iter().fold(problem, Problem::hint)
        })?;
        Ok(RawHttpResponse { status: response.status, headers: response.headers.0, body: response.body })
    }
}
