//! Git over HTTP (gitprotocol-http(5)) with the client that the caller passes: this module knows no HTTP library.

use std::{
    cell::RefCell,
    io::{self, BufRead, BufReader, Cursor, Read, Write},
    rc::Rc,
};

use gix::bstr::ByteSlice as _;
use gix_transport::client::{
    AuthenticationRequired,
    blocking_io::http::{GetResponse, Http, PostBodyDataKind, PostResponse},
};

use super::{
    extra_headers::ExtraHeaders,
    paced::{Failure, Pace, PacedBody},
};
use crate::model::{MAX_REDIRECTS, Problem, ProblemKind, redirect_location};

/// A function that sends a request and returns the response, whatever its status; it follows no redirect. `Err` if no
/// response arrives.
pub(crate) type HttpClient = dyn Fn(HttpRequest) -> anyhow::Result<HttpResponse>;

/// A request: `GET` without a body, else `POST`.
#[derive(Clone, Debug, Default)]
pub(crate) struct HttpRequest {
    /// The whole URL, without user and password.
    pub url: String,
    /// The names and values of the headers, `Authorization` included.
    pub headers: Vec<(String, String)>,
    /// The body to post.
    pub body: Option<Vec<u8>>,
    /// Whether the response may be large, so that a timeout limits each pause and not the whole download.
    pub is_download: bool,
}

/// A response; its body is read while it arrives.
pub(crate) struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The names and values of the headers; a name may occur more than once.
    pub headers: Vec<(String, String)>,
    /// The body, decompressed.
    pub body: Box<dyn Read>,
}

impl HttpResponse {
    fn header<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |header| header.0.eq_ignore_ascii_case(name)).map(|header| header.1.as_str())
    }
}

/// The HTTP client for gix, which uses the caller's client.
pub(super) struct Adapter {
    client: Rc<HttpClient>,
    failure: Failure,
    extra: Rc<ExtraHeaders>,
    pace: Rc<Pace>,
    redirected: Option<String>,
}

impl Adapter {
    pub(super) fn new(client: Rc<HttpClient>, failure: Failure, extra: &Rc<ExtraHeaders>, pace: &Rc<Pace>) -> Self {
        Self { client, failure, extra: Rc::clone(extra), pace: Rc::clone(pace), redirected: None }
    }

    /// Adds the headers that git's configuration has for the URL; they replace those of the same name.
    fn with_extra(&self, mut request: HttpRequest) -> HttpRequest {
        let extra = self.extra.headers_for(&request.url);
        request.headers.retain(|(name, _)| !extra.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
        request.headers.extend(extra.into_iter().cloned());
        request
    }

    /// Follows redirects to the same or a safer scheme that leave the end of the URL unchanged, as git does.
    fn send_first(&mut self, mut request: HttpRequest, base: &str) -> anyhow::Result<HttpResponse> {
        let tail = request.url.strip_prefix(base).unwrap_or_default().to_owned();
        for _ in 0..=MAX_REDIRECTS {
            let response = (self.client)(self.with_extra(request.clone()))?;
            let Some(target) = target(&response, &request.url) else { return Ok(response) };
            let Some(new_base) = target.strip_suffix(tail.as_str()) else {
                return Err(Problem::new("the server redirects to something that is not a repository").into());
            };
            if !is_safe(&request.url, &target) {
                return Err(Problem::new("the server redirects to an unsafe URL, which is not followed").into());
            }
            if authority(&request.url) != authority(&target) {
                request.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("authorization"));
            }
            self.redirected = Some(new_base.to_owned());
            request.url = target;
        }
        Err(Problem::new("the server redirects without end").into())
    }

    fn exchange(&self, request: Option<HttpRequest>) -> Shared {
        let (client, failure, pace) = (Rc::clone(&self.client), Rc::clone(&self.failure), Rc::clone(&self.pace));
        Rc::new(RefCell::new(Exchange { client, failure, pace, request, answer: None }))
    }
}

