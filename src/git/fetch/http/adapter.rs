//! gix's HTTP transport over the caller's client: the first request, which may be redirected, and those after it.

use std::rc::Rc;

use gix_transport::client::blocking_io::http::{GetResponse, Http, PostBodyDataKind, PostResponse};

use super::{
    ExtraHeaders, Failure, HttpClient, HttpRequest, HttpResponse,
    exchange::{Body, Exchange, HeaderLines, Upload},
};
use crate::model::Problem;

/// How many redirects of the first request are followed.
const MAX_REDIRECTS: usize = 5;

/// gix's view of the client.
pub(in crate::git::fetch) struct Adapter {
    client: Rc<dyn HttpClient>,
    failure: Failure,
    extra: Rc<ExtraHeaders>,
    redirected: Option<String>,
}

impl Adapter {
    pub(in crate::git::fetch) fn new(client: Rc<dyn HttpClient>, failure: Failure, extra: Rc<ExtraHeaders>) -> Self {
        Self { client, failure, extra, redirected: None }
    }

    /// A request with the headers that git's configuration adds for its URL, in place of those of the same name.
    fn with_extra(&self, mut request: HttpRequest) -> HttpRequest {
        let extra = self.extra.of(&request.url);
        request.headers.retain(|(name, _)| !extra.iter().any(|(other, _)| other.eq_ignore_ascii_case(name)));
        request.headers.extend(extra.into_iter().cloned());
        request
    }

    /// Follows redirects to the same or a safer scheme as long as the end of the URL stays, as git does.
    fn first(&mut self, mut request: HttpRequest, base: &str) -> anyhow::Result<HttpResponse> {
        let tail = request.url.strip_prefix(base).unwrap_or_default().to_owned();
        for _ in 0..MAX_REDIRECTS {
            let response = self.client.send(self.with_extra(request.clone()))?;
            let Some(target) = target(&response).map(str::to_owned) else { return Ok(response) };
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
}

impl Http for Adapter {
    type Headers = HeaderLines;
    type ResponseBody = Body;
    type PostBody = Upload;

    fn get(
        &mut self,
        url: &str,
        base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
    ) -> gix::error::Result<GetResponse<HeaderLines, Body>> {
        let request =
            HttpRequest { url: without_account(url), headers: parse_headers(headers), body: None, is_download: false };
        let answer = self.first(request, &without_account(base_url));
        let exchange = Exchange::shared(Rc::clone(&self.client), Rc::clone(&self.failure));
        exchange.borrow_mut().receive(answer);
        Ok(GetResponse { headers: HeaderLines::of(&exchange), body: Body::of(&exchange) })
    }

    fn post(
        &mut self,
        url: &str,
        _base_url: &str,
        headers: impl IntoIterator<Item = impl AsRef<str>>,
        _kind: PostBodyDataKind,
    ) -> gix::error::Result<PostResponse<HeaderLines, Body, Upload>> {
        let (url, headers) = (without_account(url), parse_headers(headers));
        let request = self.with_extra(HttpRequest { url, headers, body: Some(Vec::new()), is_download: true });
        let exchange = Exchange::shared(Rc::clone(&self.client), Rc::clone(&self.failure));
        exchange.borrow_mut().request = Some(request);
        let post_body = Upload(Rc::clone(&exchange));
        Ok(PostResponse { post_body, headers: HeaderLines::of(&exchange), body: Body::of(&exchange) })
    }

    fn configure(&mut self, _config: &dyn std::any::Any) -> gix::error::Result {
        Ok(())
    }

    fn redirected_base_url(&self) -> Option<String> {
        self.redirected.clone()
    }
}

fn target(response: &HttpResponse) -> Option<&str> {
    matches!(response.status, 301 | 302 | 303 | 307 | 308).then(|| response.header("location").next())?
}

fn is_safe(from: &str, to: &str) -> bool {
    to.starts_with("https://") || (from.starts_with("http://") && to.starts_with("http://"))
}

/// Scheme, host and port of a URL.
fn authority(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    url[start..].find('/').map_or(url, |end| &url[..start + end])
}

/// The URL without user and password: gix sends these as a header.
fn without_account(url: &str) -> String {
    let authority = authority(url);
    match (url.split_once("://"), authority.rfind('@')) {
        (Some((scheme, _)), Some(at)) => format!("{scheme}://{}", &url[at + 1..]),
        _ => url.to_owned(),
    }
}

fn parse_headers(lines: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<(String, String)> {
    let parse = |line: &str| line.split_once(':').map(|(name, value)| (name.to_owned(), value.trim().to_owned()));
    lines.into_iter().filter_map(|line| parse(line.as_ref())).collect()
}
