//! Lists, page by page.
//!
//! `X-Next-Page` names the next page; without it, the target of the `Link` with `rel="next"` does. Only the query of a
//! link is used. The address stays the same, so that no link leads to another server, and a tunnel keeps working.

use std::{
    collections::HashSet,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    ApiResponse, Client, ClientEvent,
    error::{Error, Result},
    response::decode_body,
};
use crate::{
    api::{
        operation::{ApiRequest, Fields, decode as percent_decode, secret},
        transport::Headers,
    },
    model::Problem,
};

/// What a list may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::api) struct ListLimits {
    /// The maximum number of pages; a longer list is treated as endless.
    pub(in crate::api) pages: usize,
    /// The maximum size of a list that is kept as a whole, in bytes of JSON. In memory it takes about five times as much.
    pub(in crate::api) kept_bytes: usize,
}

pub(in crate::api) const LIMITS: ListLimits = ListLimits { pages: 10_000, kept_bytes: 64 << 20 };

/// Which pages of a list to fetch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Paging {
    /// Fetch only this page, counted from 1 [default: all pages].
    pub page: Option<u64>,
    /// Rows on a page [default: as many as the server allows].
    pub per_page: Option<u32>,
}

/// One page of a list.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// The rows, with every field that the server sent.
    pub rows: Vec<Value>,
    /// Whether there is a next page.
    pub has_next: bool,
}

/// The pages of a list, each fetched when the iterator is asked for it. The iteration always ends: an empty page is
/// the last one, and a repeated page, too many pages, or more than can be kept are an error.
#[derive(Debug)]
pub(crate) struct Pages<'c> {
    client: &'c Client,
    request: ApiRequest,
    /// The query of the next page.
    next: Option<Fields>,
    single: bool,
    rows: u64,
    pub(in crate::api) limits: ListLimits,
    /// The length of all pages so far, if they are kept.
    kept: Option<usize>,
    /// The hashes of all pages so far.
    seen: HashSet<u64>,
}

/// # Lists
impl Client {
    /// Sends a request whose response is a list, page by page.
    pub(crate) fn pages(&self, request: ApiRequest, paging: Paging) -> Pages<'_> {
        let size = &self.base().forge().api().page_size;
        let is_sized = request.query.iter().any(|(name, _)| name == size.parameter);
        let rows = (!is_sized).then(|| paging.per_page.unwrap_or(size.largest));
        let first = request.query.clone().add_given("page", paging.page).add_given(size.parameter, rows);
        Pages {
            client: self,
            request,
            next: Some(first),
            single: paging.page.is_some(),
            rows: 0,
            limits: LIMITS,
            kept: None,
            seen: HashSet::new(),
        }
    }

    /// Fetches all pages of a list, and returns the known part of the rows.
    pub(crate) fn fetch_all<T: DeserializeOwned>(&self, request: &ApiRequest) -> Result<Vec<T>> {
        let mut items = Vec::new();
        self.keep_all(request, |row| {
            items.push(decode_body(request, &row)?);
            Ok(())
        })?;
        Ok(items)
    }

    /// Fetches all pages of a list, and returns the known part of the rows, and the rows with every field.
    pub(crate) fn fetch_all_with_rows<T: DeserializeOwned>(
        &self,
        request: &ApiRequest,
    ) -> Result<(Vec<T>, Vec<Value>)> {
        let (mut items, mut rows) = (Vec::new(), Vec::new());
        self.keep_all(request, |row| {
            items.push(decode_body(request, &row)?);
            rows.push(row);
            Ok(())
        })?;
        Ok((items, rows))
    }

    /// Passes all rows of a list to `keep`.
    fn keep_all(&self, request: &ApiRequest, mut keep: impl FnMut(Value) -> Result<()>) -> Result<()> {
        self.pages(request.clone(), Paging::default())
            .kept()
            .try_for_each(|page| page?.rows.into_iter().try_for_each(&mut keep))
    }
}

