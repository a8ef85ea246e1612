//! From a call to its answer: attempts, redirects and pauses.

mod clock;
mod error_response;
mod payload;
mod redirect;
mod retry;

use std::{
    borrow::Cow,
    io::{self, Read},
    time::{Duration, Instant},
};

pub use self::{
    clock::{Clock, SystemClock},
    retry::RetryPolicy,
};
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

/// How much of a refusal's body is read for its reason.
const LONGEST_REASON: u64 = 64 << 10;

/// How an answer is read, which decides what `--timeout` bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadMode {
    /// At once.
    Whole,
    /// As it comes.
    Stream,
}

/// An answer, and the place it came from where that was another than asked.
type Arrival = (WireResponse, Option<String>);

/// An attempt that gave no answer, and the next one where it is worth one.
struct FailedAttempt {
    error: Error,
    retry: Option<Retry>,
}

impl Client {
    /// Sends a call until it succeeds, is refused for good, or patience ends; `read` takes the successful answer.
    pub(super) fn exchange<T>(
        &self,
        call: &ApiRequest,
        url: &Url,
        extent: ReadMode,
        read: impl Fn(WireResponse) -> io::Result<T>,
    ) -> Result<T> {
        self.check(call, url)?;
        let started = self.clock.now();
        let mut attempt = 0;
        loop {
            let limit = || self.limit(call, extent, self.clock.now().duration_since(started).unwrap_or_default());
            let failure = match self.attempt(call, url, &limit) {
                Ok((reply, _)) if is_success(reply.status) => match read(reply) {
                    Ok(answer) => return Ok(answer),
                    Err(error) => self.failed(call, &TransportError::reading(&error), attempt),
                },
                Ok(arrival) => self.refused(call, arrival, attempt),
                Err(fault) => self.failed(call, &fault, attempt),
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

    /// One attempt, through all redirects, which together take no longer than one request may.
    fn attempt(&self, call: &ApiRequest, url: &Url, limit: &dyn Fn() -> Timeout) -> Result<Arrival, TransportError> {
        let (mut here, mut trusted) = (url.clone(), true);
        for _ in 0..=redirect::MAX_REDIRECTS {
            let reply = self.once(call, &here, trusted, limit())?;
            let step = match redirect::parse(call.method, &here, reply.status, &reply.headers) {
                None => return Ok((reply, (!trusted).then(|| here.origin()))),
                Some(step) => step.map_err(|why| refused_redirect(reply.status, &why))?,
            };
            self.notify(&ClientEvent::Redirected { to: &step.url, trusted: step.trusted });
            // Once away from the service, the way back is not trusted either.
            trusted &= step.trusted;
            here = if trusted { step.url } else { step.url.with_target(secret::strip_query(step.url.target())) };
        }
        Err(TransportError::new(FailureStage::Permanent, "too many redirects"))
    }

    fn once(
        &self,
        call: &ApiRequest,
        url: &Url,
        trusted: bool,
        limit: Timeout,
    ) -> Result<WireResponse, TransportError> {
        let (content_type, payload) =
            payload::open(call, self.observer.as_ref()).map_err(|error| unreadable(&error))?;
        let headers = self.headers(content_type, trusted, limit);
        let url = if trusted { self.credential.add_to_url(url) } else { url.clone() };
        self.notify(&ClientEvent::Sending { method: call.method, url: &url });
        let started = Instant::now();
        let reply = self.transport.send(WireRequest { method: call.method, url: &url, headers, payload, limit })?;
        self.notify(&ClientEvent::Answered { status: reply.status, elapsed: started.elapsed() });
        Ok(reply)
    }

    fn headers(&self, content_type: Option<String>, trusted: bool, limit: Timeout) -> Vec<(Cow<'static, str>, String)> {
        let credential = self.credential.header().filter(|_| trusted);
        let credential = credential.map(|(name, prefix, secret)| (name, format!("{prefix}{}", secret.expose())));
        let mut headers: Vec<_> = credential.into_iter().collect();
        headers.extend(self.base.forge().api().headers.iter().map(|(name, value)| (*name, (*value).to_owned())));
        headers.extend(content_type.map(|kind| ("Content-Type", kind)));
        if matches!(limit, Timeout::Idle(_)) {
            // A file is to arrive as it is, and its size to be known.
            headers.push(("Accept-Encoding", "identity".to_owned()));
        }
        headers.into_iter().map(|(name, value)| (name.into(), value)).collect()
    }

    /// What must not be sent at all.
    fn check(&self, call: &ApiRequest, url: &Url) -> Result<()> {
        // An empty argument would make another operation of this one: that on all labels instead of one.
        if let Some(name) = call.path.empty_argument() {
            return Err(Error::new(call.name(), Problem::usage(format!("`{name}` must not be empty"))));
        }
        let in_the_clear = !url.is_secure() && !url.is_loopback() && self.credential.is_some();
        if in_the_clear && !self.plain_http {
            let problem = Problem::usage(format!("the token would go to `{}` unencrypted", url.origin())).hint(
                "give an https address, or send it all the same with --allow-http, or send none with --auth none",
            );
            return Err(Error::new(call.name(), problem));
        }
        Ok(())
    }

    fn limit(&self, call: &ApiRequest, extent: ReadMode, spent: Duration) -> Timeout {
        let large = extent == ReadMode::Stream || matches!(call.body, Body::File(_) | Body::Multipart { .. });
        if large {
            Timeout::Idle(self.retry_policy.timeout)
        } else {
            Timeout::Total(self.retry_policy.timeout.saturating_sub(spent))
        }
    }

    fn failed(&self, call: &ApiRequest, fault: &TransportError, attempt: u32) -> FailedAttempt {
        // The reason for a pause is shown too.
        let fault = TransportError { message: self.masked(call, &fault.message), ..fault.clone() };
        let retry = retry::after_fault(call.method, &fault, attempt, fastrand::f64());
        FailedAttempt { error: Error::fault(call, &fault), retry }
    }

    fn refused(&self, call: &ApiRequest, (reply, stranger): Arrival, attempt: u32) -> FailedAttempt {
        let WireResponse { status, headers, body } = reply;
        let now = self.clock.now();
        let mut bytes = Vec::new();
        // Half a message is better than none.
        let _ = body.take(LONGEST_REASON).read_to_end(&mut bytes);
        let reason = error_response::parse(status, &bytes);
        let response = ErrorResponse {
            status,
            reason: ServerMessage { text: self.masked(call, &reason.text), ..reason },
            credential: &self.credential,
            forge: self.base.forge(),
            redirected_origin: stranger,
            rate_limited: retry::is_rate_limited(status, &headers),
            retry_after: retry::retry_after(&headers, now),
        };
        let retry = retry::after_status(call.method, status, &headers, attempt, now, fastrand::f64());
        let refusal = Refusal { status, headers, body: self.masked(call, &String::from_utf8_lossy(&bytes)) };
        let error = Error::refused(call, refusal, response.reason.no_route, response.problem(call));
        FailedAttempt { error, retry }
    }
}

fn is_success(status: u16) -> bool {
    matches!(status, 200..=299 | 304)
}

fn unreadable(error: &io::Error) -> TransportError {
    TransportError::new(FailureStage::Permanent, format!("the file to send cannot be read: {error}"))
}

fn refused_redirect(status: u16, why: &str) -> TransportError {
    TransportError::new(FailureStage::Permanent, format!("the service answered {status}, which is not followed: {why}"))
        .hint("use the new path, or give the new address as --base-url")
}
