//! The bytes of a request body.

use std::{
    fs::File,
    io::{self, Cursor, Read},
    path::Path,
};

use crate::api::{
    client::event::{ClientEvent, ClientObserver},
    operation::{ApiRequest, Body, Fields, FilePart},
    transport::Payload,
};

/// Returns the boundary of the parts. 128 random bits do not occur in the fields or the file.
fn boundary() -> String {
    format!("tidings-{:032x}", fastrand::u128(..))
}

/// Returns the content type and the bytes of the body of a request.
pub(super) fn open(request: &ApiRequest, observer: Option<&ClientObserver>) -> io::Result<(Option<String>, Payload)> {
    let kind = request.body.content_type().map(str::to_owned);
    Ok(match &request.body {
        Body::None if request.method.is_read() => (kind, Payload::None),
        // A server may refuse a write without a body (411) if it has no length.
        Body::None => (kind, Payload::whole(Vec::new())),
        Body::Json(document) => (kind, Payload::whole(document.to_string().into_bytes())),
        Body::Form(fields) => (kind, Payload::whole(fields.encode().into_bytes())),
        Body::File(path) => {
            let (length, reader) = open_file(path, observer.cloned())?;
            (kind, Payload::Stream { reader: Box::new(reader), length })
        }
        Body::Multipart { fields, file } => {
            let boundary = boundary();
            let payload = multipart(fields, file, &boundary, observer.cloned())?;
            (kind.map(|kind| format!("{kind}; boundary={boundary}")), payload)
        }
    })
}

/// `multipart/form-data` (RFC 7578), the file read as it is sent.
fn multipart(
    fields: &Fields,
    file: &FilePart,
    boundary: &str,
    observer: Option<ClientObserver>,
) -> io::Result<Payload> {
    let (size, content) = open_file(&file.path, observer)?;
    let part = |name: &str, rest: String| {
        format!("--{boundary}\r\nContent-Disposition: form-data; name={}{rest}", quoted(name))
    };
    let fields = fields.iter().map(|(name, value)| part(name, format!("\r\n\r\n{value}\r\n")));
    let kind = "Content-Type: application/octet-stream";
    let file_part = part(&file.field, format!("; filename={}\r\n{kind}\r\n\r\n", quoted(&file.name)));
    let head: String = fields.chain([file_part]).collect();
    let tail = format!("\r\n--{boundary}--\r\n");
    let length = head.len() as u64 + size + tail.len() as u64;
    let reader = Cursor::new(head).chain(content).chain(Cursor::new(tail));
    Ok(Payload::Stream { reader: Box::new(reader), length })
}

/// Opens a file; returns its size and a reader that notifies the observer.
fn open_file(path: &Path, observer: Option<ClientObserver>) -> io::Result<(u64, impl Read + use<>)> {
    let content = File::open(path)?;
    let total = content.metadata()?.len();
    Ok((total, ProgressReader { inner: content.take(total), bytes: 0, total, observer }))
}

/// Quotes as browsers do: characters that would end the value are percent-encoded (HTML standard, multipart form data).
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A"))
}

/// A reader that reports its progress.
struct ProgressReader<R> {
    inner: R,
    bytes: u64,
    total: u64,
    observer: Option<ClientObserver>,
}

impl<R: Read> Read for ProgressReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.bytes += count as u64;
        if count == 0 && !buffer.is_empty() && self.bytes < self.total {
            return Err(io::Error::other("the file became shorter while it was sent"));
        }
        if let Some(observer) = &self.observer {
            observer(&ClientEvent::Sent { bytes: self.bytes, total: self.total });
        }
        Ok(count)
    }
}
