//! One HTTP request, maybe through a proxy, and its response or error, which other modules interpret. No other module
//! uses the HTTP crate.

mod proxy;
mod tls;

use std::{
    borrow::Cow,
    fmt,
    io::{self, Cursor, Read},
    path::Path,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use ureq::{
    Agent, Body, SendBody,
    http::{self, HeaderValue, Request, Response, StatusCode},
    unversioned::{
        resolver::DefaultResolver,
        transport::{ConnectProxyConnector, Connector as _, TcpConnector},
    },
};

pub(crate) use self::proxy::Proxies;
use self::{proxy::Proxy, tls::TlsConnector};
use super::{operation::Method, url::Url};
use crate::model::Problem;

const USER_AGENT: &str = concat!("tidings/", env!("CARGO_PKG_VERSION"));

/// A host that accepts no connection within this time is unreachable.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// One request with everything that is sent.
pub(in crate::api) struct WireRequest<'a> {
    pub(in crate::api) method: Method,
    pub(in crate::api) url: &'a Url,
    pub(in crate::api) headers: Vec<(Cow<'static, str>, String)>,
    pub(in crate::api) payload: Payload,
    pub(in crate::api) limit: Timeout,
}

/// The bytes of a body.
pub(in crate::api) enum Payload {
    None,
    Stream { reader: Box<dyn Read>, length: u64 },
}

impl Payload {
    /// Returns the payload for bytes in memory.
    pub(in crate::api) fn from_bytes(bytes: Vec<u8>) -> Self {
        Self::Stream { length: bytes.len() as u64, reader: Box::new(Cursor::new(bytes)) }
    }
}

/// The time limit of a request.
#[derive(Clone, Copy, Debug)]
pub(in crate::api) enum Timeout {
    /// From the first byte sent to the last received.
    Total(Duration),
    /// Between two reads or writes, for uploads and downloads.
    Idle(Duration),
}

/// The connections to servers, which are kept for the next request.
pub(in crate::api) struct Transport {
    proxies: Proxies,
    agents: Mutex<Vec<(Option<Proxy>, Agent)>>,
}

impl Transport {
    pub(in crate::api) fn new(proxies: Proxies) -> Self {
        Self { proxies, agents: Mutex::default() }
    }

    /// Sends a request and reads the head of the response.
    pub(in crate::api) fn send(&self, request: WireRequest<'_>) -> Result<WireResponse, TransportError> {
        let proxy = self.proxies.proxy_for(request.url);
        let target = proxy.map_or_else(|| request.url.origin(), |proxy| format!("proxy {}", proxy.address()));
        let limit = request.limit;
        let agent = self.agent(proxy)?;
        let request = with_limit(&agent, http_request(request)?, limit);
        agent.run(request).map(wire_response).map_err(|error| transport_error(&error, &target))
    }

    fn agent(&self, proxy: Option<&Proxy>) -> Result<Agent, TransportError> {
        let mut agents = self.agents.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, agent)) = agents.iter().find(|(present, _)| present.as_ref() == proxy) {
            return Ok(agent.clone());
        }
        let agent = new_agent(proxy)?;
        agents.push((proxy.cloned(), agent.clone()));
        Ok(agent)
    }
}

/// Returns the reason phrase of a status: `Not Found`.
pub(in crate::api) fn reason_phrase(status: u16) -> &'static str {
    StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("invalid HTTP status")
}

fn new_agent(proxy: Option<&Proxy>) -> Result<Agent, TransportError> {
    let config = Agent::config_builder()
        .proxy(proxy.map(parse_proxy).transpose()?)
        .user_agent(USER_AGENT)
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_connect(Some(CONNECT_TIMEOUT));
    let connector = ().chain(ConnectProxyConnector::default()).chain(TcpConnector::default());
    Ok(Agent::with_parts(config.build(), connector.chain(TlsConnector::default()), DefaultResolver::default()))
}

fn parse_proxy(proxy: &Proxy) -> Result<ureq::Proxy, TransportError> {
    let refuse = |why: &str| {
        TransportError::new(FailureStage::Permanent, format!("cannot use the proxy `{}`: {why}", proxy.address()))
    };
    let parsed = ureq::Proxy::new(&proxy.0).map_err(|_| refuse("it is not an address"))?;
    match parsed.protocol() {
        ureq::ProxyProtocol::Http | ureq::ProxyProtocol::Https => Ok(parsed),
        _ => Err(refuse("SOCKS proxies are not supported").hint("use an HTTP proxy, or add the server to `NO_PROXY`")),
    }
}

