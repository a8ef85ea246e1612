//! The client: an operation in, its answer out.

mod error;
mod event;
mod exchange;
mod paging;
mod response;

use std::{fmt, io::Read as _, sync::Arc};

use serde::de::DeserializeOwned;
use serde_json::Value;

pub(super) use self::error::optional;
pub use self::{
    error::{Error, Result},
    event::{ClientEvent, ClientObserver},
    exchange::{Clock, RetryPolicy, SystemClock},
    paging::{Page, Pages, Paging},
    response::{ApiResponse, Stream},
};
use crate::{
    api::{
        operation::{ApiRequest, Bytes, Endpoint, Paged, Preview, secret},
        server::{BaseUrl, Credential, Url},
        transport::{Headers, Proxies, Transport},
    },
    model::Problem,
};

/// The largest answer that is read whole, in bytes after decompression.
const LARGEST_ANSWER: u64 = 128 << 20;

/// A client of one service. Nothing is connected, and no certificate read, before the first request.
pub struct Client {
    base: BaseUrl,
    credential: Credential,
    transport: Transport,
    retry_policy: RetryPolicy,
    clock: Arc<dyn Clock>,
    observer: Option<ClientObserver>,
    max_response_bytes: u64,
    plain_http: bool,
}

/// # Making one
impl Client {
    /// A client of the service at `base`, for the owner of `credential`.
    #[must_use]
    pub fn new(base: BaseUrl, credential: Credential) -> Self {
        Self {
            base,
            credential,
            transport: Transport::new(Proxies::default()),
            retry_policy: RetryPolicy::default(),
            clock: Arc::new(SystemClock),
            observer: None,
            max_response_bytes: LARGEST_ANSWER,
            plain_http: false,
        }
    }

    /// The same client behind proxies.
    #[must_use]
    pub fn proxies(self, proxies: Proxies) -> Self {
        Self { transport: Transport::new(proxies), ..self }
    }

    /// The same client, trying longer or shorter.
    #[must_use]
    pub fn patience(self, patience: RetryPolicy) -> Self {
        Self { retry_policy: patience, ..self }
    }

    /// The same client by another clock.
    #[must_use]
    pub fn clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock, ..self }
    }

    /// The same client, listened to.
    #[must_use]
    pub fn observer(self, observer: ClientObserver) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// The same client with another bound on answers that are read whole, in bytes after decompression.
    #[must_use]
    pub fn largest_answer(self, bytes: u64) -> Self {
        Self { max_response_bytes: bytes, ..self }
    }

    /// The same client, sending its credential even where everybody on the way can read it.
    #[must_use]
    pub fn allow_plain_http(self, allow: bool) -> Self {
        Self { plain_http: allow, ..self }
    }
}

/// # Sending
impl Client {
    /// Sends an operation, in its older form where the service has no route for it.
    ///
    /// # Errors
    ///
    /// Where the service refuses, cannot be reached, or answers with something else.
    pub fn send<E: Endpoint>(&self, endpoint: &E) -> Result<ApiResponse<E::Output>> {
        let call = ApiRequest::of(endpoint);
        let sent = self.send_request(&call);
        let answer = match endpoint.legacy_request() {
            Some(older) if sent.as_ref().is_err_and(Error::is_route_not_found) => self.send_request(&older),
            _ => sent,
        };
        let answer = answer?;
        let value = decode(&call, &answer.raw)?;
        Ok(ApiResponse { value, raw: answer.raw, status: answer.status, headers: answer.headers })
    }

    /// Sends a call and reads its answer as JSON, whatever it holds.
    ///
    /// # Errors
    ///
    /// As [`Client::send`].
    pub fn send_request(&self, call: &ApiRequest) -> Result<ApiResponse<Value>> {
        let (status, headers, bytes) =
            self.exchange(call, &self.url(call), exchange::ReadMode::Whole, |mut reply| {
                let mut bytes = Vec::new();
                reply.body.by_ref().take(self.max_response_bytes + 1).read_to_end(&mut bytes)?;
                Ok((reply.status, reply.headers, bytes))
            })?;
        if bytes.len() as u64 > self.max_response_bytes {
            let problem = format!("the answer is larger than {} bytes", self.max_response_bytes);
            return Err(Error::new(call.name(), Problem::new(problem)));
        }
        let raw = self.json(call, &headers, &bytes)?;
        Ok(ApiResponse { value: raw.clone(), raw, status, headers })
    }

