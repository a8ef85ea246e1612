//! The value of `--repo`: a URL, git's short form `host:path`, or a local path (git-clone(1), "Git URLs").

use std::{fmt, path::Path};

use anyhow::Result;
use gix::{bstr::ByteSlice as _, url::Scheme};

use crate::model::{Problem, is_loopback, public_address};

/// The URL of a remote repository, shown without its password.
#[derive(Clone)]
pub(crate) struct RepoUrl(gix::Url);

impl RepoUrl {
    /// Parses a URL; `None` if `text` is a path. A path that exists takes precedence over the form `host:path`.
    ///
    /// # Errors
    /// If the URL is invalid, or has a scheme from which nothing is fetched.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>> {
        let has_scheme = text.contains("://");
        if !has_scheme && Path::new(text).exists() {
            return Ok(None);
        }
        // The parser's message would repeat the URL, including a password.
        let Ok(url) = gix::url::parse(text) else { return Err(invalid_url().into()) };
        match url.scheme {
            Scheme::File if !has_scheme => Ok(None),
            Scheme::File => Ok(Some(Self(url))),
            Scheme::Https | Scheme::Http | Scheme::Ssh | Scheme::Git if url.host().is_some() => Ok(Some(Self(url))),
            Scheme::Https | Scheme::Http | Scheme::Ssh | Scheme::Git => Err(invalid_url().into()),
            other => Err(Problem::usage(format!("unsupported URL scheme `{other}`")).hint(KINDS).into()),
        }
    }

    /// Returns the host of the URL.
    pub(crate) fn host(&self) -> Option<&str> {
        self.0.host()
    }

    /// Returns scheme, host and port of an http or https URL in lower case, without the scheme's own port.
    #[must_use]
    pub(crate) fn origin(&self) -> Option<String> {
        let (scheme, own_port) = match self.0.scheme {
            Scheme::Http => ("http", 80),
            Scheme::Https => ("https", 443),
            _ => return None,
        };
        let port = self.0.port.filter(|port| *port != own_port).map(|port| format!(":{port}")).unwrap_or_default();
        Some(format!("{scheme}://{}{port}", self.host()?.to_ascii_lowercase()))
    }

    pub(super) fn gix(&self) -> &gix::Url {
        &self.0
    }

    /// Whether the repository is on this machine.
    pub(crate) fn is_local(&self) -> bool {
        self.0.scheme == Scheme::File
    }

    pub(super) fn is_ssh(&self) -> bool {
        self.0.scheme == Scheme::Ssh
    }

    /// Whether requests can be read on the way: plain http to another machine.
    pub(super) fn is_cleartext(&self) -> bool {
        self.0.scheme == Scheme::Http
            && !self.host().is_some_and(|host| is_loopback(host.trim_start_matches('[').trim_end_matches(']')))
    }
}

impl From<gix::Url> for RepoUrl {
    fn from(url: gix::Url) -> Self {
        Self(url)
    }
}

impl fmt::Display for RepoUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&public_address(&self.0.to_bstring().to_str_lossy()))
    }
}

impl fmt::Debug for RepoUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

const KINDS: &str = "give an https, http, ssh, git or file URL, or `host:path`";

fn invalid_url() -> Problem {
    Problem::usage("the URL of the repository cannot be read").hint(KINDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<String> {
        RepoUrl::parse(text).unwrap().map(|url| url.to_string())
    }

    #[test]
    fn urls_and_paths_are_told_apart() {
        assert_eq!(parse("https://example.com/a/b.git").as_deref(), Some("https://example.com/a/b.git"));
        assert_eq!(parse("git@example.com:a/b.git").as_deref(), Some("git@example.com:a/b.git"));
        assert_eq!(parse("file:///srv/a.git").as_deref(), Some("file:///srv/a.git"));
        assert_eq!(parse("git://example.com/a").as_deref(), Some("git://example.com/a"));
        for path in [".", "../elsewhere", "/srv/a.git", "./odd:name", "no-such-directory"] {
            assert_eq!(parse(path), None, "{path}");
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let url = RepoUrl::parse("https://user:secret@example.com/a").unwrap().unwrap();
        assert_eq!(format!("{url} {url:?}"), "https://example.com/a https://example.com/a");
    }

    #[test]
    fn other_kinds_are_refused_without_repeating_them() {
        for text in
            ["ext::sh -c whoami", "ftp://user:secret@example.com/a", "https://", "ssh://", "git:///a", "s3://bucket"]
        {
            let error = RepoUrl::parse(text).unwrap_err();
            assert!(!format!("{error:#}").contains("secret"), "{error:#}");
        }
    }

    #[test]
    fn the_origin_is_scheme_host_and_port() {
        let origin = |text| RepoUrl::parse(text).unwrap().unwrap().origin();
        for (url, expected) in [
            ("https://Git.example/a", "https://git.example"),
            ("https://u:p@git.example:443/a", "https://git.example"),
            ("http://git.example:80/a?x", "http://git.example"),
            ("https://git.example:80/a", "https://git.example:80"),
            ("http://[::1]:8080/a", "http://[::1]:8080"),
        ] {
            assert_eq!(origin(url).as_deref(), Some(expected), "{url}");
        }
        assert_eq!(origin("ssh://git@git.example/a"), None);
    }

    #[test]
    fn plain_http_is_exposed_everywhere_but_at_home() {
        let exposed = |text| RepoUrl::parse(text).unwrap().unwrap().is_cleartext();
        assert!(exposed("http://example.com/a"));
        for safe in ["https://example.com/a", "http://127.0.0.1:80/a", "http://localhost/a", "http://[::1]:8080/a"] {
            assert!(!exposed(safe), "{safe}");
        }
    }
}
