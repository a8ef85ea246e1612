//! The client: an operation in, its answer out.

mod error;
mod event;
mod exchange;
mod paging;
mod response;

use std::{fmt, io::Read as _, sync::Arc};

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;

pub(super) use self::error::optional;
pub use self::{
    error::{Error, Refusal, Result},
    event::{ClientEvent, ClientObserver},
    exchange::{Clock, RetryPolicy, SystemClock},
    paging::{Page, Pages, Paging},
    response::{ApiResponse, Stream},
};
use crate::{
    api::{
        operation::{ApiRequest, Bytes, Endpoint, Paged, Preview, secret},
        server::{BaseUrl, Credential, Url},
        transport::{Headers, Proxies, Transport},
    },
    model::Problem,
};

/// The largest answer that is read whole, in bytes after decompression.
const LARGEST_ANSWER: u64 = 128 << 20;

/// A client of one service. Nothing is connected, and no certificate read, before the first request.
pub struct Client {
    base: BaseUrl,
    credential: Credential,
    transport: Transport,
    retry_policy: RetryPolicy,
    clock: Arc<dyn Clock>,
    observer: Option<ClientObserver>,
    max_response_bytes: u64,
    plain_http: bool,
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

/// # Sending
impl Client {
    /// Sends a request and reads the known part of the response.
    ///
    /// # Errors
    ///
    /// If the server refuses, cannot be reached, or responds with something else.
    pub fn send<E: Endpoint>(&self, endpoint: &E) -> Result<E::Output> {
        Ok(self.fetch(endpoint)?.0)
    }

    /// Sends a request and returns the known part of the response, and the response.
    ///
    /// # Errors
    ///
    /// As [`Client::send`].
    pub fn fetch<E: Endpoint>(&self, endpoint: &E) -> Result<(E::Output, ApiResponse)> {
        let request = ApiRequest::of(endpoint);
        let response = self.send_request(&request)?;
        match decode(&request, &response.body) {
            Ok(value) => Ok((value, response)),
            Err(error) if E::METHOD.is_read() => Err(error),
            // It is done all the same.
            Err(error) => {
                self.notify(&ClientEvent::Unreadable { status: response.status, why: &error.reason() });
                Ok((E::Output::default(), response))
            }
        }
    }

    /// Sends a request and reads the response as JSON, whatever it holds. If the server has no such route, the legacy
    /// form of the request is sent.
    ///
    /// # Errors
    ///
    /// If the server refuses, cannot be reached, or responds with something else than JSON.
    pub fn send_request(&self, request: &ApiRequest) -> Result<ApiResponse> {
        let sent = self.send_once(request);
        match &request.legacy {
            Some(legacy) if sent.as_ref().is_err_and(Error::is_route_not_found) => self.send_once(legacy),
            _ => sent,
        }
    }

