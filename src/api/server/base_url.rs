//! Where the service is.

use std::fmt;

use super::url::Url;
use crate::{
    api::operation::{ApiHost, Fields, Path},
    model::{Forge, Problem},
};

const API: &str = "/api/v4";
const ENTERPRISE_API: &str = "/api/v3";
const ENTERPRISE_UPLOADS: &str = "/api/uploads";

/// The address of a service, from which that of its API follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    place: Url,
    forge: Forge,
}

impl BaseUrl {
    /// Reads a host name (spoken to over https) or a URL, with or without `/api/v4` at its end.
    ///
    /// # Errors
    ///
    /// Where it is no address of a service.
    pub fn parse(text: &str) -> Result<Self, Problem> {
        Ok(Self { place: read(text, API)?, forge: Forge::GitLab })
    }

    /// Reads the address of a GitHub, or of its API: `github.com`, `https://api.github.com`,
    /// `https://git.example.com/api/v3`.
    ///
    /// # Errors
    ///
    /// Where it is no address of a service.
    pub fn github(text: &str) -> Result<Self, Problem> {
        let place = read(text, ENTERPRISE_API)?;
        let host = place.host().strip_prefix("api.").filter(|host| is_cloud(host)).map(str::to_owned);
        let place = host.map_or_else(|| place.clone(), |host| place.with_host(host));
        Ok(Self { place, forge: Forge::GitHub })
    }

    /// The URL of an operation. Its host follows from this address alone, never from what an answer says.
    pub(in crate::api) fn call(&self, site: ApiHost, path: &Path, query: &Fields) -> Url {
        let mark = if query.is_empty() { "" } else { "?" };
        let (place, root) = self.root(site);
        place.with_target(format!("{}{root}{}{mark}{}", place.target(), path.as_str(), query.encode()))
    }

    fn root(&self, site: ApiHost) -> (Url, &'static str) {
        let cloud = |name: &str| self.place.with_host(format!("{name}.{}", self.place.host()));
        match (self.forge, site) {
            (Forge::GitLab | Forge::Gitea | Forge::Bitbucket, _) => (self.place.clone(), API),
            (Forge::GitHub, ApiHost::Api) if is_cloud(self.place.host()) => (cloud("api"), ""),
            (Forge::GitHub, ApiHost::Uploads) if is_cloud(self.place.host()) => (cloud("uploads"), ""),
            (Forge::GitHub, ApiHost::Api) => (self.place.clone(), ENTERPRISE_API),
            (Forge::GitHub, ApiHost::Uploads) => (self.place.clone(), ENTERPRISE_UPLOADS),
        }
    }

    /// The place itself.
    #[must_use]
    pub fn url(&self) -> &Url {
        &self.place
    }

    /// Whose API it has.
    #[must_use]
    pub fn forge(&self) -> Forge {
        self.forge
    }
}

/// Whether it is one of GitHub's own hosts, which have one more for the API and one for files.
fn is_cloud(host: &str) -> bool {
    host == "github.com" || host.ends_with(".ghe.com")
}

/// The place below which the API lies, which the text may name too.
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
    // A URL with a password in it is refused, so the text is told without what might be one.
    let shown = text.rsplit('@').next().unwrap_or_default();
    Problem::usage(format!("`{shown}` is no address of a service: {why}"))
        .hint("give a host name or a URL, such as https://gitlab.example.com")
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(out)
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
            let url = BaseUrl::parse(text).unwrap().call(ApiHost::Api, &Path::root("features"), &Fields::new());
            assert_eq!(url.to_string(), "https://git.example.org/api/v4/features", "{text}");
        }
        let nested = BaseUrl::parse("http://localhost:8080/git/").unwrap();
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
            let base = BaseUrl::github(text).unwrap();
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
        let problem = BaseUrl::parse("https://user:hunter2@git.example.org").unwrap_err();
        assert!(!format!("{problem} {problem:?}").contains("hunter2"), "{problem}");
    }
}