impl Pages<'_> {
    /// Makes a list that is too large to be kept as a whole an error.
    pub(crate) fn kept(self) -> Self {
        Self { kept: Some(0), ..self }
    }

    fn fetch(&mut self, query: Fields) -> Result<Page> {
        let request = ApiRequest { query, ..self.request.clone() };
        let ApiResponse { body, headers, .. } = self.client.send_request(&request)?;
        let Value::Array(rows) = body else { return Err(Error::unexpected_response(&request, "it is not a list")) };
        let failed = |why: String| Error::new(request.name(), Problem::new(why));
        let (hash, length) = hash(&rows);
        if !rows.is_empty() && !self.seen.insert(hash) {
            return Err(failed("the server sent the same page twice".to_owned()));
        }
        let next = if rows.is_empty() { None } else { next_query(&request, &headers).map_err(failed)? };
        let ListLimits { pages, kept_bytes } = self.limits;
        if next.is_some() && self.seen.len() == pages {
            return Err(failed(format!("the list has more than {pages} pages")));
        }
        self.kept = self.kept.map(|kept| kept + length);
        if self.kept.is_some_and(|kept| kept > kept_bytes) {
            return Err(failed(format!("the list has more than {} MiB, which is too much to keep", kept_bytes >> 20)));
        }
        self.rows += rows.len() as u64;
        // After the last page the total is known, even if the server did not send it.
        let total = headers.number("x-total").or(next.is_none().then_some(self.rows));
        self.client.notify(&ClientEvent::Listed { rows: self.rows, total });
        let has_next = next.is_some();
        self.next = next.filter(|_| !self.single);
        Ok(Page { rows, has_next })
    }
}

/// Returns the hash of rows, and their length in JSON.
fn hash(rows: &[Value]) -> (u64, usize) {
    let (mut hasher, mut length) = (DefaultHasher::new(), 0);
    for row in rows {
        let row = row.to_string();
        length += row.len();
        row.hash(&mut hasher);
    }
    (hasher.finish(), length)
}

impl Iterator for Pages<'_> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        let query = self.next.take()?;
        Some(self.fetch(query))
    }
}

impl Headers {
    /// Returns the token of the next page, if pages are named by tokens.
    pub(crate) fn next_page_token(&self) -> Option<String> {
        let target = next_link(self.get("link")?)?;
        let query = Fields::parse(target.split_once('?')?.1);
        query.iter().find(|(name, _)| *name == "page_token").map(|(_, token)| token.to_owned())
    }
}

/// Returns the query of the next page; `None` on the last one. It is an error if the headers name something that cannot
/// be a later page of the list.
fn next_query(request: &ApiRequest, headers: &Headers) -> Result<Option<Fields>, String> {
    let unexpected = |next: &str| Err(format!("the server names `{next}` as the next page"));
    if let Some(page) = headers.get("x-next-page").map(str::trim) {
        let current = request.query.iter().find(|(name, _)| *name == "page").and_then(|(_, page)| page.parse().ok());
        return match page.parse::<u64>() {
            _ if page.is_empty() => Ok(None),
            Ok(page) if page > current.unwrap_or(1) => Ok(Some(request.query.clone().replace("page", &page))),
            _ => unexpected(page),
        };
    }
    let Some(target) = headers.get("link").and_then(next_link) else { return Ok(None) };
    let target = secret::strip_query(&target);
    let (address, query) = target.split_once('?').unwrap_or((&target, ""));
    let is_web = address.starts_with('/') || address.starts_with("http://") || address.starts_with("https://");
    let last = |path: &str| path.rsplit('/').next().map(percent_decode);
    if !is_web || query.is_empty() || last(address) != last(request.path.as_str()) {
        return unexpected(address);
    }
    Ok(Some(Fields::parse(query)))
}

