//! URLs of servers.
//!
//! A URL library would resolve `%2E%2E` like `..`, but GitLab needs it unchanged.

use std::fmt;

use crate::model::{is_loopback, mask_query};

/// An absolute `http` or `https` URL.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Url {
    secure: bool,
    host: String,
    port: u16,
    target: String,
}

impl Url {
    /// Parses `http[s]://host[:port][/path][?query]`; a fragment is dropped. The error does not quote the text.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let (scheme, rest) = text.split_once("://").ok_or("it has no scheme")?;
        let secure = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return Err("unsupported scheme: use http or https"),
        };
        let rest = rest.split('#').next().unwrap_or_default();
        let (authority, target) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
        if authority.contains('@') {
            return Err("it must not have a user name or password");
        }
        let (host, port) = split_port(authority)?;
        check_host(host)?;
        if !target.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("its path has characters that must be percent-encoded");
        }
        let slash = if target.starts_with('/') { "" } else { "/" };
        let port = port.unwrap_or(default_port(secure));
        Ok(Self { secure, host: host.to_ascii_lowercase(), port, target: format!("{slash}{target}") })
    }

    /// Replaces path and query.
    pub(in crate::api) fn with_target(&self, target: impl Into<String>) -> Self {
        Self { target: target.into(), ..self.clone() }
    }

    /// Replaces the host by another valid one.
    pub(super) fn with_host(&self, host: String) -> Self {
        Self { host, ..self.clone() }
    }

    /// Resolves a `Location` from the response of this URL (RFC 3986, section 5).
    pub(crate) fn join(&self, location: &str) -> Result<Self, &'static str> {
        let location = location.split('#').next().unwrap_or_default();
        if location.contains("://") && !location.starts_with(['/', '?']) {
            return Self::parse(location);
        }
        if let Some(rest) = location.strip_prefix("//") {
            return Self::parse(&format!("{}://{rest}", self.scheme()));
        }
        let path = self.path();
        let base = match location.as_bytes().first() {
            Some(b'/') => "",
            Some(b'?') => path,
            _ => &path[..=path.rfind('/').unwrap_or(0)],
        };
        let joined = format!("{}{base}{location}", self.origin());
        Self::parse(&joined)
    }

    fn scheme(&self) -> &'static str {
        if self.secure { "https" } else { "http" }
    }

    pub(crate) fn is_secure(&self) -> bool {
        self.secure
    }

    /// Returns the host, in lower case; an IPv6 address without its brackets.
    pub(crate) fn host(&self) -> &str {
        self.host.trim_start_matches('[').trim_end_matches(']')
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// Returns scheme, host and port, without the scheme's default port.
    pub(crate) fn origin(&self) -> String {
        let port = if self.port == default_port(self.secure) { String::new() } else { format!(":{}", self.port) };
        format!("{}://{}{port}", self.scheme(), self.host)
    }

    /// Whether both have the same scheme, host and port.
    pub(crate) fn same_origin(&self, other: &Self) -> bool {
        (self.secure, &self.host, self.port) == (other.secure, &other.host, other.port)
    }

    /// Returns path and query, beginning with `/`.
    pub(crate) fn target(&self) -> &str {
        &self.target
    }

    pub(super) fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// Returns the query without `?`.
    pub(super) fn query(&self) -> &str {
        self.target.split_once('?').map_or("", |(_, query)| query)
    }

    /// Whether the host is this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.host();
        is_loopback(host) || host.ends_with(".localhost")
    }
}

fn default_port(secure: bool) -> u16 {
    if secure { 443 } else { 80 }
}

fn split_port(authority: &str) -> Result<(&str, Option<u16>), &'static str> {
    let bracket = authority.rfind(']').unwrap_or(0);
    let Some(colon) = authority[bracket..].rfind(':').map(|colon| bracket + colon) else {
        return Ok((authority, None));
    };
    let port = &authority[colon + 1..];
    if port.is_empty() {
        return Ok((&authority[..colon], None));
    }
    Ok((&authority[..colon], Some(port.parse().map_err(|_| "its port is not a number up to 65535")?)))
}

fn check_host(host: &str) -> Result<(), &'static str> {
    if host.is_empty() {
        return Err("it has no host");
    }
    if let Some(inner) = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')) {
        return inner.parse::<std::net::Ipv6Addr>().map(|_| ()).map_err(|_| "its host is not an IPv6 address");
    }
    if host.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.' | '_')) {
        Ok(())
    } else {
        Err("its host has characters that no host name has")
    }
}

/// Writes the whole URL, with tokens in its query masked.
impl fmt::Display for Url {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.origin(), mask_query(&self.target))
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn default_ports_and_case_do_not_make_another_origin() {
        assert!(url("https://Example.org/a").same_origin(&url("https://example.org:443/b?c")));
        assert!(!url("https://example.org").same_origin(&url("http://example.org:443")));
        assert!(!url("https://example.org").same_origin(&url("https://example.org:8443")));
        assert!(!url("https://example.org").same_origin(&url("https://example.org.evil.example")));
    }

    #[test]
    fn escapes_are_never_touched() {
        assert_eq!(url("http://[::1]:8080/a/%2E%2E/b?x#frag").to_string(), "http://[::1]:8080/a/%2E%2E/b?x");
        assert_eq!(url("https://h?x=1").target(), "/?x=1");
    }

    #[test]
    fn locations_are_resolved_against_the_url_of_the_request() {
        let here = url("https://h:1/a/b?c=d");
        let there = |location| here.join(location).unwrap().to_string();
        assert_eq!(there("/x?y"), "https://h:1/x?y");
        assert_eq!(there("x"), "https://h:1/a/x");
        assert_eq!(there("?z=https://q"), "https://h:1/a/b?z=https://q");
        assert_eq!(there("//other/x"), "https://other/x");
        assert_eq!(there("http://other:2/x"), "http://other:2/x");
    }

    #[test]
    fn what_is_not_a_url_is_refused() {
        for wrong in [
            "h",
            "ftp://h",
            "https://",
            "https://u:p@h",
            "https://h:99999",
            "https://[x]",
            "https://h/a b",
            "https://hö",
        ] {
            assert!(Url::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn loopback_is_known_by_name_and_number() {
        for (text, loopback) in [
            ("http://localhost:1", true),
            ("http://127.8.0.1", true),
            ("http://[::1]", true),
            ("http://10.0.0.1", false),
        ] {
            assert_eq!(url(text).is_loopback(), loopback, "{text}");
        }
    }
}