impl Http for Adapter {
    type Headers = ResponsePart;
    type ResponseBody = ResponsePart;
    type PostBody = Upload;

    fn get(
        &mut self,
        url: &str,
        base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> gix::error::Result<GetResponse<ResponsePart, ResponsePart>> {
        let (url, headers) = (strip_account(url), parse_headers(headers));
        let answer = self.send_first(HttpRequest { url, headers, ..HttpRequest::default() }, &strip_account(base_url));
        let exchange = self.exchange(None);
        exchange.borrow_mut().receive(answer);
        Ok(GetResponse { headers: ResponsePart::headers(&exchange), body: ResponsePart::body(&exchange) })
    }

    fn post(
        &mut self,
        url: &str,
        _base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
        _kind: PostBodyDataKind,
    ) -> gix::error::Result<PostResponse<ResponsePart, ResponsePart, Upload>> {
        let (url, headers, body) = (strip_account(url), parse_headers(headers), Some(Vec::new()));
        let request = self.with_extra(HttpRequest { url, headers, body, ..HttpRequest::default() });
        let exchange = self.exchange(Some(request));
        let (headers, body) = (ResponsePart::headers(&exchange), ResponsePart::body(&exchange));
        Ok(PostResponse { post_body: Upload(exchange), headers, body })
    }

    fn configure(&mut self, _config: &dyn std::any::Any) -> gix::error::Result {
        Ok(())
    }

    fn redirected_base_url(&self) -> Option<String> {
        self.redirected.clone()
    }
}

/// A request and its response, which gix handles in three parts: the upload, the headers and the body. The request is
/// sent when the first part of the response is read, so that no thread is needed.
struct Exchange {
    client: Rc<HttpClient>,
    failure: Failure,
    pace: Rc<Pace>,
    request: Option<HttpRequest>,
    answer: Option<io::Result<HttpResponse>>,
}

type Shared = Rc<RefCell<Exchange>>;

impl Exchange {
    fn receive(&mut self, answer: anyhow::Result<HttpResponse>) {
        self.answer = Some(answer.map_err(|error| note(&self.failure, error)).and_then(|ok| self.accept(ok)));
    }

    fn settle(&mut self) {
        if let Some(mut request) = self.request.take() {
            // Every response but a list of references is a pack.
            request.is_download = request.body.as_ref().is_some_and(|body| body.find(b"command=ls-refs").is_none());
            let answer = (self.client)(request);
            self.receive(answer);
        }
    }

    /// Accepts a success, or returns the failure that gix expects: it has a kind of its own for missing credentials.
    fn accept(&self, response: HttpResponse) -> io::Result<HttpResponse> {
        match response.status {
            200..=299 => Ok(response),
            401 => {
                let www_authenticate = response.header("www-authenticate").map(Into::into).collect();
                Err(io::Error::new(io::ErrorKind::PermissionDenied, AuthenticationRequired { www_authenticate }))
            }
            status => Err(note(&self.failure, refusal(status).into())),
        }
    }

    fn answer(&mut self) -> io::Result<HttpResponse> {
        self.settle();
        self.answer.take().unwrap_or_else(|| Err(ended_exchange()))
    }

    fn header_lines(&mut self) -> io::Result<Box<dyn Read>> {
        let response = self.answer()?;
        let lines = response.headers.iter().map(|(name, value)| [name, ": ", value, "\n"].concat());
        let lines = lines.collect::<String>();
        self.answer = Some(Ok(response));
        Ok(Box::new(Cursor::new(lines)))
    }

