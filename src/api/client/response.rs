//! The sending of requests, and their responses: read whole, or as a stream.

use std::{
    fmt,
    io::{self, Read},
    time::{Duration, Instant},
};

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;

use super::{
    Client, ClientEvent, ClientObserver,
    error::{Error, Result},
};
use crate::{
    api::{
        operation::ApiRequest,
        transport::{Headers, TransportError, WireResponse},
    },
    model::Problem,
};

/// The response to a request, read whole.
#[derive(Clone, Debug)]
pub(crate) struct ApiResponse {
    /// Everything the server sent; `null` if it sent nothing.
    pub body: Value,
    /// One of success: 200, 201, 204 or 304.
    pub(crate) status: u16,
    pub(crate) headers: Headers,
}

impl ApiResponse {
    /// Whether nothing was changed, because the state was already as requested (304).
    pub(crate) fn is_not_modified(&self) -> bool {
        self.status == 304
    }
}

/// The body of a response, read as a stream. A body that ends early is an error, never a short file.
pub(crate) struct Stream {
    pub(crate) response: WireResponse,
    bytes: u64,
    total: Option<u64>,
    observer: Option<ClientObserver>,
    /// The time by which a JSON document must have ended; `None` for a download, which is limited by its pauses.
    deadline: Option<Instant>,
}

