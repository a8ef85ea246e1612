//! The response to a request, read whole or as a stream.

use std::{
    fmt,
    io::{self, Read},
    time::{Duration, Instant},
};

use serde_json::Value;

use super::event::{ClientEvent, ClientObserver};
use crate::api::transport::{FailureStage, Headers, TransportError, WireResponse};

/// The response to a request, read whole.
#[derive(Clone, Debug)]
pub struct ApiResponse {
    /// Everything the server sent; `null` if it sent nothing.
    pub body: Value,
    /// The status: 200, 201, 204 or 304.
    pub status: u16,
    /// The headers.
    pub headers: Headers,
}

impl ApiResponse {
    /// Whether nothing was changed, because the state was already as requested (304).
    #[must_use]
    pub fn is_not_modified(&self) -> bool {
        self.status == 304
    }
}

/// The body of a response, read as a stream. A body that ends early is an error, never a short file.
pub struct Stream {
    response: WireResponse,
    bytes: u64,
    total: Option<u64>,
    observer: Option<ClientObserver>,
    /// The time by which a JSON document must have ended. A download may take longer as long as it makes progress.
    deadline: Option<Instant>,
}

impl Stream {
    pub(super) fn new(response: WireResponse, observer: Option<ClientObserver>, timeout: Duration) -> Self {
        let total = response.headers.number("content-length");
        let is_document = response.headers.get("content-type").is_some_and(|kind| kind.contains("json"));
        let deadline = is_document.then(|| Instant::now() + timeout);
        Self { response, bytes: 0, total, observer, deadline }
    }

    /// The status.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.response.status
    }

    /// The headers.
    #[must_use]
    pub fn headers(&self) -> &Headers {
        &self.response.headers
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            let message = format!("the response did not end in time, after {} bytes: see --timeout", self.bytes);
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        let count = self.response.body.read(buffer).map_err(|error| {
            let error = TransportError::reading(&error);
            // Never `BrokenPipe`, which would mean that the reader of the program's own output has closed it.
            let kind = if error.stage == FailureStage::TimedOut {
                io::ErrorKind::TimedOut
            } else {
                io::ErrorKind::UnexpectedEof
            };
            io::Error::new(kind, format!("{} after {} bytes", error.message, self.bytes))
        })?;
        self.bytes += count as u64;
        if let Some(observer) = &self.observer {
            observer(&ClientEvent::Received { bytes: self.bytes, total: self.total });
        }
        Ok(count)
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Stream").field("response", &self.response).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}
