//! What a client tells while it works, to whoever listens.

use std::time::Duration;

use crate::api::{operation::Method, server::Url};

/// A step of the conversation with the service. Nothing in it is secret.
#[derive(Clone, Copy, Debug)]
pub enum ClientEvent<'a> {
    /// A request goes out.
    Sending {
        /// How.
        method: Method,
        /// Where; tokens in it are masked when it is shown.
        url: &'a Url,
    },
    /// The head of an answer is there.
    Answered {
        /// The status.
        status: u16,
        /// How long it took.
        elapsed: Duration,
    },
    /// The service says it is elsewhere.
    Redirected {
        /// Where to.
        to: &'a Url,
        /// Whether the credential goes along.
        trusted: bool,
    },
    /// The next attempt comes after a pause.
    Waiting {
        /// How long.
        pause: Duration,
        /// Why: "the service limits requests".
        why: &'a str,
    },
    /// More of a file came in.
    Received {
        /// Bytes so far.
        bytes: u64,
        /// Bytes in all, where the service said so.
        total: Option<u64>,
    },
    /// More of a file went out.
    Sent {
        /// Bytes so far.
        bytes: u64,
        /// Bytes in all.
        total: u64,
    },
    /// A change is done, but the response to it cannot be read.
    Unreadable {
        /// The status, one of success.
        status: u16,
        /// What is wrong with the response.
        why: &'a str,
    },
    /// A page of a list is there.
    Listed {
        /// Rows so far.
        rows: u64,
        /// Rows in all, where the service said so.
        total: Option<u64>,
    },
}

/// Somebody who listens.
pub type ClientObserver = std::sync::Arc<dyn Fn(&ClientEvent<'_>) + Send + Sync>;
