//! The client of one server, and how it is set up.

use std::{fmt, sync::Arc};

use super::{
    event::{ClientEvent, ClientObserver},
    exchange::{Clock, RetryPolicy, SystemClock},
};
use crate::api::{
    operation::{ApiRequest, Preview, secret},
    server::{BaseUrl, Credential, Url},
    transport::{Proxies, Transport},
};

/// The largest answer that is read whole, in bytes after decompression.
const LARGEST_ANSWER: u64 = 128 << 20;

/// A client of one service. Nothing is connected, and no certificate read, before the first request.
pub struct Client {
    pub(super) base: BaseUrl,
    pub(super) credential: Credential,
    pub(super) transport: Transport,
    pub(super) retry_policy: RetryPolicy,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) observer: Option<ClientObserver>,
    pub(super) max_response_bytes: u64,
    pub(super) plain_http: bool,
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

/// # Looking at it
impl Client {
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

    pub(super) fn url(&self, call: &ApiRequest) -> Url {
        self.base.call(call.site, &call.path, &call.query)
    }

    pub(super) fn notify(&self, event: &ClientEvent<'_>) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }

    /// A text without the secrets this client knows.
    pub(super) fn masked(&self, call: &ApiRequest, text: &str) -> String {
        secret::mask(text, self.credential.secret().into_iter().chain(&call.secrets))
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
