//! The exchange of a request for its response: the bytes of the body, attempts, redirects and pauses.
//!
//! After a redirect to the same scheme, host and port the credential is sent again. Reads are redirected to another
//! server, without the credential; writes are not. A redirect from HTTPS to HTTP is never followed.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, Cursor, Read},
    path::Path,
    time::{Duration, Instant},
};

use super::{
    Client, ClientEvent, ClientObserver,
    error::{Error, ErrorResponse, Refusal, Result, ServerMessage},
    retry::{self, Retry},
};
use crate::{
    api::{
        operation::{ApiRequest, Body, Fields, FilePart, Method, secret},
        transport::{FailureStage, Headers, Payload, Timeout, TransportError, WireRequest, WireResponse},
        url::Url,
    },
    model::{MAX_REDIRECTS, Problem, redirect_location},
};

/// The maximum number of bytes that are read from the body of an error response.
const MAX_ERROR_BODY: u64 = 64 << 10;

/// A response, and its origin if a redirect led to another server.
type AttemptResponse = (WireResponse, Option<String>);

/// An attempt that failed, and whether to retry.
struct FailedAttempt {
    error: Error,
    retry: Option<Retry>,
}

impl Client {
    /// Sends a request until it succeeds or the retry policy ends; `read` reads the successful response, whole or as a
    /// stream.
    pub(super) fn exchange<T>(
        &self,
        request: &ApiRequest,
        is_stream: bool,
        read: impl Fn(WireResponse) -> io::Result<T>,
    ) -> Result<T> {
        let url = &self.url(request);
        self.check(request, url)?;
        let started = self.clock.now();
        let mut attempt = 0;
        loop {
            let limit = || self.limit(request, is_stream, self.clock.now().duration_since(started).unwrap_or_default());
            let failure = match self.attempt(request, url, &limit) {
                Ok((response, _)) if is_success(response.status) => match read(response) {
                    Ok(result) => return Ok(result),
                    Err(error) => {
                        self.attempt_without_response(request, &TransportError::unreadable_body(&error), attempt)
                    }
                },
                Ok(response) => self.attempt_with_error_response(request, response, attempt),
                Err(error) => self.attempt_without_response(request, &error, attempt),
            };
            let spent = self.clock.now().duration_since(started).unwrap_or_default();
            let Some(retry) = failure.retry.filter(|retry| {
                attempt < self.retry_policy.retries && spent.saturating_add(retry.pause) < self.retry_policy.timeout
            }) else {
                return Err(failure.error);
            };
            self.notify(&ClientEvent::Waiting { pause: retry.pause, why: &retry.why });
            self.clock.sleep(retry.pause);
            attempt += 1;
        }
    }

