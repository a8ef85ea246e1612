//! Events of a client, for progress and `--verbose`.

use std::time::Duration;

use crate::api::{operation::Method, server::Url};

/// An event while a request is sent. Nothing in it is secret.
#[derive(Clone, Copy, Debug)]
pub enum ClientEvent<'a> {
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
pub type ClientObserver = std::sync::Arc<dyn Fn(&ClientEvent<'_>) + Send + Sync>;