fn http_request(request: WireRequest<'_>) -> Result<Request<SendBody<'static>>, TransportError> {
    // The URL is put together here, because its `Display` masks tokens.
    let url = format!("{}{}", request.url.origin(), request.url.target());
    let mut builder = Request::builder().method(request.method.as_str()).uri(url);
    for (name, value) in request.headers {
        // The error does not quote the value, which may be the token.
        let mut value = HeaderValue::try_from(value)
            .map_err(|_| TransportError::new(FailureStage::Permanent, format!("the header `{name}` cannot be sent")))?;
        value.set_sensitive(true);
        builder = builder.header(name.as_ref(), value);
    }
    let body = match request.payload {
        Payload::None => SendBody::none(),
        Payload::Stream { reader, length } => {
            builder = builder.header(http::header::CONTENT_LENGTH, length);
            SendBody::from_owned_reader(reader)
        }
    };
    builder.body(body).map_err(|error| TransportError::new(FailureStage::Permanent, error.to_string()))
}

fn with_limit(agent: &Agent, request: Request<SendBody<'static>>, limit: Timeout) -> Request<SendBody<'static>> {
    let config = agent.configure_request(request);
    match limit {
        Timeout::Total(time) => config.timeout_global(Some(time)).build(),
        Timeout::Idle(time) => {
            let config = config.timeout_connect(Some(time.min(CONNECT_TIMEOUT))).timeout_recv_response(Some(time));
            config.timeout_per_read(Some(time)).timeout_per_write(Some(time)).build()
        }
    }
}

fn wire_response(response: Response<Body>) -> WireResponse {
    let (head, body) = response.into_parts();
    let headers = head
        .headers
        .iter()
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    // The crate's own limit counts compressed bytes; the readers have limits of their own.
    let body = body.into_with_config().limit(u64::MAX).reader();
    WireResponse { status: head.status.as_u16(), headers: Headers(headers), body: Box::new(ResponseBody(body)) }
}

/// A body whose errors have a kind of `std`: `TimedOut`, `UnexpectedEof` or another.
struct ResponseBody<R>(R);

impl<R: Read> Read for ResponseBody<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match ureq::Error::from(error) {
            ureq::Error::Timeout(_) => io::ErrorKind::TimedOut.into(),
            ureq::Error::Io(error) => error,
            other => io::Error::other(other.to_string()),
        })
    }
}

fn transport_error(error: &ureq::Error, target: &str) -> TransportError {
    use ureq::Error as E;
    let cannot = |stage, why: &str| TransportError::new(stage, format!("cannot connect to `{target}`: {why}"));
    let no_host = |stage| cannot(stage, "host not found").hint("check the address and the network");
    match error {
        E::Io(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            cannot(FailureStage::Unsent, "connection refused")
        }
        E::HostNotFound => no_host(FailureStage::Permanent),
        E::ConnectionFailed => cannot(FailureStage::Unsent, "no connection"),
        E::ConnectProxyFailed(why) => match why.rsplit_once('/').map(|(_, status)| status) {
            Some("407") => cannot(FailureStage::Permanent, "the proxy requires a user and a password")
                .hint("set them in the variable of the proxy, as in `http://USER:PASSWORD@HOST:PORT`"),
            status => cannot(FailureStage::Permanent, &format!("the proxy responded with {}", status.unwrap_or(why))),
        },
        E::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
            cannot(FailureStage::Unsent, "it does not respond")
        }
        E::Timeout(_) => TransportError::new(FailureStage::TimedOut, "no response in time")
            .hint("allow more time with `--timeout SECONDS`"),
        E::Tls(why) => untrusted_certificate(target, why),
        E::Rustls(error) => untrusted_certificate(target, &error.to_string()),
        E::Io(error) if is_certificate_error(error) => untrusted_certificate(target, &error.to_string()),
        E::Io(error) if is_interruption(error.kind()) => {
            TransportError::new(FailureStage::Broken, "the connection broke before there was a response")
        }
        // The standard library has no error kind for names that do not resolve.
        E::Io(error) if error.to_string().contains("lookup address") => {
            let is_temporary = error.to_string().contains("emporary");
            no_host(if is_temporary { FailureStage::Unsent } else { FailureStage::Permanent })
        }
        E::Io(error) => TransportError::new(FailureStage::Broken, format!("cannot reach `{target}`: {error}")),
        other => TransportError::new(FailureStage::Permanent, other.to_string()),
    }
}

fn is_certificate_error(error: &io::Error) -> bool {
    error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()).is_some()
}

fn is_interruption(kind: io::ErrorKind) -> bool {
    use io::ErrorKind as K;
    matches!(kind, K::UnexpectedEof | K::ConnectionReset | K::ConnectionAborted | K::BrokenPipe)
}