/// Returns the target of `rel="next"` among the links of a header (RFC 8288).
fn next_link(header: &str) -> Option<String> {
    header.split('<').skip(1).find_map(|link| {
        let (target, parameters) = link.split_once('>')?;
        let mut parameters = parameters.split([';', ',']).map(|parameter| parameter.trim().to_ascii_lowercase());
        parameters.any(|parameter| matches!(parameter.as_str(), "rel=\"next\"" | "rel=next")).then(|| target.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::operation::{Method, Path};

    fn next(query: &str, headers: &[(&str, &str)]) -> Option<String> {
        let headers = Headers(headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect());
        let request = ApiRequest::new(Method::Get, Path::new("/x", &[])).query(Fields::parse(query));
        next_query(&request, &headers).expect("a page or none").map(|query| query.encode())
    }

    #[test]
    fn page_headers_have_precedence_over_links() {
        let link = ("Link", r#"<http://h/x?page=9>; rel="next""#);
        assert_eq!(next("a=b&page=1", &[("X-Next-Page", "2"), link]).as_deref(), Some("a=b&page=2"));
        assert_eq!(next("page=2", &[("x-next-page", ""), link]), None);
        assert_eq!(next("page=2", &[]), None);
    }

    #[test]
    fn what_cannot_be_a_later_page_is_refused() {
        let page = |query: &str, header: (&str, &str)| {
            let headers = Headers(vec![(header.0.to_owned(), header.1.to_owned())]);
            let request = ApiRequest::new(Method::Get, Path::new("/x", &[])).query(Fields::parse(query));
            next_query(&request, &headers).map(|query| query.map(|query| query.encode()))
        };
        for (query, number) in [("page=3", "3"), ("page=3", "2"), ("a=b", "1"), ("per_page=9", "1"), ("", "two")] {
            let refused = format!("the server names `{number}` as the next page");
            assert_eq!(page(query, ("X-Next-Page", number)), Err(refused), "{query}");
        }
        assert_eq!(page("per_page=100", ("X-Next-Page", "2")), Ok(Some("per_page=100&page=2".to_owned())));
        for (target, is_page) in [
            ("/x?page=2", true),
            ("http://h/x?page=2", true),
            ("https://h/api/x?page=2", true),
            ("ftp://h/x?page=2", false),
            ("https://h/x", false),
            ("https://h/x?", false),
            ("https://h/y?page=2", false),
        ] {
            let found = page("", ("Link", &format!("<{target}>; rel=next")));
            let address = target.split('?').next().unwrap_or_default();
            let refused = Err(format!("the server names `{address}` as the next page"));
            assert_eq!(found, if is_page { Ok(Some("page=2".to_owned())) } else { refused }, "{target}");
        }
    }

    #[test]
    fn only_the_query_of_a_link_is_used() {
        let first = r#"<https://h/x?page_token=a%2Fb%3D%3D&private_token=t>; rel="next", <https://h/x>; rel="first""#;
        let last = r#"<https://h/x?a>; rel="prev", <https://h/x?page_token=a%2Fb%3D%3D>; rel="next""#;
        for link in [first, last] {
            assert_eq!(next("", &[("Link", link)]).as_deref(), Some("page_token=a%2Fb%3D%3D"));
        }
        assert_eq!(next("", &[("Link", r#"<https://h/x?a>; rel="prev""#)]), None);
    }

    #[test]
    fn the_token_of_the_next_page_is_found_among_other_parameters() {
        let token = |link: &str| Headers(vec![("Link".to_owned(), link.to_owned())]).next_page_token();
        let next = r#"<https://h/x?per_page=9&page_token=a%2Fb&page=2>; rel="next""#;
        assert_eq!(token(next).as_deref(), Some("a/b"));
        assert_eq!(token(r#"<https://h/x?per_page=9&page=2>; rel="next""#), None);
        assert_eq!(token(r#"<https://h/x?page_token=a>; rel="prev""#), None);
    }
}
