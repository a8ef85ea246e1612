//! A body as bytes on their way out.

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

/// The boundary of parts. What stands between them is a file the user chose and our own fields; 128 random bits do not
/// occur in either.
fn boundary() -> String {
    format!("tidings-{:032x}", fastrand::u128(..))
}

/// The content type and the bytes of the body of a call.
pub(super) fn open(call: &ApiRequest, observer: Option<&ClientObserver>) -> io::Result<(Option<String>, Payload)> {
    let kind = call.body.content_type().map(str::to_owned);
    Ok(match &call.body {
        Body::None if call.method.is_read() => (kind, Payload::None),
        // A write without a body may be answered 411 unless its length is said.
        Body::None => (kind, Payload::whole(Vec::new())),
        Body::Json(document) => (kind, Payload::whole(document.to_string().into_bytes())),
        Body::Form(fields) => (kind, Payload::whole(fields.encode().into_bytes())),
        Body::File(path) => {
            let (length, reader) = counted(path, observer.cloned())?;
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
    let (size, content) = counted(&file.path, observer)?;
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

/// The size of a file, and its bytes as they are read.
fn counted(path: &Path, observer: Option<ClientObserver>) -> io::Result<(u64, impl Read + use<>)> {
    let content = File::open(path)?;
    let total = content.metadata()?.len();
    Ok((total, ProgressReader { inner: content.take(total), bytes: 0, total, observer }))
}

/// As browsers quote it: what would end the value is percent-encoded (HTML standard, multipart form data).
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A"))
}

/// A reader that tells how far it is.
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