    fn body(&mut self) -> io::Result<Box<dyn Read>> {
        Ok(Box::new(PacedBody::new(self.answer()?.body, &self.pace, &self.failure)))
    }
}

/// The headers of a response, a line each, or its body; the exchange takes place when the first byte is read.
pub(super) struct ResponsePart {
    exchange: Shared,
    take: fn(&mut Exchange) -> io::Result<Box<dyn Read>>,
    reader: Option<BufReader<Box<dyn Read>>>,
}

/// The body of a request, which is collected before it is sent.
pub(super) struct Upload(Shared);

impl ResponsePart {
    fn headers(exchange: &Shared) -> Self {
        Self { exchange: Rc::clone(exchange), take: Exchange::header_lines, reader: None }
    }

    fn body(exchange: &Shared) -> Self {
        Self { exchange: Rc::clone(exchange), take: Exchange::body, reader: None }
    }

    fn reader(&mut self) -> io::Result<&mut BufReader<Box<dyn Read>>> {
        if self.reader.is_none() {
            let part = (self.take)(&mut self.exchange.borrow_mut())?;
            self.reader = Some(BufReader::with_capacity(64 * 1024, part));
        }
        self.reader.as_mut().ok_or_else(ended_exchange)
    }
}

impl Read for ResponsePart {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader()?.read(buffer)
    }
}

impl BufRead for ResponsePart {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader()?.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        if let Some(reader) = &mut self.reader {
            reader.consume(amount);
        }
    }
}

impl Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut exchange = self.0.borrow_mut();
        let body = exchange.request.as_mut().and_then(|request| request.body.as_mut()).ok_or_else(ended_exchange)?;
        body.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn ended_exchange() -> io::Error {
    io::Error::other("the exchange with the server is over")
}

fn note(failure: &Failure, error: anyhow::Error) -> io::Error {
    let shown = io::Error::other(format!("{error:#}"));
    failure.replace(Some(error));
    shown
}

fn refusal(status: u16) -> Problem {
    let problem = Problem::new(format!("the server responded with HTTP status {status}"));
    match status {
        403 => problem.kind(ProblemKind::AccessDenied).hint("use credentials that are allowed to read this repository"),
        404 => problem.hint("check the URL; a private repository is also not found without credentials"),
        429 => problem.hint("try again later: the server limits requests"),
        500.. => problem.hint("try again later: the server failed"),
        _ => problem,
    }
}

/// Returns the URL that the response to a request for `from` redirects to; it may be a path on the same server.
fn target(response: &HttpResponse, from: &str) -> Option<String> {
    let location = redirect_location(response.status, response.header("location").next())?;
    let is_path = location.starts_with('/') && !location.starts_with("//");
    Some(if is_path { format!("{}{location}", authority(from)) } else { location.to_owned() })
}

fn is_safe(from: &str, to: &str) -> bool {
    to.starts_with("https://") || (from.starts_with("http://") && to.starts_with("http://"))
}

fn authority(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    url[start..].find('/').map_or(url, |end| &url[..start + end])
}

/// Removes user and password from a URL, since gix sends them as a header.
fn strip_account(url: &str) -> String {
    let authority = authority(url);
    match (url.split_once("://"), authority.rfind('@')) {
        (Some((scheme, _)), Some(at)) => format!("{scheme}://{}", &url[at + 1..]),
        _ => url.to_owned(),
    }
}