impl Stream {
    pub(super) fn new(response: WireResponse, observer: Option<ClientObserver>, timeout: Duration) -> Self {
        let total = response.headers.number("content-length");
        let is_document = response.headers.get("content-type").is_some_and(|kind| kind.contains("json"));
        let deadline = is_document.then(|| Instant::now() + timeout);
        Self { response, bytes: 0, total, observer, deadline }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) {
            let message = format!(
                "the response did not end in time, after {} bytes: allow more time with `--timeout SECONDS`",
                self.bytes
            );
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        let count = self.response.body.read(buffer).map_err(|error| {
            let message = TransportError::unreadable_body(&error).message;
            io::Error::new(error.kind(), format!("{message} after {} bytes", self.bytes))
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

/// # Sending
impl Client {
    /// Sends a request and reads the fields of the response that `T` has. No body (204, 304) is read as `null`.
    pub(crate) fn send<T: DeserializeOwned + Default>(&self, request: &ApiRequest) -> Result<T> {
        Ok(self.fetch(request)?.0)
    }

    /// Sends a request and returns the fields of the response that `T` has, and the whole response.
    pub(crate) fn fetch<T: DeserializeOwned + Default>(&self, request: &ApiRequest) -> Result<(T, ApiResponse)> {
        let response = self.send_request(request)?;
        match decode_body(request, &response.body) {
            Ok(value) => Ok((value, response)),
            Err(error) if request.method.is_read() => Err(error),
            // The change is done anyway.
            Err(error) => {
                self.notify(&ClientEvent::Unreadable { status: response.status, why: &error.reason() });
                Ok((T::default(), response))
            }
        }
    }

    /// Sends a request and reads the response as JSON of any shape. If the server does not have the endpoint, the legacy
    /// form of the request is sent.
    ///
    /// # Errors
    /// If the server refuses, cannot be reached, or responds with something else than JSON.
    pub(crate) fn send_request(&self, request: &ApiRequest) -> Result<ApiResponse> {
        let sent = self.send_once(request);
        match &request.legacy {
            Some(legacy) if sent.as_ref().is_err_and(Error::is_route_not_found) => self.send_once(legacy),
            _ => sent,
        }
    }

    /// Sends one form of a request. If the response to a successful change cannot be read, it is `null` and the observer is
    /// notified, because the change is done.
    fn send_once(&self, request: &ApiRequest) -> Result<ApiResponse> {
        let is_read = request.method.is_read();
        let (status, headers, bytes) = self.exchange(request, false, |mut response| {
            let mut bytes = Vec::new();
            let read = response.body.by_ref().take(self.max_response_bytes + 1).read_to_end(&mut bytes);
            if is_read {
                read?;
            }
            Ok((response.status, response.headers, bytes))
        })?;
        let body = match self.json(&headers, &bytes) {
            Ok(body) => body,
            Err(problem) if is_read => return Err(Error::new(request.name(), problem)),
            Err(problem) => {
                self.notify(&ClientEvent::Unreadable { status, why: &problem.to_string() });
                Value::Null
            }
        };
        Ok(ApiResponse { body, status, headers })
    }

    /// Sends a request and returns the response as a stream.
    ///
    /// # Errors
    /// If the server refuses or cannot be reached; later failures come from the stream.
    pub(crate) fn open_request(&self, request: &ApiRequest) -> Result<Stream> {
        let response = self.exchange(request, true, Ok)?;
        Ok(Stream::new(response, self.observer.clone(), self.retry_policy.timeout))
    }

    fn json(&self, headers: &Headers, bytes: &[u8]) -> Result<Value, Problem> {
        if bytes.len() as u64 > self.max_response_bytes {
            return Err(Problem::new(format!("the response is larger than {} bytes", self.max_response_bytes)));
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Value::Null);
        }
        serde_json::from_slice(bytes).map_err(|error| {
            let kind = headers.get("content-type").map_or("of an unknown type".to_owned(), |kind| format!("`{kind}`"));
            if kind.contains("json") {
                return Problem::new(format!("the response is not valid JSON: {error}"));
            }
            Problem::new(format!("the response is {kind}, not JSON")).hint(format!(
                "check that `{}` is the address of the server, or set another one with `--base-url`",
                self.base
            ))
        })
    }
}

/// Reads the fields of a response that `T` has. A field of an unexpected type is treated as missing.
pub(in crate::api) fn decode_body<T: DeserializeOwned>(request: &ApiRequest, body: &Value) -> Result<T> {
    let first = match T::deserialize(body) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let mut rest = body.clone();
    loop {
        match serde_path_to_error::deserialize(&rest) {
            Ok(value) => return Ok(value),
            Err(error) if remove(&mut rest, error.path()) => {}
            Err(_) => return Err(Error::unexpected_response(request, &first.to_string())),
        }
    }
}

/// Removes the field at a path, or the field that holds the list if the path leads to an element of one. Returns
/// whether there was such a field.
fn remove(document: &mut Value, path: &serde_path_to_error::Path) -> bool {
    let segments: Vec<_> = path.iter().collect();
    let Some(last) = segments.iter().rposition(|segment| matches!(segment, Segment::Map { .. })) else { return false };
    let owner = segments[..last].iter().try_fold(document, |value, segment| match segment {
        Segment::Map { key } => value.get_mut(key),
        Segment::Seq { index } => value.get_mut(*index),
        _ => None,
    });
    let Some(Segment::Map { key }) = segments.get(last) else { return false };
    owner.and_then(Value::as_object_mut).is_some_and(|fields| fields.shift_remove(key).is_some())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::api::operation::{Method, Path};

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Row {
        id: u64,
        name: String,
        owner: Option<Box<Row>>,
        members: Vec<Row>,
    }

    #[test]
    fn a_field_of_another_type_is_missing_and_the_rest_is_read() {
        let request = ApiRequest::new(Method::Get, Path::new("/x", &[]));
        let named = |id: u64, name: &str| Row { id, name: name.to_owned(), ..Row::default() };
        for (body, expected) in [
            (json!({"id": 1, "name": "a", "further": 2}), named(1, "a")),
            (json!({"id": "odd", "name": "a"}), named(0, "a")),
            (
                json!({"id": 1, "name": "a", "owner": {"id": 2, "name": []}}),
                Row { owner: Some(Box::new(named(2, ""))), ..named(1, "a") },
            ),
            (
                json!({"id": 1, "name": {}, "members": [{"id": 2, "name": "b"}, {"id": "odd", "name": "c"}]}),
                Row { members: vec![named(2, "b"), named(0, "c")], ..named(1, "") },
            ),
            (json!({"id": 1, "name": "a", "members": [2]}), named(1, "a")),
        ] {
            assert_eq!(decode_body::<Row>(&request, &body).unwrap(), expected, "{body}");
        }
        assert!(decode_body::<Row>(&request, &json!("odd")).is_err());
    }

    #[test]
    fn a_stream_tells_its_progress_and_ends_a_document_in_time() {
        let heard = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let seen = std::sync::Arc::clone(&heard);
        let observer: ClientObserver = std::sync::Arc::new(move |event: &ClientEvent<'_>| {
            if let ClientEvent::Received { bytes, total } = event {
                seen.lock().unwrap().push((*bytes, *total));
            }
        });
        let stream = |kind: &str, timeout: Duration| {
            let headers = [("Content-Type", kind), ("Content-Length", "6")]
                .map(|(name, text)| (name.to_owned(), text.to_owned()));
            let body: Box<dyn Read> = Box::new(&b"harbor"[..]);
            let response = WireResponse { status: 200, headers: Headers(headers.into()), body };
            Stream::new(response, Some(observer.clone()), timeout)
        };
        let mut download = stream("application/octet-stream", Duration::ZERO);
        let mut part = [0; 4];
        assert_eq!(download.read(&mut part).unwrap(), 4);
        assert!(format!("{download:?}").contains("bytes: 4"), "{download:?}");
        assert_eq!(download.read(&mut part).unwrap(), 2);
        assert_eq!(&part, b"orrb");
        assert_eq!(download.read(&mut part).unwrap(), 0);
        assert_eq!(*heard.lock().unwrap(), [(4, Some(6)), (6, Some(6)), (6, Some(6))]);
        let mut text = String::new();
        stream("application/json", Duration::from_secs(600)).read_to_string(&mut text).unwrap();
        assert_eq!(text, "harbor");
        let mut late = stream("application/json", Duration::ZERO);
        late.deadline = late.deadline.and_then(|deadline| deadline.checked_sub(Duration::from_secs(1)));
        let error = late.read(&mut part).unwrap_err();
        assert!(error.to_string().starts_with("the response did not end in time, after 0 bytes"), "{error}");
    }
}
