//! The wire: one request out, one answer in. Redirects, retries and meaning are for others.
//!
//! The only file that knows the HTTP crate.

use std::{
    borrow::Cow,
    fmt,
    io::{self, Cursor, Read},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use ureq::{
    Agent, Body, SendBody,
    http::{self, HeaderValue, Request, Response, StatusCode},
    tls::{RootCerts, TlsConfig},
};

use super::{
    error::{FailureStage, TransportError},
    proxy::{Proxies, Proxy},
    wire_response::{Headers, WireResponse},
};
use crate::api::{operation::Method, server::Url};

const USER_AGENT: &str = concat!("tidings/", env!("CARGO_PKG_VERSION"));

/// A host that does not even accept a connection by then is taken for unreachable.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// One request, ready for the wire.
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
    /// Bytes that are all there.
    pub(in crate::api) fn whole(bytes: Vec<u8>) -> Self {
        Self::Stream { length: bytes.len() as u64, reader: Box::new(Cursor::new(bytes)) }
    }
}

/// How long a request may take.
#[derive(Clone, Copy, Debug)]
pub(in crate::api) enum Timeout {
    /// From the first byte sent to the last received.
    Total(Duration),
    /// Between two signs of life, for what may be large.
    Idle(Duration),
}

/// Connections to a server, kept for the next request.
pub(in crate::api) struct Transport {
    proxies: Proxies,
    agents: Mutex<Vec<(Option<Proxy>, Agent)>>,
}

impl Transport {
    pub(in crate::api) fn new(proxies: Proxies) -> Self {
        Self { proxies, agents: Mutex::default() }
    }

    /// Sends a request and reads the head of the answer.
    pub(in crate::api) fn send(&self, outgoing: WireRequest<'_>) -> Result<WireResponse, TransportError> {
        let proxy = self.proxies.choose(outgoing.url);
        let place = proxy.map_or_else(|| outgoing.url.origin(), |proxy| format!("proxy {}", proxy.place()));
        let limit = outgoing.limit;
        let agent = self.agent(proxy)?;
        let request = limited(&agent, request(outgoing)?, limit);
        let response = agent.run(request).map_err(|error| fault(&error, &place))?;
        Ok(reply(response))
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

impl fmt::Debug for Transport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Transport").field("proxies", &self.proxies).finish_non_exhaustive()
    }
}

/// The words of a status: `Not Found`.
pub(in crate::api) fn reason_phrase(status: u16) -> &'static str {
    StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("invalid HTTP status")
}

fn new_agent(proxy: Option<&Proxy>) -> Result<Agent, TransportError> {
    let tls = TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build();
    let config = Agent::config_builder()
        .tls_config(tls)
        .proxy(proxy.map(parse_proxy).transpose()?)
        .user_agent(USER_AGENT)
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_connect(Some(CONNECT_TIMEOUT));
    Ok(config.build().new_agent())
}

fn parse_proxy(proxy: &Proxy) -> Result<ureq::Proxy, TransportError> {
    let refuse = |why: &str| {
        TransportError::new(FailureStage::Permanent, format!("the proxy `{}` cannot be used: {why}", proxy.place()))
    };
    let parsed = ureq::Proxy::new(&proxy.0).map_err(|_| refuse("it is no address"))?;
    match parsed.protocol() {
        ureq::ProxyProtocol::Http | ureq::ProxyProtocol::Https => Ok(parsed),
        _ => Err(refuse("SOCKS proxies are not supported").hint("name an http proxy, or the server in NO_PROXY")),
    }
}

