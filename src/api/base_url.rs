//! Where the service is.

use std::fmt;

use super::{fields::Fields, path::Path, url::Url};
use crate::model::Problem;

const API: &str = "/api/v4";

/// The address of a service, below which its API lies at `/api/v4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl(Url);

impl BaseUrl {
    /// Reads a host name (spoken to over https) or a URL, with or without `/api/v4` at its end.
    ///
    /// # Errors
    ///
    /// Where it is no address of a service.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
        let url = Url::parse(whole.trim()).map_err(|why| refuse(text, why))?;
        if !url.query().is_empty() {
            return Err(refuse(text, "it has a query"));
        }
        let path = url.path().trim_end_matches('/');
        let root = path.strip_suffix(API).unwrap_or(path).trim_end_matches('/').to_owned();
        Ok(Self(url.with_target(root)))
    }

    /// The URL of an operation.
    pub(super) fn call(&self, path: &Path, query: &Fields) -> Url {
        let mark = if query.is_empty() { "" } else { "?" };
        self.0.with_target(format!("{}{API}{}{mark}{}", self.0.target(), path.as_str(), query.encode()))
    }

    /// The place itself.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.0
    }
}

fn refuse(text: &str, why: &str) -> Problem {
    // A URL with a password in it is refused, so the text is told without what might be one.
    let shown = text.rsplit('@').next().unwrap_or_default();
    Problem::usage(format!("`{shown}` is no address of a service: {why}"))
        .hint("give a host name or a URL, such as https://gitlab.example.com")
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_urls_and_api_roots_mean_the_same_service() {
        for text in [
            "git.example.org",
            "https://git.example.org",
            "https://git.example.org/api/v4/",
            "https://GIT.example.org:443",
        ] {
            let url = BaseUrl::parse(text).unwrap().call(&Path::root("features"), &Fields::new());
            assert_eq!(url.to_string(), "https://git.example.org/api/v4/features", "{text}");
        }
        let nested = BaseUrl::parse("http://localhost:8080/git/").unwrap();
        let url = nested.call(&Path::root("features"), &Fields::new().add("page", 2_u64));
        assert_eq!(url.to_string(), "http://localhost:8080/git/api/v4/features?page=2");
        assert_eq!(nested.to_string(), "http://localhost:8080/git");
    }

    #[test]
    fn a_password_is_neither_taken_nor_shown() {
        let problem = BaseUrl::parse("https://user:hunter2@git.example.org").unwrap_err();
        assert!(!format!("{problem} {problem:?}").contains("hunter2"), "{problem}");
    }
}
