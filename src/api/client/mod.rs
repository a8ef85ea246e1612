//! The client of one server: it sends requests and returns their responses.

mod error;
mod exchange;
pub(in crate::api) mod paging;
mod response;
mod retry;

use std::{fmt, sync::Arc, time::Duration};

pub(crate) use self::error::Refusal;
pub(super) use self::response::decode_body;
use self::retry::SystemClock;
pub(crate) use self::{
    error::{Error, Result},
    paging::Paging,
    response::ApiResponse,
    retry::{Clock, RetryPolicy},
};
use super::{
    operation::{ApiRequest, Method, Preview, secret},
    server::{BaseUrl, Credential},
    transport::{Proxies, Transport},
    url::Url,
};

/// The largest response that is read whole, in bytes after decompression.
const MAX_RESPONSE_BYTES: u64 = 128 << 20;

/// A client of one server. It connects, and reads certificates, only for the first request.
pub(crate) struct Client {
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
    /// Creates a client of the server at `base`, with a credential.
    #[must_use]
    pub(crate) fn new(base: BaseUrl, credential: Credential) -> Self {
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

    pub(crate) fn proxies(self, proxies: Proxies) -> Self {
        Self { transport: Transport::new(proxies), ..self }
    }

    /// Sets how long and how often a request is tried.
    #[must_use]
    pub(crate) fn retry_policy(self, retry_policy: RetryPolicy) -> Self {
        Self { retry_policy, ..self }
    }

    /// Sets the clock.
    #[cfg(test)]
    pub(crate) fn clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock, ..self }
    }

    /// Sets the observer of events.
    #[must_use]
    pub(crate) fn observer(self, observer: ClientObserver) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Sets the size of the largest response that is read whole, in bytes after decompression.
    #[cfg(test)]
    pub(crate) fn max_response_bytes(self, max_response_bytes: u64) -> Self {
        Self { max_response_bytes, ..self }
    }

    /// Sets whether the credential may be sent over unencrypted HTTP.
    pub(crate) fn allow_plain_http(self, allow: bool) -> Self {
        Self { allow_http: allow, ..self }
    }
}

/// # Inspection
impl Client {
    /// Returns the URL of a request, without the credential.
    pub(crate) fn address(&self, request: &ApiRequest) -> String {
        self.url(request).to_string()
    }

    /// Returns the request that would be sent, with the credential masked.
    #[must_use]
    pub(crate) fn preview(&self, request: &ApiRequest) -> Preview {
        let token = self.credential.header().map(|(name, prefix, _)| (name, format!("{prefix}[masked]")));
        Preview::new(request, self.credential.add_to_url(&self.url(request)).to_string(), token)
    }

    /// Waits as the forge asks for between requests that write. Only its own cloud counts them that closely.
    pub(crate) fn pause_between_writes(&self) {
        let api = self.base.forge().api();
        if api.is_cloud(self.base.url().host()) {
            self.clock.sleep(api.write_pause);
        }
    }

    pub(crate) fn credential(&self) -> &Credential {
        &self.credential
    }

    pub(crate) fn base(&self) -> &BaseUrl {
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
    pub(super) fn mask(&self, request: &ApiRequest, text: &str) -> String {
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

/// An event while a request is sent. Nothing in it is secret.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClientEvent<'a> {
    /// A request is sent.
    Sending {
        /// The method.
        method: Method,
        /// The URL; tokens in it are masked when it is shown.
        url: &'a Url,
    },
    /// The head of a response has arrived.
    Responded {
        /// The status.
        status: u16,
        /// The time since the request.
        elapsed: Duration,
    },
    /// The server redirects.
    Redirected {
        /// The target.
        to: &'a Url,
        /// Whether the credential is sent there.
        trusted: bool,
    },
    /// The next attempt follows after a pause.
    Waiting {
        /// The length of the pause.
        pause: Duration,
        /// The reason, such as "the server limits requests".
        why: &'a str,
    },
    /// More of a download has arrived.
    Received {
        /// Bytes so far.
        bytes: u64,
        /// Bytes in total, if the server said so.
        total: Option<u64>,
    },
    /// More of an upload was sent.
    Sent {
        /// Bytes so far.
        bytes: u64,
        /// Bytes in total.
        total: u64,
    },
    /// A change is done, but the response to it cannot be read.
    Unreadable {
        /// The status, one of success.
        status: u16,
        /// What is wrong with the response.
        why: &'a str,
    },
    /// A page of a list has arrived.
    Listed {
        /// Rows so far.
        rows: u64,
        /// Rows in total, if the server said so.
        total: Option<u64>,
    },
}

/// A callback for events.
pub(crate) type ClientObserver = Arc<dyn Fn(&ClientEvent<'_>) + Send + Sync>;

#[cfg(test)]
mod tests {
    use std::{
        sync::Mutex,
        time::{Duration, SystemTime},
    };

    use super::*;
    use crate::model::Forge;

    /// A clock that remembers how long it was asked to wait.
    #[derive(Debug, Default)]
    struct Asked(Mutex<Vec<Duration>>);

    impl Clock for Asked {
        fn now(&self) -> SystemTime {
            SystemTime::UNIX_EPOCH
        }

        fn sleep(&self, pause: Duration) {
            self.0.lock().unwrap().push(pause);
        }
    }

    #[test]
    fn only_the_cloud_of_github_asks_for_pauses_between_writes() {
        for (host, forge, pauses) in [
            ("github.com", Forge::GitHub, &[Duration::from_secs(1)][..]),
            ("harbor.ghe.com", Forge::GitHub, &[Duration::from_secs(1)]),
            ("github.harbor.example", Forge::GitHub, &[]),
            ("gitlab.com", Forge::GitLab, &[]),
            ("codeberg.org", Forge::Gitea, &[]),
        ] {
            let clock = Arc::new(Asked::default());
            let client = Client::new(BaseUrl::parse(host, forge).unwrap(), Credential::none()).clock(clock.clone());
            client.pause_between_writes();
            assert_eq!(*clock.0.lock().unwrap(), pauses, "{host}");
        }
    }
}