    /// Sends an operation whose answer is a list, page by page as the iterator is asked for more.
    pub fn pages<E: Paged>(&self, endpoint: &E, paging: Paging) -> Pages<'_, E::Item> {
        Pages::new(self, ApiRequest::of(endpoint), paging)
    }

    /// Sends an operation whose answer is a list, and takes all its pages.
    ///
    /// # Errors
    ///
    /// As [`Client::send`].
    pub fn all<E: Paged>(&self, endpoint: &E) -> Result<Vec<E::Item>> {
        let mut items = Vec::new();
        for page in self.pages(endpoint, Paging::default()) {
            items.extend(page?.items);
        }
        Ok(items)
    }

    /// Sends an operation whose answer is a file, to be read as it comes.
    ///
    /// # Errors
    ///
    /// As [`Client::send`]; later failures come from the stream.
    pub fn open<E: Endpoint<Output = Bytes>>(&self, endpoint: &E) -> Result<Stream> {
        self.open_call(&ApiRequest::of(endpoint))
    }

    /// Sends a call and gives its answer as it comes.
    ///
    /// # Errors
    ///
    /// As [`Client::open`].
    pub fn open_call(&self, call: &ApiRequest) -> Result<Stream> {
        let reply = self.exchange(call, &self.url(call), exchange::ReadMode::Stream, Ok)?;
        Ok(Stream::new(reply, self.observer.clone()))
    }

    /// The URL of a call, without the credential.
    #[must_use]
    pub fn address(&self, call: &ApiRequest) -> String {
        self.url(call).to_string()
    }

    /// What would be sent.
    #[must_use]
    pub fn preview(&self, call: &ApiRequest) -> Preview {
        let token = self.credential.header().map(|(name, prefix, _)| (name, format!("{prefix}[masked]")));
        Preview::of(call, self.credential.add_to_url(&self.url(call)).to_string(), token)
    }

    /// Who it asks as.
    #[must_use]
    pub fn credential(&self) -> &Credential {
        &self.credential
    }

    /// The place it speaks to.
    #[must_use]
    pub fn base(&self) -> &BaseUrl {
        &self.base
    }

    fn url(&self, call: &ApiRequest) -> Url {
        self.base.call(call.site, &call.path, &call.query)
    }

    fn notify(&self, event: &ClientEvent<'_>) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }

    /// A text without the secrets this client knows.
    fn masked(&self, call: &ApiRequest, text: &str) -> String {
        secret::mask(text, self.credential.secret().into_iter().chain(&call.secrets))
    }

    fn json(&self, call: &ApiRequest, headers: &Headers, bytes: &[u8]) -> Result<Value> {
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Value::Null);
        }
        serde_json::from_slice(bytes).map_err(|error| {
            let kind = headers.get("content-type").unwrap_or("nothing named");
            let problem = if kind.contains("json") {
                Problem::new(format!("the response is not valid JSON: {error}"))
            } else {
                Problem::new(format!("the response is `{kind}`, not JSON"))
                    .hint(format!("is `{}` the address of the service? see --base-url", self.base))
            };
            Error::new(call.name(), problem)
        })
    }
}

/// Reads the known part of an answer.
fn decode<T: DeserializeOwned>(call: &ApiRequest, raw: &Value) -> Result<T> {
    T::deserialize(raw).map_err(|error| {
        let problem = Problem::new(format!("the answer is not what was expected: {error}"))
            .hint(format!("`tidings api {}` prints it as it came", call.name()));
        Error::new(call.name(), problem)
    })
}

impl fmt::Debug for Client {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Client")
            .field("base", &self.base)
            .field("credential", &self.credential)
            .finish_non_exhaustive()
    }
}