fn untrusted_certificate(target: &str, why: &str) -> TransportError {
    if why.contains("InvalidContentType") {
        return TransportError::new(FailureStage::Permanent, format!("`{target}` does not speak TLS"))
            .hint("check the port, or begin the address with `http://` if nothing there needs encryption");
    }
    let given = std::env::var_os("SSL_CERT_FILE").filter(|file| !Path::new(file).is_file());
    let missing =
        given.map(|file| format!("; `SSL_CERT_FILE` is `{}`, which is not a file", Path::new(&file).display()));
    let missing = missing.unwrap_or_default();
    let (why, hint) = if why.contains("CaUsedAsEndEntity") {
        (
            "its certificate is that of an authority",
            "if it is the right one, set `SSL_CERT_FILE` to a file with this very certificate",
        )
    } else {
        (
            why,
            "if the server's certificate is from your own authority, set `SSL_CERT_FILE` to the file of its certificate",
        )
    };
    TransportError::new(FailureStage::Permanent, format!("cannot trust `{target}`: {why}{missing}")).hint(hint)
}

/// The head of a response and a stream of its body.
pub(crate) struct WireResponse {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: Headers,
    /// The body as a stream.
    pub body: Box<dyn Read>,
}

impl fmt::Debug for WireResponse {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("WireResponse").field("status", &self.status).finish_non_exhaustive()
    }
}

/// The headers of a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Headers(pub(crate) Vec<(String, String)>);

impl FromIterator<(String, String)> for Headers {
    fn from_iter<T: IntoIterator<Item = (String, String)>>(headers: T) -> Self {
        Self(headers.into_iter().collect())
    }
}

impl Headers {
    /// Returns the value of the first header of a name; its case does not matter.
    #[must_use]
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(present, _)| present.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Returns the names and values in the order of the response.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Returns the value of a header as a number.
    pub(in crate::api) fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.trim().parse().ok()
    }
}

/// A request that got no response.
#[derive(Clone, Debug)]
pub(in crate::api) struct TransportError {
    pub(in crate::api) stage: FailureStage,
    pub(in crate::api) message: String,
    pub(in crate::api) hint: Option<&'static str>,
}

impl From<&TransportError> for Problem {
    fn from(error: &TransportError) -> Self {
        Self::new(error.message.as_str()).with_hints(error.hint)
    }
}

/// The stage at which a request failed, which decides whether it is retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) enum FailureStage {
    /// Nothing was sent, and a retry may succeed.
    Unsent,
    /// Something was sent, and what the server did is unknown.
    Broken,
    TimedOut,
    /// A retry would fail too.
    Permanent,
}

impl TransportError {
    pub(in crate::api) fn new(stage: FailureStage, message: impl Into<String>) -> Self {
        Self { stage, message: message.into(), hint: None }
    }

    pub(in crate::api) fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// Creates the error for a body that cannot be read to its end.
    pub(in crate::api) fn unreadable_body(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::new(FailureStage::Broken, "the response was cut off"),
            io::ErrorKind::TimedOut => Self::new(FailureStage::TimedOut, "the response stalled")
                .hint("allow more time with `--timeout SECONDS`"),
            _ => Self::new(FailureStage::Broken, format!("cannot read the response: {error}")),
        }
    }
}

/// A sender of requests that are not part of the API, such as those of git. It adds no credential, follows no redirect
/// and retries nothing.
pub(crate) struct RawHttp {
    transport: Transport,
    timeout: Duration,
}

impl RawHttp {
    /// Creates a sender with these proxies, and `timeout` as the time limit.
    #[must_use]
    pub(crate) fn new(proxies: Proxies, timeout: Duration) -> Self {
        Self { transport: Transport::new(proxies), timeout }
    }

    /// Sends a `GET`, or a `POST` if there is a body. The time limit is for the whole response, or between two reads of a
    /// download.
    ///
    /// # Errors
    /// If the URL is not valid, or there is no response.
    pub(crate) fn send(
        &self,
        url: &str,
        headers: &[(String, String)],
        body: Option<Vec<u8>>,
        is_download: bool,
    ) -> Result<WireResponse, Problem> {
        let url = Url::parse(url).map_err(|why| Problem::new(format!("cannot use the URL: {why}")))?;
        let method = if body.is_some() { Method::Post } else { Method::Get };
        let headers = headers.iter().map(|(name, value)| (Cow::from(name.clone()), value.clone())).collect();
        let payload = body.map_or(Payload::None, Payload::from_bytes);
        let limit = if is_download { Timeout::Idle(self.timeout) } else { Timeout::Total(self.timeout) };
        let request = WireRequest { method, url: &url, headers, payload, limit };
        self.transport.send(request).map_err(|error| Problem::from(&error))
    }
}
