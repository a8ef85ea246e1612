//! Plain requests: what speaks HTTP to the same kinds of servers and is no operation of the API, such as git.

use std::{borrow::Cow, io::Read, time::Duration};

use super::{
    proxy::Proxies,
    wire::{Payload, Timeout, Transport, WireRequest},
};
use crate::{
    api::{operation::Method, server::Url},
    model::Problem,
};

/// Sends requests as they are given: no credential is added, no redirect followed, nothing sent twice.
#[derive(Debug)]
pub struct RawHttp {
    transport: Transport,
    timeout: Duration,
}

/// What came back.
pub struct RawHttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    /// The body as it comes.
    pub body: Box<dyn Read>,
}

impl RawHttp {
    /// A sender through these proxies that waits as long as `timeout`.
    #[must_use]
    pub fn new(proxies: Proxies, timeout: Duration) -> Self {
        Self { transport: Transport::new(proxies), timeout }
    }

    /// Sends a `GET`, or a `POST` if there is a body. The time limit holds for the whole of it; for a download, between two
    /// signs of life.
    ///
    /// # Errors
    ///
    /// Where the URL is none, or no answer comes.
    pub fn send(
        &self,
        url: &str,
        headers: &[(String, String)],
        body: Option<Vec<u8>>,
        is_download: bool,
    ) -> std::result::Result<RawHttpResponse, Problem> {
        let url = Url::parse(url).map_err(|why| Problem::new(format!("the URL cannot be used: {why}")))?;
        let method = if body.is_some() { Method::Post } else { Method::Get };
        let headers = headers.iter().map(|(name, value)| (Cow::from(name.clone()), value.clone())).collect();
        let payload = body.map_or(Payload::None, Payload::whole);
        let limit = if is_download { Timeout::Idle(self.timeout) } else { Timeout::Total(self.timeout) };
        let outgoing = WireRequest { method, url: &url, headers, payload, limit };
        let reply = self.transport.send(outgoing).map_err(|fault| {
            let problem = Problem::new(fault.message);
            fault.hint.into_iter().fold(problem, Problem::hint)
        })?;
        Ok(RawHttpResponse { status: reply.status, headers: reply.headers.0, body: reply.body })
    }
}
