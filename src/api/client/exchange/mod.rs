//! From a request to its response: attempts, redirects and pauses.

mod error_response;
mod payload;
mod redirect;
mod retry;

use std::{
    borrow::Cow,
    io::{self, Read},
    time::{Duration, Instant},
};

pub use self::retry::{Clock, RetryPolicy, SystemClock};
use self::{
    error_response::{ErrorResponse, ServerMessage},
    retry::Retry,
};
use super::{
    Client,
    error::{Error, Refusal, Result},
    event::ClientEvent,
};
use crate::{
    api::{
        operation::{ApiRequest, Body, secret},
        server::Url,
        transport::{FailureStage, Timeout, TransportError, WireRequest, WireResponse},
    },
    model::Problem,
};

/// How much of the body of an error response is read.
const MAX_ERROR_BODY: u64 = 64 << 10;

/// How a response is read, which decides what `--timeout` limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadMode {
    Whole,
    Stream,
}

/// A response, and its origin if a redirect led to another server.
type Arrival = (WireResponse, Option<String>);

/// An attempt that failed, and whether to retry.
struct FailedAttempt {
    error: Error,
    retry: Option<Retry>,
}

impl Client {
    /// Sends a request until it succeeds or the retry policy ends; `read` reads the successful response.
    pub(super) fn exchange<T>(
        &self,
        request: &ApiRequest,
        url: &Url,
        mode: ReadMode,
        read: impl Fn(WireResponse) -> io::Result<T>,
    ) -> Result<T> {
        self.check(request, url)?;
        let started = self.clock.now();
        let mut attempt = 0;
        loop {
            let limit = || self.limit(request, mode, self.clock.now().duration_since(started).unwrap_or_default());
            let failure = match self.attempt(request, url, &limit) {
                Ok((response, _)) if is_success(response.status) => match read(response) {
                    Ok(result) => return Ok(result),
                    Err(error) => self.failed(request, &TransportError::reading(&error), attempt),
                },
                Ok(arrival) => self.refused(request, arrival, attempt),
                Err(error) => self.failed(request, &error, attempt),
            };
            let spent = self.clock.now().duration_since(started).unwrap_or_default();
            let in_time = |retry: &Retry| spent.saturating_add(retry.pause) < self.retry_policy.timeout;
            let Some(retry) = failure.retry.filter(|retry| attempt < self.retry_policy.retries && in_time(retry))
            else {
                return Err(failure.error);
            };
            self.notify(&ClientEvent::Waiting { pause: retry.pause, why: &retry.why });
            self.clock.sleep(retry.pause);
            attempt += 1;
        }
    }

    /// Makes one attempt and follows redirects, all within the time limit of one request.
    fn attempt(&self, request: &ApiRequest, url: &Url, limit: &dyn Fn() -> Timeout) -> Result<Arrival, TransportError> {
        let (mut here, mut trusted) = (url.clone(), true);
        for _ in 0..=redirect::MAX_REDIRECTS {
            let response = self.once(request, &here, trusted, limit())?;
            let target = match redirect::parse(request.method, &here, response.status, &response.headers) {
                None => return Ok((response, (!trusted).then(|| here.origin()))),
                Some(target) => target.map_err(|why| refused_redirect(response.status, &why))?,
            };
            self.notify(&ClientEvent::Redirected { to: &target.url, trusted: target.trusted });
            // A redirect back from another server is not trusted either.
            trusted &= target.trusted;
            here = if trusted { target.url } else { target.url.with_target(secret::strip_query(target.url.target())) };
        }
        Err(TransportError::new(FailureStage::Permanent, "too many redirects"))
    }

    fn once(
        &self,
        request: &ApiRequest,
        url: &Url,
        trusted: bool,
        limit: Timeout,
    ) -> Result<WireResponse, TransportError> {
        let (content_type, payload) =
            payload::open(request, self.observer.as_ref()).map_err(|error| unreadable(&error))?;
        let headers = self.headers(content_type, trusted, limit);
        let url = if trusted { self.credential.add_to_url(url) } else { url.clone() };
        self.notify(&ClientEvent::Sending { method: request.method, url: &url });
        let started = Instant::now();
        let response =
            self.transport.send(WireRequest { method: request.method, url: &url, headers, payload, limit })?;
        self.notify(&ClientEvent::Responded { status: response.status, elapsed: started.elapsed() });
        Ok(response)
    }