fn parse_headers(lines: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<(String, String)> {
    lines
        .into_iter()
        .filter_map(|line| {
            line.as_ref().split_once(':').map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_ends_at_the_last_at_sign_before_the_path() {
        for (url, shown, server) in [
            ("https://h/a", "https://h/a", "https://h"),
            ("http://h:80", "http://h:80", "http://h:80"),
            ("https://ida@h/a@b", "https://h/a@b", "https://ida@h"),
            ("https://ida:p@ss@h:1/a/b", "https://h:1/a/b", "https://ida:p@ss@h:1"),
            ("https://h/a@b", "https://h/a@b", "https://h"),
            ("h/a", "h/a", "h"),
        ] {
            assert_eq!((strip_account(url).as_str(), authority(url)), (shown, server), "{url}");
        }
    }

    #[test]
    fn a_refusal_says_what_can_be_done() {
        for (status, hint) in [
            (403, "are allowed to read"),
            (404, "check the URL"),
            (429, "the server limits requests"),
            (500, "the server failed"),
            (503, "the server failed"),
        ] {
            let hints = refusal(status).hints().concat();
            assert!(hints.contains(hint), "{status}: {hints}");
        }
        assert!(refusal(418).hints().is_empty());
    }

    /// Sends a request with a credential, and follows these redirects. Returns the URLs of the requests, each marked if it
    /// had the credential.
    fn followed(base: &str, redirects: &'static [&'static str]) -> Result<Vec<String>, String> {
        let requests = Rc::new(RefCell::new(Vec::new()));
        let seen = Rc::clone(&requests);
        let client = Rc::new(move |request: HttpRequest| {
            let target = redirects.get(seen.borrow().len()).map(|target| ("Location".to_owned(), (*target).to_owned()));
            let is_marked = request.headers.iter().any(|(name, _)| name == "Authorization");
            seen.borrow_mut().push(format!("{}{}", request.url, if is_marked { " *" } else { "" }));
            let status = if target.is_some() { 302 } else { 200 };
            Ok(HttpResponse { status, headers: target.into_iter().collect(), body: Box::new(io::empty()) })
        });
        let mut adapter = Adapter::new(client, Failure::default(), &Rc::default(), &Pace::new(None, None));
        let headers = vec![("Authorization".to_owned(), "Basic x".to_owned())];
        let request = HttpRequest { url: format!("{base}/refs"), headers, ..HttpRequest::default() };
        adapter.send_first(request, base).map_err(|error| error.to_string())?;
        Ok(requests.take())
    }

    #[test]
    fn a_credential_does_not_follow_a_redirect_to_another_server() {
        for (redirects, expected) in [
            (&["https://a.example/moved/refs"][..], &["https://a.example/moved/refs *"][..]),
            (&["/moved/refs"], &["https://a.example/moved/refs *"]),
            (&["https://b.example/r/refs"], &["https://b.example/r/refs"]),
            (&["https://a.example:8443/r/refs"], &["https://a.example:8443/r/refs"]),
            (
                &["https://b.example/r/refs", "https://a.example/r/refs"],
                &["https://b.example/r/refs", "https://a.example/r/refs"],
            ),
        ] {
            let requests = followed("https://a.example/r", redirects).unwrap();
            assert_eq!(
                (requests[0].as_str(), &requests[1..]),
                ("https://a.example/r/refs *", &expected.iter().map(ToString::to_string).collect::<Vec<_>>()[..])
            );
        }
        let upgraded = followed("http://a.example/r", &["https://a.example/r/refs"]).unwrap();
        assert_eq!(upgraded, ["http://a.example/r/refs *", "https://a.example/r/refs"]);
    }

    #[test]
    fn a_redirect_to_a_less_safe_scheme_is_not_followed() {
        assert!(followed("http://a.example/r", &["http://b.example/r/refs"]).is_ok());
        for (base, redirect) in [
            ("https://a.example/r", &["http://a.example/r/refs"]),
            ("https://a.example/r", &["ftp://a.example/r/refs"]),
            ("http://a.example/r", &["ftp://a.example/r/refs"]),
            ("http://a.example/r", &["//b.example/r/refs"]),
        ] {
            let error = followed(base, redirect).unwrap_err();
            assert_eq!(error, "the server redirects to an unsafe URL, which is not followed", "{base} {redirect:?}");
        }
        let error = followed("https://a.example/r", &["https://a.example/login"]).unwrap_err();
        assert_eq!(error, "the server redirects to something that is not a repository");
        let error = followed("https://a.example/r", &["/r/refs"; 9]).unwrap_err();
        assert_eq!(error, "the server redirects without end");
    }
}
