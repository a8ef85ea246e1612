//! The response to a request, whole or read as it comes.

use std::{
    fmt,
    io::{self, Read},
    time::{Duration, Instant},
};

use serde_json::Value;

use super::event::{ClientEvent, ClientObserver};
use crate::{
    api::{
        operation::escape,
        transport::{FailureStage, Headers, TransportError, WireResponse},
    },
    model::printable,
};

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
    /// Whether the thing was as asked for already, so that nothing was done (304).
    #[must_use]
    pub fn is_not_modified(&self) -> bool {
        self.status == 304
    }
}

/// The body of an answer, read as it comes. A body that ends early is an error, never a short file.
pub struct Stream {
    reply: WireResponse,
    bytes: u64,
    total: Option<u64>,
    observer: Option<ClientObserver>,
    /// When a JSON document must have ended; what is not one is a download, which may take as long as it moves.
    deadline: Option<Instant>,
}

impl Stream {
    pub(super) fn new(reply: WireResponse, observer: Option<ClientObserver>, timeout: Duration) -> Self {
        let total = reply.headers.number("content-length");
        let is_document = reply.headers.get("content-type").is_some_and(|kind| kind.contains("json"));
        let deadline = is_document.then(|| Instant::now() + timeout);
        Self { reply, bytes: 0, total, observer, deadline }
    }

    /// The status of the answer.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.reply.status
    }

    /// The headers of the answer.
    #[must_use]
    pub fn headers(&self) -> &Headers {
        &self.reply.headers
    }

    /// The name the service gives the file, without any folder.
    #[must_use]
    pub fn file_name(&self) -> Option<String> {
        file_name(self.headers().get("content-disposition")?)
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            let message = format!("the response did not end in time, after {} bytes: see --timeout", self.bytes);
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        let count = self.reply.body.read(buffer).map_err(|error| {
            let fault = TransportError::reading(&error);
            // Never `BrokenPipe`, which would mean that the reader of our own answer has seen enough.
            let kind = if fault.stage == FailureStage::TimedOut {
                io::ErrorKind::TimedOut
            } else {
                io::ErrorKind::UnexpectedEof
            };
            io::Error::new(kind, format!("{} after {} bytes", fault.message, self.bytes))
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
        out.debug_struct("Stream").field("reply", &self.reply).field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

/// The `filename` of a `Content-Disposition` (RFC 6266); what would lead into another folder is cut off.
fn file_name(disposition: &str) -> Option<String> {
    let parameter = |name: &str| {
        let mut parts = disposition.split(';').map(str::trim);
        parts.find_map(|part| part.strip_prefix(name)?.strip_prefix('=')).map(|value| value.trim_matches('"'))
    };
    let extended = parameter("filename*").and_then(|value| value.splitn(3, '\'').nth(2)).map(escape::decode);
    let name = extended.or_else(|| parameter("filename").map(str::to_owned))?;
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name = printable(name);
    (!matches!(name.as_str(), "" | "." | "..")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_never_leads_into_another_folder() {
        for (header, name) in [
            (r#"attachment; filename="app-v1.tar.gz""#, Some("app-v1.tar.gz")),
            (r#"attachment; filename="x"; filename*=UTF-8''gr%C3%B6%C3%9Fe.zip"#, Some("größe.zip")),
            (r#"attachment; filename="../../etc/passwd""#, Some("passwd")),
            (r#"attachment; filename="..""#, None),
            ("inline", None),
        ] {
            assert_eq!(file_name(header).as_deref(), name, "{header}");
        }
    }
}
