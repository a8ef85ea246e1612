//! The address of the server.

use std::fmt;

use super::url::Url;
use crate::{
    api::operation::{ApiHost, Fields, Path},
    model::{Forge, Problem},
};

/// The address of a server, from which that of its API follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    url: Url,
    forge: Forge,
}

impl BaseUrl {
    /// Parses a host name (for https) or a URL of a server of this forge, or the address of its API: `git.example.com`,
    /// `https://git.example.com/api/v4`, `https://api.github.com`.
    ///
    /// # Errors
    /// If it is not the address of a server.
    pub fn parse(text: &str, forge: Forge) -> Result<Self, Problem> {
        let api = forge.api();
        let url = read(text, api.root)?;
        let host = url.host().strip_prefix("api.").filter(|host| api.is_cloud(host)).map(str::to_owned);
        let url = host.map_or_else(|| url.clone(), |host| url.with_host(host));
        Ok(Self { url, forge })
    }

    /// The URL of an operation. Its host follows from this address alone, never from what a response says.
    pub(in crate::api) fn call(&self, site: ApiHost, path: &Path, query: &Fields) -> Url {
        let mark = if query.is_empty() { "" } else { "?" };
        let (url, root) = self.root(site);
        url.with_target(format!("{}{root}{}{mark}{}", url.target(), path.as_str(), query.encode()))
    }

    fn root(&self, site: ApiHost) -> (Url, &'static str) {
        let api = self.forge.api();
        let (subdomain, root) = match site {
            ApiHost::Api => ("api", api.root),
            ApiHost::Uploads => ("uploads", api.uploads_root),
        };
        if api.is_cloud(self.url.host()) {
            return (self.url.with_host(format!("{subdomain}.{}", self.url.host())), "");
        }
        (self.url.clone(), root)
    }

    /// The address as it was given, without the path of the API.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The forge whose API the server has.
    #[must_use]
    pub fn forge(&self) -> Forge {
        self.forge
    }
}

/// The URL that the API is below; the text may have the path of the API.
fn read(text: &str, api: &str) -> Result<Url, Problem> {
    let whole = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let url = Url::parse(whole.trim()).map_err(|why| refuse(text, why))?;
    if !url.query().is_empty() {
        return Err(refuse(text, "it has a query"));
    }
    let path = url.path().trim_end_matches('/');
    let root = path.strip_suffix(api).unwrap_or(path).trim_end_matches('/').to_owned();
    Ok(url.with_target(root))
}

fn refuse(text: &str, why: &str) -> Problem {
    // A URL with a password in it is refused, so the message omits what may be one.
    let shown = text.rsplit('@').next().unwrap_or_default();
    Problem::usage(format!("`{shown}` is not the address of a server: {why}"))
        .hint("give a host name or a URL, such as https://gitlab.example.com")
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.url.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_names_urls_and_api_roots_mean_the_same_server() {
        for text in [
            "git.example.org",
            "https://git.example.org",
            "https://git.example.org/api/v4/",
            "https://GIT.example.org:443",
        ] {
            let url = BaseUrl::parse(text, Forge::GitLab).unwrap().call(
                ApiHost::Api,
                &Path::root("features"),
                &Fields::new(),
            );
            assert_eq!(url.to_string(), "https://git.example.org/api/v4/features", "{text}");
        }
        let nested = BaseUrl::parse("http://localhost:8080/git/", Forge::GitLab).unwrap();
        let url = nested.call(ApiHost::Api, &Path::root("features"), &Fields::new().add("page", 2_u64));
        assert_eq!(url.to_string(), "http://localhost:8080/git/api/v4/features?page=2");
        assert_eq!(nested.to_string(), "http://localhost:8080/git");
    }

    #[test]
    fn github_has_other_hosts_and_an_enterprise_other_paths() {
        for (text, api, uploads) in [
            ("github.com", "https://api.github.com", "https://uploads.github.com"),
            ("https://api.github.com/", "https://api.github.com", "https://uploads.github.com"),
            ("https://api.harbor.ghe.com", "https://api.harbor.ghe.com", "https://uploads.harbor.ghe.com"),
            ("https://git.example.org/api/v3", "https://git.example.org/api/v3", "https://git.example.org/api/uploads"),
            ("http://localhost:1", "http://localhost:1/api/v3", "http://localhost:1/api/uploads"),
            (
                "https://api.github.com.evil.example",
                "https://api.github.com.evil.example/api/v3",
                "https://api.github.com.evil.example/api/uploads",
            ),
        ] {
            let base = BaseUrl::parse(text, Forge::GitHub).unwrap();
            let at = |site| base.call(site, &Path::root("x"), &Fields::new()).to_string();
            assert_eq!(
                (at(ApiHost::Api), at(ApiHost::Uploads)),
                (format!("{api}/x"), format!("{uploads}/x")),
                "{text}"
            );
        }
    }

    #[test]
    fn a_password_is_neither_taken_nor_shown() {
        let problem = BaseUrl::parse("https://user:hunter2@git.example.org", Forge::GitLab).unwrap_err();
        assert!(!format!("{problem} {problem:?}").contains("hunter2"), "{problem}");
    }
}
