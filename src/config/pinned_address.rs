//! An address of a file on the web, with the digest that its content must have.

use sha2::{Digest as _, Sha256};

use crate::model::{hex, is_loopback};

/// What follows an address before its digest.
const DIGEST: &str = "#sha256=";

/// The address of a file whose content is known by its digest, so that nobody can change it unseen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PinnedAddress {
    /// The address, without the digest.
    pub(crate) url: String,
    /// The digest, in lower case.
    pub(crate) sha256: String,
}

impl PinnedAddress {
    /// Parses `https://host/path#sha256=DIGEST`. An error is what is wrong with it, and what to do.
    pub(crate) fn parse(text: &str) -> Result<Self, (&'static str, String)> {
        let url = text.split('#').next().unwrap_or_default();
        let how = || format!("add `{DIGEST}` and the digest that `curl -s {url} | sha256sum` prints");
        let (url, digest) = text.split_once(DIGEST).ok_or_else(|| ("must end with the digest of the file", how()))?;
        if digest.len() != 64 || !digest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(("has a digest that is not one of SHA-256", how()));
        }
        let https = || "write an address that begins with `https://`".to_owned();
        let Some((scheme, rest)) = url.split_once("://") else { return Err(("is not an address", https())) };
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(("must have no user name or password", "no token is ever sent for this file".to_owned()));
        }
        match scheme {
            "https" => {}
            "http" if is_loopback(host(authority)) => {}
            "http" => return Err(("must be read through https", https())),
            _ => return Err(("has a scheme that is not read", https())),
        }
        Ok(Self { url: url.to_owned(), sha256: digest.to_ascii_lowercase() })
    }

    /// Whether this is the content that the address was pinned for.
    pub(crate) fn is_of(&self, content: &[u8]) -> bool {
        digest(content) == self.sha256
    }
}

/// Returns the SHA-256 of a content in hexadecimal digits.
pub(super) fn digest(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

/// Returns the host of an authority that has no user, without the port and without brackets.
fn host(authority: &str) -> &str {
    match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_pinned_address_that_nobody_can_listen_to_is_one() {
        let digest = digest(b"text");
        let parse = |url: &str| PinnedAddress::parse(&format!("{url}#sha256={digest}")).map_err(|(why, _)| why);
        let found = parse("https://host.example/a/tidings.yml?ref=1").unwrap();
        assert_eq!(found.url, "https://host.example/a/tidings.yml?ref=1");
        assert!(found.is_of(b"text") && !found.is_of(b"texts"));
        assert!(PinnedAddress::parse(&format!("https://h/f#sha256={}", digest.to_uppercase())).unwrap().is_of(b"text"));
        for loopback in ["http://127.0.0.1:8080/f", "http://[::1]:1/f", "http://localhost/f"] {
            assert!(parse(loopback).is_ok(), "{loopback}");
        }
        for (url, expected) in [
            ("http://host.example/f", "must be read through https"),
            ("http://127.0.0.1.host.example/f", "must be read through https"),
            ("https://ida:secret@host.example/f", "must have no user name or password"),
            ("file:///etc/f", "has a scheme that is not read"),
        ] {
            assert_eq!(parse(url), Err(expected));
        }
        for text in [
            "https://h/f",
            "https://h/f#sha256=",
            "https://h/f#sha256=12",
            &format!("https://h/f#sha256={}x", &digest[1..]),
        ] {
            assert!(PinnedAddress::parse(text).is_err(), "{text}");
        }
    }
}
