//! The client of one server: it sends requests and returns their responses.

mod error;
mod event;
mod exchange;
mod paging;
mod response;
mod send;

use std::{fmt, sync::Arc};

pub(super) use self::{error::optional, send::decode};
pub use self::{
    error::{Error, Refusal, Result},
    event::{ClientEvent, ClientObserver},
    exchange::{Clock, RetryPolicy, SystemClock},
    paging::{Page, Pages, Paging},
    response::{ApiResponse, Stream},
};
use crate::api::{
    operation::{ApiRequest, Preview, secret},
    server::{BaseUrl, Credential, Url},
    transport::{Proxies, Transport},
};

/// The largest response that is read whole, in bytes after decompression.
const MAX_RESPONSE_BYTES: u64 = 128 << 20;

/// A client of one server. It connects, and reads certificates, only for the first request.
pub struct Client {
    pub(super) base: BaseUrl,
    pub(super) credential: Credential,
    pub(super) transport: Transport,
    pub(super) retry_policy: RetryPolicy,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) observer: Option<ClientObserver>,
    pub(super) max_response_bytes: u64,
    pub(super) allow_http: bool,
}

/// # Construction
impl Client {
    /// A client of the server at `base`, with a credential.
    #[must_use]
    pub fn new(base: BaseUrl, credential: Credential) -> Self {
        Self {
            base,
            credential,
            transport: Transport::new(Proxies::default()),
            retry_policy: RetryPolicy::default(),
            clock: Arc::new(SystemClock),
            observer: None,
            max_response_bytes: MAX_RESPONSE_BYTES,
            allow_http: false,
        }
    }

    /// Sets the proxies.
    #[must_use]
    pub fn proxies(self, proxies: Proxies) -> Self {
        Self { transport: Transport::new(proxies), ..self }
    }

    /// Sets how long and how often a request is tried.
    #[must_use]
    pub fn retry_policy(self, retry_policy: RetryPolicy) -> Self {
        Self { retry_policy, ..self }
    }

    /// Sets the clock.
    #[must_use]
    pub fn clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock, ..self }
    }

    /// Sets the observer of events.
    #[must_use]
    pub fn observer(self, observer: ClientObserver) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Sets the size of the largest response that is read whole, in bytes after decompression.
    #[must_use]
    pub fn max_response_bytes(self, max_response_bytes: u64) -> Self {
        Self { max_response_bytes, ..self }
    }

    /// Sets whether the credential may be sent over unencrypted HTTP.
    #[must_use]
    pub fn allow_plain_http(self, allow: bool) -> Self {
        Self { allow_http: allow, ..self }
    }
}

/// # Inspection
impl Client {
    /// The URL of a request, without the credential.
    #[must_use]
    pub fn address(&self, request: &ApiRequest) -> String {
        self.url(request).to_string()
    }

    /// Shows the request that would be sent.
    #[must_use]
    pub fn preview(&self, request: &ApiRequest) -> Preview {
        let token = self.credential.header().map(|(name, prefix, _)| (name, format!("{prefix}[masked]")));
        Preview::new(request, self.credential.add_to_url(&self.url(request)).to_string(), token)
    }

    /// The credential.
    #[must_use]
    pub fn credential(&self) -> &Credential {
        &self.credential
    }

    /// The address of the server.
    #[must_use]
    pub fn base(&self) -> &BaseUrl {
        &self.base
    }

    pub(super) fn url(&self, request: &ApiRequest) -> Url {
        self.base.call(request.site, &request.path, &request.query)
    }

    pub(super) fn notify(&self, event: &ClientEvent<'_>) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }

    /// Masks the credential and the secrets of a request in a text.
    pub(super) fn masked(&self, request: &ApiRequest, text: &str) -> String {
        secret::mask(text, self.credential.secret().into_iter().chain(&request.secrets))
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Client")
            .field("base", &self.base)
            .field("credential", &self.credential)
            .finish_non_exhaustive()
    }
}