    fn headers(&self, content_type: Option<String>, trusted: bool, limit: Timeout) -> Vec<(Cow<'static, str>, String)> {
        let credential = self.credential.header().filter(|_| trusted);
        let credential = credential.map(|(name, prefix, secret)| (name, format!("{prefix}{}", secret.expose())));
        let mut headers: Vec<_> = credential.into_iter().collect();
        headers.extend(self.base.forge().api().headers.iter().map(|(name, value)| (*name, (*value).to_owned())));
        headers.extend(content_type.map(|kind| ("Content-Type", kind)));
        if matches!(limit, Timeout::Idle(_)) {
            // Without this, a file could be compressed on the way and its size unknown.
            headers.push(("Accept-Encoding", "identity".to_owned()));
        }
        headers.into_iter().map(|(name, value)| (name.into(), value)).collect()
    }

    /// Refuses requests that must not be sent.
    fn check(&self, request: &ApiRequest, url: &Url) -> Result<()> {
        // An empty value would make this another endpoint: the one of all labels instead of one.
        if let Some(name) = request.path.empty_argument() {
            return Err(Error::new(request.name(), Problem::usage(format!("`{name}` must not be empty"))));
        }
        let is_unencrypted = !url.is_secure() && !url.is_loopback() && self.credential.is_some();
        if is_unencrypted && !self.allow_http {
            let problem = Problem::usage(format!("the token would be sent to `{}` unencrypted", url.origin()))
                .hint("use an https address, `--allow-http` to send it anyway, or `--auth none` to send no token");
            return Err(Error::new(request.name(), problem));
        }
        Ok(())
    }

    fn limit(&self, request: &ApiRequest, mode: ReadMode, spent: Duration) -> Timeout {
        let large = mode == ReadMode::Stream || matches!(request.body, Body::File(_) | Body::Multipart { .. });
        if large {
            Timeout::Idle(self.retry_policy.timeout)
        } else {
            Timeout::Total(self.retry_policy.timeout.saturating_sub(spent))
        }
    }

    fn failed(&self, request: &ApiRequest, error: &TransportError, attempt: u32) -> FailedAttempt {
        // The message is also shown as the reason for a pause.
        let error = TransportError { message: self.masked(request, &error.message), ..error.clone() };
        let retry = retry::after_error(request.method, &error, attempt, fastrand::f64());
        FailedAttempt { error: Error::transport(request, &error), retry }
    }

    fn refused(&self, request: &ApiRequest, (response, redirected_origin): Arrival, attempt: u32) -> FailedAttempt {
        let WireResponse { status, headers, body } = response;
        let now = self.clock.now();
        let mut bytes = Vec::new();
        // A part of the message is better than none.
        let _ = body.take(MAX_ERROR_BODY).read_to_end(&mut bytes);
        let message = error_response::parse(status, &bytes);
        let response = ErrorResponse {
            status,
            message: ServerMessage { text: self.masked(request, &message.text), ..message },
            credential: &self.credential,
            forge: self.base.forge(),
            redirected_origin,
            rate_limited: retry::is_rate_limited(status, &headers),
            retry_after: retry::retry_after(&headers, now),
        };
        let retry = retry::after_status(request.method, status, &headers, attempt, now, fastrand::f64());
        let refusal = Refusal { status, headers, body: self.masked(request, &String::from_utf8_lossy(&bytes)) };
        let error = Error::refused(request, refusal, response.message.no_route, response.problem(request));
        FailedAttempt { error, retry }
    }
}

fn is_success(status: u16) -> bool {
    matches!(status, 200..=299 | 304)
}

fn unreadable(error: &io::Error) -> TransportError {
    TransportError::new(FailureStage::Permanent, format!("cannot read the file to send: {error}"))
}

fn refused_redirect(status: u16, why: &str) -> TransportError {
    TransportError::new(FailureStage::Permanent, format!("the redirect ({status}) was not followed: {why}"))
        .hint("use the new path, or the new address as `--base-url`")
}