fn request(outgoing: WireRequest<'_>) -> Result<Request<SendBody<'static>>, TransportError> {
    let mut builder = Request::builder().method(outgoing.method.as_str()).uri(wire_url(outgoing.url));
    for (name, value) in outgoing.headers {
        // What it held is not repeated: it may be the token.
        let mut value = HeaderValue::try_from(value)
            .map_err(|_| TransportError::new(FailureStage::Permanent, format!("the header `{name}` cannot be sent")))?;
        value.set_sensitive(true);
        builder = builder.header(name.as_ref(), value);
    }
    let body = match outgoing.payload {
        Payload::None => SendBody::none(),
        Payload::Stream { reader, length } => {
            builder = builder.header(http::header::CONTENT_LENGTH, length);
            SendBody::from_owned_reader(reader)
        }
    };
    builder.body(body).map_err(|error| TransportError::new(FailureStage::Permanent, error.to_string()))
}

/// `Display` of a URL masks tokens, so the wire's form is put together here.
fn wire_url(url: &Url) -> String {
    format!("{}{}", url.origin(), url.target())
}

fn limited(agent: &Agent, request: Request<SendBody<'static>>, limit: Timeout) -> Request<SendBody<'static>> {
    let config = agent.configure_request(request);
    match limit {
        Timeout::Total(time) => config.timeout_global(Some(time)).build(),
        Timeout::Idle(time) => {
            let config = config.timeout_connect(Some(time.min(CONNECT_TIMEOUT))).timeout_recv_response(Some(time));
            config.timeout_per_read(Some(time)).timeout_per_write(Some(time)).build()
        }
    }
}

fn reply(response: Response<Body>) -> WireResponse {
    let (head, body) = response.into_parts();
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let headers = head.headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
    // The crate's own limit counts compressed bytes; readers bound what they read instead.
    let body = body.into_with_config().limit(u64::MAX).reader();
    WireResponse { status: head.status.as_u16(), headers: Headers(headers), body: Box::new(Incoming(body)) }
}

/// A body whose errors are those of `std`: `TimedOut`, `UnexpectedEof` or another.
struct Incoming<R>(R);

impl<R: Read> Read for Incoming<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match ureq::Error::from(error) {
            ureq::Error::Timeout(_) => io::ErrorKind::TimedOut.into(),
            ureq::Error::Io(error) => error,
            other => io::Error::other(other.to_string()),
        })
    }
}

fn fault(error: &ureq::Error, place: &str) -> TransportError {
    use ureq::Error as E;
    let cannot = |stage, why: &str| TransportError::new(stage, format!("cannot connect to `{place}`: {why}"));
    match error {
        E::Io(error) if error.kind() == io::ErrorKind::ConnectionRefused => {
            cannot(FailureStage::Unsent, "connection refused")
        }
        E::HostNotFound => cannot(FailureStage::Permanent, "no such host").hint("check the address, and the network"),
        E::ConnectionFailed => cannot(FailureStage::Unsent, "no connection"),
        E::ConnectProxyFailed(why) => cannot(FailureStage::Permanent, &format!("the proxy answered: {why}")),
        E::Timeout(ureq::Timeout::Connect | ureq::Timeout::Resolve) => {
            cannot(FailureStage::Unsent, "it does not answer")
        }
        E::Timeout(_) => TransportError::new(FailureStage::TimedOut, "no answer in time")
            .hint("give it longer with --timeout SECONDS"),
        E::Tls(why) => untrusted(place, why),
        E::Rustls(error) => untrusted(place, &error.to_string()),
        E::Io(error) if is_distrust(error) => untrusted(place, &error.to_string()),
        E::Io(error) if is_interruption(error.kind()) => {
            TransportError::new(FailureStage::Broken, "the connection broke before there was an answer")
        }
        // The standard library has no kind of its own for names that do not resolve.
        E::Io(error) if error.to_string().contains("lookup address") => {
            let stage =
                if error.to_string().contains("emporary") { FailureStage::Unsent } else { FailureStage::Permanent };
            cannot(stage, "no such host").hint("check the address, and the network")
        }
        E::Io(error) => TransportError::new(FailureStage::Broken, format!("cannot reach `{place}`: {error}")),
        other => TransportError::new(FailureStage::Permanent, other.to_string()),
    }
}

fn is_distrust(error: &io::Error) -> bool {
    error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()).is_some()
}

fn is_interruption(kind: io::ErrorKind) -> bool {
    use io::ErrorKind as K;
    matches!(kind, K::UnexpectedEof | K::ConnectionReset | K::ConnectionAborted | K::BrokenPipe)
}

fn untrusted(place: &str, why: &str) -> TransportError {
    let named = std::env::var_os("SSL_CERT_FILE").filter(|file| !Path::new(file).is_file());
    let missing =
        named.map(|file| format!("; `SSL_CERT_FILE` names `{}`, which is not a file", Path::new(&file).display()));
    let message = format!("no trusted connection to `{place}`: {why}{}", missing.unwrap_or_default());
    TransportError::new(FailureStage::Permanent, message).hint(if why.contains("CaUsedAsEndEntity") {
        "the server's certificate is one of an authority: make it with `openssl req -x509 -addext basicConstraints=CA:FALSE`"
    } else {
        "where the server's certificate comes from an own authority, name its file in SSL_CERT_FILE"
    })
}