    /// Makes one attempt and follows redirects, all within the time limit of one request.
    fn attempt(
        &self,
        request: &ApiRequest,
        url: &Url,
        limit: &dyn Fn() -> Timeout,
    ) -> Result<AttemptResponse, TransportError> {
        let (mut here, mut trusted) = (url.clone(), true);
        for _ in 0..=MAX_REDIRECTS {
            let response = self.send_attempt(request, &here, trusted, limit())?;
            let target = match parse_redirect(request.method, &here, response.status, &response.headers) {
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

    fn send_attempt(
        &self,
        request: &ApiRequest,
        url: &Url,
        trusted: bool,
        limit: Timeout,
    ) -> Result<WireResponse, TransportError> {
        let (content_type, payload) =
            open_body(request, self.observer.as_ref()).map_err(|error| unreadable_file(&error))?;
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
        // An empty value would turn this into another endpoint, such as that of all labels instead of one.
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

    fn limit(&self, request: &ApiRequest, is_stream: bool, spent: Duration) -> Timeout {
        let large = is_stream || matches!(request.body, Body::File(_) | Body::Multipart { .. });
        if large {
            Timeout::Idle(self.retry_policy.timeout)
        } else {
            Timeout::Total(self.retry_policy.timeout.saturating_sub(spent))
        }
    }

    fn attempt_without_response(&self, request: &ApiRequest, error: &TransportError, attempt: u32) -> FailedAttempt {
        // The message is also shown as the reason for a pause.
        let error = TransportError { message: self.mask(request, &error.message), ..error.clone() };
        let retry = retry::after_error(request.method, &error, attempt, fastrand::f64());
        FailedAttempt { error: Error::transport(request, &error), retry }
    }

    fn attempt_with_error_response(
        &self,
        request: &ApiRequest,
        (response, redirected_origin): AttemptResponse,
        attempt: u32,
    ) -> FailedAttempt {
        let WireResponse { status, headers, body } = response;
        let now = self.clock.now();
        let mut bytes = Vec::new();
        // If reading fails, the part of the message that arrived is still useful.
        let _ = body.take(MAX_ERROR_BODY).read_to_end(&mut bytes);
        let message = ServerMessage::parse(status, &bytes);
        let response = ErrorResponse {
            status,
            message: ServerMessage { text: self.mask(request, &message.text), ..message },
            credential: &self.credential,
            forge: self.base.forge(),
            redirected_origin,
            rate_limited: retry::is_rate_limited(status, &headers),
            retry_after: retry::retry_after(&headers, now),
        };
        let retry = retry::after_status(request.method, status, &headers, attempt, now, fastrand::f64());
        let refusal = Refusal { status, headers, body: self.mask(request, &String::from_utf8_lossy(&bytes)) };
        let error = Error::from_error_response(request, refusal, response.message.no_route, response.problem(request));
        FailedAttempt { error, retry }
    }
}

fn is_success(status: u16) -> bool {
    matches!(status, 200..=299 | 304)
}

fn unreadable_file(error: &io::Error) -> TransportError {
    TransportError::new(FailureStage::Permanent, format!("cannot read the file to send: {error}"))
}

fn refused_redirect(status: u16, why: &str) -> TransportError {
    TransportError::new(FailureStage::Permanent, format!("the redirect ({status}) was not followed: {why}"))
        .hint("use the new path, or the new address as `--base-url`")
}

/// The target of a redirect.
struct Redirect {
    url: Url,
    /// Whether the credential may be sent there.
    trusted: bool,
}

/// Parses a redirect; `None` if the response is not one. The error says why it is not followed.
fn parse_redirect(method: Method, here: &Url, status: u16, headers: &Headers) -> Option<Result<Redirect, String>> {
    let location = redirect_location(status, headers.get("location"))?;
    Some(here.join(location).map_err(|why| format!("its target is not a URL: {why}")).and_then(|there| {
        let trusted = here.same_origin(&there);
        if here.is_secure() && !there.is_secure() {
            return Err(format!("it leads from https to http, to `{}`", there.origin()));
        }
        if !method.is_read() && !trusted {
            return Err(format!("it leads to another server, `{}`", there.origin()));
        }
        // 301, 302 and 303 can turn a write into a read, which would succeed without changing anything.
        if !method.is_read() && !matches!(status, 307 | 308) {
            return Err(format!("it leads to `{there}`"));
        }
        Ok(Redirect { url: there, trusted })
    }))
}

/// Returns the boundary of the parts. 128 random bits do not occur in the fields or the file.
fn boundary() -> String {
    format!("tidings-{:032x}", fastrand::u128(..))
}

/// Returns the content type and the bytes of the body of a request.
fn open_body(request: &ApiRequest, observer: Option<&ClientObserver>) -> io::Result<(Option<String>, Payload)> {
    let kind = request.body.content_type().map(str::to_owned);
    Ok(match &request.body {
        Body::None if request.method.is_read() => (kind, Payload::None),
        // A server may refuse a write without a body (411) if it has no length.
        Body::None => (kind, Payload::from_bytes(Vec::new())),
        Body::Json(document) => (kind, Payload::from_bytes(document.to_string().into_bytes())),
        Body::Form(fields) => (kind, Payload::from_bytes(fields.encode().into_bytes())),
        Body::File(path) => {
            let (length, reader) = open_file(path, observer.cloned())?;
            (kind, Payload::Stream { reader: Box::new(reader), length })
        }
        Body::Multipart { fields, file } => {
            let boundary = boundary();
            let payload = multipart(fields, file, &boundary, observer.cloned())?;
            (kind.map(|kind| format!("{kind}; boundary={boundary}")), payload)
        }
    })
}

/// Returns the payload of `multipart/form-data` (RFC 7578); the file is read while it is sent.
fn multipart(
    fields: &Fields,
    file: &FilePart,
    boundary: &str,
    observer: Option<ClientObserver>,
) -> io::Result<Payload> {
    let (size, content) = open_file(&file.path, observer)?;
    let part = |name: &str, rest: String| {
        format!("--{boundary}\r\nContent-Disposition: form-data; name={}{rest}", quote(name))
    };
    let fields = fields.iter().map(|(name, value)| part(name, format!("\r\n\r\n{value}\r\n")));
    let kind = "Content-Type: application/octet-stream";
    let file_part = part(&file.field, format!("; filename={}\r\n{kind}\r\n\r\n", quote(&file.name)));
    let head: String = fields.chain([file_part]).collect();
    let tail = format!("\r\n--{boundary}--\r\n");
    let length = head.len() as u64 + size + tail.len() as u64;
    let reader = Cursor::new(head).chain(content).chain(Cursor::new(tail));
    Ok(Payload::Stream { reader: Box::new(reader), length })
}

/// Opens a file; returns its size and a reader that notifies the observer.
fn open_file(path: &Path, observer: Option<ClientObserver>) -> io::Result<(u64, impl Read + use<>)> {
    let content = File::open(path)?;
    let total = content.metadata()?.len();
    Ok((total, ProgressReader { inner: content.take(total), bytes: 0, total, observer }))
}

/// Quotes a text as browsers do: the characters that end a value are percent-encoded (HTML standard, form data).
fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A"))
}

/// A reader that reports its progress.
struct ProgressReader<R> {
    inner: R,
    bytes: u64,
    total: u64,
    observer: Option<ClientObserver>,
}

impl<R: Read> Read for ProgressReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bytes += count as u64;
        if count == 0 && !buffer.is_empty() && self.bytes < self.total {
            return Err(io::Error::other("the file became shorter while it was sent"));
        }
        if let Some(observer) = &self.observer {
            observer(&ClientEvent::Sent { bytes: self.bytes, total: self.total });
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests;