    /// A change that the server confirmed is done, whatever its response looks like: if that cannot be read, it is
    /// `null`, and the observer hears of it.
    fn send_once(&self, request: &ApiRequest) -> Result<ApiResponse> {
        let is_read = request.method.is_read();
        let (status, headers, bytes) =
            self.exchange(request, &self.url(request), exchange::ReadMode::Whole, |mut response| {
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

    /// Sends a request whose response is a list, page by page as the iterator is asked for more.
    pub fn pages(&self, request: ApiRequest, paging: Paging) -> Pages<'_> {
        Pages::new(self, request, paging)
    }

    /// Sends a request whose response is a list, and reads the known part of all its pages.
    ///
    /// # Errors
    ///
    /// As [`Client::send`].
    pub fn all<E: Paged>(&self, endpoint: &E) -> Result<Vec<E::Item>> {
        Ok(self.all_with_rows(endpoint)?.0)
    }

    /// The same, and the rows with every field the server sent.
    ///
    /// # Errors
    ///
    /// As [`Client::send`].
    pub fn all_with_rows<E: Paged>(&self, endpoint: &E) -> Result<(Vec<E::Item>, Vec<Value>)> {
        let request = ApiRequest::of(endpoint);
        let (mut items, mut rows) = (Vec::new(), Vec::new());
        for page in self.pages(request.clone(), Paging::default()) {
            for row in page?.rows {
                items.push(decode(&request, &row)?);
                rows.push(row);
            }
        }
        Ok((items, rows))
    }

    /// Sends an operation whose answer is a file, to be read as it comes.
    ///
    /// # Errors
    ///
    /// As [`Client::send`]; later failures come from the stream.
    pub fn open<E: Endpoint<Output = Bytes>>(&self, endpoint: &E) -> Result<Stream> {
        self.open_call(&ApiRequest::of(endpoint))
    }

    /// Sends a call and gives its answer as it comes.
    ///
    /// # Errors
    ///
    /// As [`Client::open`].
    pub fn open_call(&self, call: &ApiRequest) -> Result<Stream> {
        let reply = self.exchange(call, &self.url(call), exchange::ReadMode::Stream, Ok)?;
        Ok(Stream::new(reply, self.observer.clone(), self.retry_policy.timeout))
    }

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

    fn url(&self, call: &ApiRequest) -> Url {
        self.base.call(call.site, &call.path, &call.query)
    }

    fn notify(&self, event: &ClientEvent<'_>) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }

    /// A text without the secrets this client knows.
    fn masked(&self, call: &ApiRequest, text: &str) -> String {
        secret::mask(text, self.credential.secret().into_iter().chain(&call.secrets))
    }

    fn json(&self, headers: &Headers, bytes: &[u8]) -> Result<Value, Problem> {
        if bytes.len() as u64 > self.max_response_bytes {
            return Err(Problem::new(format!("the answer is larger than {} bytes", self.max_response_bytes)));
        }
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Value::Null);
        }
        serde_json::from_slice(bytes).map_err(|error| {
            let kind = headers.get("content-type").unwrap_or("nothing named");
            if kind.contains("json") {
                return Problem::new(format!("the response is not valid JSON: {error}"));
            }
            Problem::new(format!("the response is `{kind}`, not JSON"))
                .hint(format!("is `{}` the address of the server? see --base-url", self.base))
        })
    }
}

/// Reads the known part of a response. A field of another type than expected is as good as missing.
pub(in crate::api) fn decode<T: DeserializeOwned>(request: &ApiRequest, body: &Value) -> Result<T> {
    let first = match T::deserialize(body) {
        Ok(value) => return Ok(value),
        Err(error) => error,
    };
    let mut rest = body.clone();
    loop {
        match serde_path_to_error::deserialize(&rest) {
            Ok(value) => return Ok(value),
            Err(error) if remove(&mut rest, error.path()) => {}
            Err(_) => return Err(Error::unexpected(request, &first.to_string())),
        }
    }
}

/// Removes the field at a path, or the one around an element of a list; whether there was one.
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

impl fmt::Debug for Client {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Client")
            .field("base", &self.base)
            .field("credential", &self.credential)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::api::operation::{Method, Path};

    #[derive(Debug, Deserialize, PartialEq)]
    struct Row {
        id: u64,
        name: Option<String>,
        #[serde(default)]
        tags: Vec<String>,
    }

    #[test]
    fn only_what_a_row_cannot_do_without_makes_it_unreadable() {
        let request = ApiRequest::new(Method::Get, Path::root("x"));
        let read = |rows| decode::<Vec<Row>>(&request, &rows).ok();
        let row = |name: Option<&str>| Some(vec![Row { id: 1, name: name.map(str::to_owned), tags: Vec::new() }]);
        assert_eq!(read(json!([{"id": 1, "name": "a", "more": {}}])), row(Some("a")));
        assert_eq!(read(json!([{"id": 1, "name": 5, "tags": ["x", 7]}])), row(None));
        assert_eq!(read(json!([{"id": "1", "name": "a"}])), None);
        assert_eq!(read(json!([{"name": "a"}])), None);
    }
}
