//! Redirects, and whether the credential is sent to their target.
//!
//! The same scheme, host and port get the credential. Another server gets reads without it, and no writes. A redirect
//! from HTTPS to HTTP is never followed.

use crate::api::{operation::Method, server::Url, transport::Headers};

/// A longer chain is treated as endless.
pub(super) const MAX_REDIRECTS: usize = 5;

/// The target of a redirect.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Redirect {
    pub(super) url: Url,
    /// Whether the credential may be sent there.
    pub(super) trusted: bool,
}

/// Parses a redirect; `None` if the response is not one. The error says why it is not followed.
pub(super) fn parse(method: Method, here: &Url, status: u16, headers: &Headers) -> Option<Result<Redirect, String>> {
    let moved = matches!(status, 301 | 302 | 303 | 307 | 308);
    let location = headers.get("location").filter(|_| moved)?;
    Some(here.join(location).map_err(|why| format!("its target is not a URL: {why}")).and_then(|there| {
        let trusted = here.same_origin(&there);
        if here.is_secure() && !there.is_secure() {
            return Err(format!("it leads from https to http, to `{}`", there.origin()));
        }
        if !method.is_read() && !trusted {
            return Err(format!("it leads to another server, `{}`", there.origin()));
        }
        // 301, 302 and 303 can turn a write into a read, which would succeed without changing anything.
        if !method.is_read() && !matches!(status, 307 | 308) {
            return Err(format!("it leads to `{there}`"));
        }
        Ok(Redirect { url: there, trusted })
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(method: Method, status: u16, location: &str) -> Option<Result<(String, bool), String>> {
        let headers = Headers(vec![("Location".to_owned(), location.to_owned())]);
        let here = Url::parse("https://h/api/v4/projects/old").unwrap();
        parse(method, &here, status, &headers).map(|found| found.map(|target| (target.url.to_string(), target.trusted)))
    }

    #[test]
    fn only_the_same_origin_is_trusted() {
        let ok = |url: &str, trusted| Some(Ok((url.to_owned(), trusted)));
        assert_eq!(follow(Method::Get, 301, "https://h/api/v4/projects/42"), ok("https://h/api/v4/projects/42", true));
        assert_eq!(follow(Method::Get, 302, "https://cdn.example/x"), ok("https://cdn.example/x", false));
        assert_eq!(follow(Method::Get, 302, "https://h:444/x"), ok("https://h:444/x", false));
        assert_eq!(follow(Method::Post, 308, "/x"), ok("https://h/x", true));
        assert_eq!(follow(Method::Get, 200, "/x"), None);
        assert_eq!(follow(Method::Get, 304, "/x"), None);
    }

    #[test]
    fn what_could_do_harm_is_refused() {
        assert!(follow(Method::Get, 301, "http://h/x").unwrap().is_err());
        assert!(follow(Method::Post, 307, "https://cdn.example/x").unwrap().is_err());
        assert!(follow(Method::Post, 302, "/x").unwrap().is_err());
        assert!(follow(Method::Get, 301, "ftp://h/x").unwrap().is_err());
    }
}
